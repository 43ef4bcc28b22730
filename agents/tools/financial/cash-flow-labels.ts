/** Labels of the totals of a cash flow statement, which companies word in many ways: a flow of cash, and the activity that it comes from. */
import type { LineItem } from './line-items.ts';

const cashFlow =
  /^(?:(?:total|net|nets?|nettes?|netto|neto|netti|liquidos?|summa|sum) )*(?:cash|cash ?flows?|cashflows?|mittel(?:fluss|zufluss|abfluss|zu|ab)|geldfluss|flux|flusso|flussi|flujos?|fluxos?|kasstroom|kasstromen|kassaflode\w*|pengestrom\w*|kontantstrom\w*|przeplywy|rahavirta|efectivo|liquiditat) /;
const activities: readonly (readonly [item: LineItem, shape: RegExp])[] = [
  [
    'investing_cash_flow',
    /\b(?:invest(?:ing|ment|ments|issements?|imenti|imento|imentos|itions?tatigkeit|itionen|eringar|eringer|erings\w*)|inversion(?:es)?|inwestycyj\w*|investoin\w*|investicn\w*)\b/,
  ],
  [
    'financing_cash_flow',
    /\b(?:financ(?:ing|ement|iacion|iamento|iamentos)|finanziament\w*|finanzierung\w*|financierings\w*|finansierings?\w*|finansowej|rahoituksen)\b/,
  ],
  [
    'operating_cash_flow',
    /\b(?:operating|operations?|operational|operativ\w*|betrieb\w*|laufende\w*|geschaftstatigkeit|exploitation|operationnel\w*|explotacion|operacion\w*|operacional|operacionais|operacyjnej|drift\w*|lopande|bedrijfs\w*|operationele|operasjonelle|liiketoiminnan|activite)\b/,
  ],
];
/** Parts of a total, and amounts before or after something else. */
const otherFlow =
  /\b(?:before|prior|after|avant|apres|vor|nach|prima|antes|despues|fore|efter|for|voor|na|przed|margin|marge|conversion|per|discontinued|aufgegeben\w*|changes?|movements?|variation|interest|tax|taxes|free|libre|disponible|adjusted|working|capital|ratio|purchases?|proceeds|lease|net of|excluding)\b/;
const wordsMax = 12;

/** @param name in the form of `normaliseName` */
export function cashFlowTotal(name: string): LineItem | undefined {
  if (!cashFlow.test(name) || otherFlow.test(name) || name.split(' ').length > wordsMax) return undefined;
  const found = activities.filter(([, shape]) => shape.test(name));
  return found.length === 1 ? found[0]![0] : undefined;
}
