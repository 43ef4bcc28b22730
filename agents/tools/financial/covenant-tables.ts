/** Covenants in tables: a row for each, with its limit and its figure. */
import { fullRows } from '../../document/table.ts';
import { findDates } from '../text/dates.ts';
import { parseNumber } from '../text/numbers.ts';
import { type CovenantTest, type Definition, definitionIn, number, numberIn, outcomeOf } from './covenant-kinds.ts';
import type { DocumentReading } from './document-reading.ts';
import { readPeriodWords } from './period-words.ts';
import { findProseAmounts } from './prose-sentences.ts';
import { parseRational, type Rational } from './rational.ts';

const actualHeading =
  /\b(?:actual|calculated|computed|result|reported|ist|ist-wert|tats[äa]chlich|r[ée]el|constat[ée]|real|obtenido|effettivo|rilevato|werkelijk|gerealiseerd|ratio achieved|achieved|value|as (?:of|at))\b/iu;
const limitHeading =
  /\b(?:limit|requirements?|required|covenant level|maximum|minimum|threshold|permitted|soll|soll-wert|vereinbart|grenzwert|schwelle|seuil|exig[ée]|l[íi]mite|exigido|limite|soglia|richiesto|norm|vereist|level|test)\b/iu;

/** A table with a covenant per row, its limit and its figure. */
export function covenantsInTables(reading: DocumentReading, testDate: string | undefined): CovenantTest[] {
  const { document } = reading;
  return reading.tables.flatMap(({ table, zeros }): CovenantTest[] => {
    const rows = fullRows(table).map((cells) => cells.map(({ text }) => text));
    const top = rows.findIndex(
      (row) =>
        row.slice(1).some((text) => limitHeading.test(text)) && row.slice(1).some((text) => actualHeading.test(text)),
    );
    if (top === -1) return [];
    const headings = rows[top]!;
    const limitAt = headings.findIndex(
      (text, index) => index > 0 && limitHeading.test(text) && !dateHeading.test(text),
    );
    const actualAt = headings.findIndex(
      (text, index) =>
        index > 0 && index !== limitAt && actualHeading.test(text) && !/headroom|compl|status/iu.test(text),
    );
    if (limitAt === -1 || actualAt === -1) return [];
    const dateAt = headings.findIndex((text) => dateHeading.test(text));
    return fullRows(table)
      .slice(top + 1)
      .flatMap((cells): CovenantTest[] => {
        const [start, end] = [cells[0]!.start, cells.at(-1)!.end];
        // "C1 | Funded debt / EBITDA": the name may be in the second cell.
        const named = cells.slice(0, Math.min(2, limitAt, actualAt)).map(({ text }) => text);
        const label = named.find((text) => definitionIn(text) !== undefined) ?? '';
        const definition = definitionIn(label);
        const [limitCell, actualCell] = [cells[limitAt]?.text, cells[actualAt]?.text];
        if (definition === undefined || limitCell === undefined || actualCell === undefined) return [];
        const [limit, actual] = [limitCell, actualCell].map((cell) =>
          cellValue(cell, definition.unit, zeros, document.decimalMark),
        );
        if (limit === undefined || actual === undefined) return [];
        const bound = boundOf(`${limitCell} ${label}`) ?? boundOf(headings[limitAt]!) ?? definition.bound;
        const own = dayIn(headings[actualAt]!) ?? (dateAt === -1 ? undefined : dayIn(cells[dateAt]!.text)) ?? testDate;
        return [
          {
            covenant: definition.kind,
            limit,
            bound,
            actual,
            outcome: outcomeOf(actual, limit, bound),
            ...(own === undefined ? {} : { testDate: own }),
            start,
            end,
          },
        ];
      });
  });
}

const dateHeading = /\b(?:date|datum|stichtag|pr[üu]ftag|fecha|data|as (?:at|of))\b/iu;

/** The day that a text names, also as "31-Mar-25". */
function dayIn(text: string): string | undefined {
  return findDates(text).find(({ iso }) => iso.length === 10)?.iso ?? readPeriodWords(text).end;
}

function boundOf(text: string): 'maximum' | 'minimum' | undefined {
  if (
    /≤|<|\b(?:max|maximum|maximal|not (?:more|exceed|greater)|no more|höchstens|m[áa]ximo|massimo|au plus)\b/iu.test(
      text,
    )
  )
    return 'maximum';
  return /≥|>|\b(?:min|minimum|mindestens|at least|not less|no less|m[íi]nimo|minimo|au moins)\b/iu.test(text)
    ? 'minimum'
    : undefined;
}

function cellValue(
  cell: string,
  unit: Definition['unit'],
  zeros: number,
  decimalMark: '.' | ',' | undefined,
): Rational | undefined {
  if (unit === 'amount') {
    const [amount] = findProseAmounts(cell, decimalMark);
    if (amount !== undefined) return scaled(amount.value, amount.isScaled ? 0 : zeros);
    const bare = /(\d[\d.,' ]{0,20}\d|\d)/.exec(cell)?.[1];
    const parsed = bare === undefined ? undefined : parseNumber(bare, { decimalMark });
    return parsed === undefined
      ? undefined
      : scaled(parsed.ambiguous ? parsed.value.replace('.', '') : parsed.value, zeros);
  }
  const match = new RegExp(`${number}\\s{0,2}(?::\\s?1|x|%|times|to 1)?`, 'iu').exec(cell);
  return match === null ? undefined : numberIn(match[1]!);
}

function scaled(value: string, zeros: number): Rational | undefined {
  const parsed = parseRational(value);
  return parsed === undefined
    ? undefined
    : { numerator: parsed.numerator * 10n ** BigInt(zeros), denominator: parsed.denominator };
}
