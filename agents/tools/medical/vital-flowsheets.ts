/** Vital signs in tables: signs as columns or rows, or names and values in turn. */
import type { Document } from '../../document/document.ts';
import { fullRows, type Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import { dayIn } from './clinical-dates.ts';
import { dayOfClock, dayOfStay, dayOver, visitDay } from './measure-day.ts';
import { isSample } from './sample-titles.ts';
import { shortDayIn } from './short-days.ts';
import { labels, type Measure } from './vital-shapes.ts';
import { celsius, centimetres, kilograms, numberOf, type Reading, reading, readingsOf } from './vital-values.ts';

const headerShapes: readonly (readonly [Measure, RegExp])[] = (Object.keys(labels) as Measure[]).map((measure) => [
  measure,
  new RegExp(
    String.raw`^(?:${labels[measure]}|${{ pulse: 'p|pr', temperature: 't', 'respiratory-rate': 'r' }[measure as string] ?? 'no label'})(?:[ .:]|$)[^\d]{0,30}$`,
    'iu',
  ),
]);

function measureOf(label: string, known: Map<string, Measure | undefined>): Measure | undefined {
  if (label === '' || label.length > 40) return undefined;
  if (!known.has(label)) known.set(label, measureOfLabel(label));
  return known.get(label);
}

function measureOfLabel(label: string): Measure | undefined {
  const plain = label
    .replace(/spo2/i, 'spo₂')
    .replace(
      /^(?:pre|post|before|after|initial|final|seated|standing|lying|supine|admission|discharge|arrival|resting)[ -]/iu,
      '',
    )
    .replace(/[([].*$/, '')
    .replace(/[,/].*$/, (rest) => (/^\/dia/.test(rest) ? rest : ''))
    .trim();
  return plain.length > 30 ? undefined : headerShapes.find(([, shape]) => shape.test(plain))?.[0];
}

/** Signs as columns and times as rows, or the reverse. */
export function readFlowsheet(document: Document, table: Table): Reading[] {
  const found: Reading[] = [];
  const known = new Map<string, Measure | undefined>();
  let columns: (Measure | undefined)[] = [];
  let titles: readonly string[] = [];
  let dates: (string | undefined)[] = [];
  let date: string | undefined;
  const over = dayOver(document, table.start);
  let heads = headsOf(table, known);
  if (!/\d\d/.test(document.text.slice(table.start, table.end))) return found;
  for (const cells of fullRows(table)) {
    const texts = cells.map(({ text }) => text);
    const measures = texts.map((text) => measureOf(text, known));
    const pairs = measures.flatMap((measure, column) =>
      measure !== undefined && /^\d/.test(texts[column + 1] ?? '') ? [{ measure, column }] : [],
    );
    // "Blood pressure | 118/66 | Weight | 91 kg": names and values in turn.
    if (
      pairs.length >= 1 &&
      pairs.length === measures.filter((measure) => measure !== undefined).length &&
      pairs.length * 2 >= texts.filter((text) => text !== '').length
    ) {
      for (const { measure, column } of pairs)
        found.push(...readCell(measure, cells[column + 1]!, texts[column]!, over ?? visitDay(document)));
      continue;
    }
    // "Weight | kg | … | 74.2": the unit of a sign names no second one.
    if (new Set(measures.filter((measure) => measure !== undefined)).size >= 2) {
      [columns, titles, dates, date] = [measures, texts, [], undefined];
      continue;
    }
    // Titles of times below those of another table; "57 H" is a high value.
    if (
      measures[0] === undefined &&
      texts.slice(1).filter((text) => isSample(text) && !/\d ?H$/.test(text)).length >= 2
    ) {
      [heads, columns, titles, dates] = [texts, [], [], []];
      continue;
    }
    // Below a column of times another label begins another table.
    if (
      /^(?:date|time|datum|uhrzeit|zeit|heure|fecha|hora|data|ora|tijd|godz)/iu.test(titles[0] ?? '') &&
      /^\p{L}/u.test(texts[0] ?? '') &&
      !isSample(texts[0]) &&
      !/\d[:.h]\d\d/.test(texts[0]!) &&
      dayIn(document, texts[0]!.slice(0, 16)) === undefined
    )
      [columns, titles] = [[], []];
    const days = texts.map((text) => (text.length > 5 ? dayIn(document, text) : undefined));
    if (days.filter((day) => day !== undefined).length >= 2) dates = days;
    date = days.slice(0, 2).find((day) => day !== undefined) ?? shortDayIn(document, texts[0]!) ?? date;
    const own = measures[0];
    for (const [column, cell] of cells.entries()) {
      if (cell.text === '') continue;
      const measure = columns[column];
      if (measure !== undefined) {
        const day = date ?? over ?? dayOfClock(document, texts[0]!) ?? visitDay(document);
        found.push(...readCell(measure, cell, titles[column] ?? '', day));
      } else if (own !== undefined && column > 0 && (dates[column] !== undefined || isSample(heads[column]))) {
        const head = heads[column] ?? '';
        const day =
          dates[column] ?? dayOfStay(document, head) ?? over ?? dayOfClock(document, head) ?? visitDay(document);
        found.push(...readCell(own, cell, texts[0]!, day));
      }
    }
  }
  return found;
}

/** The titles of the columns; a first row that begins with a sign has values. */
function headsOf(table: Table, known: Map<string, Measure | undefined>): readonly string[] {
  const [first] = fullRows(table);
  const titles = (first ?? []).map(({ text }) => text);
  return measureOf(titles[0] ?? '', known) === undefined ? titles : [];
}

function readCell(
  measure: Measure,
  cell: Range & { readonly text: string },
  label: string,
  date: string | undefined,
): Reading[] {
  const range = { start: cell.start, end: cell.end };
  const dated = (list: Reading[]) => (date === undefined ? list : list.map((each) => ({ ...each, date })));
  if (measure === 'pressure') {
    const match = /^(\d{2,3}) ?\/ ?(\d{2,3})(?!\d)/.exec(cell.text);
    if (match !== null) return dated(readingsOf('pressure', match, range));
    if (!/^rr/i.test(label)) return [];
  }
  const match = /^(\d{1,3}(?:[.,]\d{1,2})?)(?![\d/])[ \u00a0]?([^\d\s]{0,6})/.exec(cell.text);
  if (match === null) return [];
  const ounces = /lbs? (\d{1,2}(?:\.\d)?) ?oz/iu.exec(cell.text)?.[1];
  const value = numberOf(match[1]) + (ounces === undefined ? 0 : Number(ounces) / 16);
  const unit = match[2] === '' ? '' : match[2]!;
  if (measure === 'temperature')
    return dated(
      reading(
        'temperature',
        celsius(value, /f/i.test(unit) || /\bF\b|°F/.test(label) ? 'F' : value > 80 ? 'F' : 'C'),
        range,
      ),
    );
  if (measure === 'weight')
    return dated(reading('weight', kilograms(value, /lb/i.test(unit + label) ? 'lb' : 'kg'), range));
  if (measure === 'height')
    return dated(reading('height', centimetres(value, value < 3 ? 'm' : 'cm', undefined), range));
  return dated(reading(measure === 'pressure' ? 'respiratory-rate' : measure, value, range));
}
