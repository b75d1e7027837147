/** The values that travel between the page and the server: names for the types that are generated from the server's OpenAPI document. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type RunStatus = Schemas["RunAnswer"]["status"];
export interface Page<T> { items: T[]; next_cursor?: string | null }
export type Problem = Pick<Schemas["Problem"], "title"> & Partial<Schemas["Problem"]>;
export type Me = Schemas["MeView"];
export type Usage = Schemas["UsageView"];

export type KnowledgeBase = Schemas["KnowledgeBaseView"];
export type Document = Schemas["DocumentView"];
export type DocumentStatus = Document["status"];
export type UploadItem = Schemas["UploadView"];
export type OnConflict = "skip" | "replace" | "keep_both";
export type Content = Schemas["ContentView"];
export type Structure = Schemas["StructureView"];
export type Chunk = Schemas["ChunkAnswer"];
export type Hit = Schemas["HitView"];
export type SearchRequest = Partial<Schemas["SearchBody"]> & { query: string };
export type SearchMode = NonNullable<SearchRequest["mode"]>;
export type SearchResult = Schemas["SearchAnswer"];

export type Conversation = Schemas["ConversationView"];
export type Message = Schemas["MessageView"];
export type Source = Schemas["SourceView"];
export type Quote = Schemas["QuoteView"];
export type Step = Schemas["StepView"];
export type RunRequest = Partial<Schemas["ConversationRunRequest"]> & { message: string };
export type RunAccepted = Schemas["RunAccepted"];
export type Run = Schemas["RunAnswer"];
export type RunBrief = Schemas["RunBrief"];
export type RunEvent = Schemas["EventView"];

export type ModelInfo = Schemas["ModelView"];
export type ModelList = Schemas["ModelsAnswer"];
export type ModelTest = Schemas["ModelTestAnswer"];
export type Health = Schemas["HealthView"];
