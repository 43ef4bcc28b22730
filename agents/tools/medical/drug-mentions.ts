/** Where a record names a medicine: by a name of the table in any of its spellings, or by the place in a medication list. */
import type { Document } from '../../document/document.ts';
import { fullRows, type Table } from '../../document/table.ts';
import { lazily } from '../text/lazily.ts';
import type { Range } from '../text/span.ts';
import { hasDrugStem } from './drug-stems.ts';
import { type Drug, drugs } from './drugs.ts';
import { sectionAt } from './sections.ts';
import { titlesOf } from './table-titles.ts';

export interface DrugMention extends Range {
  readonly drug: Drug;
  readonly written: string;
  /** Of a single substance. */
  readonly isBrand: boolean;
  /** Not in the table: known only from the form of the list. */
  readonly isUnknown: boolean;
}

interface Term {
  readonly parts: readonly string[];
  readonly drug: Drug;
  readonly isBrand: boolean;
  readonly length: number;
}

/** By the first part, the longest first. */
const terms = lazily(() => {
  const index = new Map<string, Term[]>();
  for (const { names, ...drug } of drugs) {
    for (const { written, kind } of names) {
      const parts = [...written.matchAll(wordShape())].map((match) => foldName(match[0]));
      const list = index.get(parts[0]!) ?? [];
      list.push({ parts, drug, isBrand: kind === 'brand', length: written.length });
      index.set(parts[0]!, list);
    }
  }
  for (const list of index.values()) list.sort((one, other) => other.parts.length - one.parts.length);
  return index;
});

function wordShape(): RegExp {
  return /[\p{L}\p{M}\d]+/gu;
}

/**
 * The spelling that all languages share. Languages differ in accents, in a final vowel, in doubled letters, and in Greek letters:
 * métronidazole, Metronidazol; Amlodipin, amlodipine, amlodipino; levothyroxine, levotiroxina; amoxicillin, amoxicilina.
 */
export function foldName(word: string): string {
  const plain = withoutEnding(word);
  if (plain.length <= 4) return plain;
  return plain
    .replace(/ph/g, 'f')
    .replace(/([ct])h/g, '$1')
    .replace(/y/g, 'i')
    .replace(/(\p{L})\1/gu, '$1');
}

/** Without accents, and of longer words without the final vowel. */
export function withoutEnding(word: string): string {
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.length > 5 ? plain.replace(/[aeo]$/, '') : plain;
}

/** German joins the salt to the name: Metoprololsuccinat. */
const salts =
  /(?:hemi)?(?:sucinat|tartrat|besilat|maleat|hidroclorid|fumarat|natrium|sulfat|kalium|mesilat|magnesium|dihidrat|acetat|hidrobromid|citrat|fosfat|bromid)$/;

/** A record of 200,000 characters that is a list of medicines names as many. */
const mentionsMax = 3_000;

/** In the order of the text, without overlaps. */
export function findDrugMentions(document: Document): DrugMention[] {
  const known = knownMentions(document.text);
  const listed = [...listedProducts(document), ...tableProducts(document)]
    .filter(({ start, end }) => !overlaps(known, start, end))
    .sort((one, other) => one.start - other.start);
  const all = [...known, ...listed].sort((one, other) => one.start - other.start);
  return all.filter(({ start }, index) => index === 0 || all[index - 1]!.end <= start).slice(0, mentionsMax);
}

function overlaps(ranges: readonly Range[], start: number, end: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.end <= start) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length && ranges[low]!.start < end;
}

