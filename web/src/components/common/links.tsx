/** Buttons and menu entries that lead to another page of the app: real links, so that they open in a new tab too. */
import { Button, type ButtonProps, Menu, type MenuItemProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";

type Anchor = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "color" | "style" | keyof ButtonProps> & { ref?: Ref<HTMLAnchorElement> };
type Item = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "color" | "style" | keyof MenuItemProps> & { ref?: Ref<HTMLAnchorElement> };

export const LinkButton = createLink((properties: ButtonProps & Anchor) => <Button component="a" {...properties} />);
export const LinkItem = createLink((properties: MenuItemProps & Item) => <Menu.Item component="a" {...properties} />);
