/** Names that both sides of a balance sheet use: prepaid expenses among the assets, deferred income among the liabilities. */
import { type LineItem, normaliseName } from './line-items.ts';

/** Whether this row prints an asset although its name is that of deferred income. @param before the items of the rows above */
export function isDeferredAsset(label: string, before: ReadonlySet<LineItem>): boolean {
  const name = normaliseName(label.replace(/\([^()]{0,80}\)/g, ' '));
  return ofEitherSide.test(name) && !afterAssets.some((item) => before.has(item));
}

const ofEitherSide =
  /^(?:[a-z] |\d{1,2} )?(?:diferimentos|rechnungsabgrenzung(?:sposten)?|ajustes por periodificacion|ratei e risconti|overlopende posten|periodeafgraensningsposter|periodiseringsposter|rozliczenia miedzyokresowe|comptes de regularisation|accruals and deferrals|deferrals)$/;

const afterAssets: readonly LineItem[] = [
  'total_assets',
  'equity',
  'parent_equity',
  'retained_earnings',
  'payables',
  'total_liabilities',
  'current_liabilities',
  'non_current_liabilities',
];
