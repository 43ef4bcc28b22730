/** Finds statements about entry into force, application, amendment and repeal, and cited acts that are known to be replaced. */

import type { AgentTool } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import { countOnce, place, sharedBytes, toFindings } from '../findings.ts';
import { findDates } from '../text/dates.ts';
import { allWithin, indexAt } from '../text/ranges.ts';
import { splitSentences } from '../text/sentences.ts';
import { excerpt, type Range } from '../text/span.ts';
import { findActs } from './act-citations.ts';
import { findJournals } from './journal-citations.ts';
import { entryIntoForce } from './periods.ts';
import { replacedActs } from './replaced-acts.ts';

/** Kinds of statements, each with the words for it. */
const cueShapes: readonly { readonly kind: string; readonly shape: RegExp }[] = [
  {
    kind: 'entry into force',
    shape:
      /\b(?:enters?|entered|entry|entering) into force\b|tritt .{0,80}? in Kraft\b|entre(?:ra)? en vigueur|nabývá (?:účinnosti|platnosti)|vst(?:up|oup)\p{L}{0,4} v platnost/giu,
  },
  {
    kind: 'application',
    shape:
      /\bshall apply (?:from|as of|until)\b|\bapplies from\b|\bapplicable from\b|\bdate of application\b|gilt ab\b|est applicable à partir|použije se ode dne/giu,
  },
  {
    kind: 'repeal',
    shape:
      /\b(?:is|are|was|were|shall be|hereby) (?:hereby )?repealed\b|\brepeal(?:s|ing)?\b|aufgehoben\b|est abrogée?|zrušuje se|zruš(?:eno|ena|en)(?!\p{L})/giu,
  },
  {
    kind: 'amendment',
    shape: /\bas (?:last )?amended by\b|\b(?:is|are) amended as follows\b|geändert durch|modifiée? par|ve znění/giu,
  },
  {
    kind: 'replacement',
    shape:
      /\b(?:is|are|was|were) (?:replaced|superseded) by\b|\bwhich (?:replaces|replaced)\b|ersetzt durch|remplacée? par|nahrazuje se/giu,
  },
  {
    kind: 'transposition',
    shape:
      /\btranspos(?:e|ed|ition)\b|\bbring into force the laws\b|umgesetzt|umzusetzen|transposition|transpon\w{0,6}|proved\w{0,3} ve vnitrostátním/giu,
  },
  {
    kind: 'no longer in force',
    shape:
      /\bno longer in force\b|\bceased? to (?:apply|have effect)\b|\bexpired?s? on\b|außer Kraft|plus en vigueur|pozbyl\w{0,2} platnosti/giu,
  },
  {
    kind: 'annulment or invalidity',
    shape:
      /\b(?:annulled|declared (?:void|invalid)|is invalid)\b|für (?:nichtig|ungültig) erklärt|déclarée? (?:nulle?|invalide)|prohlášen\w{0,2} za neplatn/giu,
  },
  {
    kind: 'transitional rule',
    shape:
      /\btransitional (?:period|provision|arrangement)s?\b|Übergangs(?:frist|bestimmung|regelung)|dispositions transitoires|přechodn\w{1,3} (?:období|ustanovení)/giu,
  },
];

