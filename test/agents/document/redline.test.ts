import { expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';
import { acceptChanges } from '../../../agents/document/redline.ts';

const squeezed = (text: string) => text.replace(/ {2,}/g, ' ').trim();
const textOf = (text: string) => parseDocument({ message: 0, text }).text;

it.each([
  ['Notice is [-thirty-] [+sixty+] days. [-It renews.-]', 'Notice is sixty days.'],
  ['Notice is [-thirty-] {+sixty+} days. [-It\nrenews.-]', 'Notice is sixty days. \n'],
  ['Notice is {--thirty--}{++sixty++} days. {--It renews.--}', 'Notice is sixty days.'],
])('keeps the later version of a comparison: %j', (text, later) => {
  expect(squeezed(acceptChanges(text))).toBe(squeezed(later));
  expect(acceptChanges(text)).toHaveLength(text.length);
});

it('keeps the new words of a substitution, and no comments', () => {
  const text = 'The price is {~~$1.75~>$1.60~~} per share. {>>KT: the founders wanted $2.62<<}';
  expect(textOf(text).replace(/\s+/g, ' ').trim()).toMatch(/^The price is \$1\.60 per share\.$/);
});

it('keeps brackets that are no comparison', () => {
  expect(acceptChanges('Values in [-5, 5-] and a charge of [+2+].')).toBe('Values in [-5, 5-] and a charge of [+2+].');
});

it('reads only the agreed column of a list of positions', () => {
  const text = textOf(
    '| Topic | Agreed | Buyer asks | Remarks |\n|---|---|---|---|\n| Fees due | 40 days | 75 days | mail of 3 May |\n| Term | 2 years | 9 years | |\n',
  );
  expect(text).toContain('40 days');
  expect(text).not.toMatch(/75 days|9 years|3 May/);
});

it('does not split a table with a marked heading of words at rows with periods', () => {
  const { tables } = parseDocument({
    message: 0,
    text: '| Topic | Basic | Plus |\n|---|---|---|\n| Start | 1 May 2026 | 1 June 2026 |\n| Renewal | 12 months | 24 months |\n',
  });
  expect(tables).toHaveLength(1);
});
