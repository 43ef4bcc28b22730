/**
 * Piotroski's F: nine binary signals of financial strength.
 * @see J. D. Piotroski, "Value Investing: The Use of Historical Financial Statement Information to Separate Winners from
 *   Losers", Journal of Accounting Research 38 Supplement (2000) 1–41
 */
import type { LineItem } from './line-items.ts';
import { add, compare, divide, isZero, type Rational, rational, toFixed, zero } from './rational.ts';
import { inputOf, periodBefore } from './statement-inputs.ts';
import type { Statements } from './statements.ts';

export interface PiotroskiSignal {
  readonly id: string;
  readonly question: string;
  /** Absent if it is not computable. */
  readonly passed?: boolean;
  /** Both sides of the comparison with four decimals, this period first. */
  readonly compared?: readonly [string, string];
  readonly not_computable?: string;
}

export interface PiotroskiScore {
  readonly passed: number;
  /** How many of the nine could be computed. */
  readonly computed: number;
  readonly signals: readonly PiotroskiSignal[];
  readonly notes: readonly string[];
}

/** Two values of which the first must be greater (or, for two signals, less or not greater), or the names of missing inputs. */
type Sides = readonly [Rational, Rational] | { readonly missing: readonly string[] };

/**
 * Returns and turnover are relative to the assets at the beginning of the year, leverage to the average of the year, as in the
 * paper; if an older balance is missing, closing balances are used for both years, and a note states this.
 */
export function piotroskiOf(statements: Statements, period: string): PiotroskiScore {
  const context = new Years(statements, period);
  const returns = context.pair((year) => context.over('net_income', year));
  const flow = context.over('operating_cash_flow', 'now');
  const signals: PiotroskiSignal[] = [
    signal(
      'roa_positive',
      'net income / total assets above 0',
      against(context.over('net_income', 'now'), zero),
      isMore,
    ),
    signal('cfo_positive', 'operating cash flow / total assets above 0', against(flow, zero), isMore),
    signal('roa_rising', 'return on assets above the previous year', returns, isMore),
    signal('accrual', 'operating cash flow above net income', both(flow, context.over('net_income', 'now')), isMore),
    signal(
      'leverage_falling',
      'long-term debt / average assets below the previous year',
      context.pair((y) => context.leverage(y)),
      isLess,
    ),
    signal(
      'liquidity_rising',
      'current ratio above the previous year',
      context.pair((y) => context.ratio('current_assets', 'current_liabilities', y)),
      isMore,
    ),
    signal(
      'no_new_shares',
      'no more shares than in the previous year',
      context.pair((y) => context.amount('shares_outstanding', y)),
      isNotMore,
    ),
    signal(
      'margin_rising',
      'gross margin above the previous year',
      context.pair((y) => context.ratio('gross_profit', 'revenue', y)),
      isMore,
    ),
    signal(
      'turnover_rising',
      'revenue / total assets above the previous year',
      context.pair((y) => context.over('revenue', y)),
      isMore,
    ),
  ];
  return {
    passed: signals.filter(({ passed }) => passed === true).length,
    computed: signals.filter(({ passed }) => passed !== undefined).length,
    signals,
    notes: context.notes(),
  };
}

const isMore = (a: Rational, b: Rational) => compare(a, b) > 0;
const isLess = (a: Rational, b: Rational) => compare(a, b) < 0;
const isNotMore = (a: Rational, b: Rational) => compare(a, b) <= 0;

function signal(
  id: string,
  question: string,
  sides: Sides,
  passes: (a: Rational, b: Rational) => boolean,
): PiotroskiSignal {
  if ('missing' in sides) return { id, question, not_computable: `${[...new Set(sides.missing)].join(', ')} missing` };
  const [a, b] = sides;
  return { id, question, passed: passes(a, b), compared: [toFixed(a, 4), toFixed(b, 4)] };
}

type Side = Rational | { readonly missing: string };
type Which = 'now' | 'then';

function both(a: Side, b: Side): Sides {
  const missing = [a, b].flatMap((side) => ('missing' in side ? [side.missing] : []));
  return missing.length > 0 ? { missing } : [a as Rational, b as Rational];
}

const against = (a: Side, b: Rational): Sides => both(a, b);

/** A period and the two previous ones. */
class Years {
  readonly #statements: Statements;
  readonly #labels: { readonly now: string; readonly then: string | undefined };
  /** Whether the opening balances of both years exist. */
  readonly #opening: boolean;

  constructor(statements: Statements, period: string) {
    this.#statements = statements;
    const then = periodBefore(statements, period);
    this.#labels = { now: period, then };
    const older = then === undefined ? undefined : periodBefore(statements, then);
    this.#opening = older !== undefined && inputOf(statements, 'total_assets', older) !== undefined;
  }

  notes(): string[] {
    return this.#opening ? [] : ['closing total assets instead of opening and average ones: no earlier balance sheet'];
  }

  pair(side: (which: Which) => Side): Sides {
    return both(side('now'), side('then'));
  }

  amount(item: LineItem, which: Which): Side {
    const label = this.#labels[which];
    if (label === undefined) return { missing: 'the period before' };
    return inputOf(this.#statements, item, label)?.value ?? { missing: which === 'now' ? item : `${item} of ${label}` };
  }

  ratio(above: LineItem, below: LineItem, which: Which): Side {
    return quotient(this.amount(above, which), this.amount(below, which), below);
  }

  /** Relative to opening assets, or to closing assets if the older balance is missing. */
  over(item: LineItem, which: Which): Side {
    return quotient(
      this.amount(item, which),
      this.#opening ? this.#assetsBefore(which) : this.amount('total_assets', which),
      'total_assets',
    );
  }

  leverage(which: Which): Side {
    const closing = this.amount('total_assets', which);
    const opening = this.#opening ? this.#assetsBefore(which) : closing;
    if ('missing' in closing) return closing;
    if ('missing' in opening) return opening;
    return quotient(this.amount('long_term_debt', which), divide(add(opening, closing), rational(2n)), 'total_assets');
  }

  #assetsBefore(which: Which): Side {
    if (which === 'now') return this.amount('total_assets', 'then');
    const older = periodBefore(this.#statements, this.#labels.then!);
    return inputOf(this.#statements, 'total_assets', older!)?.value ?? { missing: 'total_assets' };
  }
}

function quotient(a: Side, b: Side, name: string): Side {
  if ('missing' in a) return a;
  if ('missing' in b) return b;
  return isZero(b) ? { missing: `${name} other than 0` } : divide(a, b);
}
