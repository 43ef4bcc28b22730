/** References that lead nowhere: clauses and schedules that are named but do not exist, terms defined twice. */

import type { Document } from '../../document/document.ts';
import { type Definition, findDefinitions } from '../text/definitions.ts';
import type { Range } from '../text/span.ts';
import { splitWords, type Word } from '../text/words.ts';

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
export function findReferenceProblems({ text, sections, sentences, words }: Document): ReferenceProblem[] {
  const problems: ReferenceProblem[] = [];
  const numbers = numbersOf([...sections, ...headedBy(text, sentences)]);
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
  problems.push(...unusedTerms(words, definitions));
  return problems.sort((a, b) => a.start - b.start);
}

const headShape =
  /^(?:clause|section|article|paragraph|schedule|annex|appendix|exhibit)[ \u00a0](\d{1,3}(?:\.\d{1,3}){0,3}|[A-Z]|[IVXL]{1,6})(?![\p{L}\d])/iu;

/** What begins a sentence, a row or an entry of a table of contents heads it, and refers to nothing. */
function headedBy(text: string, sentences: readonly Range[]): { readonly number: string }[] {
  return sentences.flatMap(({ start, end }) => {
    const match = headShape.exec(text.slice(start, Math.min(end, start + 40)));
    return match === null ||
      /^(?:shall|is|are|does|will|applies|and|or)\b/.test(text.slice(start + match[0].length, end).trimStart())
      ? []
      : [{ number: match[1]! }];
  });
}

/** "14.2" exists where it heads a section, or a deeper number under it does. */
function numbersOf(sections: readonly { readonly number?: string }[]): ReadonlySet<string> {
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

/** Defined terms that no other word of the text repeats, whatever its case or number. Looks at the first hundred. */
function unusedTerms(words: readonly Word[], definitions: readonly Definition[]): ReferenceProblem[] {
  const text = ` ${words.map(({ text: word }) => singular(word)).join(' ')} `;
  const unused = definitions.slice(0, 100).filter(({ term }) => {
    const wanted = ` ${splitWords(term)
      .map(({ text: word }) => singular(word))
      .join(' ')} `;
    const first = text.indexOf(wanted);
    return first !== -1 && text.indexOf(wanted, first + wanted.length - 1) === -1;
  });
  return unused.map(({ start, end, term }) => ({ start, end, kind: 'defined term not used', what: term }));
}

/** "Services" and "service", "parties" and "party", "Supplier's" and "supplier". */
function singular(word: string): string {
  const bare = word.replace(/'s?$/, '');
  if (bare.length > 4 && bare.endsWith('ies')) return `${bare.slice(0, -3)}y`;
  return bare.length > 3 && bare.endsWith('s') && !bare.endsWith('ss') ? bare.slice(0, -1) : bare;
}
