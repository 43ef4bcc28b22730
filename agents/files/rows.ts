/** Writes rows of values as lines of tab-separated cells. */

/**
 * Removes empty columns at the left and empty rows at the edges; an empty row between others is kept, because it ends a table.
 */
export function rowsText(rows: readonly (readonly unknown[])[]): string {
  const texts = rows.map((row) => row.map(cellText));
  const first = Math.min(...texts.map((row) => row.findIndex((cell) => cell !== '')).filter((column) => column >= 0));
  const lines = texts.map((row) =>
    row
      .slice(Number.isFinite(first) ? first : 0)
      .join('\t')
      .trimEnd(),
  );
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
}

/**
 * Formats a number like JavaScript, rounded to the fifteen digits that spreadsheets store, and a date without its time if that
 * is midnight.
 */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(Number(value.toPrecision(15)));
  if (value instanceof Date) {
    return Number.isNaN(value.getTime())
      ? ''
      : value
          .toISOString()
          .replace(/T00:00:00\.000Z$/, '')
          .replace(/\.000Z$/, 'Z');
  }
  return String(value).replace(/\s+/g, ' ').trim();
}
