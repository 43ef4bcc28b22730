/** Organic growth of the company's revenue: rates in sentences and in rows of tables. */
import type { Range } from '../text/span.ts';
import type { DocumentReading } from './document-reading.ts';
import { labelOf } from './periods.ts';
import { periodNamed, titlePeriod } from './prose-periods.ts';
import { splitSentencesOf } from './prose-ranges.ts';
import { flattened, isReported } from './prose-sentences.ts';
import { absolute, negate, parseRational, type Rational } from './rational.ts';

export interface OrganicGrowth extends Range {
  /** In percent, negative for a decline. */
  readonly percent: Rational;
  readonly period: string;
}

export function readOrganicGrowth(reading: DocumentReading): OrganicGrowth[] {
  return [...inSentences(reading), ...inTables(reading)].slice(0, growthsMax);
}

const growthsMax = 40;

const percent = '(?:%|percent(?!age)|per cent|procent|prosent|pct\\.?|Prozent|por ciento|per cento)';
const rate = `([+−–-]?\\d{1,2}(?:[.,]\\d{1,2})?) ?${percent}`;
const organic = 'organi(?:c(?:ally|a|o|amente)?|sk\\p{L}{0,3}|sch\\p{L}{0,2}|que(?:ment)?|czn\\p{L}{1,4})';
const rateBehind = new RegExp(`(?<!\\p{L})${organic}(?!\\p{L})([^.;:()%\\d]{0,70}?[ (])${rate}`, 'iu');
const rateBefore = new RegExp(
  `(?<![\\d.,])${rate}( (?:(?:of|de|di|av|in) )?(?:(?:sales|revenue) )?)${organic}(?!\\p{L})`,
  'iu',
);
const organicLabel = new RegExp(`(?<!\\p{L})(?:${organic}|orgánic[oa])(?!\\p{L})`, 'iu');

const falls =
  /(?<!\p{L})(?:decline|decrease|fell|down|negative|minus|r[üu]ckgang|sank|baisse|recul|descenso|ca[íi]da|calo|daling|minskade|minskning|fald|faldt|nedgang|spadek|queda)(?!\p{L})/iu;
/** Rates of parts, of a goal, or of several years. */
const otherRate =
  /(?<!\p{L})(?:segments?|divisions?|business areas?|regions?|targets?|goals?|ambition|medium[- ]term|cycle|a year|per year|annually|par an|pro jahr|jährlich|m[åa]l(?:et|s[äa]ttning)?|ziel|objectif|objetivo|obiettivo|doelstelling|affärsområde\p{L}*|konjunkturcykel|konzept|defined|definition|glossa\p{L}+)(?!\p{L})/iu;

function inSentences(reading: DocumentReading): OrganicGrowth[] {
  const { document, calendar, itemLines } = reading;
  return splitSentencesOf(document, itemLines).flatMap(({ start, end, headingText }): OrganicGrowth[] => {
    const sentence = flattened(document.text.slice(start, end));
    if (!organicLabel.test(sentence) || otherRate.test(sentence) || !isReported(sentence)) return [];
    const behind = rateBehind.exec(sentence);
    const match = behind ?? rateBefore.exec(sentence);
    if (match === null) return [];
    const [words, printed] = behind === null ? [match[2]!, match[1]!] : [match[1]!, match[2]!];
    const value = numberOf(printed);
    const context = periodNamed(headingText, calendar) ?? titlePeriod(calendar);
    const period = periodNamed(sentence, calendar) ?? context;
    const label = period === undefined ? undefined : labelOf(period, false, calendar);
    if (value === undefined || label === undefined) return [];
    const at = start + match.index + match[0].indexOf(printed);
    return [
      {
        percent: falls.test(words) ? negate(absolute(value)) : value,
        period: label,
        start: at,
        end: at + printed.length,
      },
    ];
  });
}

/** "Organic growth, % | 3.2 | 4.1" below headings of periods. */
function inTables({ tables, calendar }: DocumentReading): OrganicGrowth[] {
  return tables.flatMap(({ table, columns }) =>
    table.rows.flatMap(({ cells }) => {
      const label = cells[0]?.text ?? '';
      if (!organicLabel.test(label) || otherRate.test(label) || label.length > labelCharactersMax) return [];
      return cells.flatMap((cell, index): OrganicGrowth[] => {
        const column = columns[index];
        if (index === 0 || cell === undefined || column?.period === undefined || column.isOther) return [];
        const value = numberOf(cell.text.replace(/\s?(?:%|procent|percent)\s*$/iu, '').replace(/^\((.*)\)$/, '-$1'));
        const period = labelOf(column.period, false, calendar);
        if (value === undefined || period === undefined || period.endsWith('E')) return [];
        return [{ percent: value, period, start: cell.start, end: cell.end }];
      });
    }),
  );
}

const labelCharactersMax = 80;

function numberOf(text: string): Rational | undefined {
  const shown = text.trim().replace(/^\+/, '').replace(/^[−–]/, '-').replace(',', '.');
  return /^-?\d{1,2}(?:\.\d{1,2})?$/.test(shown) ? parseRational(shown) : undefined;
}
