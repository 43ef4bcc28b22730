/** What the lines of a document state: numbers with their possible scales, dates, durations and words, each read on first use. */
import type { AgentDocument } from '../agent/agent.ts';
import { readDocument } from '../document/document.ts';
import { findPeriods } from '../tools/financial/periods.ts';
import { readUnitNote } from '../tools/financial/units.ts';
import { zerosAfter } from '../tools/text/amounts.ts';
import { daysInMonth, findDates, isoDate, monthNumbers } from '../tools/text/dates.ts';
import { type FoundDuration, findDurations } from '../tools/text/durations.ts';
import { findNumbers } from '../tools/text/numbers.ts';
import type { Range } from '../tools/text/span.ts';
import { spelledNumberEndingAt } from '../tools/text/spelled-numbers.ts';
import { splitWords, type Word } from '../tools/text/words.ts';

/** Positions are those of the document. */
export interface Place extends Range {
  readonly line: number;
}

/** The places of each value, in the order of the lines. */
type Index = ReadonlyMap<string, readonly Place[]>;

export class DocumentEvidence {
  readonly message: number;
  readonly text: string;
  readonly lines: readonly Range[];
  readonly #reading: Pick<ReturnType<typeof readDocument>, 'decimalMark' | 'dateOrder'>;
  #numbers: Index | undefined;
  #dates: Index | undefined;
  #flat: string | undefined;
  #refanged: string | undefined;

  constructor(document: AgentDocument, lines: readonly Range[]) {
    this.message = document.message;
    this.text = document.text;
    this.lines = lines;
    this.#reading = readDocument(document);
  }

  lineText(line: number): string {
    const { start, end } = this.lines[line]!;
    return this.text.slice(start, end);
  }

  /** Positions are those of the line. */
  words(line: number): readonly Word[] {
    return splitWords(this.lineText(line));
  }

  /** @param value without sign · @returns where the document states it, in the unit of the line or in that of a caption */
  numberPlaces(value: number): readonly Place[] {
    this.#numbers ??= this.#indexOf(this.#numberKeys());
    return this.#numbers.get(numberKey(value)) ?? [];
  }

  /** @param date ISO: a year, a month or a day */
  datePlaces(date: string): readonly Place[] {
    this.#dates ??= this.#indexOf((text) => dateKeys(text, this.#reading.dateOrder));
    return this.#dates.get(date) ?? [];
  }

  /** Those that begin in the line: "within one" may end a line, and "business day" begin the next. */
  durations(line: number): readonly (FoundDuration & Place)[] {
    const { start, end } = this.lines[line]!;
    const text = this.text.slice(start, this.lines[line + 1]?.end ?? end);
    return findDurations(text)
      .map((found) => ({ ...found, line, start: found.start + start, end: found.end + start }))
      .filter((found) => found.start < end);
  }

  /** Whether the words occur in the document, in this order and without others between them. */
  hasWords(words: string): boolean {
    this.#flat ??= ` ${flatWords(this.text)} `;
    const flat = flatWords(words);
    return flat !== '' && this.#flat.includes(` ${flat} `);
  }

  /** Whether the document has an identifier, possibly defanged (`hxxps://evil[.]example`), or a time in any notation. */
  hasIdentifier(value: string): boolean {
    const [, hour, minute] = /^(\d\d):(\d\d)(?::\d\d)?$/.exec(value) ?? [];
    if (hour !== undefined && timeShape(Number(hour), minute!).test(this.text)) return true;
    this.#refanged ??= refang(this.text);
    return this.#refanged.includes(refang(value));
  }

  #indexOf(read: (text: string, next: string) => Iterable<Keyed>): Index {
    const index = new Map<string, Place[]>();
    for (const [line, { start, end }] of this.lines.entries()) {
      const next = this.lines[line + 1] === undefined ? '' : this.lineText(line + 1);
      for (const { keys, ...range } of read(this.text.slice(start, end), next)) {
        const place = { line, start: range.start + start, end: range.end + start };
        for (const key of new Set(keys)) {
          const places = index.get(key);
          if (places === undefined) index.set(key, [place]);
          else places.push(place);
        }
      }
    }
    return index;
  }

  /** A document may state several scales, such as millions of yen next to thousands of dollars; the model chose one of them. */
  #numberKeys(): (text: string, next: string) => Keyed[] {
    const notes = this.lines.map(
      (_range, line) => readUnitNote(this.lineText(line).slice(0, noteUnitsMax))?.zeros ?? 0,
    );
    const scales = [...new Set([0, ...notes])];
    return (text, next) => {
      const continued = `${text}\n${next}`;
      const numbers = findNumbers(text, this.#hint).map((number) => keyedNumber(continued, number, scales));
      return [...numbers, ...spelled(text, scales), ...clockTimes(text), ...namedShares(text), ...convertedUnits(text)];
    };
  }

  get #hint(): { readonly decimalMark?: '.' | ',' } {
    const { decimalMark } = this.#reading;
    return decimalMark === undefined ? {} : { decimalMark };
  }
}

