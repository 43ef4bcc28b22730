/** Requirements that the document itself shows to be unmet: exceptions, nonconformities, open controls, overdue tasks, missing elements. */
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { frameworkMentions } from './applied-frameworks.ts';
import { clauseOfCell, findClauseNumbers } from './clause-numbers.ts';
import { bareFramework, findControls } from './control-register.ts';
import type { RegisteredControl } from './control-rows.ts';
import { gradeOf, isClosed, isOverdue } from './control-statuses.ts';
import { type DocumentType, documentTypeOf } from './document-types.ts';
import type { FrameworkId } from './framework-names.ts';
import { missingElements, statedGaps } from './missing-elements.ts';
import type { Reading } from './reading.ts';
import { findRecords } from './records.ts';
import type { RegisterRow } from './register-rows.ts';
import { cellText } from './register-rows.ts';
import type { RequiredElement } from './required-elements.ts';
import { hasCue, isAside, isAsideRow } from './sense.ts';

export type GapNature =
  | 'missing-element'
  | 'exception'
  | 'major-nonconformity'
  | 'minor-nonconformity'
  | 'not-implemented'
  | 'overdue';

export interface Gap {
  readonly framework?: FrameworkId;
  /** Of the finding, test or clause as printed; of a missing element, the article. */
  readonly reference: string;
  readonly nature: GapNature;
  readonly element?: RequiredElement;
  /** ISO date. */
  readonly due?: string;
  readonly owner?: string;
  readonly range: Range;
}

/** One per reference and element, in the order of the text. */
export function findGaps(reading: Reading): Gap[] {
  const type = documentTypeOf(reading)?.type;
  const found = new Map<string, Gap>();
  const gaps = [
    ...findingRows(reading, type),
    ...findingRecords(reading, type),
    ...unmetStatements(reading, type),
    ...openControls(reading),
    ...overdueRows(reading),
    ...overdueStatements(reading),
    ...statedGaps(reading),
    ...missingElements(reading, type),
    ...lateNotices(reading, type),
  ];
  for (const gap of gaps) {
    const key = `${gap.reference} ${gap.element ?? ''}`;
    if (!found.has(key)) found.set(key, gap);
  }
  return [...found.values()].sort((a, b) => a.range.start - b.range.start);
}

function openControls(reading: Reading): Gap[] {
  return findControls(reading).flatMap((control): Gap[] => {
    const { framework, clause, range, owner } = control;
    const more = owner === undefined ? {} : { owner };
    if (control.exception !== undefined) return [{ framework, reference: clause, nature: 'exception', range, ...more }];
    if (control.status !== 'not-implemented' || !control.isRegister) return [];
    return [
      { framework, reference: clause, nature: 'not-implemented', range, ...more, ...dueOfControl(reading, control) },
    ];
  });
}

/** The date in its row, else in a row of a plan of actions with its number. */
function dueOfControl(reading: Reading, { clause, framework, range }: RegisteredControl): { due?: string } {
  const own = dueOf(reading, range);
  if (own.due !== undefined) return own;
  const planned = reading.rows.find(
    ({ columns, cells }) =>
      columns.includes('due') &&
      cells.some(
        ({ text, part }) => clauseOfCell(text, framework)?.number === clause || (part === 'clause' && text === clause),
      ),
  );
  if (planned !== undefined) return dueOfCell(reading, planned);
  const stated = reading.clauses.find(
    (each) =>
      each.row === undefined &&
      /(?<!\p{L})(?:due|by|until|fällig|bis|échéance|avant|plazo|antes|entro|uiterlijk|prazo|termin|senast)(?!\p{L})/iu.test(
        each.text,
      ) &&
      findClauseNumbers(each.text).some((number) => number.framework === framework && number.number === clause),
  );
  return stated === undefined ? {} : dueOf(reading, stated);
}

/** The last date in a range; of a month alone it is not known. */
function dueOf({ document }: Reading, range: Range): { due?: string } {
  const dates = allWithin(document.dates, range).filter(({ iso, ambiguous }) => iso.length === 10 && !ambiguous);
  const date = dates.at(-1);
  return date === undefined ? {} : { due: date.iso };
}

function dueOfCell(reading: Reading, row: RegisterRow): { due?: string } {
  const cell =
    row.cells.find(({ part }) => part === 'due') ??
    row.cells.find(({ text }) => isOverdue(text) && /\d{4}/.test(text)) ??
    (row.cells.some(({ text }) => isOverdue(text)) ? row.cells.find(({ part }) => part === 'date') : undefined);
  return cell === undefined ? {} : dueOf(reading, cell);
}

