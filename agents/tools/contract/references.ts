/** Broken references: clauses and schedules that are named but do not exist, and defects of defined terms. */

import type { Document } from '../../document/document.ts';
import type { Range } from '../text/span.ts';
import { findTermProblems, type TermProblem } from './defined-terms.ts';
import { isAmendment, isOrderUnder } from './document-kind.ts';
import { alternatives } from './statements.ts';

export interface ReferenceProblem extends Range {
  readonly kind: 'clause not found' | 'schedule not found' | TermProblem['kind'];
  /** "clause 14.2", "Schedule C", "Fees". */
  readonly what: string;
}

const kindWords =
  'clause|section|article|paragraph|schedule|annex|appendix|exhibit|attachment|ziffer|abschnitt|artikel|anlage|anhang';
const one = '\\d{1,3}(?:\\.\\d{1,3}){0,3}[a-z]?|[A-Z]|[IVX]{1,5}';
const reference = new RegExp(
  `(?<![\\p{L}])(?:(${kindWords})(?:s|n)?[ \\u00a0\\n]{1,12}|(§§?) ?)((?:${one})(?![\\p{L}\\d])(?:(?:, | and | or | und | oder |, and | to | bis )(?:${one})(?![\\p{L}\\d])){0,8})(?!\\.\\d)`,
  'giu',
);
/** Words after a reference which show that it refers to another document. */
const elsewhere =
  /^(?:[ ,;]*\(\w{1,3}\)|[ ,]*(?:Abs|Satz|Nr|lit)\.? ?\w{1,3}|[ ,]){0,4}(?:(?:of|to|in|under|des|der) (?:the |that |said )?(?!this\b|Agreement\b|Contract\b|Lease\b|Annex\b)(?:\p{Lu}[\p{L}&.]*|UK|U\.S\.)|(?:of |de |du |del |della )?(?:the )?(?:civil |commercial |labou?r |penal |criminal )?(?:code|codice|código|kodeks\p{L}*|wetboek)\b|(?:GDPR|RODO|DSGVO|AVG|UAVG|RGPD|RGPD\.|BW|k\.c\.|c\.c\.|Code|BGB|HGB|GmbHG|AktG|UStG|ZPO|InsO|UrhG|TMG|BDSG|TFEU|TEU|CISG|UCC|MSA)\b|\d{4}\b|(?:EU|EC)\b)/u;
const toThis = /^(?:[ ,]*\(\w{1,3}\))? ?(?:of|to|in) (?:this|the present)\b/i;

/** Checked only if the text numbers its own clauses (at least five numbers). */
export function findReferenceProblems(document: Document): ReferenceProblem[] {
  return [...brokenReferences(document), ...findTermProblems(document)].sort((a, b) => a.start - b.start);
}

function brokenReferences(document: Document): ReferenceProblem[] {
  const { text, sections, sentences } = document;
  const heads = [...sections, ...headedBy(text, sentences)];
  const numbers = numbersOf(heads);
  const ownNumbers = [...numbers].filter((number) => /^\d/.test(number)).length;
  if (ownNumbers < 5) return [];
  const isChange = isAmendment(document);
  // "Attachments: A - Prices; B - Contacts".
  const [, listed = ''] =
    /(?:^|\n|·|\|)[ \t]{0,40}(?:anlagen|annexes|schedules|exhibits|attachments|appendices|bijlagen|anexos|allegati|bilagor|bilag|załączniki)[ \t]{0,4}:([^\n]{1,300})/iu.exec(
      text,
    ) ?? [];
  // In nested lists each level counts from 1, so references to "5.2" cannot be checked.
  const isNested = ![...numbers].some((number) => /^\d+\.\d/.test(number));
  const asides = alternatives(text);
  const isUnder = isOrderUnder(document);
  const problems: ReferenceProblem[] = [];
  const seen = new Set<string>();
  const attached = new Map<string, boolean>();
  for (const match of text.matchAll(reference)) {
    const [shown, word = '', mark, list = ''] = match;
    const range = { start: match.index, end: match.index + shown.length };
    const after = text.slice(range.end, range.end + 60).replace(/\s{1,20}/g, ' ');
    if ((isChange || elsewhere.test(after)) && !toThis.test(after)) continue;
    if (asides.some(({ start, end }) => range.start >= start && range.start < end)) continue;
    if (isOfOther(text, range.start, after) || heads.some((head) => 'start' in head && head.start === range.start))
      continue;
    // A bare § refers to clauses only if the text numbers its own clauses with it.
    if (mark !== undefined && !/(?:^|\n)[ \t]{0,6}§ ?\d/.test(text)) continue;
    const isAttachment = /^(?:schedule|annex|appendix|exhibit|attachment|anlage|anhang)/i.test(word);
    if (isUnder && isAttachment && /^(?:of|to) the\b/.test(after.trim())) continue;
    for (const number of expand(list)) {
      if (isNested && number.includes('.')) continue;
      const key = `${isAttachment ? word.toLowerCase() : ''} ${number}`.toLowerCase();
      if (seen.has(key) || problems.length >= 60) continue;
      if (isAttachment && !attached.has(key) && attached.size < 40)
        attached.set(key, isAttached(document, { word, number, at: range.start, listed }));
      if (isAttachment ? attached.get(key) !== false : isNumbered(numbers, number, text, range.start, word)) continue;
      seen.add(key);
      problems.push({
        ...range,
        kind: isAttachment ? 'schedule not found' : 'clause not found',
        what: list === number || isAttachment ? `${word || '§'} ${number}` : `${word || '§'} ${number}`,
      });
    }
  }
  return problems;
}

