/** What the lines of one document state, each kind of value read on first use. */
import type { AgentDocument } from '../agent/agent.ts';
import { type Document, readDocument } from '../document/document.ts';
import { adverbPeriods } from '../tools/compliance/recurrence.ts';
import { readUnitNote } from '../tools/financial/units.ts';
import { type FoundDuration, findDurations } from '../tools/text/durations.ts';
import type { Range } from '../tools/text/span.ts';
import { statedDates } from './stated-dates.ts';
import { flatWords, hasWhole, refang, separatedShape, timeShape } from './stated-names.ts';
import { type NumberForm, numberKey, type StatedValue, statedNumbers } from './stated-numbers.ts';

/** Positions are those of the document. */
export interface Place extends Range {
  readonly line: number;
}

/** The places of each value, in the order of the lines. */
type Index = ReadonlyMap<string, readonly Place[]>;

/** Lines are read up to this length for a note about units. */
const noteUnitsMax = 300;
/** Notes that are so close state two scales, such as millions of yen, and thousands of dollars in the last column. */
const notesApartMax = 10;

export class DocumentEvidence {
  readonly message: number;
  readonly text: string;
  readonly lines: readonly Range[];
  readonly #reading: Document;
  readonly #durations = new Map<number, readonly FoundDuration[]>();
  readonly #intervals = new Map<number, ReturnType<typeof adverbPeriods>>();
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

  /** @param value without sign */
  numberPlaces(form: NumberForm, value: number): readonly Place[] {
    this.#numbers ??= this.#indexOf(this.#numbersIn());
    return this.#numbers.get(numberKey(form, value)) ?? [];
  }

  /** @param date ISO: a year, a month or a day */
  datePlaces(date: string): readonly Place[] {
    this.#dates ??= this.#indexOf((text) => statedDates(text, this.#reading.dateOrder));
    return this.#dates.get(date) ?? [];
  }

  /** Those that begin in the line: "within one" may end a line, and "business day" begin the next. */
  durations(line: number): readonly FoundDuration[] {
    return remember(this.#durations, line, () => {
      const { start, end } = this.lines[line]!;
      const text = this.text.slice(start, this.lines[line + 1]?.end ?? end);
      return findDurations(text)
        .map((found) => ({ ...found, start: found.start + start, end: found.end + start }))
        .filter((found) => found.start < end);
    });
  }

  /** The periods of adverbs: "quarterly". */
  intervals(line: number): ReturnType<typeof adverbPeriods> {
    return remember(this.#intervals, line, () => adverbPeriods(this.lineText(line)));
  }

  /** Whether the words occur in the document, in this order and without others between them. */
  hasWords(words: string): boolean {
    this.#flat ??= ` ${flatWords(this.text)} `;
    const flat = flatWords(words);
    return flat !== '' && this.#flat.includes(` ${flat} `);
  }

  /** Whether the document has an identifier, possibly defanged or with separators, or a time in any notation. */
  hasIdentifier(value: string): boolean {
    const time = timeShape(value);
    if (time !== undefined) return time.test(this.text);
    this.#refanged ??= refang(this.text);
    if (value !== '' && hasWhole(this.#refanged, refang(value))) return true;
    return separatedShape(value)?.test(this.text) === true;
  }

  #indexOf(read: (text: string, line: number) => readonly StatedValue[]): Index {
    const index = new Map<string, Place[]>();
    for (const [line, { start, end }] of this.lines.entries()) {
      for (const { keys, ...range } of read(this.text.slice(start, end), line)) {
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

  /** Reads the lines in their order: a note about units applies below it, until the next one. */
  #numbersIn(): (text: string, line: number) => StatedValue[] {
    const { decimalMark } = this.#reading;
    const hint = decimalMark === undefined ? {} : { decimalMark };
    const scalesOf = (line: number) => {
      const { zeros = 0, shareZeros = 0 } = readUnitNote(this.lineText(line).slice(0, noteUnitsMax)) ?? {};
      return [zeros, shareZeros].filter((each) => each > 0);
    };
    const all = this.lines.map((_range, line) => scalesOf(line));
    const allScales = [...new Set(all.flat())];
    let notes: readonly { readonly line: number; readonly scales: readonly number[] }[] = [];
    return (text, line) => {
      const own = all[line]!;
      if (own.length > 0) notes = [...notes.filter((note) => line - note.line <= notesApartMax), { line, scales: own }];
      const next = this.lines[line + 1] === undefined ? '' : this.lineText(line + 1);
      return statedNumbers(text, {
        hint,
        next,
        scales: [...new Set(notes.flatMap(({ scales }) => scales))],
        allScales,
      });
    };
  }
}

function remember<Value>(known: Map<number, Value>, line: number, compute: () => Value): Value {
  const value = known.get(line) ?? compute();
  known.set(line, value);
  return value;
}