function knownMentions(text: string): DrugMention[] {
  const found: DrugMention[] = [];
  const words: (Range & { readonly fold: string })[] = [];
  for (const match of text.matchAll(wordShape())) {
    const fold = match[0].length > 40 ? '' : foldName(match[0]);
    words.push({ fold, start: match.index, end: match.index + match[0].length });
  }
  for (let index = 0; index < words.length; index += 1) {
    const { fold, start } = words[index]!;
    const candidates = terms().get(fold) ?? (salts.test(fold) ? terms().get(fold.replace(salts, '')) : undefined);
    const hit = candidates?.find((term) => fits(text, words, index, term));
    if (hit === undefined) {
      const { end } = words[index]!;
      if (hasDrugStem(fold)) found.push(unknownProduct(text.slice(start, end), start));
      continue;
    }
    const { end } = words[index + hit.parts.length - 1]!;
    found.push({ drug: hit.drug, written: text.slice(start, end), isBrand: hit.isBrand, isUnknown: false, start, end });
    index += hit.parts.length - 1;
  }
  return found;
}

function fits(text: string, words: readonly (Range & { fold: string })[], index: number, term: Term): boolean {
  const { start } = words[index]!;
  // Short names and brands are words of the language too: they begin with a capital.
  if ((term.isBrand || term.length <= 4) && !/\p{Lu}/u.test(text[start]!)) return false;
  return term.parts.every((part, at) => {
    if (at === 0) return true;
    const here = words[index + at];
    const before = words[index + at - 1]!;
    return (
      here !== undefined &&
      here.fold === part &&
      /^(?:[ \u00a0'’/+.-]|, ?| ?\/ ?|\n {0,8})$/.test(text.slice(before.end, here.start))
    );
  });
}

/** Kinds of sections in which each item is a medicine. */
export const medicationSections: ReadonlySet<string> = new Set([
  'medication',
  'admission medication',
  'stopped',
  'held',
  'proposed',
  'given',
]);

/** "Zanaprex 20 mg", "2) Novolene forte 5 µg", where an item of a list begins. */
const productShape =
  /(?<=^|[\n\t;,+]\s{0,12}|[\n\t]\s{0,12}(?:[-*•–]|\d{1,2}[.)])\s{0,3})(\p{Lu}[\p{L}-]{3,24}(?: [\p{L}-]{2,14}){0,2}?)[ \u00a0]{1,2}(?=\d{1,5}(?:[.,]\d{1,3})?[ \u00a0]?(?:mg|g|µg|μg|mcg|ug|micrograms?|IU|UI|IE|units?|mmol|mEq|puffs?|drops?|tab\p{L}{0,4}|caps?\p{L}{0,4}|cp)(?!\p{L}|\/\p{L}))/gu;

const notProducts =
  /^(?:then|increase\p{L}*|decrease\p{L}*|reduce\p{L}*|start\p{L}*|stop\p{L}*|continue\p{L}*|change\p{L}*|take|total|maximum|max|dose|dosage|dosis|dose|tablets?|capsules?|tabletten?|weight|gewicht|poids|inject\p{L}*|apply|give|given|up|daily|weekly|same|new|held|titrat\p{L}*|taper\p{L}*|switch\p{L}*|add\p{L}*|each|every|once|twice|sodium|potassium|creatinine|glucose|calcium|protein|kreatinin|kalium|natrium|urin\p{L}*|ramp|blood|bei|nach|avec|pour|puis|poids|at|by|with|from|previously|currently|resume\p{L}*|restart\p{L}*|issued|strength|strengths?|stärke|one|two|three|hold|pause|per|and|or|consider|recommend)(?:\s|$)/iu;

/** "Solu Dakortin® 500 mg": the mark of a brand before an amount. */
const markedShape =
  /(?<![\p{L}-])(\p{Lu}[\p{L}-]{2,20}(?: \p{Lu}[\p{L}-]{2,14})?) ?[®™](?= {0,2}\d{1,5}(?:[.,]\d{1,3})? ?(?:mg|g|µg|mcg|ml|IE|IU|UI|E)(?!\p{L}))/gu;

/** "dalfampridine ER 10 mg BID": a word before an amount with a route or a frequency, wherever it stands. */
const regimenShape =
  /(?<=^|[\n,;.(:]\s{0,2}|(?<!\p{L})(?:[Aa]nd|[Oo]n|[Tt]ook|takes|taking|[Ww]ith|plus|[Ss]tarted|[Ss]tart|[Gg]iven|und|mit|et|avec|con|y) )(\p{L}[\p{L}-]{5,24})(?: (?:ER|XR|SR|CR|XL|LA|IR|EC|DR|retard|LP))? {1,2}(?=\d{1,5}(?:[.,]\d{1,3})? ?(?:mg|mcg|µg|IU|IE|units?) (?:PO|IV|SC|SQ|IM|SL|po|iv|sc|im|p\.o\.|i\.v\.|s\.c\.|orally|by mouth|daily|once|twice|BID|TID|QID|bid|tid|qid|bd|tds|qds|b\.i\.d|t\.i\.d|q\.\p{Ll}|QHS|qhs|at bedtime|nightly|weekly|1-0-|0-0-|0-1-|täglich|tgl|par jour|le matin|le soir|cada|every|q\d)(?!\p{Ll}))/gu;

const notSubstance =
  /^(?:sodium|potassium|glucose|creatinine|magnesium|calcium|protein|total|maximum|another|additional|increase\p{L}*|decrease\p{L}*|reduced?|tablets?|capsules?|taking|started|dose|dosage|dosing|intake|infusion|bolus|injection|therapy|treatment|strength|dosis|tablette\p{L}*|medication|currently|previous\p{L}*|approximately|urinary|alcohol|nicotine|caffeine|starting|titrated|received)$/iu;

function listedProducts(document: Document): DrugMention[] {
  const found: DrugMention[] = [];
  for (const match of document.text.matchAll(markedShape)) found.push(unknownProduct(match[1]!, match.index));
  for (const match of document.text.matchAll(regimenShape))
    if (!notSubstance.test(match[1]!) && !notProducts.test(match[1]!))
      found.push(unknownProduct(match[1]!, match.index));
  for (const match of document.text.matchAll(productShape)) {
    const written = match[1]!;
    const kind = sectionAt(document, match.index).kind;
    if (notProducts.test(written) || !medicationSections.has(kind)) continue;
    found.push(unknownProduct(written, match.index));
  }
  return found;
}

const productHeading =
  /^(?:medications?|medicines?|drugs?(?: name)?|medikament\p{L}*|wirkstoff\p{L}*|médicaments?|arzneimittel|präparat|spécialité|traitement|lék|name of (?:drug|medicine)|item|product)$/iu;

/** A column of medicines names one in each row. */
function tableProducts(document: Document): DrugMention[] {
  return document.tables.flatMap((table) => {
    const column = productColumn(table);
    if (column === undefined) return [];
    return fullRows(table).flatMap((cells): DrugMention[] => {
      const cell = cells[column];
      const name =
        cell === undefined || productHeading.test(cell.text.trim())
          ? null
          : /^\p{L}[\p{L}-]{3,24}(?: \p{L}[\p{L}-]{2,14}){0,2}/u.exec(cell.text);
      if (cell === undefined || name === null || notProducts.test(name[0])) return [];
      // "Herbal/OTC: ginkgo": a label.
      if (/^(?:\/[\p{L}/]{1,12})?:/u.test(cell.text.slice(name[0].length))) return [];
      return [unknownProduct(name[0], cell.start)];
    });
  });
}

function productColumn(table: Table): number | undefined {
  if (table.columns.length < 3) return undefined;
  const titles = titlesOf(table);
  const at = titles.findIndex((title) => productHeading.test(title));
  const hasRegimen = titles.some((title) =>
    /(?<!\p{L})(?:dose|dosage|strength|stärke|dosis|frequency|route|einnahme|posologie|häufigkeit|dávka)(?!\p{L})/iu.test(
      title,
    ),
  );
  return at === -1 || !hasRegimen ? undefined : at;
}

function unknownProduct(written: string, start: number): DrugMention {
  const drug = { name: written.toLowerCase(), atc: '', groups: [] };
  return { drug, written, isBrand: false, isUnknown: true, start, end: start + written.length };
}
