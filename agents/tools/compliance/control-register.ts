/** The controls that a document assigns to numbers of a framework: state, evidence and owner of each. */

import { oncePer } from '../text/once-per.ts';
import { frameworkMentions } from './applied-frameworks.ts';
import { withOwnerName } from './certainty.ts';
import { type ClauseNumber, clauseOfCell, findClauseNumbers } from './clause-numbers.ts';
import {
  type Context,
  controlOfRow,
  evidenceLabel,
  noException,
  type RegisteredControl,
  remarkedControls,
} from './control-rows.ts';
import { gradeOf, statusOfCell } from './control-statuses.ts';
import { type DocumentType, documentTypeOf } from './document-types.ts';
import type { FrameworkId } from './framework-names.ts';
import { agentOf, subjectOf } from './owners.ts';
import type { Clause, Reading } from './reading.ts';
import { findRecords, type TextRecord } from './records.ts';
import { isAside } from './sense.ts';

/** Kinds of documents whose citations of data protection law are no controls. */
const contracts: ReadonlySet<DocumentType | undefined> = new Set<DocumentType>([
  'data-processing-agreement',
  'business-associate-agreement',
  'breach-notice',
  'dpia',
  'processing-record',
  'vendor-questionnaire',
]);

/** One per framework and number, in the order of the text; a later entry adds what an earlier one lacks. */
export const findControls = oncePer((reading: Reading): readonly RegisteredControl[] => {
  const type = documentTypeOf(reading)?.type;
  if (contracts.has(type)) return [];
  const context: Context = { reading, type, bare: bareFramework(reading, type) };
  const found = new Map<string, RegisteredControl>();
  const all = [
    ...reading.rows.flatMap((row) => [...(controlOfRow(row, context) ?? []), ...remarkedControls(row, context)]),
    ...findRecords(reading).flatMap((record) => controlOfRecord(record, context) ?? []),
    ...proseControls(context),
  ];
  for (const control of all) {
    const key = `${control.framework} ${control.clause}`;
    const known = found.get(key);
    found.set(key, known === undefined ? control : { ...control, ...known });
  }
  return [...found.values()].map(withOwnerName).sort((a, b) => a.range.start - b.range.start);
});

const withBareNumbers: readonly FrameworkId[] = [
  'iso_27001',
  'pci_dss',
  'iso_27701',
  'iso_22301',
  'iso_9001',
  'iso_42001',
  'iso_27017',
  'iso_27018',
];

/** The first applied framework that numbers its controls 5.14 or 8.3.6. */
export function bareFramework(reading: Reading, type: DocumentType | undefined): FrameworkId | undefined {
  if (type === 'attestation-of-compliance') return 'pci_dss';
  const applied = frameworkMentions(reading)
    .filter(({ status }) => status === 'applied')
    .map(({ id }) => id);
  const [first] = applied.filter((id) => withBareNumbers.includes(id));
  return type === 'statement-of-applicability' ? (first ?? 'iso_27001') : first;
}

const resultLabel =
  /^(?:results?(?: of test\p{L}*)?|test results?|ergebnis|résultats?|resultado|risultato|esito|resultaat|conclusion)$/iu;
const ownerLabel =
  /^(?:owner|control owner|responsible|responsable|verantwortlich\p{L}*|responsabile|verantwoordelijke?|eigenaar)$/iu;
function fieldOf({ fields }: TextRecord, label: RegExp): string | undefined {
  for (const [name, value] of fields) if (label.test(name)) return value.trim();
  return undefined;
}

