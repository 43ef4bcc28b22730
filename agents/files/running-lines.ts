/** Removes the headers and footers that a document prints on every page. */

/** Number of lines at the top and at the bottom of a page that are examined. */
const edgeLines = 3;
const pagesMin = 3;
/** Minimum share of the pages that have the line at their edge. */
const pagesShare = 0.6;

/** @param pages the lines of each page @returns the pages without edge lines that most pages share, ignoring digits */
export function dropRunningLines(pages: readonly (readonly string[])[]): string[][] {
  if (pages.length < pagesMin) return pages.map((page) => [...page]);
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const key of new Set(edgesOf(page).map((index) => keyOf(page[index]!))))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const isRunning = (line: string) => (counts.get(keyOf(line)) ?? 0) >= pagesShare * pages.length;
  return pages.map((page) => {
    const edges = new Set(edgesOf(page));
    return trimEmpty(page.filter((line, index) => !(edges.has(index) && isRunning(line))));
  });
}

function edgesOf(page: readonly string[]): number[] {
  const filled = page.flatMap((line, index) => (line.trim() === '' ? [] : [index]));
  return [...filled.slice(0, edgeLines), ...filled.slice(-edgeLines)];
}

function keyOf(line: string): string {
  return line.replace(/\d+/g, '#').replace(/\s+/g, ' ').trim();
}

function trimEmpty(lines: readonly string[]): string[] {
  const isFilled = (line: string) => line !== '';
  return lines.slice(Math.max(0, lines.findIndex(isFilled)), lines.findLastIndex(isFilled) + 1);
}
