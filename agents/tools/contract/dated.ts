/** What a contract's dates, amounts and durations are for, by the words around them. */
import type { Range } from '../text/span.ts';

export type DateRole = 'signature or effective' | 'start' | 'end' | 'deadline' | 'other';
export type AmountRole = 'price or fee' | 'liability cap' | 'insurance' | 'penalty' | 'deposit' | 'other';

/** Judged by at most 100 characters before and 40 after. */
export function dateRole(text: string, range: Range): DateRole {
  const before = text.slice(Math.max(0, range.start - 100), range.start);
  if (/\b(?:effective|dated|made on|made as of|as of|entered into|signed|concluded)\b[^.;]{0,60}$/i.test(before)) {
    return 'signature or effective';
  }
  if (/\b(?:until|expir\w{1,8}|ends?|ending|terminat\w{1,6}|through|end date)\b[^.;]{0,40}$/i.test(before))
    return 'end';
  if (/\b(?:no later than|not later than|by|before|deadline|due|within)\b[^.;]{0,24}$/i.test(before)) return 'deadline';
  if (
    /\b(?:takes? effect|start|starts|starting|commenc\w{1,8}|begin|begins|beginning|from)\b[^.;]{0,40}$/i.test(before)
  )
    return 'start';
  return 'other';
}

/** Judged by its sentence, at most 200 characters before and 120 after. */
export function amountRole(text: string, range: Range, sentence: Range): AmountRole {
  const from = Math.max(sentence.start, range.start - 200);
  const around = text.slice(from, Math.max(range.end, Math.min(sentence.end, range.end + 120)));
  if (/\binsur/i.test(around)) return 'insurance';
  if (/\bliab/i.test(around) && /exceed|limit|cap|maximum/i.test(around)) return 'liability cap';
  if (/\b(?:penalt|liquidated damages|service credit)/i.test(around)) return 'penalty';
  if (/\b(?:deposit|escrow|retention)\b/i.test(around)) return 'deposit';
  if (/\b(?:fee|price|pay|charge|rate|remuneration|consideration|rent|salary|invoice)/i.test(around))
    return 'price or fee';
  return 'other';
}
