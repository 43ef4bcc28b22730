/** Taxes withheld as tables and vouchers state them: one payment per row, or one payment in labelled lines. */
import { type Cell, fullRows, type Table } from '../../document/table.ts';
import { parseRational, type Rational } from '../financial/rational.ts';
import { findPercents } from '../text/percents.ts';
import { indexAt } from '../text/ranges.ts';
import { countriesIn, countryOf } from './countries.ts';
import { figureRow } from './figure-rows.ts';
import { foldText, phraseShape } from './fold.ts';
import { type Layout, type Line, numbersIn } from './layout.ts';
import { unitIn, unitOfTable } from './unit-of-table.ts';
import {
  articleIn,
  grossWord,
  incomeIn,
  netWord,
  rateWord,
  stateOfTax,
  unapplied,
  type Withholding,
  withheld,
} from './withholding-words.ts';

type Role = 'rate' | 'tax' | 'gross' | 'income' | 'source' | 'article';

const incomeHead = phraseShape(
  'type|income|type of income|type of payment|kind|nature|payment type|description|category|art|einkunftsart|zahlungsart|art der zahlung|nature du revenu|nature|type de revenu|tipo di reddito|natura|concepto|tipo de renta|soort|aard|inkomsten|type inntekt|rodzaj|druh',
);
const sourceHead = phraseShape(
  'source|source state|source country|country of source|payer country|country of payer|state of source|withheld in|withheld by|levied by|taxing state|quellenstaat|quellenland|etat de la source|pays de la source|stato della fonte|estado de la fuente|bronland|bronstaat|kildestat|panstwo zrodla',
);
const articleHead = phraseShape(
  'article|art|treaty article|dba artikel|artikel|articolo|articulo|basis|legal basis|treaty basis',
);

const rowsMax = 200;

export function findTabledWithholdings(layout: Layout): Withholding[] {
  return [...layout.document.tables.flatMap((table) => columnar(layout, table)), ...vouchers(layout)];
}

/** A row per payment, under heads for the rate and the tax. */
function columnar(layout: Layout, table: Table): Withholding[] {
  const { document } = layout;
  const [heads = [], ...rows] = fullRows(table);
  if (heads.length < 3 || table.headerRows.length === 0) return [];
  const folded = table.columns.map(({ headerCells }) =>
    foldText(headerCells.map(({ text }) => text.slice(0, 60)).join(' ')),
  );
  const section = document.sections[indexAt(document.sections, table.start) ?? -1];
  const around = foldText(
    `${section?.title ?? ''} ${document.text.slice(Math.max(0, table.start - 160), table.start)}`,
  );
  if (!withheld.test(folded.join(' | ')) && !withheld.test(around)) return [];
  const sample = rows.slice(table.headerRows.length - 1, 12);
  const roles = folded.map((head, index) => fittingRole(layout, sample, index, rolesOfHead(head)));
  const column = (role: Role) => (roles.filter((each) => each === role).length === 1 ? roles.indexOf(role) : -1);
  const [rateAt, taxAt, grossAt] = [column('rate'), column('tax'), column('gross')];
  if (rateAt === -1 || (taxAt === -1 && grossAt === -1)) return [];
  const line = layout.lines.findIndex(({ start }) => start >= table.start);
  const unit = unitOfTable(layout, Math.max(0, line), Math.max(0, line));
  const notes = articlesOfNotes(document.text.slice(table.end, table.end + notesCharactersMax));
  return rows.slice(table.headerRows.length - 1, rowsMax).flatMap((cells): Withholding[] => {
    const words = foldText(cells.map(({ text }) => text.slice(0, 120)).join(' | '));
    if (
      /\b(?:total|summe|totale|totaal|sum|razem|celkem|suma|i alt|totalt|gesamt)\b/.test(words) ||
      unapplied.test(words)
    )
      return [];
    const rate = percentOf(cells[rateAt]!, document.decimalMark);
    if (rate === undefined) return [];
    const amountOf = (at: number) => (at === -1 ? undefined : amountIn(layout, cells[at]!, unit.zeros));
    const [amount, gross] = [amountOf(taxAt), amountOf(grossAt)];
    const currency =
      cells.map(({ text }) => unitIn(foldText(text.slice(0, 40))).currency).find(Boolean) ?? unit.currency;
    const income =
      incomeIn(foldText(cells[column('income')]?.text ?? '')) ??
      incomeIn(words) ??
      incomeIn(folded.join(' ')) ??
      incomeIn(around, true);
    const country =
      countryOf(cells[column('source')]?.text ?? '') ?? stateOfTax(folded.join(' ')) ?? stateOfTax(around);
    const cited =
      articleIn(
        foldText(
          cells
            .map(({ text }) => text)
            .join(' ')
            .slice(0, 400),
        ),
      ) ?? notes.get(cells[0]?.text.trim() ?? '');
    return [
      {
        rate,
        start: cells[0]!.start,
        end: cells.at(-1)!.end,
        ...(income === undefined ? {} : { income }),
        ...(country === undefined ? {} : { country }),
        ...(amount === undefined ? {} : { amount }),
        ...(gross === undefined ? {} : { gross }),
        ...(currency === undefined ? {} : { currency }),
        ...(cited === undefined ? {} : { article: cited }),
      },
    ];
  });
}

