/** Determines the purpose of a contract's amounts from the surrounding words. */
import type { Range } from '../text/span.ts';

export type AmountRole = 'price or fee' | 'liability cap' | 'insurance' | 'penalty' | 'deposit' | 'other';

/** Determined from its sentence, at most 200 characters before and 120 after. */
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
