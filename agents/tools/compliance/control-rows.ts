/** The controls in the rows of a register or table: state, evidence, owner and exception of each. */
import type { Range } from '../text/span.ts';
import { answerOf } from './answers.ts';
import { frameworksOfText } from './applied-frameworks.ts';
import { clauseBeforeTitle, clauseOfCell } from './clause-numbers.ts';
import { type ControlStatus, isClosed, statusOfCell } from './control-statuses.ts';
import type { DocumentType } from './document-types.ts';
import type { FrameworkId } from './framework-names.ts';
import { agentOf, functionAtEnd, isFunction, subjectOf } from './owners.ts';
import type { Reading } from './reading.ts';
import { cellText, isEmptyCell, type RegisterCell, type RegisterRow } from './register-rows.ts';
import { isAsideRow } from './sense.ts';

export interface RegisteredControl {
  readonly framework: FrameworkId;
  /** As printed. */
  readonly clause: string;
  readonly status?: ControlStatus;
  /** As printed. */
  readonly evidence?: string;
  readonly owner?: string;
  /** What a test found, where the state is a result of it. */
  readonly exception?: string;
  readonly range: Range;
  /** The state is that of a register of controls, whose open ones are gaps. */
  readonly isRegister: boolean;
}

export interface Context {
  readonly reading: Reading;
  readonly type: DocumentType | undefined;
  /** The framework whose numbers stand alone. */
  readonly bare: FrameworkId | undefined;
}

/** A row with a control number in its first cells. Excludes rows of risks, indexes and former editions. */
export function controlOfRow(
  row: RegisterRow,
  { reading, bare: only, type }: Context,
): RegisteredControl[] | undefined {
  if (
    row.columns.includes('inherent') ||
    row.columns.includes('residual') ||
    row.columns.includes('question') ||
    row.title !== undefined
  )
    return undefined;
  if (isAsideRow(row)) return undefined;
  const isTable = row.columns.length > 1;
  const bare = frameworkOfRow(row) ?? ((isTable && isRegisterType(type)) || only === 'iso_42001' ? only : undefined);
  const numberOf = (cell: RegisterCell, nth: number) =>
    nth >= 4 || cell.part === 'section' || cell.part === 'date'
      ? undefined
      : (clauseOfCell(cell.text, bare, cell.part === 'clause') ??
        (nth === 0 ? (clauseBeforeTitle(cell.text, bare) ?? letterOfArticle(row)) : undefined));
  const at = row.cells.findIndex((cell, nth) => numberOf(cell, nth) !== undefined);
  if (at === -1) return undefined;
  const { framework, number: clause } = numberOf(row.cells[at]!, at)!;
  const isFinding = row.columns.includes('grade') || (row.columns.includes('id') && at > 0);
  const rest = row.cells.slice(at + 1);
  if (rest.length === 0) return undefined;
  const status = isOpenAction(row) ? 'not-implemented' : statusOfRow(row, at, isTable);
  const exception = exceptionOf(row, status, type);
  const range = { start: row.start, end: row.end };
  if (isFinding) {
    const owner = cellText(row, 'owner');
    return owner === undefined ? undefined : [{ framework, clause, owner, range, isRegister: false }];
  }
  const isFound = rest.some(({ text }) => /^nc(?!\p{L})/iu.test(text));
  if (!isTable && status === undefined && !isFound) return undefined;
  const placed = isTable ? {} : placedCells(row, at);
  const evidence = cellText(row, 'evidence') ?? remarkedEvidence(row) ?? placed.evidence;
  const owner = ownerOfRow(row, reading) ?? placed.owner;
  if (status === 'unknown' && evidence === undefined && owner === undefined && !isTable) return undefined;
  const known = exception === undefined ? status : 'partial';
  // A column of answers, remarks or responses alone assigns nothing.
  if (
    known === undefined &&
    evidence === undefined &&
    owner === undefined &&
    !row.columns.some((part) => part === 'title' || part === 'status' || part === 'test')
  )
    return undefined;
  return [
    {
      framework,
      clause,
      ...(known === undefined || known === 'unknown' ? {} : { status: known }),
      ...(evidence === undefined ? {} : { evidence }),
      ...(owner === undefined || known === 'not-applicable' ? {} : { owner }),
      ...(exception === undefined ? {} : { exception }),
      range,
      isRegister: type !== 'soc-2-report',
    },
  ];
}