const notesCharactersMax = 4_000;
const noteStart =
  /(?<=^|\n)[ \t*>-]{0,8}(?:(?:ad|zu|re|note|nota|remarque|bij|do|til|row|zeile|ligne|riga|regel|n[°.º]|nr\.?|no\.?|sub)\s?\(?(\d{1,2})\)?|\[(\d{1,2})\])[ \t.:)–-]/giu;

/** "ad 1 … Art. 10, par. 2": the articles that notes below a table give for its numbered rows. */
function articlesOfNotes(text: string): ReadonlyMap<string, string> {
  const notes = [...text.matchAll(noteStart)];
  return new Map(
    notes.flatMap((note, index) => {
      const cited = articleIn(foldText(text.slice(note.index, notes[index + 1]?.index ?? note.index + 500)));
      return cited === undefined ? [] : [[note[1] ?? note[2]!, cited] as const];
    }),
  );
}

/** The first role that the cells of the column can have: "tipo" is a rate in Spanish and a kind in Italian. */
function fittingRole(
  layout: Layout,
  rows: readonly (readonly Cell[])[],
  index: number,
  roles: readonly Role[],
): Role | undefined {
  const cells = rows.flatMap((row) => row[index] ?? []).filter(({ text }) => /[\p{L}\d]/u.test(text));
  if (cells.length === 0) return roles[0];
  return roles.find((role) => {
    const fits = cells.filter((cell) => {
      if (role === 'rate') return percentOf(cell, layout.document.decimalMark) !== undefined;
      if (role === 'tax' || role === 'gross') return amountIn(layout, cell, 0) !== undefined;
      return /\p{L}/u.test(cell.text);
    });
    return fits.length * 2 > cells.length;
  });
}

function rolesOfHead(folded: string): Role[] {
  const first = roleOfHead(folded);
  const others: Role[] = [];
  if (incomeHead.test(folded)) others.push('income');
  if (grossWord.test(folded)) others.push('gross');
  return [...(first === undefined ? [] : [first]), ...others.filter((role) => role !== first)];
}

function roleOfHead(folded: string): Role | undefined {
  if (sourceHead.test(folded)) return 'source';
  if (netWord.test(folded)) return undefined;
  if (rateWord.test(folded) || /%/.test(folded)) return 'rate';
  if (
    withheld.test(folded) ||
    /^(?:tax|steuer|abzug|einbehalt|impot|retenue|imposta|impuesto|retencion|belasting|inhouding|skatt?|trekk|avdrag|podatek|pobrano|dan|srazka)(?: |$)/.test(
      folded,
    )
  )
    return 'tax';
  if (incomeHead.test(folded) && !grossWord.test(folded)) return 'income';
  if (grossWord.test(folded)) return 'gross';
  return articleHead.test(folded) ? 'article' : undefined;
}

function percentOf({ text }: Cell, decimalMark: '.' | ',' | undefined): string | undefined {
  const shown = text.trim();
  if (shown.length > 24) return undefined;
  const [percent, more] = findPercents(/%/.test(shown) ? shown : `${shown} %`, { decimalMark });
  const value = percent === undefined || more !== undefined ? undefined : parseRational(percent.value);
  return value === undefined || value.numerator < 0n || value.numerator > 100n * value.denominator
    ? undefined
    : percent!.value;
}

function amountIn({ document }: Layout, { text, start }: Cell, zeros: number): Rational | undefined {
  if (text.length > 40 || text.includes('%')) return undefined;
  const [number, more] = numbersIn({ document, lines: [] }, { start, text });
  if (number === undefined || more !== undefined) return undefined;
  const value = parseRational(number.ambiguous ? number.value.replace('.', '') : number.value);
  return value === undefined ? undefined : { ...value, numerator: value.numerator * 10n ** BigInt(zeros) };
}

