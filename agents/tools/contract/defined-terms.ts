/**
 * Finds the terms that a contract defines (in quotes, in brackets, in bold before a colon, in a table) and the terms that it
 * uses without a definition.
 */
import type { Document } from '../../document/document.ts';
import { fullRows } from '../../document/table.ts';
import { type Definition, findDefinitions } from '../text/definitions.ts';
import type { Range } from '../text/span.ts';
import { splitWords, type Word } from '../text/words.ts';
import { namedPartiesOf, partiesOf } from './contract-parties.ts';
import { isOrderUnder } from './document-kind.ts';
import { alternatives, statementsOf } from './statements.ts';

export interface TermProblem extends Range {
  readonly kind: 'term defined twice' | 'defined term not used' | 'term not defined';
  readonly what: string;
}

/** Not ordered. */
export function findTermProblems(document: Document): TermProblem[] {
  const definitions = definitionsOf(document);
  return [
    ...definedTwice(document, definitions),
    ...unusedTerms(document.words, withoutParties(document, definitions).slice(0, 100)),
    ...undefinedTerms(document, definitions),
  ];
}

/** The name of a party is a name even if the text does not use it. */
function withoutParties(document: Document, definitions: readonly Definition[]): Definition[] {
  const names = new Set(partiesOf(document).flatMap(({ aliases }) => aliases.map(normal)));
  return definitions.filter(({ term }) => !names.has(normal(term)) && !/^(?:we|us|you|our),?$/i.test(term));
}