export const euInForce: AgentTool = {
  name: 'eu_in_force',
  version: '2',
  purpose: 'Finds statements about what is in force, and acts that were replaced. Text: names acts.',
  run(documents) {
    const cues = documents
      .map(readDocument)
      .flatMap((document) =>
        findCues(document.text).map(({ range, ...cue }) => ({ ...cue, span: document.spanOf(range) })),
      );
    const cited = countOnce(
      documents.map(readDocument).flatMap((document) =>
        findActs(document.text).flatMap((act) => {
          const replaced = replacedActs.get(act.celex);
          return replaced === undefined ? [] : [{ cited: act.normalised, ...replaced, span: document.spanOf(act) }];
        }),
      ),
      ({ celex }) => celex,
    );
    const digest = [
      ...cited.map(({ cited: name, what, from, replacedBy, source, span }) => {
        const by = replacedBy === undefined ? '' : `, see ${replacedBy}`;
        return `ACT ${name}: ${what} from ${from}${by} (${source}) ${place(span)}`;
      }),
      ...cues.slice(0, 20).map(({ kind, dates, entersIntoForce, span }) => {
        const when = dates.length === 0 ? '' : `, dates beside it ${dates.join(', ')}`;
        const reckoned = entersIntoForce === undefined ? '' : `, reckoned ${entersIntoForce.date}`;
        return `CUE ${kind}${when}${reckoned} ${place(span)}`;
      }),
    ];
    const note =
      'EUR-Lex shows whether an act was in force on a given day; this tool knows only the acts that it lists.';
    return toFindings({ ...sharedBytes({ replacedActs: cited, cues }, 58_000), note }, digest);
  },
};

export interface InForceCue {
  readonly kind: string;
  readonly text: string;
  /** ISO dates of the same sentence, with only a few words of the same clause between cue and date. */
  readonly dates: readonly string[];
  /**
   * Computed if the sentence says "the twentieth day following that of its publication" and the text cites the Official Journal
   * once.
   */
  readonly entersIntoForce?: { readonly date: string; readonly publication: string };
  readonly range: { readonly start: number; readonly end: number };
}

/** At most one statement of each kind per sentence. */
export function findCues(text: string): InForceCue[] {
  const sentences = splitSentences(text);
  const dates = findDates(text);
  const publications = [...new Set(findJournals(text).flatMap(({ date }) => (date === undefined ? [] : [date])))];
  const found = new Map<string, InForceCue>();
  for (const { kind, shape } of cueShapes) {
    for (const match of text.matchAll(shape)) {
      const index = indexAt(sentences, match.index);
      const sentence =
        index === undefined ? { start: match.index, end: match.index + match[0].length } : sentences[index]!;
      const key = `${kind} ${sentence.start}`;
      if (found.has(key)) continue;
      const wording = text.slice(sentence.start, Math.min(sentence.end, sentence.start + 600));
      const reckoned = kind === 'entry into force' ? reckonEntry(publications, wording) : undefined;
      found.set(key, {
        kind,
        text: excerpt(text, sentence),
        dates: allWithin(dates, sentence)
          .filter((date) => isBeside(text, { start: match.index, end: match.index + match[0].length }, date))
          .slice(0, 6)
          .map(({ iso }) => iso),
        ...(reckoned === undefined ? {} : { entersIntoForce: reckoned }),
        range: { start: match.index, end: match.index + match[0].length },
      });
    }
  }
  return [...found.values()].sort(
    (one, other) => one.range.start - other.range.start || (one.kind < other.kind ? -1 : 1),
  );
}

/** Another date of the sentence belongs to another statement. */
function isBeside(text: string, cue: Range, date: Range): boolean {
  const between = date.start >= cue.end ? text.slice(cue.end, date.start) : text.slice(date.end, cue.start);
  return between.length <= 60 && !/[,;:()]|\d{3}/.test(between);
}

const dayWords = new Map([
  ['twentieth', 20],
  ['third', 3],
  ['zwanzigsten', 20],
  ['vingtième', 20],
  ['dvacátým', 20],
  ['day', 1],
]);

/** Only if the text cites one issue of the Official Journal with its date, so that the reference is unambiguous. */
function reckonEntry(
  publications: readonly string[],
  wording: string,
): { date: string; publication: string } | undefined {
  const match =
    /\b(twentieth|third) day following|(zwanzigsten) Tag nach|(vingtième) jour suivant|(dvacátým) dnem po|\b(day) following that of its publication/i.exec(
      wording,
    );
  const word = match?.slice(1).find((group) => group !== undefined);
  if (word === undefined) return undefined;
  const [publication, ...others] = publications;
  if (publication === undefined || others.length > 0) return undefined;
  const date = entryIntoForce(publication, dayWords.get(word.toLowerCase()));
  return date === undefined ? undefined : { date, publication };
}