/** A tax on the tax, which has a rate of its own. */
const surcharge =
  /solidaritatszuschlag|kirchensteuer|zuschlag|surcharge|surtax|church tax|addizionale|recargo|surtaxe|opcenten|doplatek|kirkeskat/;

/** Lines around the tax that may state the payment's other particulars. */
const voucherLinesBefore = 9;
const voucherLinesAfter = 5;
const voucherLinesMax = 4_000;

/** "Gross dividend | EUR 100", "Tax withheld, 15 % | EUR 15": the line of the tax, and those around it. */
function vouchers(layout: Layout): Withholding[] {
  const { lines } = layout;
  const known = new Map<Line, Labelled | undefined>();
  // Each line is near many others.
  const read = (line: Line) => {
    if (!known.has(line)) known.set(line, labelled(layout, line));
    return known.get(line);
  };
  return lines.slice(0, voucherLinesMax).flatMap((line): Withholding[] => {
    if (!line.segments.some(({ folded }) => withheld.test(folded))) return [];
    const own = read(line);
    if (own === undefined || !withheld.test(own.label) || netWord.test(own.label) || unapplied.test(own.label))
      return [];
    if (surcharge.test(own.label)) return [];
    const near = lines
      .slice(Math.max(0, line.index - voucherLinesBefore), line.index + 1 + voucherLinesAfter)
      .filter((each) => each !== line);
    const rows = near.flatMap((each) => read(each) ?? []);
    const rate =
      own.percent ??
      rows.find(
        ({ label, percent }) =>
          percent !== undefined && rateWord.test(label) && !netWord.test(label) && !unapplied.test(label),
      )?.percent;
    if (rate === undefined || own.amount === undefined) return [];
    const gross = rows.find(
      ({ label, amount }) =>
        amount !== undefined && grossWord.test(label) && !netWord.test(label) && !withheld.test(label),
    );
    if (gross === undefined) return [];
    const words = near.map(({ segments }) => segments.map(({ folded }) => folded.slice(0, 200)).join(' '));
    const before = words
      .slice(
        0,
        near.findIndex(({ index }) => index > line.index),
      )
      .join(' ');
    const income = incomeIn(own.label) ?? incomeIn(gross.label) ?? incomeIn(before, true);
    const country =
      countriesIn(own.label)[0]?.code ?? sourceOf(near) ?? stateOfTax(own.label) ?? stateOfTax(words.join(' '));
    const cited = articleIn(own.label) ?? words.map(articleIn).find((each) => each !== undefined);
    const currency = own.currency ?? gross.currency ?? unitOfTable(layout, line.index, line.index).currency;
    return [
      {
        rate,
        amount: own.amount,
        gross: gross.amount!,
        start: line.start,
        end: line.end,
        ...(income === undefined ? {} : { income }),
        ...(country === undefined ? {} : { country }),
        ...(currency === undefined ? {} : { currency }),
        ...(cited === undefined ? {} : { article: cited }),
      },
    ];
  });
}

function sourceOf(lines: readonly Line[]): string | undefined {
  for (const { segments } of lines) {
    const [label, value] = segments;
    if (label !== undefined && value !== undefined && sourceHead.test(label.folded)) return countryOf(value.text);
  }
  return undefined;
}

interface Labelled {
  readonly label: string;
  readonly amount?: Rational;
  readonly currency?: string;
  /** Decimal text. */
  readonly percent?: string;
}

/** A label and one amount or percentage: in cells, or divided by a colon. */
function labelled(layout: Layout, line: Line): Labelled | undefined {
  if (line.segments.length > 3 || line.end - line.start > 260) return undefined;
  const text = line.segments.map((segment) => segment.text).join('  ');
  const row = figureRow(layout, line);
  const colon = /^([^:]{3,120}):\s+(\S.{0,40})$/.exec(text);
  const label = row?.label ?? colon?.[1];
  const value = row === undefined ? colon?.[2] : row.figures[0]!.segment.text;
  if (label === undefined || value === undefined || (row !== undefined && row.figures.length > 1)) return undefined;
  const { decimalMark } = layout.document;
  const [percent] = findPercents(`${label}  ${value}`, { decimalMark });
  const [number] = value.includes('%') ? [] : numbersIn(layout, { start: 0, text: value });
  const amount =
    number === undefined ? undefined : parseRational(number.ambiguous ? number.value.replace('.', '') : number.value);
  const { currency } = unitIn(foldText(value));
  return {
    label: foldText(label),
    ...(amount === undefined ? {} : { amount }),
    ...(currency === undefined ? {} : { currency }),
    ...(percent === undefined ? {} : { percent: percent.value }),
  };
}
