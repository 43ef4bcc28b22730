/** An invoice as it was read; missing particulars are undefined. */
import type { Range } from '../text/span.ts';
import type { InvoiceAmounts } from './invoice-amounts.ts';
import type { ArithmeticError, Particular } from './invoice-checks.ts';
import type { InvoiceDate } from './invoice-dates.ts';
import type { InvoiceNote } from './invoice-notes.ts';
import type { InvoiceParty } from './invoice-parties.ts';
import type { InvoiceNumber } from './invoice-parts.ts';
import type { InvoiceType } from './invoice-words.ts';

export type Amounts = InvoiceAmounts;

export interface Invoice extends Range {
  readonly type: InvoiceType;
  readonly number?: InvoiceNumber;
  readonly seller?: InvoiceParty;
  readonly buyer?: InvoiceParty;
  readonly dates: readonly InvoiceDate[];
  readonly notes: readonly InvoiceNote[];
  readonly amounts: Amounts;
  readonly errors: readonly ArithmeticError[];
  readonly missing: readonly Particular[];
}
