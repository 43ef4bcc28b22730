/** The kinds of single lines of text: of a log, or of a table with its kind of divider. */
import type { Range } from '../tools/text/span.ts';
import { type GridKind, gridKind } from './grid.ts';

/** A log line: it begins with a time or a priority, or has the format of an access log. */
export const logLine =
  /^(?:<\d{1,3}>|\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\S{1,64} \S{1,32} \S{1,32} \[\d\d\/[A-Z][a-z]{2}\/\d{4}:)/;

export function kindAt(text: string, line: Range, current: GridKind | undefined): GridKind | undefined {
  return logLine.test(lineStart(text, line)) ? undefined : gridKind(text, line, current);
}

export function lineStart(text: string, { start, end }: Range): string {
  return text.slice(start, Math.min(end, start + 200));
}
