/** The statement items that the formulas need, with their properties. */
import { balanceSheetNames } from './balance-sheet-names.ts';
import { cashFlowNames } from './cash-flow-names.ts';
import { incomeStatementNames } from './income-statement-names.ts';
import { measureNames } from './measure-names.ts';
import { nordicNames } from './nordic-names.ts';
import { rarerNames } from './rarer-names.ts';
import { remembered } from './remembered.ts';
import { romanceSlavicNames } from './romance-slavic-names.ts';

/** Names follow IAS 1 and common usage; amounts of cost items are kept positive. */
export type LineItem =
  | 'revenue'
  | 'cost_of_sales'
  | 'gross_profit'
  | 'sga'
  | 'depreciation'
  | 'ebitda'
  | 'ebit'
  | 'interest_expense'
  | 'pre_tax_income'
  | 'income_tax'
  | 'net_income'
  | 'cash'
  | 'short_term_investments'
  | 'receivables'
  | 'inventories'
  | 'current_assets'
  | 'ppe'
  | 'securities'
  | 'non_current_assets'
  | 'total_assets'
  | 'payables'
  | 'short_term_debt'
  | 'current_liabilities'
  | 'long_term_debt'
  | 'non_current_liabilities'
  | 'total_debt'
  | 'total_liabilities'
  | 'retained_earnings'
  | 'equity'
  | 'operating_cash_flow'
  | 'capex'
  | 'dividends_paid'
  | 'shares_outstanding'
  | 'share_price'
  | 'market_cap'
  | 'research_development'
  | 'cost_of_materials'
  | 'personnel_expense'
  | 'net_income_attributable'
  /** "Ergebnis nach Steuern", "profit from continuing operations": used as net income if there is no other line for it. */
  | 'result_after_tax'
  /** "Résultat opérationnel courant": used as operating income if there is no other line for it. */
  | 'recurring_operating_income'
  | 'eps_basic'
  | 'eps_diluted'
  | 'shares_basic'
  | 'shares_diluted'
  | 'goodwill'
  | 'deferred_revenue'
  | 'provisions'
  | 'total_liabilities_and_equity'
  /** Without minority interests: used as equity if there is no other line for it. */
  | 'parent_equity'
  | 'trade_and_other_receivables'
  | 'trade_and_other_payables'
  | 'bank_loans'
  /** Notes of a few months, a part of the short-term debt. */
  | 'commercial_paper'
  /** A loan for a term: current or not according to its heading. */
  | 'term_debt'
  | 'bank_overdrafts'
  | 'opening_cash'
  | 'closing_cash'
  | 'change_in_cash'
  | 'currency_effect_on_cash'
  | 'investing_cash_flow'
  | 'financing_cash_flow'
  | 'adjusted_ebitda'
  | 'adjusted_operating_income'
  | 'adjusted_net_income'
  | 'adjusted_eps'
  | 'stated_free_cash_flow'
  | 'stated_net_debt';

/** Statements print these as costs or outflows, with or without a minus or parentheses; here they are positive. */
export const costItems: ReadonlySet<LineItem> = new Set([
  'cost_of_sales',
  'sga',
  'depreciation',
  'interest_expense',
  'capex',
  'dividends_paid',
  'research_development',
  'cost_of_materials',
  'personnel_expense',
]);

/** Amounts at a date, which have no length. Liabilities in parentheses are deductions and not negative. */
export const balanceItems: ReadonlySet<LineItem> = new Set([
  'cash',
  'short_term_investments',
  'receivables',
  'trade_and_other_receivables',
  'inventories',
  'current_assets',
  'ppe',
  'goodwill',
  'securities',
  'non_current_assets',
  'total_assets',
  'payables',
  'trade_and_other_payables',
  'deferred_revenue',
  'provisions',
  'bank_loans',
  'commercial_paper',
  'term_debt',
  'bank_overdrafts',
  'short_term_debt',
  'current_liabilities',
  'long_term_debt',
  'non_current_liabilities',
  'total_debt',
  'total_liabilities',
  'total_liabilities_and_equity',
  'retained_earnings',
  'equity',
  'parent_equity',
  'opening_cash',
  'closing_cash',
  'shares_outstanding',
  'share_price',
  'market_cap',
  'stated_net_debt',
]);

/** Balances that can be negative. */
export const signedBalances: ReadonlySet<LineItem> = new Set([
  'equity',
  'parent_equity',
  'retained_earnings',
  'opening_cash',
  'closing_cash',
  'stated_net_debt',
]);

/** Not multiplied by "in thousands": counts and prices per share. */
export const unscaledItems: ReadonlySet<LineItem> = new Set([
  'share_price',
  'eps_basic',
  'eps_diluted',
  'adjusted_eps',
]);

/** Maximum number of words in a name. */
export const nameWordsMax = 9;

/** By statement, and by language; no name has two items. */
export const nameTables: readonly Readonly<Partial<Record<LineItem, string>>>[] = [
  incomeStatementNames,
  balanceSheetNames,
  cashFlowNames,
  measureNames,
  nordicNames,
  romanceSlavicNames,
  rarerNames,
];

const itemByName: ReadonlyMap<string, LineItem> = new Map(
  nameTables.flatMap((table) =>
    (Object.entries(table) as [LineItem, string][]).flatMap(([item, list]) =>
      list.split('|').map((name): [string, LineItem] => [name, item]),
    ),
  ),
);

const firstWords: ReadonlySet<string> = new Set([...itemByName.keys()].map((name) => name.split(' ', 1)[0]!));

/** Whether the name of an item begins with this word. @param word in the form of `normaliseName` */
export function beginsItem(word: string): boolean {
  return firstWords.has(word);
}

/** Lower case without diacritics, "ß" as "ss" and "ø" as "o"; everything except letters and digits becomes single spaces. */
export function normaliseName(text: string): string {
  return plainWord.test(text) ? text : normalised(text);
}

const plainWord = /^[a-z\d]*$/;

const normalised = remembered((text: string): string => {
  if (isAscii.test(text)) return text.toLowerCase().replace(notAsciiWord, ' ').trim();
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđ]/g, (letter) => undecomposed[letter]!)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
});

/** Letters that have no canonical decomposition. */
const undecomposed: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' };

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is what ASCII means
const isAscii = /^[\x00-\x7f]*$/;
const notAsciiWord = /[^a-z0-9]+/g;

/** The item with exactly this name. @param name in the form of `normaliseName` */
export function itemNamed(name: string): LineItem | undefined {
  return itemByName.get(name);
}
