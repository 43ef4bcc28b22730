/** The text output: a table of every check, an explanation of those that did not pass, and one verdict. Pure. */
import type { EvidenceCheck } from '../client/verification.ts';
import type { Check, Verdict } from '../verify/checks.ts';

const outcomes = { pass: 'pass', fail: 'FAIL', 'not-checked': 'not checked' } as const;
const verdicts = {
  verified: 'VERIFIED',
  'not-verified': 'NOT VERIFIED',
  'could-not-check': 'COULD NOT CHECK',
} as const;
const reasonCharactersMax = 100;

/** Aligned columns: result, check, finding. Long findings are truncated here and printed in full by `explainChecks`. */
export function checkTable(checks: readonly Check[]): string {
  const rows = [['RESULT', 'CHECK', 'FOUND'], ...checks.map(rowOf)];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map(([result, check, found]) => `${result!.padEnd(widths[0]!)}  ${check!.padEnd(widths[1]!)}  ${found}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('');
}

function rowOf({ outcome, title, reason }: Check): string[] {
  const short = reason.length > reasonCharactersMax ? `${reason.slice(0, reasonCharactersMax - 1)}…` : reason;
  return [outcomes[outcome], title, short === 'it holds' ? '' : printable(short)];
}

/**
 * The full reason of each check that did not pass, and the advice for it. Omits optional checks, and checks that did not run only
 * because another failed.
 */
export function explainChecks(checks: readonly EvidenceCheck[]): string {
  return checks
    .filter(({ outcome, required }) => outcome === 'fail' || (outcome === 'not-checked' && required))
    .filter(({ reason }) => !reason.startsWith('it depends on "'))
    .map(({ outcome, title, reason, action }) =>
      [`${outcomes[outcome]}: ${title}`, `  ${printable(reason)}`, `  → ${action}`, ''].join('\n'),
    )
    .map((text) => `${text}\n`)
    .join('');
}

/** One line. @param note a warning next to the verdict, for example that a simulation was verified */
export function verdictLine(verdict: Verdict, checks: readonly Check[], note = ''): string {
  const count = (outcome: Check['outcome']) => checks.filter((check) => check.outcome === outcome).length;
  const parts = [`${count('pass')} passed`, `${count('fail')} failed`, `${count('not-checked')} not checked`];
  return `${verdicts[verdict]}${note === '' ? '' : ` (${note})`}: ${parts.join(', ')}\n`;
}

/** Escapes control characters, because evidence is untrusted and a terminal would interpret them. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
