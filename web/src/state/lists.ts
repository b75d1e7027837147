/** Long lists that were read in part. Asking again asks only for what can have changed, and keeps every row that did not. Pure. */
import type { Page } from "~/api/types";

interface Item { id: string }
/** `cursor` is where the page was asked from; `next` where the one after it begins, null at the end. */
interface Part<T> { cursor: string | null; items: T[]; next: string | null }
export interface List<T> { parts: Part<T>[]; items: T[] }

export const emptyList = { parts: [], items: [] };
export const nextOf = (list: List<unknown>): string | null => list.parts.at(-1)?.next ?? null;

function listOf<T extends Item>(parts: Part<T>[]): List<T> {
  const seen = new Set<string>();
  const items = parts.flatMap((part) => part.items).filter((item) => !seen.has(item.id) && seen.add(item.id));
  return { parts, items };
}

const partOf = <T>(cursor: string | null, page: Page<T>): Part<T> => ({ cursor, items: page.items, next: page.next_cursor ?? null });

/** A row that says the same stays the same object, so that nothing draws it again. */
function kept<T extends Item>(list: List<T>, items: T[]): T[] {
  const known = new Map(list.items.map((item) => [item.id, item]));
  return items.map((item) => {
    const before = known.get(item.id);
    return before && JSON.stringify(before) === JSON.stringify(item) ? before : item;
  });
}

/** The page asked from `cursor`, in its place: a new one behind the others, a known one instead of itself. */
export function withPage<T extends Item>(list: List<T>, cursor: string | null, page: Page<T>): List<T> {
  const part = partOf(cursor, { ...page, items: kept(list, page.items) });
  const index = list.parts.findIndex((known) => known.cursor === cursor);
  return listOf(index < 0 ? [...list.parts, part] : list.parts.with(index, part));
}

/** The newest page of a list whose newest rows come first: what is new or moved stands at the head, what the page lacks is gone. */
export function withHead<T extends Item>(list: List<T>, page: Page<T>): List<T> {
  const fresh = partOf(null, { ...page, items: kept(list, page.items) });
  const place = new Map(list.items.map((item, index) => [item.id, index]));
  // A row that moved to the head stands in front; the last known one marks how far the page reaches.
  const last = page.items.findLast((item) => place.has(item.id));
  if (fresh.next === null || !last) return listOf([fresh]);
  const head = new Set(page.items.map((item) => item.id));
  const rest = list.items.slice((place.get(last.id) ?? 0) + 1).filter((item) => !head.has(item.id));
  return listOf([{ ...fresh, items: [...fresh.items, ...rest], next: nextOf(list) }]);
}

/** Rows that were read by themselves; what is not in the list is not added. */
export function withItems<T extends Item>(list: List<T>, items: T[]): List<T> {
  const fresh = new Map(kept(list, items).map((item) => [item.id, item]));
  if (!list.items.some((item) => fresh.has(item.id) && fresh.get(item.id) !== item)) return list;
  return listOf(list.parts.map((part) => ({ ...part, items: part.items.map((item) => fresh.get(item.id) ?? item) })));
}

export function without<T extends Item>(list: List<T>, id: string): List<T> {
  return listOf(list.parts.map((part) => ({ ...part, items: part.items.filter((item) => item.id !== id) })));
}
