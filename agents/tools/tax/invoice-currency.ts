/** The currency that a line of an invoice names. */
import { findAmounts } from '../text/amounts.ts';
import { foldText } from './fold.ts';

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
