/** Vocabularies of a field as tables: the words that name a subject are found once per document and looked up by sentence. */
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { Word } from '../text/words.ts';
import { cueWords, headWords } from './cue-words.ts';
import type { Flow } from './flow.ts';

export interface Cue<Label> extends Range {
  readonly label: Label;
  /** Positions in the requested sentence. */
  readonly at: number;
  readonly to: number;
}

export interface CueReader<Label extends string> {
  /** The cues that begin in a range of the running text, in order. */
  readonly in: (flow: Flow, range: Range) => Cue<Label>[];
  /** The cues of a short text outside the running text: a label, a cell. */
  readonly of: (text: string) => Cue<Label>[];
}

/** Labels and cells are short; longer texts are not examined. */
const shortTextMax = 400;
const recentMax = 32;

/** @param table phrases by label, in the syntax of `phraseList` */
export function cueReader<Label extends string>(table: Readonly<Record<Label, string>>): CueReader<Label> {
  const phrases = compilePhrases(
    (Object.entries(table) as [Label, string][]).map(([label, wording]) => [label, phraseList(wording)] as const),
  );
  // Many sentences share one label.
  const recent = new Map<string, Cue<Label>[]>();
  const known = new WeakMap<Flow, readonly (Range & { readonly label: Label })[]>();
  const matches = (words: readonly Word[]) => {
    const whole = findPhrases(words, phrases);
    const heads = headWords(words);
    if (heads === undefined) return whole;
    const seen = new Set(whole.map(({ label, start }) => `${label} ${start}`));
    const more = findPhrases(heads, phrases).filter(({ label, start }) => !seen.has(`${label} ${start}`));
    return [...whole, ...more].sort((a, b) => a.start - b.start);
  };
  const all = (flow: Flow) => {
    const found = known.get(flow) ?? matches(flow.words);
    known.set(flow, found);
    return found;
  };
  const placed = ({ label, start, end }: Range & { readonly label: Label }, from: number): Cue<Label> => ({
    label,
    start,
    end,
    at: start - from,
    to: end - from,
  });
  return {
    in: (flow, range) => allWithin(all(flow), range).map((each) => placed(each, range.start)),
    of: (text) => {
      const before = recent.get(text);
      if (before !== undefined) return before;
      const found = /\p{L}/u.test(text)
        ? matches(cueWords(text.slice(0, shortTextMax))).map((each) => placed(each, 0))
        : [];
      if (recent.size >= recentMax) recent.clear();
      recent.set(text, found);
      return found;
    },
  };
}
