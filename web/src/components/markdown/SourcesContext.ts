/** The sources that the citations of one answer may open. A context, so that a new source does not re-render settled text. */
import { createContext, useContext } from "react";
import type { Source } from "~/api/types";

export interface Citing { sources: Source[]; open: (source: Source) => void; settled: boolean }
const Context = createContext<Citing>({ sources: [], open: () => undefined, settled: true });
export const CitingProvider = Context.Provider;
export const useCiting = () => useContext(Context);
