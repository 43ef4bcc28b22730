/** Changes to a document that leave its labelled facts as they are, or only remove some: none makes another fact true. */
import { parseDocument } from '../../../agents/document/document.ts';
import { fullRows } from '../../../agents/document/table.ts';
import { type Random, randomOf, replaceableWords, unknownWord } from './words.ts';

export interface Mutant {
  readonly text: string;
  /** The document's word by the word that replaced it. */
  readonly originals: ReadonlyMap<string, string>;
}

/** @returns undefined if the text has nothing to change */
export type Mutation = (text: string, seed: number) => Mutant | undefined;

export const mutations: Readonly<Record<string, Mutation>> = {
  'unknown words': (text, seed) => withUnknownWords(text, randomOf(seed)),
  'an unrelated sentence': (text, seed) => withSentence(text, randomOf(seed)),
  'an unrelated aside': (text, seed) => withAside(text, randomOf(seed)),
  'a quoted sentence': (text, seed) => withTwin(text, randomOf(seed)),
  'tables with bars': (text, seed) => withTables(text, randomOf(seed), keepColumns),
  'other order of columns': (text, seed) => withTables(text, randomOf(seed), shuffleColumns),
  'an unknown column': (text, seed) => withTables(text, randomOf(seed), addColumn),
};

const wordsReplaced = 6;

function withUnknownWords(text: string, random: Random): Mutant | undefined {
  const words = replaceableWords(text);
  if (words.length === 0) return undefined;
  const replaced = new Map<string, string>();
  for (let count = 0; count < wordsReplaced; count += 1) {
    const word = random.pick(words);
    const unknown = unknownWord(word, random);
    if (!replaced.has(word) && ![...replaced.values()].includes(unknown)) replaced.set(word, unknown);
  }
  const changed = text.replace(/\p{L}+/gu, (word) => replaced.get(word) ?? word);
  return { text: changed, originals: new Map([...replaced].map(([word, unknown]) => [unknown, word])) };
}

const none: ReadonlyMap<string, string> = new Map();

const sentences = [
  'The car park was resurfaced on 17 August 1993 for EUR 48,713.',
  'A brochure of 61 pages was printed in 7,913 copies on 17 August 1993.',
  'The painting in the lobby dates from 17 August 1993 and measures 73 by 91 centimetres.',
  'A film of 97 minutes was shown there on 17 August 1993; tickets cost USD 13.70.',
];

function withSentence(text: string, random: Random): Mutant | undefined {
  const ends = sentenceEnds(text);
  if (ends.length === 0) return undefined;
  const at = random.pick(ends);
  return { text: `${text.slice(0, at)} ${random.pick(sentences)}${text.slice(at)}`, originals: none };
}

const asides = [
  ', as the brochure of 17 August 1993 (61 pages, EUR 13.70) explains',
  ' (see page 7,913 of the guide of 17 August 1993)',
];

function withAside(text: string, random: Random): Mutant | undefined {
  const ends = sentenceEnds(text);
  if (ends.length === 0) return undefined;
  const at = random.pick(ends) - 1;
  return { text: `${text.slice(0, at)}${random.pick(asides)}${text.slice(at)}`, originals: none };
}

