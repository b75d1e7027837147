/** A name that may be a path: a line may end behind a stroke of it, so that it need not end within a word. */
import { Fragment } from "react";

export const PathName = ({ name }: { name: string }) => name.split(/(?<=[/\\_])/).map((part, index) => <Fragment key={index}>{index > 0 && <wbr />}{part}</Fragment>);
