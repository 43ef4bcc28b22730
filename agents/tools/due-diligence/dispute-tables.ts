/** Disputes in schedules: one per table row, or lines with the labels of a case summary. */
import type { Document } from '../../document/document.ts';
import type { Cell, Table } from '../../document/table.ts';
import { findAmounts } from '../text/amounts.ts';
import { cueReader } from './cues.ts';
import { captionIn, type Dispute, statusOf } from './dispute-words.ts';
import type { Flow } from './flow.ts';
import { tableRows } from './table-rows.ts';

const columnWords = {
  claimant:
    'claimant*; plaintiff*; applicant*; petitioner*; kläger*; antragsteller*; demandeur*; requérant*; demandante*; actor; reclamante; eiser*; eisende',
  respondent:
    'defendant*; respondent*; beklagte*; antragsgegner*; défendeur*; défenderesse*; demandad*; gedaagde*; verweerder*',
  opponent:
    'counterparty; counterparties; opposing party; opponent; adverse party; other party; gegner; gegenpartei; gegenseite; partie adverse; adversaire; contraparte; parte contraria; wederpartij',
  caption:
    'parties; case; matter; caption; dispute; proceedings; rechtsstreit; verfahren; parteien; affaire; litige; asunto; procedimiento; partes; zaak; partijen; geschil; case name; name of case',
  role: 'role; capacity; our role; company as; rolle; parteirolle; qualité; rôle; posición procesal; rol; hoedanigheid',
  amount:
    'amount*; sum; claimed; value; quantum; exposure; streitwert*; betrag; forderung; klageforderung; montant*; enjeu; cuantía; importe; bedrag; belang; vordering; damages',
  status:
    'status; position; stage; state; outcome; verfahrensstand; stand; sachstand; état; statut; stade; estado; situación; fase; stadium; stand van zaken; comment*; remark*; bemerkung*; development*',
  forum:
    'forum; court; tribunal; gericht; instanz; juridiction; juzgado; órgano; rechtbank; instantie; venue; jurisdiction',
} as const;
type Column = keyof typeof columnWords;
const columnCues = cueReader<Column>(columnWords);
const passive =
  /(?<!\p{L})(?:defendant|respondent|passiv\p{L}*|beklagt\p{L}*|défen\p{L}*|demandad\p{L}*|gedaagde|verweerder)(?!\p{L})/iu;
const active =
  /(?<!\p{L})(?:claimant|plaintiff|aktiv\p{L}*|kläger\p{L}*|demandeu\p{L}*|demandante|eiser\p{L}*)(?!\p{L})/iu;

/** The columns of a schedule of disputes; undefined if the table is not one. */
export function disputeColumns(table: Table): Map<Column, number> | undefined {
  const found = new Map<Column, number>();
  tableRows(table).titles.forEach((title, index) => {
    if (title.length > 60) return;
    const free = columnCues.of(title).find(({ label }) => !found.has(label));
    if (free !== undefined) found.set(free.label, index);
  });
  const hasParty = found.has('claimant') || found.has('opponent') || found.has('caption');
  const hasMore = found.has('respondent') || found.has('status') || found.has('forum');
  return hasParty && hasMore && (found.has('claimant') || found.has('amount') || found.has('status'))
    ? found
    : undefined;
}

export function disputesOfTables({ tables }: Document): Dispute[] {
  return tables.flatMap((table) => {
    const columns = disputeColumns(table);
    return columns === undefined ? [] : disputesOf(table, columns);
  });
}

function disputesOf(table: Table, columns: ReadonlyMap<Column, number>): Dispute[] {
  // A row without a number or an amount continues the cells above it.
  const groups: (readonly Cell[])[][] = [];
  const opens = columns.get('amount') ?? columns.get('claimant') ?? columns.get('opponent') ?? columns.get('caption')!;
  for (const cells of tableRows(table).rows) {
    const isNew = cells[0]?.text !== '' && (cells[opens]?.text ?? '') !== '';
    if (isNew || groups.length === 0) groups.push([cells]);
    else groups.at(-1)!.push(cells);
  }
  return groups.flatMap((group) => {
    const cellOf = (name: Column) => {
      const column = columns.get(name);
      const words = column === undefined ? [] : group.map((cells) => cells[column]?.text ?? '');
      return words.join(' ').trim().slice(0, 300);
    };
    const all = group.flat().filter(({ text }) => text !== '');
    return all.length === 0 ? [] : disputeOf(cellOf, all);
  });
}

function disputeOf(cellOf: (name: Column) => string, all: readonly Cell[]): Dispute[] {
  const caption = captionIn(cellOf('caption'));
  const opponent = cellOf('opponent').split(/\s[–(-]/, 1)[0]!;
  const isOurs = active.test(cellOf('role')) && !passive.test(cellOf('role'));
  const claimant = cellOf('claimant') || caption?.claimant || (isOurs ? '' : opponent);
  const respondent = cellOf('respondent') || caption?.respondent || (isOurs ? opponent : '');
  if (claimant === '' && respondent === '') return [];
  const amounts = findAmounts(cellOf('amount'));
  const [amount] = amounts.length > 0 ? amounts : findAmounts(cellOf('caption'));
  const status = statusOf(cellOf('status')) ?? statusOf(cellOf('forum')) ?? statusOf(cellOf('caption'));
  if (amount === undefined && status === undefined) return [];
  return [
    {
      ...(claimant === '' ? {} : { claimant: claimant.slice(0, 100) }),
      ...(respondent === '' ? {} : { respondent: respondent.slice(0, 100) }),
      ...(amount === undefined
        ? {}
        : { amount: amount.value, ...(amount.currency === undefined ? {} : { currency: amount.currency }) }),
      ...(status === undefined ? {} : { status }),
      start: all[0]!.start,
      end: Math.max(...all.map(({ end }) => end)),
    },
  ];
}

/** "Claimant: …", "Defendant: …", "Amount: …", "Status: …" on separate lines. @returns ranges of the running text */
export function disputesOfSheets(flow: Flow): Dispute[] {
  const found: { -readonly [Key in keyof Dispute]: Dispute[Key] }[] = [];
  let last = -9;
  for (const { text, label, paragraph, start, end, isRow, opensParagraph } of flow.sentences) {
    if (label === '' || isRow || !opensParagraph || label.length > 40) continue;
    const [cue] = columnCues.of(label);
    const body = (text.startsWith(label) ? text.slice(label.length) : text)
      .replace(/^[\s:.]+|(?<!\p{Lu})[.;]$/gu, '')
      .slice(0, 160);
    if (cue === undefined || body === '' || text === label) continue;
    let open = paragraph - last <= 4 ? found.at(-1) : undefined;
    if (cue.label === 'claimant' && (open === undefined || open.claimant !== undefined)) {
      open = { start, end };
      found.push(open);
    }
    if (open === undefined) continue;
    last = paragraph;
    open.end = end;
    const [amount] = cue.label === 'amount' ? findAmounts(body) : [];
    if (cue.label === 'claimant') open.claimant = body.slice(0, 100);
    else if (cue.label === 'respondent') open.respondent = body.slice(0, 100);
    else if (amount !== undefined) {
      open.amount = amount.value;
      if (amount.currency !== undefined) open.currency = amount.currency;
    } else if (cue.label === 'status') {
      const status = statusOf(body);
      if (status !== undefined) open.status = status;
    }
  }
  return found.filter(
    ({ respondent, amount, status }) => respondent !== undefined || amount !== undefined || status !== undefined,
  );
}