const quotedSubject =
  /["“„]([^"“”„\n]{1,60})["”“](?=[ \u00a0\n]{1,8}(?:includes?|is |are |sind |ist |umfasst|bezeichne[nt]|bedeute[nt]|shall mean|comprises?|:))/g;

/** Quoted definitions, definitions with "sind" or "includes", rows of a definitions table, and bold terms before a colon. */
function definitionsOf(document: Document): Definition[] {
  const { text } = document;
  // A quotation that spans a line break would pair the following quotation marks incorrectly.
  const found = findDefinitions(text).filter(({ term }) => /^[\p{L}\d]/u.test(term) && !/[()]/.test(term));
  const isKnown = (start: number) => found.some((definition) => Math.abs(definition.start - start) <= 2);
  const add = (term: string, range: Range) => {
    const clean = term.replace(/^[*_ ]+|[*_ ,]+$/g, '');
    if (!isKnown(range.start) && /^\p{L}/u.test(clean) && !/[()]/.test(clean) && found.length < 400)
      found.push({ ...range, term: clean, kind: 'clause' });
  };
  for (const match of text.matchAll(quotedSubject)) add(match[1]!, rangeOf(match));
  // findDefinitions keeps each term once per kind; a second definition of the same kind counts here.
  for (const match of text.matchAll(/["“„]([^"“”„\n]{1,60})["”“](?=[ \n]{1,4}means\b)/g))
    add(match[1]!, rangeOf(match));
  return found.sort((a, b) => a.start - b.start);
}

function rangeOf(match: RegExpMatchArray): Range {
  return { start: match.index!, end: match.index! + match[0].length };
}

function definedTwice({ text }: Document, definitions: readonly Definition[]): TermProblem[] {
  const seen = new Map<string, Definition>();
  const found: TermProblem[] = [];
  for (const definition of definitions) {
    const { term, start, end } = definition;
    if (/^(?:we|us|you|our|your)$/i.test(term)) continue;
    if (!seen.has(term)) seen.set(term, definition);
    else if (!found.some(({ what }) => what === term) && !/\bas defined\b/i.test(text.slice(start, end + 60))) {
      found.push({ start, end, kind: 'term defined twice', what: term });
    }
  }
  return found;
}

/** Defined terms that do not occur again in the text, regardless of case or number. */
function unusedTerms(words: readonly Word[], definitions: readonly Definition[]): TermProblem[] {
  const isGerman =
    words.slice(0, 400).filter(({ text: word }) => /^(?:der|die|das|und|nicht|des)$/.test(word)).length > 12;
  const form = isGerman ? stem : singular;
  const text = ` ${words.map(({ text: word }) => form(word)).join(' ')} `;
  return definitions
    .filter(({ term }) => {
      if (/^(?:agreement|contract|party|parties|vertrag|parteien|we|us|you)$/i.test(term)) return false;
      const wanted = ` ${splitWords(term)
        .map(({ text: word }) => form(word))
        .join(' ')} `;
      const first = text.indexOf(wanted);
      return first !== -1 && text.indexOf(wanted, first + wanted.length - 1) === -1;
    })
    .map(({ start, end, term }) => ({ start, end, kind: 'defined term not used', what: term }));
}

/** "Services" and "service", "parties" and "party", "Supplier's" and "supplier"; "Einzelauftrags" and "Einzelauftrag". */
function stem(word: string): string {
  return word.length > 6 ? word.replace(/(?:en|es|er|em|e|n|s)$/, '') : word;
}

function singular(word: string): string {
  const bare = word.replace(/'s?$/, '');
  if (bare.length > 4 && bare.endsWith('ies')) return `${bare.slice(0, -3)}y`;
  return bare.length > 3 && bare.endsWith('s') && !bare.endsWith('ss') ? bare.slice(0, -1) : bare;
}

/** Terms that contracts usually define if they capitalise them. */
const usualTerms =
  'Services?|Fees|Charges|Products?|Deliverables|Software|Confidential Information|Customer Data|Client Data|Feedback|Documentation|Affiliates?|Territory|Goods|Equipment|Premises|Losses|Personal Data|Intellectual Property Rights|Business Days?|Specifications?|Service Levels|Work Product|Service Charge|Subscription Term|Initial Term|Renewal Term|Net Sales|Royalt(?:y|ies)|Licensed Products?|Licensed Materials|Events? of Default|Default Rate|Interest Rate|Commitment|Change of Control|Force Majeure Event|Background IP|Foreground IP|Insolvency Event|Permitted Use|Milestones?|Key Personnel|Representatives|Authorised Users|Authorized Users|Users|Purpose|Acceptance Criteria|Acceptance Tests|Applicable Law|Data Protection Laws?|Security Documents|Finance Documents|Support Services|Statement of Work|Good Industry Practice';
const usual = new RegExp(
  `(?<=\\b(?:the|such|any|all|each|its|their|us|to|of|a|an|its|and|or|no|under|in|for|with) )(?:${usualTerms})(?![\\p{L}])`,
  'gu',
);
const isUsual = new RegExp(`^(?:${usualTerms})$`, 'u');
/** "the Prior Inventions": at least two capitalised words after a lower-case article. */
const phrase =
  /(?<=\b(?:the|such|any|all|each|a|an|its|their) )(\p{Lu}\p{Ll}+(?:-\p{Lu}?\p{Ll}+)?(?: \p{Lu}\p{Ll}+){1,2})(?![\p{L}-]| \p{Lu})/gu;

/** Names, laws, institutions and documents are capitalised without a definition. */
const named =
  /\b(?:New|North|South|East|West|United|Great|Act|Code|Law|Laws|Rules?|Regulations?|Directive|Convention|Court|Courts|Chamber|Bank|Association|Institute|University|Union|Republic|State|States|Kingdom|County|City|Commission|Authority|Agency|Department|Ministry|Office|Board|Council|Society|Company|Companies|Officer|Director|Manager|President|Secretary|Exchange|Group|Trust|Fund|Standards?|Agreement|Contract|Addendum|Annex|Schedule|Exhibit|Appendix|Form|Policy|Policies|Terms|Conditions|Lease|Deed|Order|Manual|Guide|Clauses?|Sections?|Articles?|Part|Party|Parties|Notice|Registry|Register|Committee|House|Street|Road|Park|Floor|Building|Nations|Europe|European|America|Federal|National|International|Internet|Street|Church|School|Hospitals?|Foundation|Amtsgericht|Parliament|Treaty|Protocol|Database|Framework|Supplier Code|January|February|March|April|May|June|July|August|September|October|November|December|Monday|Friday|Sunday|England|Wales|Germany|Delaware|York|London)\b/;

function undefinedTerms(document: Document, definitions: readonly Definition[]): TermProblem[] {
  // German capitalises every noun, and a subordinate document uses the terms of its master contract.
  const isElsewhere =
    /\b(?:capitali[sz]ed (?:terms|words)|defined terms|variables?)\b[^.]{0,120}\b(?:cover page|order form|key terms|main agreement|master agreement)\b/i.test(
      document.text,
    );
  if (
    isElsewhere ||
    isOrderUnder(document) ||
    /\bmeanings? (?:given|set out) in the\b[^.]{0,60}\bAgreement\b/.test(document.text)
  )
    return [];
  if (
    /\b(?:der|die|das|und|nicht|werden)\b/i.test(document.text.slice(0, 3_000)) &&
    !/\b(?:the|shall|this)\b/.test(document.text.slice(0, 3_000))
  )
    return [];
  if (
    definitions.length < 3 &&
    document.text.length > 300 &&
    definitions.filter(({ kind }) => kind === 'clause').length === 0
  )
    return [];
  const known = knownTerms(document, definitions);
  const parties = namedPartiesOf(document).map(({ name }) => name.toLowerCase());
  const asides = alternatives(document.text);
  const found = new Map<string, TermProblem>();
  const parts = new Set(
    [...known].flatMap((term) => edgesOf(term).filter((edge) => edge.includes(' ') || edge === term)),
  );
  const flat = statementsOf(document)
    .map(({ text, own }) => text.slice(own))
    .join(' | ')
    .slice(0, 120_000);
  for (const pattern of [phrase, usual]) {
    for (const match of flat.matchAll(pattern)) {
      const what = match[0];
      const key = normal(what);
      if (
        found.has(key) ||
        found.size >= 40 ||
        parts.has(key) ||
        edgesOf(key).some((edge) => edge.includes(' ') && known.has(edge))
      )
        continue;
      if (named.test(what) && !isUsual.test(what)) continue;
      if (
        /^(?:,? (?:and|of|for|on|&) (?:the )?\p{Lu}| \p{Lu}|['’]s? \p{Lu})/u.test(
          flat.slice(match.index + what.length),
        ) &&
        !isUsual.test(what)
      )
        continue;
      if (/\p{Lu}[\p{L}]+ (?:of|for|on|and|&) (?:the )?$/u.test(flat.slice(Math.max(0, match.index - 30), match.index)))
        continue;
      if (parties.some((name) => name.includes(what.toLowerCase()))) continue;
      const place = looseIndex(document.text, what);
      if (place === undefined || asides.some((range) => place >= range.start && place < range.end)) continue;
      found.set(key, { start: place, end: place + what.length, kind: 'term not defined', what });
    }
  }
  return [...found.values()];
}

/**
 * A term, and its prefixes and suffixes by whole words: "Data Protection Law" is defined if "Data Protection Laws and Rules"
 * is.
 */
function edgesOf(term: string): string[] {
  const words = term.split(' ');
  if (words.length > 8) return [term];
  return words.flatMap((_, index) => [words.slice(index).join(' '), words.slice(0, index + 1).join(' ')]);
}

/** The words of a term may be on two lines. */
function looseIndex(text: string, what: string): number | undefined {
  const match = new RegExp(what.split(' ').join('\\s{1,40}')).exec(text);
  return match?.index;
}

function knownTerms(document: Document, definitions: readonly Definition[]): Set<string> {
  const { text, blocks, sections, tables } = document;
  const terms = new Set(definitions.map(({ term }) => normal(term.replace(/^(?:the|a|an) /i, ''))));
  for (const { aliases } of partiesOf(document)) for (const alias of aliases) terms.add(normal(alias));
  for (const [, bare] of text.matchAll(
    /\((?:the |each,? an? |together,? the )?["“]?(\p{Lu}[\p{L}-]+(?: [\p{L}-]+){0,4})["”]?\)/gu,
  ))
    terms.add(normal(bare!));
  for (const block of blocks) {
    if (block.kind === 'field') terms.add(normal(text.slice(block.label.start, block.label.end)));
  }
  for (const { title } of sections.slice(1)) if (title.length <= 40) terms.add(normal(title));
  for (const table of tables.filter(({ rows }) => rows.length <= 300)) {
    for (const row of fullRows(table))
      for (const cell of row.slice(0, 2)) if (cell.text.length <= 50) terms.add(normal(cell.text));
  }
  // A quoted term anywhere, also before "has the meaning", and a term at a line's beginning before a colon.
  for (const [, quotedTerm] of text.matchAll(/["“„]([^"“”„\n]{1,60})["”“]/g)) terms.add(normal(quotedTerm!));
  for (const [, term] of text.matchAll(
    /(?:^|\n)[ \t*(]{0,12}(?:[a-z\d.]{1,6}[.)] )?\*{0,2}(\p{Lu}[\p{L} -]{2,40})\*{0,2}(?::| means\b| shall mean\b| –)/gu,
  ))
    terms.add(normal(term!));
  terms.delete('');
  return terms;
}

function normal(term: string): string {
  return splitWords(term)
    .map(({ text: word }) => singular(word))
    .join(' ');
}