/** A value in a text with the keys under which it is found. */
interface Keyed extends Range {
  readonly keys: readonly string[];
}

/** Lines are read up to this length for a note about units. */
const noteUnitsMax = 300;

/** Decimals of amounts in thousands or millions are exact, but doubles are not. */
function numberKey(value: number): string {
  return value.toPrecision(12).replace(/\.?0+(?=e|$)/, '');
}

function keyedNumber(
  text: string,
  { value, ambiguous, start, end }: { value: string; ambiguous: boolean } & Range,
  scales: readonly number[],
): Keyed {
  const magnitude = Math.abs(Number(value));
  const magnitudes = [magnitude, ...otherReading(text.slice(start, end), ambiguous)];
  const [, hundredths, times] = units.exec(text.slice(end, end + 24)) ?? [];
  const behind = zerosAfter(text, text[end] === '\n' ? end + 1 : end) ?? 0;
  const powers = hundredths !== undefined ? [0, -2] : times !== undefined ? [0, 2] : behind > 0 ? [0, behind] : scales;
  return { start, end, keys: magnitudes.flatMap((one) => powers.map((power) => numberKey(one * 10 ** power))) };
}

/** "150 %" and "71 cents" are hundredths, "1.5 times" is 150 percent. */
const units =
  /^[ \u00a0\u202f]{0,2}(?:(%|per ?cent|prozent|procent|cents?(?!\p{L}))|(x|×|times|fold|-fach|mal|fois|volte|veces)(?!\p{L}))/iu;

/** "1.234" and "1,234" are a thousand or one, whatever the other numbers of the document are. */
function otherReading(written: string, ambiguous: boolean): readonly number[] {
  const [, whole = '', rest] = /^\D*(\d{1,3})[.,](\d{3})\D*$/.exec(written) ?? [];
  if (rest !== undefined) return [Number(whole + rest), Number(`${whole}.${rest}`)];
  return ambiguous ? [Number(written.replace(/\D/g, ''))] : [];
}

function spelled(text: string, scales: readonly number[]): Keyed[] {
  const words = splitWords(text);
  return words.flatMap(({ end }, at) => {
    const number = spelledNumberEndingAt(text, words, at);
    if (number === undefined) return [];
    const { start } = words[number.firstWord]!;
    return [keyedNumber(text, { value: String(number.value), ambiguous: false, start, end }, scales)];
  });
}

/** "7:30" as 7.5 hours. */
function clockTimes(text: string): Keyed[] {
  return [...text.matchAll(/(?<![\d:])(\d{1,3}):([0-5]\d)(?![\d:])/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    keys: [numberKey(Math.round((Number(match[1]) + Number(match[2]) / 60) * 100) / 100)],
  }));
}

/** Words that state a share or a multiple, as a percentage and as a factor. */
const shares: readonly (readonly [factor: number, words: RegExp])[] = [
  [
    0,
    /(?<!\p{L})(?:no|none|nil|zero|keinen?|keine[rs]?|null|nessun[ao]?|aucune?|ning[uú]n[ao]?|geen|nul|cero)(?!\p{L})/giu,
  ],
  [0.5, /(?<!\p{L})(?:half|halb\p{L}{0,2}|hälfte|moitié|mitad|metà|helft|połow\p{L})(?!\p{L})/giu],
  [1, /(?<!\p{L})(?:full|voll\p{L}{0,3}|plein|entier|complet[oa]?|intero|intera|íntegr[oa]|volledig)(?!\p{L})/giu],
  [
    1.5,
    /(?<!\p{L})(?:(?:time|one|once) and a half|anderthalb\p{L}{0,3}|eineinhalb\p{L}{0,3}|une fois et demie|una volta e mezza)(?!\p{L})/giu,
  ],
  [2, /(?<!\p{L})(?:double|twice|doppelt\p{L}{0,2}|doble|doppio|dubbele?)(?!\p{L})/giu],
];

function namedShares(text: string): Keyed[] {
  return shares.flatMap(([factor, words]) =>
    [...text.matchAll(words)].map(({ index, 0: all }) => ({
      start: index,
      end: index + all.length,
      keys: [numberKey(factor), numberKey(factor * 100)],
    })),
  );
}