/** The framework that the row's own column names, else the only one in the heading over its table. */
function frameworkOfRow(row: RegisterRow): FrameworkId | undefined {
  const named = frameworksOfText(cellText(row, 'framework') ?? row.heading);
  const [first] = named;
  return first !== undefined && named.every(({ label }) => label === first.label) ? first.label : undefined;
}

/** "a" under "Requirement (Article 21.2)" is 21.2 a. */
function letterOfArticle({ cells, heading }: RegisterRow): ReturnType<typeof clauseOfCell> {
  const [cell] = cells;
  if (cell === undefined || !/^\(?[a-z]\)?$/u.test(cell.text.trim())) return undefined;
  const names = cells.map(({ header }) => header ?? '').join('; ');
  const article = /(?<!\p{L})art\p{L}{0,6}\.? (\d{1,2}[.(]\d{1,2}\)?)/iu.exec(names)?.[1];
  const [framework] = frameworksOfText(`${names}; ${heading}`);
  return article === undefined || framework === undefined
    ? undefined
    : { framework: framework.label, number: `${article} ${cell.text.trim()}` };
}

const actionPlan =
  /(?<!\p{L})(?:action plans?|remediation plans?|plan of action|non-?compliant|open (?:actions|items|points)|plans? d.actions?|maßnahmenplan|plan de acción|piano d.azione|piano di rientro|actieplan|plano de ação|plan działań|åtgärdsplan)(?!\p{L})/iu;

/** A requirement in a plan of actions, with the date by which it is to be met. */
function isOpenAction(row: RegisterRow): boolean {
  const due = cellText(row, 'due');
  return (
    due !== undefined &&
    /\d{4}/.test(due) &&
    actionPlan.test(row.heading) &&
    !row.cells.some(({ text }) => isClosed(text))
  );
}

/** "5.2.3 N/A for Linux hosts" as the remark on requirement 5. */
export function remarkedControls(row: RegisterRow, { bare, type }: Context): RegisteredControl[] {
  const remark = cellText(row, 'comment');
  const found =
    remark === undefined || !isRegisterType(type) ? undefined : clauseBeforeTitle(remark, frameworkOfRow(row) ?? bare);
  const status = found === undefined ? undefined : statusOfCell(found.rest);
  return found === undefined || status === undefined || status === 'unknown'
    ? []
    : [
        {
          framework: found.framework,
          clause: found.number,
          status,
          range: { start: row.start, end: row.end },
          isRegister: false,
        },
      ];
}

/** "Evidence: key ceremony log", as a remark. */
function remarkedEvidence(row: RegisterRow): string | undefined {
  const remark = cellText(row, 'comment') ?? '';
  const [label, ...rest] = remark.split(':');
  if (rest.length > 0 && evidenceLabel.test(label!.trim())) return rest.join(':').trim();
  // "Inspected tickets SEC-410 to SEC-422".
  const test = row.columns.includes('test') ? cellText(row, 'test') : undefined;
  return test === undefined ? undefined : /(?<![\p{L}\d])\p{Lu}{2,6}-\d{2,6}(?![\p{L}\d])/u.exec(test)?.[0];
}

/**
 * Without names of columns, the two cells after the state: the record, and who answers for the control. Only a code next to words,
 * or the name of a function, shows which is which.
 */
function placedCells({ cells }: RegisterRow, at: number): { readonly evidence?: string; readonly owner?: string } {
  const state = cells.findIndex(({ text }, nth) => nth > at && statusOfCell(text) !== undefined);
  const [evidence, owner, ...more] = state === -1 ? [] : cells.slice(state + 1);
  if (evidence === undefined || owner === undefined || more.length > 0 || /\d/.test(owner.text)) return {};
  if (isFunction(evidence.text) || !(/\d/.test(evidence.text) || isFunction(owner.text))) return {};
  return {
    ...(isEmptyCell(evidence.text) ? {} : { evidence: evidence.text }),
    ...(isEmptyCell(owner.text) ? {} : { owner: owner.text }),
  };
}

