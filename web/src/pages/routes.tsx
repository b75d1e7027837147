/** Pages whose address names a thing: the name is read here and handed to the page. */
import { getRouteApi } from "@tanstack/react-router";
import { BasePage } from "./BasePage";
import { DocumentPage } from "./DocumentPage";
import { RunPage } from "./RunPage";
import { SearchPage } from "./SearchPage";

const base = getRouteApi("/knowledge/$kbId");
const document = getRouteApi("/documents/$documentId");
const run = getRouteApi("/runs/$runId");
const search = getRouteApi("/search");

export function BaseRoute() {
  const { kbId } = base.useParams();
  return <BasePage key={kbId} kbId={kbId} />;
}

export function DocumentRoute() {
  const { documentId } = document.useParams();
  return <DocumentPage key={documentId} documentId={documentId} />;
}

export function RunRoute() {
  const { runId } = run.useParams();
  return <RunPage key={runId} runId={runId} />;
}

export function SearchRoute() {
  const given = search.useSearch();
  return <SearchPage key={given.q ?? ""} given={given} />;
}
