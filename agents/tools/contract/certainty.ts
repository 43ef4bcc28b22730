/**
 * Withholds terms of a contract that its text leaves in doubt, in any layout: a period, date or law with two values, and parties
 * whose names are parts of sentences, dates or amounts.
 */
import type { Json } from '../../agent/agent.ts';

export type Doubt = 'periods' | 'laws' | 'name';

/** Why findings are left out, for readers of the report. */
export const doubtReasons: Readonly<Record<Doubt, string>> = {
  periods: 'the text gives several periods for payment',
  laws: 'the text names several governing laws',
  name: 'the name of the party is a part of a sentence, a date or an amount',
};

/** Why a date has no role. */
const doubtfulRole = 'the text gives several dates of its kind';

type Entry = { readonly [field: string]: Json };

export interface Doubtful {
  readonly parties: Entry[];
  readonly dates: Entry[];
  readonly governing_law: Entry[];
  readonly payment_terms: Entry[];
}

/** @returns the lists without doubtful findings, and one reason per finding left out; a doubtful date is kept without its role */
export function withholdDoubtful<Lists extends Doubtful>(
  lists: Lists,
): { readonly certain: Lists; readonly doubts: readonly Doubt[] } {
  const doubts: Doubt[] = [];
  const doubtful = (is: boolean, doubt: Doubt) => {
    if (is) doubts.push(doubt);
    return is;
  };
  const due = lists.payment_terms.filter(({ kind }) => kind === 'due');
  const hasPeriods = differ(due, 'within');
  const byRole = Map.groupBy(lists.dates, ({ role }) => role);
  const rivalRoles = new Set(singular.filter((role) => differ(byRole.get(role) ?? [], 'iso')));
  const hasLaws = differ(lists.governing_law, 'law');
  return {
    certain: {
      ...lists,
      parties: lists.parties.filter(({ name }) => !doubtful(notName.test(String(name)), 'name')),
      dates: lists.dates.map((date) =>
        rivalRoles.has(String(date.role)) ? { ...date, role: 'other', doubt: doubtfulRole } : date,
      ),
      governing_law: lists.governing_law.filter(() => !doubtful(hasLaws, 'laws')),
      payment_terms: lists.payment_terms.filter(({ kind }) => !doubtful(kind === 'due' && hasPeriods, 'periods')),
    },
    doubts,
  };
}

function differ(list: readonly Entry[], field: string): boolean {
  return new Set(list.map((each) => each[field])).size > 1;
}

/** Dates of which a contract has one; each party may sign on its own day. */
const singular: readonly string[] = ['effective', 'start', 'end'];
/** Begins with a number or an amount, contains the end of a sentence, or ends with a number. */
const notName =
  /^\d|^Pan(?:em|ią) |^(?:USD|EUR|GBP|[$€£])\s?\d|^\[-|(?<!(?<!\p{L})\p{Lu})(?<=\p{L})\. \p{Lu}\p{Ll}|\d{4}|\d$/u;