/** After the full stop of each sentence of prose; abbreviations in cells end none. */
function sentenceEnds(text: string): number[] {
  const stops = text.matchAll(/(?<=\p{Ll}{2} [\p{Ll}(][^\n|,;"]{0,80}?\p{Ll}{4})\.(?=\s+\p{Lu}|\s*\n|\s*$|<\/p>)/gu);
  return [...stops].map(({ index }) => index + 1).filter((at) => !/[;|\t].*[;|\t]|\S {3}/.test(lineAt(text, at)));
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end === -1 ? text.length : end);
}

const frames: readonly ((sentence: string) => string)[] = [
  (sentence) => `An earlier draft, since rejected, read: "${sentence}"`,
  (sentence) => `By way of example only: "${sentence}"`,
  (sentence) => `It is not the case that ${sentence}`,
  (sentence) => `At an unrelated company the following held: "${sentence}"`,
];

/** Adds a copy of a sentence with other numbers, in a frame that says that it does not hold. */
function withTwin(text: string, random: Random): Mutant | undefined {
  const paragraphs = [...text.matchAll(/(?:^|\n\n)([^\n|<]{30,400}(?:\n[^\n|<]{3,400}){0,8})(?=\n\n|$)/g)].filter(
    ([, shown]) => /\d/.test(shown!) && !/\S {3}|\t|^[^\n:]{1,40}:/m.test(shown!),
  );
  const found = paragraphs.flatMap((paragraph) => {
    const kept = paragraph[1]!
      .split(/(?<=\p{Ll}\.)\s+(?=\p{Lu})/u)
      .filter((each) => /\d.*\.$/s.test(each) && each.length < 400);
    return kept.map((sentence) => ({ end: paragraph.index + paragraph[0].length, sentence }));
  });
  if (found.length === 0) return undefined;
  const { end, sentence } = random.pick(found);
  const other = sentence.replace(/\d+/g, (digits) => otherNumber(digits)).replace(/^\(?[\d.]+\)?\s+/, '');
  return { text: `${text.slice(0, end)}\n\n${random.pick(frames)(other)}${text.slice(end)}`, originals: none };
}

function otherNumber(digits: string): string {
  const number = Number(digits);
  if (digits.length === 4) return String(number + 7);
  if (digits.length <= 2 && number >= 1 && number <= 12) return String((number % 12) + 1).padStart(digits.length, '0');
  return String(number + 3).padStart(digits.length, '0');
}

type Rows = readonly (readonly string[])[];

function withTables(
  text: string,
  random: Random,
  change: (rows: Rows, random: Random, headers: number) => Rows,
): Mutant | undefined {
  if (/<(?:table|html|p)\b/i.test(text)) return undefined;
  const document = parseDocument({ message: 0, text });
  // A table without titles may continue the columns of another one.
  if (!document.tables.some(({ headerRows }) => headerRows.length > 0)) return undefined;
  const isContinued = document.tables.some(({ headerRows }) => headerRows.length === 0);
  if (isContinued && change !== keepColumns) return undefined;
  let rest = text;
  for (const table of document.tables.toReversed()) {
    const { start, end } = document.spanOf(table);
    const from = rest.lastIndexOf('\n', start) + 1;
    const next = rest.indexOf('\n', end);
    const to = next === -1 ? rest.length : next;
    const headers = table.headerRows.length;
    const rows = fullRows(table).map((cells) =>
      cells.map((cell) => cell.text.replaceAll('|', '/').replace(/\s+/g, ' ')),
    );
    if (rows[0] === undefined || rows[0].length < 2) continue;
    const bars = change(rows, random, headers).map((cells) => `| ${cells.join(' | ')} |`);
    const width = rows[0].length;
    if (headers > 0) bars.splice(headers, 0, `|${'---|'.repeat(bars[0]!.split('|').length - 2)}`);
    if (width > 0) rest = `${rest.slice(0, from)}\n${bars.join('\n')}\n${rest.slice(to)}`;
  }
  return rest === text ? undefined : { text: rest, originals: none };
}

const keepColumns = (rows: Rows): Rows => rows;

/** The first column contains the labels of the rows and stays. */
function shuffleColumns(rows: Rows, random: Random): Rows {
  const order = rows[0]!.map((_, index) => index).slice(1);
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = random.below(at + 1);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return rows.map((cells) => [cells[0]!, ...order.map((column) => cells[column]!)]);
}

/** A column of numbers under a title of no language; a table without titles stays. */
function addColumn(rows: Rows, random: Random, headers: number): Rows {
  const at = 1 + random.below(rows[0]!.length);
  const cell = (row: number) => (row < headers ? 'Vorgel' : String(7_900 + random.below(99)));
  return headers === 0 ? rows : rows.map((cells, row) => cells.toSpliced(at, 0, cell(row)));
}
