/** References that lead nowhere: clauses and schedules that are named but do not exist, terms defined twice. */
import { type Definition, findDefinitions } from '../text/definitions.ts';
import type { TextReading } from '../text/reading.ts';
import type { Range } from '../text/span.ts';

export interface ReferenceProblem extends Range {
  readonly kind: 'clause not found' | 'schedule not found' | 'term defined twice' | 'defined term not used';
  /** "clause 14.2", "Schedule C", "Fees". */
  readonly what: string;
}

const reference =
  /\b(clause|section|article|paragraph|schedule|annex|appendix|exhibit)s?[ \u00a0](\d{1,3}(?:\.\d{1,3}){0,3}|[A-Z]|[IVX]{1,5})(?![\p{L}\d])(?!\.\d)([ ,]{1,2}(?:of|to) (?:the )?(?:[\p{Lu}]|Regulation|Directive|Act))?/giu;

/**
 * Only within a text that numbers its clauses itself (five numbers or more). References to laws ("Article 28 of Regulation …",
 * "Article 28 GDPR") are left out, as are references to a paragraph of a clause that exists.
 */
export function findReferenceProblems({ text, sections }: TextReading): ReferenceProblem[] {
  const problems: ReferenceProblem[] = [];
  const numbers = numbersOf(sections);
  const definitions = findDefinitions(text);
  const ownNumbers = [...numbers].filter((number) => /^\d/.test(number)).length;
  if (ownNumbers >= 5) {
    const seen = new Set<string>();
    for (const match of text.matchAll(reference)) {
      const [shown, kind = '', number = ''] = match;
      const after = text.slice(match.index + shown.length, match.index + shown.length + 40);
      const toLaw =
        match[3] !== undefined ||
        /^(?:\(\d{1,2}\)|[ ,]){0,4}(?:of (?:the )?(?:[A-Z]|Regulation|Directive)|GDPR|RODO|DSGVO|BGB|HGB|TFEU|TEU)/.test(
          after,
        );
      const key = `${kind} ${number}`.toLowerCase();
      if (toLaw || seen.has(key) || numbers.has(number.toUpperCase())) continue;
      seen.add(key);
      const isSchedule = /^(?:schedule|annex|appendix|exhibit)/i.test(kind);
      const range = { start: match.index, end: match.index + shown.length };
      problems.push({
        ...range,
        kind: isSchedule ? 'schedule not found' : 'clause not found',
        what: `${kind} ${number}`,
      });
    }
  }
  const byTerm = new Map<string, number>();
  for (const definition of definitions) {
    const times = (byTerm.get(definition.term) ?? 0) + 1;
    byTerm.set(definition.term, times);
    const { start, end, term } = definition;
    if (times === 2) problems.push({ start, end, kind: 'term defined twice', what: term });
  }
  problems.push(...unusedTerms(text, definitions));
  return problems.sort((a, b) => a.start - b.start);
}

/** "14.2" exists where it heads a section, or a deeper number under it does. */
function numbersOf(sections: TextReading['sections']): ReadonlySet<string> {
  const numbers = new Set<string>();
  for (const { number } of sections) {
    for (
      let prefix = number?.toUpperCase() ?? '';
      prefix !== '';
      prefix = prefix.slice(0, Math.max(0, prefix.lastIndexOf('.')))
    ) {
      numbers.add(prefix);
    }
  }
  return numbers;
}

/** Defined terms that the rest of the text never writes again. Looks at the first hundred. */
function unusedTerms(text: string, definitions: readonly Definition[]): ReferenceProblem[] {
  const unused = definitions
    .slice(0, 100)
    .filter(({ term, start, end }) => text.indexOf(term) >= start && text.indexOf(term, end) === -1);
  return unused.map(({ start, end, term }) => ({ start, end, kind: 'defined term not used', what: term }));
}
