/**
 * Which genuine machines are acceptable: authenticity says that a quote is true, a policy that what it says is wanted.
 * Nothing is acceptable by omission: what a policy does not mention has the strictest meaning.
 */
import { anyObjectOf, parseStrictJson } from './aci/strict-json.ts';
import { sameBytes, toHex } from './bytes.ts';
import { TCB_STATUSES, type TcbStatus } from './collateral/tcb-info.ts';
import { AttestationError } from './errors.ts';
import type { Quote } from './quote/quote.ts';
import { attributeBits, TD_ATTRIBUTE } from './quote/td-body.ts';
import { type Check, CheckList, type CheckText, refuse, type Verdict, verdictOf } from './verify/checks.ts';
import type { QuoteVerification } from './verify/verify-quote.ts';

export const MEASUREMENTS = [
  'mrTd',
  'rtmr0',
  'rtmr1',
  'rtmr2',
  'rtmr3',
  'mrSeam',
  'mrConfigId',
  'mrOwner',
  'mrOwnerConfig',
] as const;
export type Measurement = (typeof MEASUREMENTS)[number];

/** Measurements that belong together, 96 hexadecimal digits each; those not named may be anything, but RTMR3: see `Policy`. */
export type MeasurementSet = Readonly<Partial<Record<Measurement, string>>>;

export interface Policy {
  /** One of these sets must fit in whole; `'any'` says that the caller does not care which software runs. */
  readonly measurements: readonly MeasurementSet[] | 'any';
  /** Default: `UpToDate` only. `Revoked` cannot be allowed. */
  readonly tcbStatuses?: readonly TcbStatus[];
  /** Advisories that may be open. Default: none. */
  readonly advisories?: readonly string[] | 'any';
  /** Default: zero, which is what a start that does not extend it leaves. `'any'` where the caller replays its log. */
  readonly rtmr3?: 'zero' | 'any';
  /** The lowest number of Intel's TCB evaluations that collateral may carry. Default 0. */
  readonly tcbEvaluationMin?: number;
  /** Whether the TD may use performance counters. Default false. */
  readonly perfmonAllowed?: boolean;
  /** Whether the host may read the memory. Default false: for developing only, and it makes all else worthless. */
  readonly debugAllowed?: boolean;
}

export const POLICY_CHECKS = {
  'report-data': {
    title: 'The quote was made for this nonce and these keys',
    action: 'Do not send anything: the quote is replayed or the keys belong to somebody else.',
  },
  measurements: {
    title: 'The software measured is one that the policy names',
    action: "Compare the measurements with the operator's published ones; do not trust unknown ones.",
  },
  rtmr3: { title: 'RTMR3 is as the policy asks', action: "Replay the server's start log, or ask what extended it." },
  'tcb-status': { title: 'The TCB status is allowed', action: 'Ask the operator to update or configure the platform.' },
  advisories: { title: 'No advisory is open but those allowed', action: "Read Intel's advisory; allow it or wait." },
  'tcb-evaluation': { title: 'The collateral is recent enough', action: 'Fetch fresh collateral from Intel.' },
  perfmon: { title: 'Performance counters are off, or allowed', action: 'Ask the operator to switch them off.' },
} as const satisfies Record<string, CheckText>;

export type PolicyCheckId = keyof typeof POLICY_CHECKS;

export interface Judgement {
  readonly verdict: Verdict;
  /** Those of authenticity, then those of the policy. */
  readonly checks: readonly Check[];
}

/**
 * Judges a verified quote. Verified only where the quote is genuine and every wish of the policy holds.
 * @param expectedReportData 64 bytes: see `reportDataOf`; `'any'` where the caller compares them itself
 */
export async function judgeQuote(
  verification: QuoteVerification,
  policy: Policy,
  expectedReportData: Uint8Array | 'any',
): Promise<Judgement> {
  const checks = new CheckList(POLICY_CHECKS);
  const { quote: parsed, tcb: combined, tcbEvaluationNumber } = verification;
  const quote = parsed === undefined ? { id: 'quote-format' } : { id: 'quote-format', value: parsed };
  const tcb = combined === undefined ? { id: 'tcb-not-revoked' } : { id: 'tcb-not-revoked', value: combined };
  await checks.run('report-data', [quote], ({ body }) => requireReportData(body.reportData, expectedReportData));
  await checks.run('measurements', [quote], ({ body }) => requireMeasurements(body, policy.measurements));
  await checks.run('rtmr3', [quote], ({ body }) => requireRtmr3(body, policy));
  await checks.run('tcb-status', [tcb], ({ status }) => {
    const allowed = policy.tcbStatuses ?? ['UpToDate'];
    if (status === 'Revoked' || !allowed.includes(status)) refuse(`it is ${status}; allowed: ${allowed.join(', ')}`);
  });
  await checks.run('advisories', [tcb], ({ advisories }) => {
    const open = policy.advisories === 'any' ? [] : advisories.filter((id) => !policy.advisories?.includes(id));
    if (open.length > 0) refuse(`open: ${open.join(', ')}`);
  });
  await checks.run('tcb-evaluation', [tcb], () => {
    const min = policy.tcbEvaluationMin ?? 0;
    if (tcbEvaluationNumber === undefined || tcbEvaluationNumber < min) refuse(`${tcbEvaluationNumber}, ${min} asked`);
  });
  await checks.run('perfmon', [quote], ({ body }) => {
    const isOn = attributeBits(body.tdAttributes).includes(TD_ATTRIBUTE.perfmon);
    if (isOn && policy.perfmonAllowed !== true) refuse('performance counters are on');
  });
  const all: Check[] = [...verification.checks.map((check) => waiveDebug(check, policy)), ...checks.all()];
  return { verdict: verdictOf(all), checks: all };
}

