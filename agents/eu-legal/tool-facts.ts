/** Converts the findings of the EU legal assistant's tools to facts of `facts.json`. */
import type { Json, ToolFacts } from '../agent/agent.ts';
import { factOf, stringOf } from '../agent/tool-results.ts';
import type { Fact, FactValue } from '../agent/vocabulary.ts';

interface Entry {
  readonly [key: string]: Json | undefined;
}

type Lists = Readonly<Record<string, { readonly items: readonly Entry[] }>>;

/** `eu_hierarchy` ranks the acts and cases of `eu_citations` and adds no fact. */
export const toolFacts: ToolFacts = ({ eu_citations: citations, eu_deadlines: deadlines, eu_in_force: inForce }) => {
  const { acts, articles, cases, ecli, celex } = citations as unknown as Lists;
  const { deadlines: periods, fixedDates } = deadlines as unknown as Lists;
  const { dates, relations, states } = inForce as unknown as Lists;
  const numbers = new Map(
    acts!.items.map(({ celex: id, normalised }) => [String(id), numberOfAct(String(id), normalised)]),
  );
  const numberOf = (act: Json | undefined) =>
    typeof act === 'string' ? (numbers.get(act) ?? numberOfCelex(act)) : undefined;
  return {
    facts: [
      // A protocol has no code among the acts.
      ...acts!.items.filter(({ celex: id }) => !String(id).includes('/')).map(actOf),
      ...articles!.items.flatMap(({ act, ...article }) => provisionsOf(article, numberOf(act))),
      ...cases!.items.map(({ number, celex: id, ecli: printed }) =>
        factOf('case', { number: stringOf(number), celex: stringOf(id), ecli: stringOf(printed) }),
      ),
      ...ecli!.items.map(({ ecli: id }) => factOf('case', { ecli: stringOf(id) })),
      ...celex!.items.flatMap(celexFacts),
      ...periods!.items.map(deadlineOf),
      ...fixedDates!.items.map(({ date }) => factOf('deadline', { end: stringOf(date) })),
      ...states!.items.map(({ act, status, on }) =>
        factOf('in_force', { act: numberOf(act), status: stringOf(status), on: stringOf(on) }),
      ),
      ...relations!.items.map(({ relation, from, to, date }) =>
        factOf('relation', {
          relation: stringOf(relation),
          from: numberOf(from),
          to: numberOf(to),
          date: stringOf(date),
        }),
      ),
      ...dates!.items.map(({ act, ...date }) => dateOf(date, numberOf(act))),
    ].filter(({ value }) => Object.keys(value).length > 0),
  };
};

function actOf({ celex: id, type: form, normalised }: Entry): Fact {
  const celex = String(id);
  const type = celex.startsWith('12016P') ? 'charter' : form === 'framework decision' ? 'decision' : form;
  return factOf('act', { type: stringOf(type), number: numberOfAct(celex, normalised), celex });
}

/** @returns `95/46` for `Directive 95/46/EC`; for a short name, the number in its CELEX number */
function numberOfAct(celex: string, normalised: Json | undefined): string | undefined {
  return /\d+\/\d+/.exec(String(normalised))?.[0] ?? numberOfCelex(celex);
}

const primaryLaw: ReadonlyMap<string, string> = new Map([
  ['12016E', 'TFEU'],
  ['12016M', 'TEU'],
  ['12016P', 'Charter'],
  ['12016E/PRO/03', 'Statute'],
]);

/** Regulations until 2014 have the year last; directives until 1998 have a two-digit year. */
function numberOfCelex(celex: string): string | undefined {
  const [, year = '', letter = '', digits = ''] = /^3(\d{4})([RLDHF])(\d{4})$/.exec(celex) ?? [];
  if (year === '') return primaryLaw.get(celex);
  if (letter === 'R' && Number(year) < 2015) return `${Number(digits)}/${year}`;
  return `${letter === 'L' && Number(year) < 1999 ? year.slice(2) : year}/${Number(digits)}`;
}

/** One for each point. Annexes have no kind. */
function provisionsOf({ kind, number, until, paragraph, points }: Entry, act: string | undefined): Fact[] {
  if (kind === 'recital') return [factOf('recital', { number: stringOf(number), until: stringOf(until), act })];
  if (kind !== 'article') return [];
  const named = { article: stringOf(number), until: stringOf(until), paragraph: stringOf(paragraph), act };
  if (points === undefined) return [factOf('provision', named)];
  return (points as readonly string[]).map((point) =>
    // "(a)(ii)" is "a ii".
    factOf('provision', { ...named, point: point.replace(/[()]+/g, ' ').trim() }),
  );
}

const typesOfCelex: ReadonlyMap<string, string> = new Map([
  ['R', 'regulation'],
  ['L', 'directive'],
  ['D', 'decision'],
  ['F', 'decision'],
  ['H', 'recommendation'],
]);

function celexFacts({ celex, sector, type }: Entry): Fact[] {
  if (sector === '6') return [factOf('case', { celex: stringOf(celex) })];
  if (sector !== '3') return [];
  return [
    factOf('act', {
      type: typesOfCelex.get(String(type)),
      number: numberOfCelex(String(celex)),
      celex: stringOf(celex),
    }),
  ];
}

function deadlineOf({ length, end, event }: Entry): Fact {
  const [, count, unit = ''] = /^(\S+) (.+?)s?$/.exec(String(length)) ?? [];
  return factOf('deadline', {
    duration: { count: Number(count), unit: unit === 'working day' ? 'business day' : unit },
    event: stringOf((event as { readonly words?: Json } | undefined)?.words),
    end: stringOf((end as { readonly lastDay?: Json } | undefined)?.lastDay),
  });
}

const dateKinds: ReadonlyMap<string, string> = new Map([
  ['entry into force', 'entry_into_force'],
  ['application', 'application'],
  ['transposition', 'transposition'],
]);

function dateOf({ kind, date, delay, scope, article, step }: Entry, act: string | undefined): Fact {
  const part = (article ?? {}) as Entry;
  return factOf(dateKinds.get(String(kind))!, {
    act,
    date: stringOf(date),
    delay: delay as unknown as FactValue | undefined,
    scope: stringOf(scope),
    article: stringOf(part.number),
    until: stringOf(part.until),
    paragraph: stringOf(part.paragraph),
    step: stringOf(step),
  });
}
