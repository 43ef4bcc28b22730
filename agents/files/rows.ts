/** Writes rows of values as lines of cells between tabs. */

/** Without the empty columns at the left and the empty rows; an empty row between others stays, as the end of a table. */
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

/** A number as JavaScript prints it, rounded to the fifteen digits that spreadsheets keep; a date without its midnight. */
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
