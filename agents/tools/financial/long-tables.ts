/**
 * Tables with one fact per row, such as exports of tagged facts and of ledgers: a column of concepts, one of values, and columns of
 * the period, the unit and what else a fact depends on. The headings name the columns, in any order.
 */
import type { Cell, Row, Table } from '../../document/table.ts';
import { findDates, isoDate } from '../text/dates.ts';
import { normaliseName } from './line-items.ts';

/** What a column states about the fact of a row. */
type Role =
  | 'concept'
  | 'value'
  | 'end'
  | 'start'
  | 'quarters'
  | 'months'
  | 'period'
  | 'unit'
  | 'scale'
  | 'segment'
  | 'entity'
  | 'scenario';

const names = (list: string): ReadonlySet<string> => new Set(list.split('|'));

const roles: readonly (readonly [Role, ReadonlySet<string>])[] = [
  [
    'concept',
    names(
      'tag|concept|element|element name|elementname|qname|fact|fact name|xbrl tag|account|account name|line|line item|item|metric|measure|label|kpi|' +
        'caption|statement line|figure|position|posten|bezeichnung|konto|kennzahl|gliederung|libelle|rubrique|poste|indicateur|intitule|' +
        'concepto|partida|cuenta|voce|indicatore|descrizione|conto|omschrijving|begrip|kengetal|post|nyckeltal|benamning|beskrivning|' +
        'rubrica|conta|descricao|pozycja|wskaznik|nazwa|description|name',
    ),
  ],
  [
    'value',
    names(
      'value|amount|val|fact value|numeric value|reported value|betrag|wert|montant|valeur|importe|valor|importo|valore|bedrag|waarde|belopp|' +
        'varde|belob|kwota|wartosc|amount reported|balance|saldo|solde',
    ),
  ],
  [
    'end',
    names(
      'ddate|end|end date|enddate|period end|period end date|periodend|date|as of|as at|as of date|instant|reporting date|balance date|to|' +
        'stichtag|bis|enddatum|datum|ende|fin|date de fin|date fin|date de cloture|hasta|fecha|fecha fin|al|data|data fine|einde|einddatum|slut|' +
        'slutdatum|per|data final|data fim|koniec',
    ),
  ],
  [
    'start',
    names(
      'start|start date|startdate|period start|period start date|from|begin|von|startdatum|beginn|debut|date debut|date de debut|desde|' +
        'fecha inicio|dal|data inizio|begindatum|van|fran|data inicial|poczatek',
    ),
  ],
  ['quarters', names('qtrs|quarters|number of quarters')],
  [
    'months',
    names('months|duration months|duration in months|duration|number of months|monate|mois|meses|mesi|maanden|manader'),
  ],
  [
    'period',
    names(
      'period|context|contextref|context ref|context id|reporting period|accounting period|fiscal period|fp|fy|fiscal year|year|quarter|zeitraum|' +
        'periode|jahr|geschaftsjahr|exercice|annee|ejercicio|periodo|anno|esercizio|jaar|boekjaar|ar|rok|okres|ano',
    ),
  ],
  [
    'unit',
    names(
      'uom|unit|units|unitref|unit ref|currency|ccy|currency code|wahrung|einheit|devise|unite|monnaie|moneda|divisa|unidad|valuta|unita|eenheid|waluta|jednostka|enhet|moeda',
    ),
  ],
  ['scale', names('scale|multiplier|unit scale|skalierung|echelle|escala|scala|schaal')],
  [
    'segment',
    names(
      'segments|segment|dimension|dimensions|member|members|axis|explicit member|division|business unit|region|geography|product|bereich|' +
        'geschaftsbereich|sparte|secteur|segmento|settore|divisie|dim',
    ),
  ],
  [
    'entity',
    names(
      'entity|coreg|co registrant|scope|company|level|consolidation|gesellschaft|firma|societe|sociedad|societa|vennootschap|bolag|perimetre|perimetro',
    ),
  ],
  ['scenario', names('scenario|type|version|data type|basis|status|datenart|category|typ|nature|escenario|tipo|soort')],
];

export interface LongFact {
  readonly concept: string;
  readonly value: Cell;
  /** Last day, of a date alone or of a range. */
  readonly end?: string;
  /** 0 for a balance. */
  readonly months?: number;
  /** The period as the table writes it. */
  readonly periodText?: string;
  readonly unit: string;
  readonly scale: string;
  readonly segments: readonly string[];
  readonly entity: string;
  readonly scenario: string;
}

