/** Allergies and intolerances of the patient, each with the reaction that the record gives. */
import type { Document } from '../../document/document.ts';
import { fullRows, type Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import { isAboutPatient } from './clinical-status.ts';
import { drugs } from './drugs.ts';
import { clinicalSections } from './sections.ts';
import { titlesOf } from './table-titles.ts';

export interface Allergy extends Range {
  readonly substance: string;
  readonly reaction?: string;
}

/** A list of allergies is no longer. */
const sectionMax = 1_200;
const allergiesMax = 200;

const known = new WeakMap<Document, readonly Allergy[]>();

/** In the order of the text, without overlaps. */
export function findAllergies(document: Document): readonly Allergy[] {
  const read = known.get(document);
  if (read !== undefined) return read;
  const all = [
    ...ofSections(document),
    ...document.tables.flatMap(ofTable),
    ...ofCells(document),
    ...ofProse(document),
  ].sort((one, other) => one.start - other.start);
  const found: Allergy[] = [];
  for (const allergy of all) if (allergy.start >= (found.at(-1)?.end ?? 0)) found.push(allergy);
  known.set(document, found.slice(0, allergiesMax));
  return known.get(document)!;
}

const denial =
  /(?<!\p{L})(?:no|not|none|nil|nkda|nka|nkfa|never|denie[sd]|without|tolerates?|tolerated|removed|refuted|delabell?ed|keine?[rn]?|nicht|vertragen|verträgt|toleriert|pas|aucune?|sans|toléré\p{L}*|neguje|žádn\p{L}*|nejsou|non|nessun\p{L}|niega|geen|niet|sin|nie|brak|nieuczulon\p{L}|sem|não|tollera\p{L}*|unknown|unbekannt|inconnu\p{L}*|n\/a|see|verified|reviewed|updated|confirmed with)(?!\p{L})/iu;

/** "Intolerancia a la lactosa (diarrea). Alergia al níquel.": in prose, in Romance languages and Dutch. */
const statedShape =
  /(?<!\p{L})(?:alergia|intolerancia|allergia|intolleranza|intolerância|allergie|intolérance)\s(?:(?:a la|al|a los|a las|alla|alle|allo|agli|ai|aos|ao|às|à|a|voor)\s|all['’])\s?(\p{L}[\p{L} ]{2,30}?)(?:(?: ?\(| (?:con|com|avec|met) )(\p{L}[^()\n.,;]{2,29})\)?)?(?=[.,;\n)]| y | e | et | en |$)/giu;

function ofSections(document: Document): Allergy[] {
  const { text } = document;
  return clinicalSections(document).flatMap((section) => {
    if (section.kind !== 'allergies') return [];
    const titleAt = text.indexOf(section.title, section.start);
    // "Allergy - trimethoprim: rash": the label names the substance.
    const named = /^(?:allerg|alerg|uczulen|unverträglich|intoler)\p{L}* ?[-–] ?(?=\p{Ll}{4})/iu.exec(
      section.title,
    )?.[0].length;
    const from = titleAt === -1 ? section.start : titleAt + (named ?? section.title.length);
    const end = endOfList(text, from, Math.min(section.end, from + sectionMax, text.length));
    // Tables are read by their columns.
    if (text.slice(from, end).includes('\t')) return [];
    return itemsOf(text, from, end);
  });
}

/** The label of another line, or a line that neither is indented nor goes on, ends a list that began in the line of its label. */
function endOfList(text: string, from: number, to: number): number {
  const first = text.indexOf('\n', from);
  const isInline = first === -1 || text.slice(from, first).replace(/[\s:*]/g, '') !== '';
  for (let at = first; at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    const line = text.slice(at + 1, Math.min(to, at + 81));
    if (
      /^[ *_#]{0,8}\p{Lu}[\p{L} /.-]{1,30}(?: \d[\d/.]{4,12})?[ \u00a0]?\*{0,2}:/u.test(line) &&
      at > first - 1 &&
      (isInline || at > first)
    )
      return at;
    const goesOn =
      /^[ ]{0,24}[\p{Ll}(]/u.test(line) ||
      /[,(;-]\s*$|(?<!\p{L})(?:and|no|und|et)\s*$/iu.test(text.slice(Math.max(from, at - 6), at));
    const isIndented = /^[ ]{2,24}\S/.test(line) && !/[.]\s*$/.test(text.slice(Math.max(from, at - 3), at));
    if (isInline && !goesOn && !isIndented) return at;
  }
  return to;
}

function itemsOf(text: string, from: number, to: number): Allergy[] {
  const items: Allergy[] = [];
  let depth = 0;
  let start = from;
  let opensSentence = false;
  const close = (end: number) => {
    const item = itemOf(text, start, end);
    if (item !== undefined && (!opensSentence || isSubstanceAlone(item))) items.push(item);
    start = end + 1;
  };
  for (let at = from; at < to; at += 1) {
    const character = text[at]!;
    if (character === '(' || character === '«') depth += 1;
    else if (character === ')' || character === '»') depth = Math.max(0, depth - 1);
    if (depth > 0 && at - start < 120) continue;
    const isBlankLine = character === '\n' && /^\s{0,12}\n/.test(text.slice(at + 1, at + 14));
    if (isBlankLine && items.length > 0) {
      close(at);
      return items;
    }
    const isEnd =
      character === ';' ||
      character === ',' ||
      (character === '.' &&
        /^(?:\s|$)/.test(text.slice(at + 1, at + 2)) &&
        !/(?:^|[\s(])\p{L}\.?$/u.test(text.slice(Math.max(0, at - 2), at))) ||
      (character === '\n' &&
        !/^\s{0,20}[\p{Ll}(]/u.test(text.slice(at + 1, at + 22)) &&
        !/[,(-]\s*$|(?<!\p{L})(?:and|no)\s*$/iu.test(text.slice(Math.max(0, at - 6), at)));
    if (!isEnd) continue;
    close(at);
    // "… adhesive tape. Last colonoscopy 10/2019, normal.": another subject.
    if (character === '.' && items.length > 0) opensSentence = true;
    else if (character === '\n') opensSentence = false;
  }
  close(to);
  return items;
}

/** In a further sentence of the list: a substance with its reaction, or a known medicine. */
function isSubstanceAlone({ substance, reaction }: Allergy): boolean {
  if (/\d/.test(substance)) return false;
  const first = substance.toLowerCase().split(' ')[0]!;
  return reaction !== undefined || drugs.some(({ names }) => names.some(({ written }) => written === first));
}

const reactionMark =
  /\s*(?:\(|->|→|=>|[:–—]|\s-\s|-\s|\s(?:causes?|caused|causing|gives?|gave|leads? to|led to|with|unter|bei)\s)/iu;

const crossReference =
  /^[^\p{L}]{0,5}(?:(?:as|see) (?:above|below)|s\. ?[ou]\.|siehe|voir|cf\.?|ver|vedi|zie|zob\.?)(?!\p{L})/iu;

/** "penicillin (rash)", "Lisinopril - angioedema", "Latex: blisters", "kiwi causes oral itching", "codeine -> nausea". */
function itemOf(text: string, start: number, end: number): Allergy | undefined {
  const raw = text.slice(start, end);
  const lead =
    /^[\s:;,.*•#|–-]*(?:\d{1,2}[.)]\s)?(?:(?:and|und|et|sowie)\s|(?:allerg(?:ies|y|ic) to|intoleran(?:t|ce) (?:of|to))\s|(?:known|bekannte?)\s(?:allergy|allergie)\s?:?\s?)?/iu.exec(
      raw,
    )![0].length;
  const shown = raw.slice(lead).replace(/\s+/g, ' ').trim();
  const mark = reactionMark.exec(shown);
  const substance = (mark === null ? shown : shown.slice(0, mark.index)).replace(/[!."“”]+$/g, '').trim();
  if (substance.length < 2 || substance.length > 48 || substance.split(' ').length > 5 || !/\p{L}{2}/u.test(substance))
    return undefined;
  if (denial.test(shown.slice(0, 90)) && !/^NKDA but /i.test(shown)) return undefined;
  if (
    /^(?:allerg\p{L}*|drug|food|environmental|reaction|severity|substance|unverträglichkeiten|intolerances?|meds?|medications?|known|verified)$/iu.test(
      substance,
    )
  )
    return undefined;
  const reaction =
    mark === null || crossReference.test(shown.slice(mark.index))
      ? ''
      : reactionOf(shown.slice(mark.index + mark[0].length));
  const at = start + lead;
  return {
    substance: spelledOut(substance),
    ...(reaction === '' ? {} : { reaction }),
    start: at,
    end: Math.max(at + 1, end),
  };
}

/** "PCN (penicillin)": abbreviations with the name of the medicine. */
function spelledOut(substance: string): string {
  if (!/^\p{Lu}{2,5}$/u.test(substance)) return substance;
  const drug = drugs.find(({ names }) => names.some(({ written }) => written === substance.toLowerCase()));
  return drug === undefined ? substance : `${substance} (${drug.name})`;
}

function reactionOf(words: string): string {
  return words
    .replace(/["“”()!]/g, ' ')
    .replace(/(?<!\p{L})(?:in )?(?:19|20)\d\d(?!\d).*$/u, '')
    .replace(
      /(?<!\p{L})(?:as a child|in childhood|as child|severe|mild|moderate|schwer|leicht|unter|confirmed)(?!\p{L}).*$/iu,
      (rest) => (/^unter/i.test(rest) || /^(?:as|in)/i.test(rest) ? '' : rest),
    )
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.,:;–-]+$/, '')
    .slice(0, 60);
}

/** Columns "Substance" and "Reaction". */
function ofTable(table: Table): Allergy[] {
  const titles = titlesOf(table);
  const substance = titles.findIndex((title) =>
    /^(?:substance|allergen|allergy|allergies|agent|drug|substanz|auslöser|allergène|alergen|produit)$/iu.test(title),
  );
  const reaction = titles.findIndex((title) =>
    /^(?:reactions?|reaktion(?:en)?|réactions?|reakce|manifestations?|symptoms?)$/iu.test(title),
  );
  if (substance === -1 || reaction === -1) return [];
  return fullRows(table)
    .slice(1)
    .flatMap((cells): Allergy[] => {
      const [name, effect] = [cells[substance]?.text ?? '', cells[reaction]?.text ?? ''];
      const all = cells.map(({ text }) => text).join(' ');
      if (
        name === '' ||
        name.length > 60 ||
        /(?<!\p{L})(?:tolerated|removed|refuted|none|no known|keine|aucune)(?!\p{L})/iu.test(all)
      )
        return [];
      const range = { start: cells[0]!.start, end: cells.findLast(({ text }) => text !== '')!.end };
      return [
        { substance: name, ...(effect === '' || effect === '-' ? {} : { reaction: reactionOf(effect) }), ...range },
      ];
    });
}

/** "Allergies | Elastoplast (rash)": a cell after its label. */
function ofCells({ text }: Document): Allergy[] {
  return [
    ...text.matchAll(
      /(?<=^|[\n\t])(?:allerg(?:y|ies|ie|ien)|alergie|unverträglichkeit(?:en)?)[ :]{0,2}\t([^\t\n]{2,120})/giu,
    ),
  ].flatMap((match) => {
    const from = match.index + match[0].length - match[1]!.length;
    return /^(?:reaction|severity)/i.test(match[1]!) ? [] : itemsOf(text, from, from + match[1]!.length);
  });
}

const effect = String.raw`(?:[\p{L}-]{3,18}\s){0,2}?(?:hives|rash|reactions?|anaphylaxis|angioedema|urticaria|itching|exanthem\p{L}*|intoleran\p{L}*|allerg(?:y|ie))`;
const proseShapes: readonly { readonly shape: RegExp; readonly substance: number; readonly reaction?: number }[] = [
  {
    shape: new RegExp(
      String.raw`(?<!\p{L})(${effect})\s(?:to|after|from|gegen|auf|à la|à l'|aux?)\s{1,3}(?:the )?(\p{L}[\p{L}-]{2,24})`,
      'giu',
    ),
    substance: 2,
    reaction: 1,
  },
  {
    shape:
      /(?<!\p{L})(?:allergic|intolerant|allergique|alergick\p{L}) (?:to|gegen|auf|à la|à l'|aux?|na) (?:the )?(\p{L}[\p{L}-]{2,24}(?: \p{L}[\p{L}-]{2,16})?)(?: ?\(([^()\n]{3,40})\))?/giu,
    substance: 1,
    reaction: 2,
  },
  {
    shape:
      /(?<!\p{L})(\p{L}[\p{L}-]{2,20}(?: fruit)?) caused\s(?:him |her )?((?:[\p{L}-]{3,12}\s){0,2}(?:itching|hives|rash|urticaria|swelling|angioedema|anaphylaxis|vomiting|nausea))/giu,
    substance: 1,
    reaction: 2,
  },
  {
    shape: statedShape,
    substance: 1,
    reaction: 2,
  },
  {
    shape: /(?<!\p{L})(\p{L}[\p{L}-]{2,20}) upset (?:his|her) stomach(?: \(([^()\n]{3,30})\))?/giu,
    substance: 1,
    reaction: 2,
  },
  {
    shape: /(?<!\p{L})(?:bekannte |bek\. )?allergien?:? (?:gegen )?(\p{Lu}[\p{L}-]{2,20}) \(([^()\n]{3,30})\)/giu,
    substance: 1,
    reaction: 2,
  },
];

const notSubstances =
  /^(?:the|a|an|any|drugs?|medications?|known|new|his|her|their|this|that|contrast reaction|no|treatment|therapy|food|foods|transfusion|light|touch|palpation|pain|severe|stress)$/iu;

function ofProse(document: Document): Allergy[] {
  const { text } = document;
  return proseShapes.flatMap(({ shape, substance, reaction }) =>
    [...text.matchAll(shape)].slice(0, allergiesMax).flatMap((match): Allergy[] => {
      const before = text.slice(Math.max(0, match.index - 50), match.index);
      const name = match[substance]!.replace(/\s(?:and|with|but|as|in|noted|causes?)\b.*$/iu, '');
      const range = { start: match.index, end: match.index + match[0].length };
      const clause = before.slice(
        Math.max(before.lastIndexOf('.'), before.lastIndexOf(';'), before.lastIndexOf(',')) + 1,
      );
      const effectWords =
        reaction === undefined
          ? ''
          : (match[reaction] ?? '').replace(/\s+/g, ' ').replace(/^(?:history of|mild|severe|an?) /iu, '');
      if (notSubstances.test(name) || denial.test(clause) || denial.test(match[0]) || !isAboutPatient(document, range))
        return [];
      const isPlain = /^(?:allerg\p{L}*|intoleran\p{L}*|reactions?)$/iu.test(effectWords);
      return [{ substance: name, ...(effectWords === '' || isPlain ? {} : { reaction: effectWords }), ...range }];
    }),
  );
}
