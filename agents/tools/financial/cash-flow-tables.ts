/** Statements of cash flows: their rows may have the names of balances, but print how these changed. */
import type { Table } from '../../document/table.ts';
import { itemOfLabel } from './labels.ts';
import { balanceItems, type LineItem } from './line-items.ts';

const flows: ReadonlySet<LineItem> = new Set(['operating_cash_flow', 'investing_cash_flow', 'financing_cash_flow']);
const reconciled: ReadonlySet<LineItem> = new Set(['opening_cash', 'closing_cash', 'change_in_cash']);
/** A table of key figures prints flows as well, next to these. */
const others: ReadonlySet<LineItem> = new Set(['revenue', 'total_assets', 'total_liabilities_and_equity', 'equity']);

/** Whether a table reconciles cash by at least two of the three kinds of flow, and prints neither sales nor total assets. */
export function isCashFlowTable({ rows }: Table): boolean {
  const items = new Set(rows.flatMap(({ cells }) => itemOfLabel(cells[0]?.text ?? '') ?? []));
  const count = (set: ReadonlySet<LineItem>) => [...set].filter((item) => items.has(item)).length;
  return count(flows) > 1 && count(reconciled) > 0 && count(others) === 0;
}

/** Whether a statement of cash flows prints the change of this balance and not the balance itself. */
export function isChangeInBalance(item: LineItem): boolean {
  return balanceItems.has(item) && item !== 'cash' && item !== 'opening_cash' && item !== 'closing_cash';
}
