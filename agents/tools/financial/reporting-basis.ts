/** The accounting standards, currency and unit of the statements. */
import type { Range } from '../text/span.ts';
import { isUnitDoubtful } from './certainty.ts';
import type { DocumentReading } from './document-reading.ts';

export type Framework =
  | 'us-gaap'
  | 'ifrs'
  | 'hgb'
  | 'uk-gaap'
  | 'french-gaap'
  | 'spanish-gaap'
  | 'italian-gaap'
  | 'dutch-gaap';

export interface ReportingBasis {
  readonly framework?: Framework;
  /** The words that name it. */
  readonly named?: Range;
  readonly currency?: string;
  /** Powers of ten of the main statements; undefined if there are none. */
  readonly zeros?: number;
}

/** By language and law; the first words are those of accounting policy notes. */
const frameworks: readonly (readonly [Framework, RegExp, weight: number])[] = [
  [
    'us-gaap',
    /\bU\.?S\.? GAAP\b|\bUS-GAAP\b|generally accepted (?:accounting principles )?in the United States|accounting principles generally accepted in the United States|\bASC \d{3}\b/giu,
    4,
  ],
  [
    'us-gaap',
    /\bForm (?:10-[KQ]|8-K)\b|Securities and Exchange Commission|Securities Exchange Act|(?<!(?:Japanese|Canadian|Indian|Swiss|J|UK|U\.K\.|Dutch|German|French|non|Non)[- ])\bGAAP\b|\bNYSE\b|\bNasdaq\b|\bASU \d{4}/giu,
    1,
  ],
  [
    'ifrs',
    /\bIFRSs?\b|International Financial Reporting Standards?|\bIAS \d{1,2}\b|Normes? IFRS|\bNIIF\b|\bifrs-full\b/gu,
    4,
  ],
  ['hgb', /\bHGB\b|Handelsgesetzbuch|handelsrechtliche[nr]?\b/gu, 3],
  ['hgb', /\bSKR ?0[34]\b|\bGmbHG\b|\bDATEV\b|§§? ?2[4-9]\d/gu, 1],
  [
    'uk-gaap',
    /\bFRS 10[1-5]\b|UK GAAP|United Kingdom (?:Generally Accepted )?Accounting (?:Practice|Standards)|\bUK Accounting Standards/giu,
    4,
  ],
  [
    'french-gaap',
    /plan comptable g[ée]n[ée]ral|r[èe]glement ANC|\bPCG\b|\bCRC 99-0[23]|principes comptables (?:g[ée]n[ée]ralement admis )?(?:en France|fran[çc]ais)/giu,
    4,
  ],
  [
    'spanish-gaap',
    /plan general de contabilidad|\bPGC\b|Real Decreto 151[45]\/2007|\bICAC\b|c[óo]digo de comercio/giu,
    4,
  ],
  [
    'italian-gaap',
    /\bOIC(?: \d{1,2})?\b|principi contabili (?:nazionali|italiani)|artt?\. 24(?:23|24|25|27|35)|codice civile|\bD\.? ?Lgs\.? (?:n\. )?139\/2015|organismo italiano di contabilit/giu,
    3,
  ],
  [
    'dutch-gaap',
    /titel 9|boek 2 (?:van het )?(?:BW|Burgerlijk Wetboek)|\bDutch GAAP\b|raad voor de jaarverslaggeving|richtlijnen voor de jaarverslaggeving|Part 9 of Book 2|Dutch Accounting Standards/giu,
    4,
  ],
];
/** "Differences between IFRS and …", "not in accordance with". */
const denied =
  /(?:differ(?:s|ences?)? (?:from|between)|unlike|not (?:been )?(?:prepared )?in accordance with|reconcil\w+ to|abweichend von|im Unterschied zu|non-?)\s?$/iu;
const matchesMax = 100;

/** Fewer lines are no statements. */
const itemsMin = 2;

/** @returns undefined if the document contains no statements */
export function readBasis(reading: DocumentReading): ReportingBasis | undefined {
  const items = new Set([...reading.figures, ...reading.sentences].map(({ item }) => item));
  if (items.size < itemsMin) return undefined;
  const framework = frameworkOf(reading.document.text);
  const zeros = mainZeros(reading);
  return {
    ...framework,
    ...(reading.reportedCurrency === undefined ? {} : { currency: reading.reportedCurrency }),
    ...(zeros === undefined || (zeros === 0 && isUnitDoubtful(reading)) ? {} : { zeros }),
  };
}

function frameworkOf(text: string): Pick<ReportingBasis, 'framework' | 'named'> {
  const votes = new Map<Framework, { weight: number; named: Range }>();
  for (const [framework, shape, weight] of frameworks) {
    let count = 0;
    for (const match of text.matchAll(shape)) {
      if (++count > matchesMax) break;
      const before = text.slice(Math.max(0, match.index - 60), match.index);
      if (denied.test(before) || /non-?$/i.test(before)) continue;
      const known = votes.get(framework);
      const basis =
        /(?:in accordance with|prepared (?:under|in)|established|conform[ée]ment|nach den|gem[äa][ßs]|de acuerdo con|conforme|secondo|in conformit[àa]|in overeenstemming|volgens|under|basis of|comply with|applying|erstellt nach)[^.;]{0,60}$/iu.test(
          before,
        )
          ? 10
          : 0;
      votes.set(framework, {
        weight: (known?.weight ?? 0) + (count > 5 ? 0 : weight) + basis,
        named: known?.named ?? { start: match.index, end: match.index + match[0].length },
      });
    }
  }
  const [best] = [...votes].sort((a, b) => b[1].weight - a[1].weight);
  return best === undefined ? {} : { framework: best[0], named: best[1].named };
}

/** The unit of most table figures. */
function mainZeros({ figures }: DocumentReading): number | undefined {
  const votes = new Map<number, number>();
  let first = 0;
  for (const { zeros, item } of figures) {
    if (item.startsWith('eps') || item.startsWith('shares')) continue;
    // If the column of the previous year is in thousands, the current year comes first.
    votes.set(zeros, (votes.get(zeros) ?? 0) + 1 + 1 / (1 + first));
    first += 1;
  }
  return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0];
}
