/** Extracts the facts of a contract with their positions: see the fields of the result. */
import type { AgentDocument, AgentTool, Json } from '../../agent/agent.ts';
import { documentsOnly } from '../../document/corpus.ts';
import { type Document, sentenceAt } from '../../document/document.ts';
import { place, toFindings } from '../findings.ts';
import { glossedSource, glossOf } from '../gloss/gloss.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import { listLines } from '../text/list-lines.ts';
import { bounded, excerpt, lineAround, type Range, type Span } from '../text/span.ts';
import { type Doubt, doubtReasons, withholdDoubtful } from './certainty.ts';
import { withNewWords } from './changed-clauses.ts';
import { findContractDates } from './contract-dates.ts';
import { isContract } from './contract-nature.ts';
import { namedPartiesOf } from './contract-parties.ts';
import { findTerm } from './contract-term.ts';
import { findCovenants } from './covenants.ts';
import { amountRole } from './dated.ts';
import { findForums } from './forum.ts';
import { findIndemnities } from './indemnities.ts';
import { findIpOwnership } from './ip-ownership.ts';
import { findGoverningLaw } from './law-and-forum.ts';
import { findLiabilityCaps } from './liability-caps.ts';
import { findLiabilityExclusions } from './liability-exclusions.ts';
import { findNoticePeriods, findRenewals } from './notice-and-renewal.ts';
import { findPaymentTerms } from './payment-terms.ts';
import { findPlaceholders } from './placeholders.ts';
import { findReferenceProblems } from './references.ts';
import { findTerminationRights } from './termination-rights.ts';
import { findWatchPoints } from './watch-points.ts';

export const contractFacts: AgentTool = {
  name: 'contract_facts',
  version: '2',
  purpose: 'Finds parties, dates, amounts, periods, governing law and caps. Text: clauses of a contract.',
  run(documents) {
    const { lists, doubts } = collect(documents);
    const result: { [key: string]: Json } = {};
    for (const [name, max] of bounds) result[name] = bounded(lists[name], max) as unknown as Json;
    const omitted = leftOut(doubts, doubtReasons);
    return toFindings({ ...result, left_out: omitted }, [...leftOutLines(omitted), ...digestOf(lists)]);
  },
};

/** Maximum number of dates and amounts examined per text, because examining the words around each takes time. */
const lookedAtMax = 500;

type Entry = { readonly [key: string]: Json };

/** Maximum number of each kind in the result: in total within 64 KB, even if every character of an excerpt takes three bytes. */
const bounds = [
  ['parties', 15],
  ['dates', 40],
  ['amounts', 30],
  ['governing_law', 10],
  ['forums', 10],
  ['payment_terms', 20],
  ['term', 5],
  ['termination_rights', 24],
  ['notice_periods', 20],
  ['auto_renewal', 8],
  ['liability_caps', 12],
  ['liability_exclusions', 20],
  ['indemnities', 12],
  ['ip_ownership', 12],
  ['covenants', 16],
  ['watch_points', 20],
  ['reference_problems', 30],
  ['placeholders', 30],
] as const;

type Lists = Record<(typeof bounds)[number][0], Entry[]>;

function collect(documents: readonly AgentDocument[]): { readonly lists: Lists; readonly doubts: readonly Doubt[] } {
  const doubts: Doubt[] = [];
  const lists = Object.fromEntries(bounds.map(([name]) => [name, []])) as unknown as Lists;
  for (const document of documentsOnly(documents)) {
    const reading = glossOf(renewed(document), 'contract');
    // An article on contracts, a statute or a letter only quotes and describes, so nothing in it is agreed.
    if (!isContract(reading)) continue;
    const found = withholdDoubtful(factsOf(reading));
    for (const doubt of found.doubts) doubts.push(doubt);
    for (const [name] of bounds) lists[name].push(...found.certain[name]);
  }
  return { lists, doubts };
}

/** As its special conditions change it. */
function renewed(document: AgentDocument): AgentDocument {
  const text = withNewWords(document.text);
  return text === document.text ? document : { ...document, text };
}

