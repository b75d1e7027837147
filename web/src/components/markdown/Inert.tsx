/** Links and pictures of model text, shown and never followed or loaded. A link that names a source of this run opens it. */
import type { ReactNode } from "react";
import { useT } from "~/i18n";
import { showControls } from "~/state/controls";
import { useCiting } from "./SourcesContext";
import css from "./Inert.module.css";

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

export function InertLink({ address, children }: { address: string; children: ReactNode }) {
  const t = useT();
  const { sources, open } = useCiting();
  const source = sources.find((item) => item.document_name === address || item.document_name === decoded(address));
  if (source) return <button type="button" className={css.source} onClick={() => open(source)}>{children}</button>;
  const label = typeof children === "string" && children === address;
  return (
    <span className={css.link} title={t("link.inert")}>
      {!label && <span>{children} </span>}
      <span className={css.address} dir="ltr">{label ? showControls(address) : `(${showControls(address)})`}</span>
    </span>
  );
}

export function InertImage({ address, alt }: { address: string; alt: string }) {
  const t = useT();
  return (
    <span className={css.link}>
      {t("image.inert")}{alt && `: ${alt}`} <span className={css.address} dir="ltr">({showControls(address)})</span>
    </span>
  );
}