/** References to clauses of other contracts, statutes before the number ("the Act, section 2"), and terms of the reader. */
function isOfOther(text: string, start: number, after: string): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  return (
    /\b(?:Act(?: \d{4})?|Code|Regulation|Directive|GDPR|BGB|HGB|U\.S\.C\.|C\.F\.R\.|MSA|FAR|DFARS?|the Law of Property),? (?:\(?in particular\)? )?$/.test(
      before,
    ) || /^[ ,]*(?:of|to|in) your\b/i.test(after)
  );
}

/** "24 to 28", "5, 6, 8, 9 and 14". */
function expand(list: string): string[] {
  return list.split(/, and | and | or | und | oder | to | bis |, /i).filter(Boolean);
}

function isNumbered(numbers: ReadonlySet<string>, number: string, text: string, at: number, word: string): boolean {
  const upper = number.toUpperCase();
  // Paragraphs of the surrounding schedule are numbered from 1.
  if (/^paragraph/i.test(word) && /^\d$/.test(number)) {
    const from = Math.max(
      text.lastIndexOf('\nSCHEDULE', at),
      text.lastIndexOf('\nSchedule', at),
      text.lastIndexOf('\nANNEX', at),
      text.lastIndexOf('\nAnnex', at),
    );
    if (from !== -1) return new RegExp(`\\n[ \\t]{0,8}${number}[.)][ \\t]`).test(text.slice(from, from + 12_000));
  }
  if (numbers.has(upper)) return true;
  // "Article 2 (b)" and "Section A" in capitals alone are not enough to report a broken reference.
  return /^[A-Z]$/.test(number) && !/^(?:schedule|annex|appendix|exhibit)/i.test(word);
}

/** An attachment exists if a line begins with its name, as a heading or in a list of attachments. */
function isAttached(
  { text }: Document,
  { word, number, at, listed }: { word: string; number: string; at: number; listed: string },
): boolean {
  if (new RegExp(`(?<![\\p{L}\\d])${number}(?![\\p{L}\\d])`, 'u').test(listed)) return true;
  // "Exhibit A (Project) and Exhibit B (Budget) follow."
  const follows = new RegExp(
    `${word}[ \\u00a0]${number}(?![\\p{L}\\d])[^.\\n]{0,80}(?<!\\p{L})(?:follows?|(?:is|are) (?:attached|annexed)|beigefügt|ci-jointe?s?|bijgevoegd)(?!\\p{L})`,
    'iu',
  );
  if (follows.test(text.slice(at + 1))) return true;
  const line = new RegExp(
    `(?:^|\\n|\\t)[ \\t>*#|_]{0,60}(?:${word}|${word.toUpperCase()}|${word[0]!.toUpperCase()}${word.slice(1).toLowerCase()})[ \\u00a0]{1,3}${number}(?![\\p{L}\\d.]\\d?)(?=[^\\n]{0,120})`,
    'giu',
  );
  for (const match of text.matchAll(line)) {
    const end = match.index + match[0].length;
    const rest = text.slice(end, end + 80).split('\n', 1)[0]!;
    // A wrapped line that begins with the reference itself is not a heading.
    const refers = match.index <= at && at <= end && !/^[ \t]*[:–—-]|^[ \t]{0,4}$|^[ \t]{1,6}\p{Lu}/u.test(rest);
    const runsOn =
      /^[ \t]*(?:[.,;)]\s*$|[.,;)] \p{L}|\p{Ll}{2,})/u.test(rest) && !/^[ \t]*\((?:\p{L}| ){3,60}\)\s*$/u.test(rest);
    const before = text.slice(Math.max(0, match.index - 3), match.index + 1).trimEnd();
    const isMiddle =
      /[\p{L},]$/u.test(before) && rest.trim() === ''
        ? !/\n\s*\n/.test(text.slice(match.index - 2, match.index + 1)) &&
          /^[\s\p{Ll}]/u.test(text.slice(end).trimStart()[0] ?? '')
        : false;
    if (!refers && !runsOn && !isMiddle && rest.trim() !== '.') return true;
  }
  return false;
}

const headShape =
  /^(?:clause|section|article|paragraph|schedule|annex|appendix|exhibit|part)[ \u00a0](\d{1,3}(?:\.\d{1,3}){0,3}|[A-Z]|[IVXL]{1,6})(?![\p{L}\d])/iu;

/** A number that starts a sentence, a row or an entry of a table of contents is a heading, not a reference. */
function headedBy(text: string, sentences: readonly Range[]): { readonly number: string; readonly start: number }[] {
  return sentences.flatMap(({ start, end }) => {
    const match = headShape.exec(text.slice(start, Math.min(end, start + 40)));
    return match === null ||
      /^(?:shall|is|are|does|will|applies|and|or|of|to|prevails|survives?)\b/.test(
        text.slice(start + match[0].length, end).trimStart(),
      )
      ? []
      : [{ number: match[1]!, start }];
  });
}

/** "14.2" exists if it is the number of a section, or of a parent of a deeper number. */
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
