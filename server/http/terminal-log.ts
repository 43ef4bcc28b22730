/** Log lines as words for a terminal; programs get the JSON lines of `request-log.ts`. */
import { styleText } from 'node:util';
import type { DestinationStream } from 'pino';

/** Returns to the first column and clears the line, which may show progress. */
const clearLine = '\r\u001b[K';

/** A terminal says how many colors it has; `NO_COLOR`, `NODE_DISABLE_COLORS` and `TERM=dumb` say that it has none. */
export interface Terminal {
  readonly hasColors?: () => boolean;
}

/** Rewrites each JSON line for people before it reaches `output`. Warnings and errors have a color where `terminal` has colors. */
export function terminalLines(output: DestinationStream, terminal: Terminal = {}): DestinationStream {
  const isColored = terminal.hasColors?.() === true;
  return { write: (line) => output.write(`${clearLine}${formatLine(line, { isColored })}\n`) };
}

/** `12:30:01 warn engine lost: restarting (model demo-TEE)` */
export function formatLine(json: string, { isColored = false }: { isColored?: boolean } = {}): string {
  const { level, time, msg, reqId, ...facts } = JSON.parse(json) as Record<string, unknown>;
  const shown = Object.entries({ ...facts, ...(reqId !== undefined && { id: reqId }) })
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => `${name} ${formatValue(value)}`);
  const head = `${String(time).slice(11, 19)} ${isColored ? painted(level) : level} ${formatValue(msg ?? '')}`;
  return shown.length === 0 ? head : `${head} (${shown.join(', ')})`;
}

const colors: Readonly<Record<string, 'yellow' | 'red'>> = { warn: 'yellow', error: 'red', fatal: 'red' };

function painted(level: unknown): string {
  const color = colors[String(level)];
  return color === undefined ? String(level) : styleText(color, String(level), { validateStream: false });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function formatValue(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.map(formatValue).join(' + ');
  if (typeof value !== 'string') return JSON.stringify(value);
  // Control characters would act on the terminal.
  return /[\p{Cc}\p{Cf}]/u.test(value) ? JSON.stringify(value).replace(/[\p{Cc}\p{Cf}]/gu, '?') : value;
}