function waiveDebug(check: Check, policy: Policy): Check {
  if (check.id !== 'td-debug' || check.outcome !== 'fail' || policy.debugAllowed !== true) return check;
  return { ...check, outcome: 'pass', reason: `${check.reason} (the policy allows it)` };
}

function requireReportData(actual: Uint8Array, expected: Uint8Array | 'any'): string {
  if (expected === 'any') return 'not compared: the caller does it';
  if (!sameBytes(actual, expected)) refuse(`expected ${toHex(expected)}, got ${toHex(actual)}`);
  return 'it is what was expected';
}

function requireMeasurements(body: Quote['body'], allowed: Policy['measurements']): string {
  if (allowed === 'any') return 'the policy accepts any software';
  const actual = measurementsOf(body);
  const fits = (set: MeasurementSet) =>
    MEASUREMENTS.some((name) => set[name] !== undefined) &&
    MEASUREMENTS.every((name) => set[name] === undefined || set[name].toLowerCase() === actual[name]);
  const index = allowed.findIndex(fits);
  if (index >= 0) return `set ${index + 1} of the policy`;
  return refuse(`none of the ${allowed.length} sets fits; MRTD is ${actual.mrTd}`);
}

/** The measurements of a TD in the form that policies have. */
export function measurementsOf(body: Quote['body']): Readonly<Record<Measurement, string>> {
  const [rtmr0, rtmr1, rtmr2, rtmr3] = body.rtmrs.map(toHex) as [string, string, string, string];
  return {
    mrTd: toHex(body.mrTd),
    rtmr0,
    rtmr1,
    rtmr2,
    rtmr3,
    mrSeam: toHex(body.mrSeam),
    mrConfigId: toHex(body.mrConfigId),
    mrOwner: toHex(body.mrOwner),
    mrOwnerConfig: toHex(body.mrOwnerConfig),
  };
}

/** A set that names RTMR3 has judged it already. */
function requireRtmr3(body: Quote['body'], policy: Policy): void {
  const { rtmr3 } = measurementsOf(body);
  const isNamed = policy.measurements !== 'any' && policy.measurements.every((set) => set.rtmr3 !== undefined);
  if (policy.rtmr3 === 'any' || isNamed || /^0+$/.test(rtmr3)) return;
  refuse(`it was extended: ${rtmr3}`);
}

/** More than any policy that names hundreds of images. */
const policyCharactersMax = 4 * 1024 * 1024;

/**
 * A policy file: JSON of `Policy`; unknown members are refused, so that a misspelt one does not pass for a wish.
 * @throws {AttestationError} ERR_POLICY_MALFORMED
 */
export function parsePolicy(text: string): Policy {
  return policyOf(parsePolicyObject(text));
}

/** @throws {AttestationError} ERR_POLICY_MALFORMED */
export function parsePolicyObject(text: string): Readonly<Record<string, unknown>> {
  try {
    // A wish that stands twice would let two readers of the file take it for two policies.
    return anyObjectOf(parseStrictJson(text, { what: 'the policy', charactersMax: policyCharactersMax }), 'the policy');
  } catch (cause) {
    throw new AttestationError('ERR_POLICY_MALFORMED', (cause as Error).message, { cause });
  }
}

/** The same object, once every member was checked. @throws {AttestationError} ERR_POLICY_MALFORMED */
export function policyOf(members: Readonly<Record<string, unknown>>): Policy {
  for (const name of Object.keys(members)) {
    if (!Object.hasOwn(MEMBERS, name)) throw malformed(`a policy has no member ${name}`);
    const { is, expected } = MEMBERS[name as keyof Policy];
    if (!is(members[name])) throw malformed(`${name} must be ${expected}`);
  }
  if (members.measurements === undefined) throw malformed('measurements is missing: name sets, or "any"');
  return members as unknown as Policy;
}

const isTextList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
const isFlag = (value: unknown) => typeof value === 'boolean';

const MEMBERS: Readonly<Record<keyof Policy, { is: (value: unknown) => boolean; expected: string }>> = {
  measurements: {
    is: (value) => value === 'any' || (Array.isArray(value) && value.length > 0 && value.every(isMeasurementSet)),
    expected: `"any" or a list of sets of ${MEASUREMENTS.join(', ')} with 96 hexadecimal digits each`,
  },
  tcbStatuses: {
    is: (value) => isTextList(value) && value.every((one) => one !== 'Revoked' && TCB_STATUSES.some((s) => s === one)),
    expected: `a list of ${TCB_STATUSES.filter((status) => status !== 'Revoked').join(', ')}`,
  },
  advisories: { is: (value) => value === 'any' || isTextList(value), expected: '"any" or a list of INTEL-SA numbers' },
  rtmr3: { is: (value) => value === 'any' || value === 'zero', expected: '"any" or "zero"' },
  tcbEvaluationMin: { is: (value) => Number.isInteger(value) && (value as number) >= 0, expected: 'an integer' },
  perfmonAllowed: { is: isFlag, expected: 'true or false' },
  debugAllowed: { is: isFlag, expected: 'true or false' },
};

function isMeasurementSet(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const entries = Object.entries(value);
  return (
    entries.length > 0 &&
    entries.every(
      ([name, digits]) =>
        MEASUREMENTS.some((known) => known === name) && typeof digits === 'string' && /^[0-9a-fA-F]{96}$/.test(digits),
    )
  );
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_POLICY_MALFORMED', message);
}