/** Lengths, weights and temperatures in the units of the vocabularies (cm, kg, °C), to one decimal. Exact by definition. */
const conversions: readonly (readonly [shape: RegExp, convert: (one: number, other: number) => number])[] = [
  [/(\d+(?:[.,]\d+)?) ?(?:lbs?|pounds?)(?!\p{L})/giu, (pounds) => pounds * 0.453_592_37],
  [/(\d+(?:[.,]\d+)?) ?(?:inches|inch|in|″|")(?![\p{L}\d])/giu, (inches) => inches * 2.54],
  [
    /(\d) ?(?:ft|feet|foot|['’′]) ?(\d{1,2}(?:[.,]\d+)?)? ?(?:inches|in|″|"|'')?/giu,
    (feet, inches) => feet * 30.48 + inches * 2.54,
  ],
  [/(\d[.,]\d{1,2}) ?m(?![\p{L}\d])/giu, (metres) => metres * 100],
  [
    /(\d{2,3}(?:[.,]\d+)?) ?° ?F|(?<=\d )(\d{2,3}(?:[.,]\d+)?) ?F(?!\p{L})/giu,
    (fahrenheit) => ((fahrenheit - 32) * 5) / 9,
  ],
];

function convertedUnits(text: string): Keyed[] {
  return conversions.flatMap(([shape, convert]) =>
    [...text.matchAll(shape)].map(({ index, 0: all, 1: one, 2: other }) => {
      const [a, b] = [one, other].map((written) => Number((written ?? '0').replace(',', '.')));
      return { start: index, end: index + all.length, keys: [numberKey(Math.round(convert(a!, b!) * 10) / 10)] };
    }),
  );
}

function dateKeys(text: string, order: ReturnType<typeof readDocument>['dateOrder']): Keyed[] {
  const dates = findDates(text, splitWords(text), order).map(({ iso, start, end }) => ({
    start,
    end,
    keys: [iso, iso.slice(0, 7), iso.slice(0, 4), ...(iso.length === 7 ? edgesOf(iso) : [])],
  }));
  const periods = findPeriods(text).map(({ label, start, end }) => ({ start, end, keys: periodKeys(label) }));
  const months = [...text.matchAll(/(?<![\d./-])(\d{1,2})[./-]((?:19|20)\d\d)(?!\d)/g)].flatMap((match) => {
    const month = Number(match[1]);
    if (month < 1 || month > 12) return [];
    const iso = isoDate(Number(match[2]), month);
    return [{ start: match.index, end: match.index + match[0].length, keys: [iso, ...edgesOf(iso)] }];
  });
  const short = [...text.matchAll(shortYear)]
    .filter(([, word]) => word === undefined || monthNumbers.has(word.toLowerCase()))
    .map(({ index, 0: all, 2: year }) => ({ start: index, end: index + all.length, keys: [`20${year}`] }));
  return [...dates, ...periods, ...months, ...short];
}

/** "FY26", "Q1 26", "’25", and "mar-24" with its month. */
const shortYear = /(?<![\p{L}\d])(?:FY|[QH][1-4]|(\p{L}{3,4})|(?=['’]))[ .'’/-]{0,2}([012]\d)(?![\p{L}\d%.,:/-])/gu;

/** The first and the last day of a month. */
function edgesOf(month: string): readonly string[] {
  const [year = 0, of = 0] = month.split('-').map(Number);
  return [isoDate(year, of, 1), isoDate(year, of, daysInMonth(year, of))];
}

const partMonths: ReadonlyMap<string, number> = new Map([
  ...[1, 2, 3, 4].map((quarter) => [`Q${quarter}`, quarter * 3] as const),
  ...([
    ['H1', 6],
    ['H2', 12],
    ['9M', 9],
    ['6M', 6],
    ['3M', 3],
  ] as const),
]);

/** `2025`, `Q3 2025`: the year, and the end of the part. */
function periodKeys(label: string): readonly string[] {
  const [, part = '', year = ''] = /^(?:([QHM\d]+) )?(\d{4})E?$/.exec(label) ?? [];
  if (year === '') return [];
  const month = partMonths.get(part);
  if (month === undefined) return [year];
  const iso = isoDate(Number(year), month);
  return [year, iso, edgesOf(iso)[1]!];
}

function flatWords(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** "14:05", "2:05 p.m.", "14h05", "2 pm". */
function timeShape(hour: number, minute: string): RegExp {
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  const half = hour < 12 ? 'a' : 'p';
  const minutes = minute === '00' ? `(?:[:.]00)?` : `[:.]${minute}`;
  return new RegExp(`(?<!\\d)(?:0?${hour} ?[:.h] ?${minute}(?!\\d)|0?${twelve}${minutes} ?${half}\\.?m)`, 'i');
}

/** In lower case, without the marks that keep an address from being a link. */
function refang(text: string): string {
  return text
    .toLowerCase()
    .replace(/\bhxxp/g, 'http')
    .replace(/[ \t]?[[({](?:\.|dot|punkt)[\])}][ \t]?/g, '.')
    .replace(/\[(:\/\/|:|@|at)\]/g, (_all, mark) => (mark === 'at' ? '@' : mark));
}
