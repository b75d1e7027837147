import type { Catalogue } from "./index";
import { en } from "./en";
export const de: Catalogue = en;
