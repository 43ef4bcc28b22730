/** Finds what a document says of entry into force, application, transposition, amendment and repeal, and acts known to be replaced. */
import type { AgentTool } from '../../agent/agent.ts';
import { readDocument } from '../../document/document.ts';
import { countOnce, place, sharedBytes, toFindings } from '../findings.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import type { Range, Span } from '../text/span.ts';
import type { ActDate } from './act-date.ts';
import { findActDates } from './act-dates.ts';
import { doubtReasons, withoutContradictions } from './certainty.ts';
import { findCues } from './force-cues.ts';
import { type LawText, readLaw } from './read-law.ts';
import type { Relation } from './relation-words.ts';
import { findRelations } from './relations.ts';
import { replacedActs } from './replaced-acts.ts';
import { type ActState, findStates } from './states.ts';

type Placed<Found extends Range> = Omit<Found, 'start' | 'end'> & { readonly span: Span };

export const euInForce: AgentTool = {
  name: 'eu_in_force',
  version: '3',
  purpose:
    'Finds what a text says of entry into force, application, transposition, amendment and repeal. Text: names acts.',
  run(documents) {
    const laws = documents.map((document) => readLaw(readDocument(document)));
    const read = laws.map((law) => {
      const placed = <Found extends Range>(list: readonly Found[]): Placed<Found>[] =>
        list.map(({ start, end, ...found }) => ({ ...found, span: law.spanOf({ start, end }) }));
      const relations = findRelations(law);
      const dates = withoutContradictions(findActDates(law));
      return {
        replaced: placed(replacedIn(law)),
        dates: placed(dates.facts),
        doubts: dates.doubts,
        relations: placed(relations),
        states: placed(findStates(law, relations)),
        cues: placed(findCues(law.flat)),
      };
    });
    const cited = countOnce(
      read.flatMap(({ replaced }) => replaced),
      ({ celex }) => celex,
    );
    const dates = read.flatMap((found) => found.dates);
    const relations = read.flatMap((found) => found.relations);
    const states = read.flatMap((found) => found.states);
    const cues = read.flatMap((found) => found.cues);
    const left = leftOut(
      read.flatMap(({ doubts }) => doubts),
      doubtReasons,
    );
    const digest = [
      ...cited.map(({ cited: name, what, from, replacedBy, source, span }) => {
        const by = replacedBy === undefined ? '' : `, see ${replacedBy}`;
        return `ACT ${name}: ${what} from ${from}${by} (${source}) ${place(span)}`;
      }),
      ...states.slice(0, 8).map(stateLine),
      ...dates.slice(0, 14).map(dateLine),
      ...relations.slice(0, 12).map(relationLine),
      ...cues.slice(0, 6).map(({ kind, span }) => `CUE ${kind} ${place(span)}`),
      ...leftOutLines(left),
    ];
    const note =
      'Whether an act is in force is decided by EUR-Lex at the day asked about; this tool knows only what it lists and what the text says.';
    const result = sharedBytes({ replacedActs: cited, dates, relations, states, cues }, 58_000);
    return toFindings({ ...result, left_out: left, note }, digest);
  },
};

function replacedIn(law: LawText) {
  return law.acts.flatMap(({ celex, normalised, start, end }) => {
    const replaced = replacedActs.get(celex);
    return replaced === undefined ? [] : [{ cited: normalised, ...replaced, start, end }];
  });
}

function stateLine({ act, status, on, span }: Placed<ActState>): string {
  return `STATE ${act}: ${status.replaceAll('-', ' ')}${on === undefined ? '' : ` on ${on}`}, as the text says ${place(span)}`;
}

function dateLine({ kind, act, date, delay, scope, article, step, span }: Placed<ActDate>): string {
  const of = `${article === undefined ? '' : `${article.normalised} of `}${act ?? 'a national law'}`;
  const counted = delay === undefined ? '' : `, ${delay.count} days after publication`;
  const what = step === 'apply' ? 'measures apply from' : step === 'transpose' ? 'transposition by' : kind;
  const part = scope === 'earlier' || scope === 'later' ? `, ${scope} than the rest` : '';
  return `DATE ${of}: ${what} ${date ?? '(publication not dated)'}${counted}${part} ${place(span)}`;
}

function relationLine({ relation, from, to, date, span }: Placed<Relation>): string {
  const when = date === undefined ? '' : ` with effect from ${date}`;
  const unnamed = { corrects: 'a corrigendum', transposes: 'a national law' }[relation as string] ?? 'an act not named';
  const by = from ?? unnamed;
  return `RELATION ${by} ${relation === 'delegated' ? 'supplements or amends by delegation' : relation} ${to}${when} ${place(span)}`;
}
