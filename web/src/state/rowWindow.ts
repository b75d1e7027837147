/** Which rows of a long list are drawn. The window moves in steps: most frames of a scroll change nothing but the place. Pure. */

export interface RowWindow { first: number; end: number }

const step = 4;
/** Rows beyond each edge: enough until the next step is drawn, at some three thousand pixels a second. */
const around = 8;

/** Rows `first` to `end` (exclusive) around what is seen between `top` and `top + view` pixels. */
export function rowWindow(top: number, view: number, height: number, count: number): RowWindow {
  const seen = Math.floor(Math.max(0, top) / height / step) * step;
  const first = Math.max(0, Math.min(seen - around, count));
  return { first, end: Math.min(count, seen + Math.ceil(view / height) + step + around) };
}

/** Whether all that is seen has its row already. */
export function covers({ first, end }: RowWindow, top: number, view: number, height: number, count: number): boolean {
  return first * height <= Math.max(0, top) && (end >= count || end * height >= top + view);
}
