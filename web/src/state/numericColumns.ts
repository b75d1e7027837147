/** Which columns of a table hold nothing but amounts: their digits stand below each other. */

// With a sign, separators, a currency or a percent sign; not a date, a year and month, or a phone number.
const amount = /^(?:[A-Z]{3} ?|[€$£] ?)?[-+−]?\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})*(?:[.,]\d+)?(?: ?(?:%|[A-Z]{3}|[€$£]))?$|^[-+−]?\d+(?:[.,]\d+)?$/;

export function numericColumns(rows: string[][]): Set<number> {
  const numeric = new Set<number>();
  const width = Math.max(0, ...rows.map((row) => row.length));
  for (let column = 0; column < width; column += 1) {
    const cells = rows.map((row) => row[column]?.trim() ?? "").filter(Boolean);
    if (cells.length > 1 && cells.every((cell) => amount.test(cell))) numeric.add(column);
  }
  return numeric;
}