function factsOf(reading: Document): Lists {
  const { text, amounts, durations } = reading;
  const dates = findContractDates(reading, lookedAtMax);
  const term = findTerm(reading, dates);
  /** The fields of a finding, with its position as a span. */
  const placed = <Found extends Range>(list: readonly Found[]): Entry[] =>
    list.map(({ start, end, ...fields }) =>
      inOwnWords(reading, { start, end }, { ...(fields as Entry), span: { ...reading.spanOf({ start, end }) } }),
    );
  const shown = (range: Range) => excerpt(text, lineAround(text, range.start, 60), 120);
  return {
    parties: placed(namedPartiesOf(reading)),
    dates: placed(dates),
    amounts: placed(
      amounts.slice(0, lookedAtMax).map((amount) => ({
        ...amount,
        role: amountRole(text, amount, sentenceAt(reading, amount.start)),
        line: shown(amount),
      })),
    ),
    governing_law: placed(findGoverningLaw(reading)),
    forums: placed(findForums(reading)),
    payment_terms: placed(findPaymentTerms(reading)),
    term: placed(term === undefined ? [] : [term]),
    termination_rights: placed(findTerminationRights(reading)),
    notice_periods: placed(findNoticePeriods(reading, durations)),
    auto_renewal: placed(findRenewals(reading, durations)),
    liability_caps: placed(findLiabilityCaps(reading)),
    liability_exclusions: placed(findLiabilityExclusions(reading)),
    indemnities: placed(findIndemnities(reading)),
    ip_ownership: placed(findIpOwnership(reading)),
    covenants: placed(findCovenants(reading)),
    watch_points: placed(findWatchPoints(reading)),
    reference_problems: placed(findReferenceProblems(reading)),
    placeholders: placed(findPlaceholders(text)),
  };
}

/** Shows names and excerpts as the document writes them, and not as its gloss. */
function inOwnWords(reading: Document, range: Range, entry: Entry): Entry {
  const source = glossedSource(reading);
  if (source === undefined) return entry;
  const shown = excerpt(reading.text, range);
  const own = excerpt(source.text, entry.span as unknown as Span);
  return Object.fromEntries(
    Object.entries(entry).map(([field, value]) => {
      if (typeof value !== 'string') return [field, value];
      // The number of a clause is given with the English word.
      const isCopy = value.toLowerCase() === shown.toLowerCase() && entry.kind !== 'clause not found';
      if (field === 'what' && entry.isNote === false) return [field, own.replace(/^[[{<]{1,2}|[\]}>]{1,2}$/g, '')];
      return [field, isCopy || field === 'excerpt' || field === 'line' ? own : value];
    }),
  );
}

function digestOf(lists: Lists): string[] {
  const lines: string[] = [];
  const say = (title: string, list: readonly Entry[], max: number, shown: (entry: Entry) => string) => {
    const { items, more } = bounded(list, max);
    const told = items.map((entry) => `${shown(entry)} ${place(entry.span as unknown as Span)}`);
    lines.push(...listLines(title, more > 0 ? [...told, `and ${more} more`] : told));
  };
  say('Parties', lists.parties, 6, ({ name, role }) => (role === undefined ? `${name}` : `${name} (${role})`));
  say('Governing law', lists.governing_law, 3, ({ law }) => `${law}`);
  say('Forum', lists.forums, 3, ({ kind, place, rules, exclusive }) =>
    [kind, place, rules, exclusive ? 'exclusive' : 'not exclusive'].filter(Boolean).join(', '),
  );
  say('Payment', lists.payment_terms, 6, ({ kind, within, businessDays, percent }) =>
    kind === 'due' ? `due ${within}${businessDays ? ' business days' : ''}` : `late interest ${percent} %`,
  );
  say(
    'Notice periods',
    lists.notice_periods,
    8,
    ({ purpose, period, businessDays }) => `${purpose} ${period}${businessDays ? ' business days' : ''}`,
  );
  say(
    'Automatic renewal',
    lists.auto_renewal,
    3,
    ({ period, optOut }) => `for ${period ?? 'a period not stated'}, opt-out ${optOut ?? 'not stated'}`,
  );
  say('Caps on liability', lists.liability_caps, 5, ({ kind, value, currency, percent }) =>
    [kind, value, currency, percent === undefined ? undefined : `${percent} %`].filter(Boolean).join(' '),
  );
  say(
    'Dates',
    lists.dates.filter(({ role }) => role !== 'other'),
    8,
    ({ iso, role }) => `${iso} (${role})`,
  );
  say(
    'Amounts',
    lists.amounts,
    10,
    ({ value, currency, currencyMark, role }) => `${currency ?? currencyMark} ${value} (${role})`,
  );
  say('Watch points', lists.watch_points, 12, ({ kind }) => `${kind}`);
  say('Broken references', lists.reference_problems, 8, ({ kind, what }) => `${what} (${kind})`);
  return lines;
}