function isRegisterType(type: DocumentType | undefined): boolean {
  return (
    type === 'statement-of-applicability' ||
    type === 'audit-report' ||
    type === 'attestation-of-compliance' ||
    type === 'policy' ||
    type === 'standard' ||
    type === undefined
  );
}

/** The column of applicability first; then the state, or the only cell that is one. */
function statusOfRow(row: RegisterRow, at: number, isTable: boolean): ControlStatus | 'unknown' | undefined {
  const ticked = tickedColumn(row, at);
  if (ticked !== undefined) return statusOfCell(ticked);
  // Several ticked states contradict each other.
  if (
    row.cells.filter(({ text, header }) => tick.test(text.trim()) && statusOfCell(header ?? '') !== undefined).length >
    1
  )
    return undefined;
  const applicable = cellText(row, 'applicable');
  if (applicable !== undefined && ['no', 'not-applicable'].includes(answerOf(applicable) ?? ''))
    return 'not-applicable';
  const state = row.cells.find(({ part }) => part === 'status')?.text;
  if (state !== undefined && !isEmptyCell(state)) return statusOfCell(state);
  if (isTable) return undefined;
  const states = row.cells.slice(at + 1).flatMap(({ text }) => (text.length <= 40 ? (statusOfCell(text) ?? []) : []));
  // Without names of columns, it is not clear which of several states is the present one.
  return new Set(states).size === 1 ? states[0] : undefined;
}

/** The name of the only ticked column, where several columns of boxes stand for states: "In place | Not tested | Not in place". */
function tickedColumn({ cells }: RegisterRow, at: number): string | undefined {
  const boxes = cells.slice(at + 1).filter(({ text }) => box.test(text.trim()));
  const ticked = boxes.filter(({ text }) => tick.test(text.trim()));
  const [only] = ticked;
  const name = only?.header ?? '';
  const isState = statusOfCell(name) !== undefined;
  return ticked.length === 1 && isState && (boxes.length > 1 || name.split(' ').length <= stateWordsMax)
    ? name
    : undefined;
}

/** The name of a column that is a state by itself: "Not in place". */
const stateWordsMax = 3;
const tick = /^(?:[[(][xX✓✔][\])]|☒|☑|✓|✔|✗|[xX])$/u;
const box = /^(?:\[[ xX✓✔]?\]|\([xX]\)|☐|☒|☑|✓|✔|✗|[xX])$/u;

function ownerOfRow(row: RegisterRow, { language }: Reading): string | undefined {
  const owner = cellText(row, 'owner');
  if (owner !== undefined) return owner;
  const statement = row.cells.find(({ part, text }) => part === 'title' && text.split(' ').length > 4)?.text;
  if (statement === undefined) return undefined;
  return (
    functionAtEnd(statement) ?? agentOf(statement, language, { start: 0, end: 0 }) ?? subjectOf(statement, language)
  );
}

export const noException =
  /^(?:no |none|keine?|nessun|aucune?|sans|sin |ningun|geen|not tested|n\/a|nicht getestet|non testé|ingen|inga|bez |brak|sem |nenhum)|(?<!\p{L})(?:nicht prüfbar|not testable|could not be tested|did not (?:occur|operate)|(?:kein\p{L}*|no) (?:vorfall|vorfälle|incidents?|events?|occurrence)\p{L}* (?:auf|occurred|took place|arose)|trat kein)(?!\p{L})/iu;

/** In reports on tests of controls, a result that is no "no exceptions noted". */
function exceptionOf(
  row: RegisterRow,
  status: ControlStatus | 'unknown' | undefined,
  type: DocumentType | undefined,
): string | undefined {
  if (type !== 'soc-2-report' && !row.columns.includes('test')) return undefined;
  const result = cellText(row, 'status');
  return result === undefined || noException.test(result) || status === 'implemented' || status === 'unknown'
    ? undefined
    : result;
}

export const evidenceLabel = /^(?:evidence|nachweise?|preuves?|evidencias?|evidenza|evidenze|bewijs)$/iu;
