/** The currency that a line of an invoice names. */

import { findAmounts } from '../text/amounts.ts';
import { foldText } from './fold.ts';
import type { Layout, Line } from './layout.ts';

const codeShape = /(?<![A-Za-z])(EUR|USD|GBP|CHF|NOK|SEK|DKK|PLN|CZK|HUF|RON|BGN|ISK)(?![A-Za-z])/;

export function currencyIn(line: string): string | undefined {
  const code = codeShape.exec(line)?.[1];
  if (code !== undefined) return code;
  if (/zł|\bPLN\b/.test(line)) return 'PLN';
  const amount = findAmounts(line.slice(0, 300)).find(({ currency }) => currency !== undefined)?.currency;
  if (amount !== undefined) return amount;
  return line.includes('€')
    ? 'EUR'
    : line.includes('£')
      ? 'GBP'
      : line.includes('Kč')
        ? 'CZK'
        : /\beuros?\b/.test(foldText(line))
          ? 'EUR'
          : undefined;
}

/**
 * Next to a total, else named in a header or a sentence on prices, else the commonest.
 * @param ends lines of totals and amounts due
 */
export function currencyOf(layout: Layout, from: number, to: number, ends: readonly Line[]): string | undefined {
  const shown = layout.lines.slice(from, to);
  for (const line of ends.toReversed()) {
    const found = currencyIn(layout.document.text.slice(line.start, line.end));
    if (found !== undefined) return found;
  }
  const counts = new Map<string, number>();
  for (const { start, end } of shown) {
    const code = currencyIn(layout.document.text.slice(start, end));
    if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