function controlOfRecord(record: TextRecord, { reading, type, bare }: Context): RegisteredControl | undefined {
  if (record.isSingleLine) return undefined;
  const number = clauseOfCell(record.id, undefined);
  const result = fieldOf(record, resultLabel);
  const owner = fieldOf(record, ownerLabel);
  const range = { start: record.start, end: record.end };
  if (number === undefined) {
    // A finding that names the control it is about.
    const [about] = findClauseNumbers(record.heads.join(' | '), bare === 'iso_27001');
    const isGraded =
      type === 'audit-report' && record.heads.some((each) => gradeOf(each, false) !== undefined && each.length < 40);
    return about === undefined || (owner === undefined && !isGraded)
      ? undefined
      : {
          framework: about.framework,
          clause: about.number,
          ...(isGraded ? { status: 'partial' as const } : {}),
          ...(owner === undefined ? {} : { owner }),
          range,
          isRegister: false,
        };
  }
  if (result === undefined && owner === undefined) return undefined;
  const status = result === undefined ? undefined : statusOfCell(result);
  const isException =
    type === 'soc-2-report' &&
    result !== undefined &&
    !noException.test(result) &&
    status !== 'implemented' &&
    status !== 'unknown';
  const statement = record.text.split(/(?<!\p{L})(?:Test|Result|Prüfung|Ergebnis|Owner|Prueba|Prova)\p{L}*\s?:/u)[0]!;
  const doer =
    owner ?? agentOf(statement, reading.language, { start: 0, end: 0 }) ?? subjectOf(statement, reading.language);
  const evidence = fieldOf(record, evidenceLabel);
  const known = isException ? 'partial' : status;
  return {
    framework: number.framework,
    clause: number.number,
    ...(known === undefined || known === 'unknown' ? {} : { status: known }),
    ...(doer === undefined ? {} : { owner: doer }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(isException ? { exception: result } : {}),
    range,
    isRegister: false,
  };
}

const bracketed = /[[(]([^\][]{3,160})[\])]\s{0,3}\.?\s{0,3}$/u;
const conform =
  /(?:control|controllo|contrôle|maßnahme|beheersmaatregel|clause|cláusula|klausel)?\s{0,3}\S{3,12}\s{1,3}(?:is |ist |est |es |è )?(?:conform\p{L}*|compliant|erfüllt|wirksam|effective|voldoet|eingehalten|satisfied)/iu;
const evidenceWords =
  /\((?:registro|evidencia|evidence|record|nachweis|preuve|enregistrement|evidenza|registrazione|bewijs|registratie|beleg|dokument)\s{1,3}([\p{L}\d][\p{L}\d ./-]{1,30})\)/iu;

/** Sentences of policies that end with the numbers they serve, and sentences of audits that call a control conforming. */
function proseControls({ reading, type, bare }: Context): RegisteredControl[] {
  const found: RegisteredControl[] = [];
  const { clauses, language } = reading;
  for (const [index, clause] of clauses.entries()) {
    if (clause.row !== undefined || isAside(clause)) continue;
    const bracket = type === 'audit-report' || type === 'soc-2-report' ? null : bracketed.exec(clause.text);
    const cited =
      bracket === null ? [] : findClauseNumbers(bracket[1]!).filter(({ framework }) => framework !== 'gdpr');
    if (bracket !== null && cited.length > 0 && isOnlyNumbers(bracket[1]!, cited)) {
      const stated = statementBefore(clauses, index, bracket.index);
      const owner =
        stated === undefined
          ? undefined
          : (subjectOf(stated, language) ?? agentOf(stated, language, { start: 0, end: 0 }));
      for (const { framework, number } of cited)
        found.push({
          framework,
          clause: number,
          ...(owner === undefined ? {} : { owner }),
          range: clause,
          isRegister: false,
        });
      continue;
    }
    if (type !== 'audit-report' || !conform.test(clause.text)) continue;
    const [number, ...more] = findClauseNumbers(clause.text, bare === 'iso_27001');
    if (
      number === undefined ||
      more.length > 0 ||
      /(?<!\p{L})(?:not|nicht|no|non|pas|niet)(?!\p{L})/iu.test(clause.text.slice(0, 60))
    )
      continue;
    const evidence = evidenceWords.exec(clause.text)?.[1] ?? evidenceBefore(clauses[index - 1], clause);
    found.push({
      framework: number.framework,
      clause: number.number,
      status: 'implemented',
      ...(evidence === undefined ? {} : { evidence }),
      range: clause,
      isRegister: false,
    });
  }
  return found;
}

function evidenceBefore(before: Clause | undefined, clause: Clause): string | undefined {
  return before !== undefined && before.block === clause.block ? evidenceWords.exec(before.text)?.[1] : undefined;
}

/** What stands in the brackets is the numbers with names of frameworks and marks. */
function isOnlyNumbers(text: string, numbers: readonly ClauseNumber[]): boolean {
  let rest = text;
  for (const { start, end } of [...numbers].reverse()) rest = rest.slice(0, start) + rest.slice(end);
  return !/\p{L}{2}/u.test(
    rest.replace(
      /(?<!\p{L})(?:ISO|IEC|Annex|Anhang|Annexe|Anexo|Allegato|Bijlage|TSC|SOC|HIPAA|CFR|NIST|CSF|BSI|Art|and|und|et|y|e|en|see|vgl|cf|Controls?|Maßnahmen?)(?!\p{L})/gu,
      '',
    ),
  );
}

/** The sentence that the brackets end, from its first clause; a bracket alone belongs to the sentence before. */
function statementBefore(clauses: readonly Clause[], index: number, bracketAt: number): string | undefined {
  const clause = clauses[index]!;
  if (clause.text.slice(0, bracketAt).trim().length > 4) return firstOf(clauses, index)?.text;
  const before = clauses[index - 1];
  return before === undefined || before.block !== clause.block ? undefined : firstOf(clauses, index - 1)?.text;
}

function firstOf(clauses: readonly Clause[], index: number): Clause | undefined {
  let first = index;
  while (first > 0 && clauses[first - 1]!.sentence === clauses[index]!.sentence) first -= 1;
  return clauses[first];
}