/** Rows of graded findings. Excludes closed findings and observations. */
function findingRows(reading: Reading, type: DocumentType | undefined): Gap[] {
  const framework = bareFramework(reading, type);
  return reading.rows.flatMap((row): Gap[] => {
    const graded = row.columns.includes('grade');
    const cell = row.cells.find(
      ({ part, text }, nth) =>
        (graded ? part === 'grade' : nth > 0) && gradeOf(text, !graded) !== undefined && text.length <= 40,
    );
    if (cell === undefined || row.columns.includes('inherent') || isAsideRow(row)) return [];
    const nature = gradeOf(cell.text, !graded)!;
    const reference = row.cells.find(({ part }) => part === 'id')?.text ?? row.cells[0]!.text;
    const state = row.cells.map(({ text }) => text).filter((text) => text !== cell.text && text.length <= 60);
    if (
      !/\d/.test(reference) ||
      reference.length > 24 ||
      state.some(isClosed) ||
      state.some(isRegraded) ||
      (!graded && type !== 'audit-report')
    )
      return [];
    if (!graded) return []; // Read as a record, with the lines below it.
    const owner = cellText(row, 'owner');
    return [
      {
        ...(framework === undefined ? {} : { framework }),
        reference,
        nature,
        ...dueOfCell(reading, row),
        ...(owner === undefined ? {} : { owner }),
        range: { start: row.start, end: row.end },
      },
    ];
  });
}

/** "Re-graded, see 2026-01": another finding takes its place. */
function isRegraded(text: string): boolean {
  return /(?<!\p{L})(?:re-?graded|upgraded|superseded by|replaced by|see \S{0,6}\d|siehe \S{0,6}\d|voir \S{0,6}\d|véase \S{0,6}\d|vedi \S{0,6}\d|zie \S{0,6}\d)/iu.test(
    text,
  );
}

const dueLabel =
  /^(?:.{0,40}(?<!\p{L})(?:due|to be (?:accepted|closed|corrected|completed) by|deadline)|due|due date|deadline|target|target date|plazo|fecha límite|frist|termin|échéance|délai|scadenza|entro|termine|termijn|uiterlijk|deadline|to be closed by|closure|correction by|fällig|zu beheben bis)$/iu;
const ownerLabel =
  /^(?:owner|responsible|responsable|verantwortlich\p{L}*|responsabile|verantwoordelijke?|eigenaar|pilote|action owner)$/iu;

/** "Owner: Procurement. Due 15 August 2026." */
const dueSentence = /[.;] (?:due|fällig|échéance|plazo|scadenza|uiterlijk|zu beheben bis) (?=[\d\p{Lu}])/iu;

/** "NC-01   Nonconformity, major   Clause 9.3" with the lines beneath it. */
function findingRecords(reading: Reading, type: DocumentType | undefined): Gap[] {
  if (type !== 'audit-report' && type !== undefined) return [];
  const framework = bareFramework(reading, type);
  return findRecords(reading).flatMap((record): Gap[] => {
    const head = record.heads.find(
      (each) => gradeOf(each, true) !== undefined || (isGradeAlone(each) && gradeOf(each, false) !== undefined),
    );
    if (
      head === undefined ||
      record.heads.some(isClosed) ||
      record.heads.some(isRegraded) ||
      clauseOfCell(record.id, undefined) !== undefined
    )
      return [];
    const fields = [...record.fields];
    const due =
      fields.some(([label]) => dueLabel.test(label)) || dueSentence.test(record.text) ? dueOf(reading, record) : {};
    const owner = fields.find(([label]) => ownerLabel.test(label))?.[1];
    const named = findClauseNumbers(record.heads.join(' | '), true)[0]?.framework;
    const about = framework === 'iso_42001' && named === 'iso_27001' ? framework : (named ?? framework);
    return [
      {
        ...(about === undefined ? {} : { framework: about }),
        reference: record.id,
        nature: gradeOf(head, !isGradeAlone(head))!,
        ...due,
        ...(owner === undefined ? {} : { owner }),
        range: { start: record.start, end: record.end },
      },
    ];
  });
}

/** "MAJOR" in the first line of a record of an audit. */
function isGradeAlone(text: string): boolean {
  return /^(?:major|minor|majeure?|mineure?|mayor|menor|maggiore|minore|haupt\p{L}*|neben\p{L}*|groot|klein|maior|poważna|drobna|större|mindre)$/iu.test(
    text.trim(),
  );
}

const unmet =
  /(?<!\p{L})(?:not (?:yet )?(?:fully )?(?:met|implemented|in place|fulfilled|satisfied|complied with|compliant|enforced)|noch nicht (?:vollständig )?(?:umgesetzt|erfüllt|eingeführt|implementiert)|nicht (?:umgesetzt|erfüllt|eingehalten|eingeführt)|(?:n.est|ne sont|n.a) pas (?:encore )?(?:(?:mise?s?|pleinement) (?:en (?:œ|oe)uvre|en place)|respectée?s?|satisfaite?s?|remplie?s?|déployée?s?|appliquée?s?)|(?:todavía |aún )?no (?:se cumple|está(?:n)? (?:aún |todavía )?(?:implantad\p{L}*|implementad\p{L}*)|se ha(?:n)? (?:implantado|implementado)|cumple)|non (?:è|sono) (?:ancora )?(?:stat\p{L} )?(?:attuat\p{L}|implementat\p{L}|soddisfatt\p{L}|rispettat\p{L}|conforme)|(?:nog )?niet (?:volledig )?(?:geïmplementeerd|ingevoerd|voldaan|nageleefd|uitgevoerd))(?!\p{L})/iu;

