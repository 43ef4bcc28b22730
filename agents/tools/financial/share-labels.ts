/** Labels of weighted numbers of shares. Names are in the form of `normaliseName`. */
import type { LineItem } from './line-items.ts';

export const dilutedShape =
  /\b(?:diluted|after dilution|nach verwasserung|apres dilution|na verwatering|efter utspadning|efter udvanding|udvandet|utvannet|rozwodnion\w*|laimennet\w*|laimennusvaikutuksella oikaistu|verwassert\w*|dilue\w*|diluid[oa]s?|diluit[oa]|verwaterde?)\b/;

/** A count comes first: what follows says for which result it is used. */
export const beginsWithCount =
  /^(?:basic |diluted )?(?:weighted|average|shares used|number of|gewicht\w*|gewogen|durchschnittliche|nombre|numero|genomsnittligt|gennemsnitligt|gjennomsnittlig|srednia)\b(?!.{0,12}per (?:share|aktie))/;

/** "Weighted-average shares used in computing net loss per share" */
export function weightedShares(name: string): LineItem | undefined {
  if (
    /\b(?:weighted|shares used|durchschnittliche (?:anzahl|zahl)|gewichtete\w* durchschnitt\w*|nombre moyen|numero medio|gewogen gemiddeld|genomsnittligt antal|gennemsnitligt antal|gjennomsnittlig antall|srednia wazona)\b/.test(
      name,
    ) &&
    /\b(?:shares?|aktien|aktier|aksjer|actions|acciones|azioni|aandelen|akcji|diluted|basic)\b/.test(name)
  ) {
    return dilutedShape.test(name) && !/\bunverwassert/.test(name) ? 'shares_diluted' : 'shares_basic';
  }
  if (/^shares used\b/.test(name)) return dilutedShape.test(name) ? 'shares_diluted' : 'shares_basic';
  return undefined;
}
