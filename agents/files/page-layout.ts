/** Arranges the text runs of a page into lines, and keeps columns so that tables stay tables. */

/** A text run of a line. Units are points; `y` increases upwards. */
export interface PageItem {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Line {
  readonly y: number;
  readonly height: number;
  /** Ordered from left to right. */
  readonly items: readonly PageItem[];
}

/** A horizontal distance of at least this share of the text height is a space. */
const spaceGap = 0.15;
/** A gap of at least this many characters is a column border. */
const columnGap = 1.8;
/** Text runs whose baselines differ by less than this share of their height form one line. */
const baselineTolerance = 0.4;
/** A paragraph begins where the line spacing is this many times the usual spacing. */
const paragraphGap = 1.4;
/** Widest line, characters. */
const columnsMax = 300;

/** @returns the lines of the page from top to bottom, with an empty line between paragraphs */
export function layOutPage(items: readonly PageItem[]): string[] {
  const visible = items.filter(({ x, y, text }) => Number.isFinite(x) && Number.isFinite(y) && text.trim() !== '');
  if (visible.length === 0) return [];
  return splitColumns(visible).flatMap((column, index) => (index === 0 ? layOut(column) : ['', ...layOut(column)]));
}

function layOut(items: readonly PageItem[]): string[] {
  const lines = groupLines(items);
  const charWidth = Math.max(1, medianOf(items.map(({ text, width }) => width / text.length)));
  const left = Math.min(...items.map(({ x }) => x));
  const usualGap = medianOf(lines.slice(1).map(({ y }, index) => lines[index]!.y - y));
  return lines.flatMap((line, index) => {
    const text = renderLine(line, { charWidth, left });
    const above = lines[index - 1];
    return above !== undefined && above.y - line.y > paragraphGap * Math.max(usualGap, line.height)
      ? ['', text]
      : [text];
  });
}

function groupLines(items: readonly PageItem[]): Line[] {
  const sorted = [...items].sort((a, b) => b.y - a.y || a.x - b.x);
  const lines: { y: number; height: number; items: PageItem[] }[] = [];
  for (const item of sorted) {
    const last = lines.at(-1);
    if (last !== undefined && last.y - item.y <= baselineTolerance * Math.max(last.height, item.height)) {
      last.items.push(item);
      last.height = Math.max(last.height, item.height);
    } else {
      lines.push({ y: item.y, height: item.height, items: [item] });
    }
  }
  for (const { items: own } of lines) own.sort((a, b) => a.x - b.x);
  return lines;
}

function renderLine({ items, height }: Line, { charWidth, left }: { charWidth: number; left: number }): string {
  let text = ' '.repeat(columnOf(items[0]!.x, { charWidth, left }));
  let end = items[0]!.x;
  for (const { x, width, text: piece } of items) {
    const gap = x - end;
    if (gap > columnGap * charWidth) {
      text = text.trimEnd();
      text = text.padEnd(Math.max(text.length + 2, columnOf(x, { charWidth, left })));
    } else if (gap > spaceGap * height && !text.endsWith(' ') && !piece.startsWith(' ')) {
      text += ' ';
    }
    text += piece;
    end = Math.max(end, x + width);
  }
  return text.trimEnd();
}

function columnOf(x: number, { charWidth, left }: { charWidth: number; left: number }): number {
  return Math.min(columnsMax, Math.max(0, Math.round((x - left) / charWidth)));
}

function medianOf(values: readonly number[]): number {
  const sorted = values.filter((value) => value > 0).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Minimum width of the empty strip between two columns of prose, in points. */
const gutterWidthMin = 8;
/** Minimum number of prose lines on each side of a page with two columns. */
const proseLinesMin = 8;
/** Minimum number of characters of a line of prose. */
const proseUnitsMin = 20;

/**
 * Returns the left and the right column of a page that is set in two columns of prose, else the page unchanged. A table has no
 * prose on its right side.
 */
function splitColumns(items: readonly PageItem[]): PageItem[][] {
  const left = Math.min(...items.map(({ x }) => x));
  const right = Math.max(...items.map(({ x, width }) => x + width));
  const gutter = findGutter(items, left + 0.4 * (right - left), left + 0.6 * (right - left));
  if (gutter === undefined) return [[...items]];
  const sides = [items.filter(({ x }) => x < gutter), items.filter(({ x }) => x >= gutter)];
  const isProse = (side: readonly PageItem[]) => {
    const lengths = groupLines(side).map((line) => line.items.reduce((sum, { text }) => sum + text.length, 0));
    return lengths.length >= proseLinesMin && medianOf(lengths) >= proseUnitsMin;
  };
  return sides.every(isProse) ? sides : [[...items]];
}

/** The middle of the widest vertical gap in a range, where a gap is a strip that no text run crosses. */
function findGutter(items: readonly PageItem[], from: number, to: number): number | undefined {
  const covered = items
    .map(({ x, width }) => ({ start: x, end: x + width }))
    .filter(({ start, end }) => end > from && start < to)
    .sort((a, b) => a.start - b.start);
  let reached = from;
  let best: { start: number; end: number } | undefined;
  for (const { start, end } of [...covered, { start: to, end: to }]) {
    if (start - reached > (best === undefined ? gutterWidthMin : best.end - best.start))
      best = { start: reached, end: start };
    reached = Math.max(reached, end);
  }
  return best && (best.start + best.end) / 2;
}