/** "Requirement 8.4.2 is therefore not met there", and the date by which it is. */
function unmetStatements(reading: Reading, type: DocumentType | undefined): Gap[] {
  if (type === 'statement-of-applicability' || type === 'soc-2-report' || type === 'risk-register') return [];
  const bare = bareFramework(reading, type);
  const { clauses, language } = reading;
  return clauses.flatMap((clause, index): Gap[] => {
    if (clause.row !== undefined || isAside(clause)) return [];
    const match = unmet.exec(clause.text.replaceAll('´', "'"));
    if (match === null) return [];
    const range = { start: match.index, end: match.index + match[0].length };
    if (hasCue(clause, language, range, 'conditional', 'former', 'example', 'other')) return [];
    const [number] = findClauseNumbers(clause.text, bare === 'iso_27001');
    if (number === undefined || number.framework === 'gdpr') return [];
    const related = [clause, ...clauses.slice(index + 1, index + 3).filter(({ block }) => block === clause.block)];
    const due = related.map((each) => dueOf(reading, each)).find((each) => each.due !== undefined);
    return [
      {
        framework: number.framework,
        reference: number.number,
        nature: 'not-implemented',
        ...due,
        range: { start: clause.start, end: clause.end },
      },
    ];
  });
}

/** Rows whose state is overdue, in registers of risks, tasks and findings. */
function overdueRows(reading: Reading): Gap[] {
  const bare = bareFramework(reading, documentTypeOf(reading)?.type);
  return reading.rows.flatMap((row): Gap[] => {
    if (row.columns.includes('grade') || row.columns.length < 3) return [];
    const state = row.cells.find(({ part }) => part === 'status')?.text;
    if (state === undefined || !isOverdue(state) || isClosed(state) || isAsideRow(row)) return [];
    const clause = row.cells
      .filter(({ part }) => part === 'clause' || part === undefined)
      .flatMap(({ text }) => clauseOfCell(text, undefined) ?? [])[0];
    const id = row.cells.find(({ part }) => part === 'id')?.text;
    const reference = clause?.number ?? id;
    if (reference === undefined) return [];
    const framework = clause?.framework ?? bare;
    return [
      {
        ...(framework === undefined ? {} : { framework }),
        reference,
        nature: 'overdue',
        ...dueOfCell(reading, row),
        range: { start: row.start, end: row.end },
      },
    ];
  });
}

/** "Overdue: encryption of the file server (164.312(a)(2)(iv)), was due August 31, 2026". */
function overdueStatements(reading: Reading): Gap[] {
  return reading.clauses.flatMap((clause): Gap[] => {
    if (clause.row !== undefined || isAside(clause) || !isOverdue(clause.text) || isClosed(clause.text)) return [];
    const [number, ...more] = findClauseNumbers(clause.text);
    if (number === undefined || more.length > 0 || number.framework === 'gdpr') return [];
    if (hasCue(clause, reading.language, { start: 0, end: clause.text.length }, 'conditional', 'example', 'other'))
      return [];
    const { framework, number: reference } = number;
    return [
      {
        framework,
        reference,
        nature: 'overdue',
        ...dueOf(reading, clause),
        range: { start: clause.start, end: clause.end },
      },
    ];
  });
}

const late =
  /(?<!\p{L})(?:this (?:notice|notification|report) is (?:late|made late|sent late)|(?:notice|notification) (?:is|was) (?:late|overdue|delayed)|later than (?:agreed|the|required|72)|after (?:the )?(?:expiry of )?(?:the )?72[- ]hours?|exceeds? (?:the )?72|(?:meldung|mitteilung|benachrichtigung) (?:erfolgt|kommt|ist) (?:daher |somit |leider )?(?:verspätet|nach ablauf|später)|verspätete meldung|(?:notification|signalement) (?:est )?(?:tardive|hors délai|intervient (?:tardivement|après|hors))|(?:notificación|comunicación) (?:es tardía|se (?:realiza|efectúa) (?:con retraso|fuera de plazo|tarde))|(?:notifica|comunicazione) (?:è tardiva|avviene (?:in ritardo|oltre)|è effettuata (?:in ritardo|oltre))|(?:melding|kennisgeving) (?:komt|is|wordt|vindt) (?:\p{L}+ ){0,2}(?:later|te laat)|te laat gemeld)(?!\p{L})/iu;

/** A notice that says itself that it is late. */
function lateNotices(reading: Reading, type: DocumentType | undefined): Gap[] {
  if (type !== 'breach-notice') return [];
  const applied = frameworkMentions(reading).find(
    ({ id, status }) => status === 'applied' && (id === 'gdpr' || id === 'uk_gdpr'),
  );
  const clause = reading.clauses.find(
    (each) =>
      late.test(each.text) &&
      !/(?<!\p{L})(?:had we|would|hätten|wäre|aurait|sarebbe|habría|zou geweest|not late|nicht verspätet)(?!\p{L})/iu.test(
        each.text,
      ),
  );
  if (clause === undefined || applied === undefined) return [];
  return [
    { framework: applied.id, reference: '33', nature: 'overdue', range: { start: clause.start, end: clause.end } },
  ];
}
