/** Sentences about the vesting of shares and options, in which a change of control is no right of a party to a contract. */
import type { Range } from '../text/span.ts';

const vesting =
  /(?<!\p{L})(?:vest(?:s|ed|ing)?|unvested|(?:double|single)[- ]trigger|accelerat\p{L}+ (?:of|in full|vesting)|(?:good|bad) leavers?|without cause|for good reason|deemed liquidation event|option(?:s|ees?| holders?)|stock options?|vesten|gevestete?n?|unverfallbar\p{L}*|vesting|consolid(?:ará|arán|ación) (?:de )?(?:las )?(?:opciones|acciones)|acquisition des (?:actions|bspce)|bspce|maturazione)(?!\p{L})/iu;

/** The sentence also speaks of a contract, or of money that the change of control costs. */
const ofContract =
  /(?<!\p{L})(?:customers?|suppliers?|vendors?|lenders?|landlords?|licen[cs](?:ors?|ees?|es?)|banks?|loans?|facilit(?:y|ies)|credit|leases?|(?:supply|customer|service|framework|distribution|credit|loan|lease|licen[cs]e) (?:agreements?|contracts?)|severance|bonus(?:es)?|parachute|retention|salary|salaries|lump sum|prepay\p{L}*|repay\p{L}*|kunden?|lieferant\p{L}*|darlehen\p{L}*|kredit\p{L}*|abfindung\p{L}*|clients?|fournisseurs?|prêts?|indemnités?|clientes?|proveedor\p{L}*|préstamos?|indemnizaci\p{L}+|klant\p{L}*|leverancier\p{L}*|lening\p{L}*)(?!\p{L})/iu;

/** @param sentence in the text; a wrapped line of a form begins in the line before */
export function isOfVesting(text: string, { start, end }: Range): boolean {
  const before = text.slice(Math.max(0, start - 200), start);
  const isWrapped = !/[.;]\s*$|\n\s*\n\s*$/.test(before);
  const own = text.slice(start, Math.min(end, start + 1_200));
  const shown =
    (isWrapped ? before.slice(before.lastIndexOf('\n', before.trimEnd().lastIndexOf('\n') - 1) + 1) : '') + own;
  return vesting.test(shown) && !ofContract.test(shown);
}