const rowsMax = 20_000;
const rowsMin = 3;

/** @returns undefined unless headings name columns of concepts, values and periods */
export function longFacts(table: Table): readonly LongFact[] | undefined {
  const columns = table.columns.map(({ headerCells }) => roleOf(headerCells.map(({ text }) => text).join(' ')));
  const has = (role: Role) => columns.includes(role);
  if (!has('concept') || columns.filter((role) => role === 'value').length !== 1) return undefined;
  if (!has('end') && !has('period')) return undefined;
  const facts = table.rows.slice(0, rowsMax).flatMap(({ cells }) => factOf(cells, columns));
  return facts.length < rowsMin ? undefined : facts;
}

function roleOf(heading: string): Role | undefined {
  const name = normaliseName(heading.replace(/\([^()]{0,40}\)/g, ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
  const found = roles.find(([, each]) => each.has(name))?.[0];
  // "Amount EUR", "Betrag in TEUR"
  return (
    found ??
    (/^(?:value|amount|betrag|wert|montant|valeur|importe|importo|valore|bedrag|belopp) (?:in |en )?\w{1,12}(?: \d{3})?$/.test(
      name,
    )
      ? 'value'
      : undefined)
  );
}

function factOf(cells: Row['cells'], columns: readonly (Role | undefined)[]): LongFact[] {
  const textsOf = (role: Role) =>
    columns.flatMap((each, column) =>
      each === role && cells[column] !== undefined ? [cells[column].text.trim()] : [],
    );
  const value = cells[columns.indexOf('value')];
  const concept = textsOf('concept').find((text) => /\p{L}{2}/u.test(text));
  if (value === undefined || concept === undefined) return [];
  const periodText = textsOf('period').toReversed().join(' ');
  const days = [...textsOf('start').slice(0, 1), ...textsOf('end').slice(0, 1)].map(dayIn);
  const ranged = days.length === 2 ? days : findDates(periodText).map(({ iso }) => iso);
  const end = dayIn(textsOf('end')[0] ?? '') ?? ranged.filter((day) => day?.length === 10).at(-1);
  const months = monthsOf(textsOf('quarters')[0], 3) ?? monthsOf(textsOf('months')[0], 1) ?? monthsBetween(ranged);
  return [
    {
      concept,
      value,
      ...(end === undefined ? {} : { end }),
      ...(months === undefined ? {} : { months }),
      ...(periodText === '' ? {} : { periodText }),
      unit: textsOf('unit').join(' '),
      scale: textsOf('scale').join(' '),
      segments: textsOf('segment').filter((text) => text !== ''),
      entity: textsOf('entity').join(' '),
      scenario: textsOf('scenario').join(' '),
    },
  ];
}

/** "20250201", "2025-02-01T00:00:00", "01.02.2025" */
function dayIn(text: string): string | undefined {
  const digits = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(text);
  if (digits !== null) {
    const [year, month, day] = digits.slice(1).map(Number) as [number, number, number];
    return month >= 1 && month <= 12 && day >= 1 && day <= 31 ? isoDate(year, month, day) : undefined;
  }
  return findDates(text.replace(/T\d\d:\d\d.*$/, '')).find(({ iso }) => iso.length === 10)?.iso;
}

function monthsOf(text: string | undefined, each: number): number | undefined {
  return text !== undefined && /^\d{1,2}$/.test(text) && Number(text) * each <= 18 ? Number(text) * each : undefined;
}

function monthsBetween([start, end]: readonly (string | undefined)[]): number | undefined {
  if (start === undefined || end === undefined || start.length !== 10 || end.length !== 10) return undefined;
  const days = (Date.parse(end) - Date.parse(start)) / 86_400_000 + 1;
  const months = Math.round(days / 30.44);
  return months >= 1 && months <= 18 && Math.abs(days - months * 30.44) < 12 ? months : undefined;
}

/** Ends of the years of the facts, to find the month in which the financial year ends. */
export function yearEndsOfFacts(tables: readonly Table[]): readonly string[] {
  return tables
    .slice(0, tablesMax)
    .flatMap(
      (table) =>
        longFacts(table)?.flatMap(({ end, months }) => (months === 12 && end !== undefined ? [end] : [])) ?? [],
    );
}

const tablesMax = 50;
