/** The picture that stands for a tool. */
import { BookOpenText, Calculator, Clock, FileText, Globe, type LucideIcon, ListTree, Search, TextQuote, Wrench } from "lucide-react";

const icons: Record<string, LucideIcon> = {
  search_documents: Search, get_chunk: TextQuote, summarise_chunks: BookOpenText, list_documents: ListTree, read_document: FileText,
  get_current_datetime: Clock, calculate: Calculator, web_search: Globe, read_url: Globe,
};

export const toolIcon = (tool: string): LucideIcon => icons[tool] ?? Wrench;
