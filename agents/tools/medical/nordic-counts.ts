/** Counts of Nordic prescriptions: "1 x 2" is one unit twice daily, "500 mg x 3" three times daily. */
import type { Document } from '../../document/document.ts';
import { oncePer } from '../text/once-per.ts';

const nordicWord =
  /(?<!\p{L})(?:och|inte|eller|patienten|pasienten|ikke|dagligen|dagligt|daglig|läkemedel|medicin|legemidler|ved|vid|efter|etter|ingen|sygehus|afdeling|avdeling|avdelning|vikt|vægt)(?!\p{L})/giu;
const wordsMin = 2;

const isNordic = oncePer(({ text }: Document) => {
  const words = [...text.slice(0, 20_000).matchAll(nordicWord)].map(([word]) => word.toLowerCase());
  return new Set(words).size >= wordsMin;
});

const notUnits = String.raw`(?![\d/]|[.,]\d|[ ]?(?:mg|g|ml|µg|dag(?:ar|er|e)?|doser?|uger?|veckor|uker)(?!\p{L}))`;
const unitsTimes = new RegExp(String.raw`(?<![\p{L}\d.,/])([1-4]|½)[ ]?[x×][ ]?([1-6])${notUnits}`, 'iu');
const timesAlone = new RegExp(String.raw`(?<=[\p{L}.)][ ])[x×][ ]?([1-6])${notUnits}`, 'iu');

/** The words after the name of a medicine, with such a count in words that every reader of prescriptions knows. */
export function withNordicCounts(document: Document, after: string): string {
  if (!/[x×][ ]?[1-6]/i.test(after) || !isNordic(document)) return after;
  return after.replace(unitsTimes, '$1 tabl $2 x dagligen').replace(timesAlone, '$1 x dagligen');
}
