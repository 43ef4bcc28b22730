/**
 * Which genuine machines are acceptable: authenticity says that a quote is true, a policy that what it says is wanted.
 * A policy means software: one that leaves MRTD, RTMR1 or RTMR2 open could not be checked, whatever else it names.
 * `policy-file.ts` reads policies.
 */
import { sameBytes, toHex } from '../base/bytes.ts';
import type { PckPlatform } from '../collateral/pck-extension.ts';
import type { TcbStatus } from '../collateral/tcb-info.ts';
import type { Quote } from '../quote/quote.ts';
import { attributeBits, tdAttribute } from '../quote/td-body.ts';
import { type Check, CheckList, type CheckText, refuse, type Step, type Verdict, verdictOf } from '../verify/checks.ts';
import type { QuoteVerification } from '../verify/verify-quote.ts';
import { openHardware, openRegisters, openSoftware, openStart } from './pinned-software.ts';

export const measurements = [
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
export type Measurement = (typeof measurements)[number];

/**
 * Measurements that belong together, 96 hexadecimal digits each; those not named may be anything, but RTMR3: see `Policy`.
 * A set without `mrTd`, `rtmr1` and `rtmr2` never verifies: see `pinned-software.ts`.
 */
export type MeasurementSet = Readonly<Partial<Record<Measurement, string>>>;

/** Attributes that a TD may have besides SEPT_VE_DISABLE, which it must have. */
export const optionalAttributes = ['pks', 'keyLocker', 'perfmon'] as const;
export type OptionalAttribute = (typeof optionalAttributes)[number];

export interface Policy {
  /**
   * One of these sets must fit in whole. `'any'` says that the caller does not care which software runs: then the verdict
   * is at best `could-not-check`.
   */
  readonly measurements: readonly MeasurementSet[] | 'any';
  /** Default: `UpToDate` only. `Revoked` cannot be allowed. */
  readonly tcbStatuses?: readonly TcbStatus[];
  /** Advisories that may be open. Default: none. */
  readonly advisories?: readonly string[] | 'any';
  /** Default: zero, which is what a start that does not extend it leaves. `'any'` where the caller replays its log. */
  readonly rtmr3?: 'zero' | 'any';
  /** The lowest tcbEvaluationDataNumber that Intel's collateral may carry. Default 0. */
  readonly tcbEvaluationMin?: number;
  /** How many days ago Intel may have issued the collateral. Default: as many as it is dated for, 30 in 2026. */
  readonly collateralAgeDaysMax?: number;
  /**
   * The lowest TEE_TCB_SVN, component by component: 32 hexadecimal digits, as the quote has them. It holds for TEE_TCB_SVN2
   * too, where the quote has one. Default: zeros; TCB statuses judge the versions.
   */
  readonly teeTcbSvnMin?: string;
  /** Families of processors: 12 hexadecimal digits each. Default: any. */
  readonly fmspcs?: readonly string[];
  /** PPIDs or platform instance ids of the PCK certificate, 32 hexadecimal digits each. Default: any. */
  readonly platformIds?: readonly string[];
  /** Values of XFAM, 16 hexadecimal digits each, as the quote has them. Default: any. */
  readonly xfam?: readonly string[];
  /** Exactly these must be on. Default: PKS and Key Locker may be, performance counters by `perfmonAllowed`. */
  readonly tdAttributes?: readonly OptionalAttribute[];
  /** Whether the TD may use performance counters, where `tdAttributes` does not say. Default false. */
  readonly perfmonAllowed?: boolean;
  /** Whether the host may read the memory. Default false: for developing only, and it makes all else worthless. */
  readonly debugAllowed?: boolean;
}

export const policyChecks = {
  'report-data': {
    title: 'The quote was made for this nonce and these keys',
    action: 'Do not send anything: the quote is replayed or the keys belong to somebody else.',
  },
  measurements: {
    title: 'The software measured is one that the policy names',
    action: "Compare the measurements with the operator's published ones; do not trust unknown ones.",
  },
  software: {
    title: 'The policy pins firmware, kernel and command line (MRTD, RTMR1, RTMR2)',
    action: 'Add the missing registers to the policy: `cloister measure` computes them from the image.',
  },
  hardware: {
    title: 'The policy pins the shape of the machine (RTMR0)',
    action: 'Add RTMR0: `cloister measure --event-log` computes it from a first boot.',
  },
  rtmr3: { title: 'RTMR3 is as the policy asks', action: "Replay the server's start log, or ask what extended it." },
  'tcb-status': { title: 'The TCB status is allowed', action: 'Ask the operator to update or configure the platform.' },
  advisories: { title: 'No advisory is open but those allowed', action: "Read Intel's advisory; allow it or wait." },
  'tcb-evaluation': { title: 'The collateral is recent enough', action: 'Fetch fresh collateral from Intel.' },
  'collateral-age': {
    title: 'The collateral is young enough',
    action: 'Fetch fresh collateral from Intel, or ask the operator why the server keeps old collateral.',
  },
  'tcb-svn': {
    title: 'TEE_TCB_SVN is not below the floor of the policy',
    action: 'Ask the operator to update the TDX module and the firmware.',
  },
  machine: {
    title: 'The processor is of a family, and the machine one, that the policy allows',
    action: 'Do not send anything: the virtual machine runs somewhere else than you want.',
  },
  xfam: { title: 'XFAM is one that the policy allows', action: 'Ask the operator which processor features are on.' },
  'exact-attributes': {
    title: 'PKS, Key Locker and performance counters are as the policy says',
    action: 'Ask the operator to start the virtual machine with exactly these attributes.',
  },
} as const satisfies Record<string, CheckText>;

export type PolicyCheckId = keyof typeof policyChecks;

/** A check whose absence spoils the verdict, or not: a failure always does. */
export interface JudgedCheck extends Check {
  readonly required: boolean;
}

export interface Judgement {
  readonly verdict: Verdict;
  /** Those of authenticity, then those of the policy. */
  readonly checks: readonly JudgedCheck[];
}

type PolicyChecks = CheckList<PolicyCheckId>;

/**
 * Judges a verified quote. Verified only where the quote is genuine, the policy means software and all it asks for holds.
 * @param expectedReportData 64 bytes: see `reportDataOf`; `'any'` where the caller compares them itself
 */
export async function judgeQuote(
  verification: QuoteVerification,
  policy: Policy,
  expectedReportData: Uint8Array | 'any',
): Promise<Judgement> {
  const checks: PolicyChecks = new CheckList(policyChecks);
  const { quote: parsed } = verification;
  const body: Step<Quote['body']> =
    parsed === undefined ? { id: 'quote-format' } : { id: 'quote-format', value: parsed.body };
  await checks.run('report-data', [body], ({ reportData }) => requireReportData(reportData, expectedReportData));
  await judgeSoftware(checks, body, policy);
  await judgeTcb(checks, verification, policy);
  await judgePlatform(checks, verification, policy);
  await judgeAttributes(checks, body, policy);
  const all: JudgedCheck[] = [
    ...verification.checks.map((check) => ({ ...waiveDebug(check, policy), required: true })),
    ...checks.all().map((check) => ({ ...check, required: check.id !== 'hardware' && !isStartWaived(check, policy) })),
  ];
  return { verdict: verdictOf(all), checks: all };
}

const dayMs = 86_400_000;

function requireYoung(ageMs: number | undefined, { collateralAgeDaysMax: daysMax }: Policy): string {
  if (ageMs === undefined) return refuse('its dates cannot be read');
  const days = (ageMs / dayMs).toFixed(1);
  if (daysMax !== undefined && ageMs > daysMax * dayMs) refuse(`it was issued ${days} days ago, ${daysMax} allowed`);
  return `issued ${days} days ago`;
}

function waiveDebug(check: Check, policy: Policy): Check {
  if (check.id !== 'td-debug' || check.outcome !== 'fail' || policy.debugAllowed !== true) return check;
  return { ...check, outcome: 'pass', reason: `${check.reason} (the policy allows it)` };
}

function isStartWaived({ id }: Check, { rtmr3 }: Policy): boolean {
  return id === 'rtmr3' && rtmr3 === 'any';
}

function requireReportData(actual: Uint8Array, expected: Uint8Array | 'any'): string {
  if (expected === 'any') return 'not compared: the caller does it';
  if (!sameBytes(actual, expected)) refuse(`expected ${toHex(expected)}, got ${toHex(actual)}`);
  return 'it is what was expected';
}

/** Which set fits, and what it leaves open. */
async function judgeSoftware(checks: PolicyChecks, body: Step<Quote['body']>, policy: Policy): Promise<void> {
  const { measurements: allowed } = policy;
  const fitting = body.value === undefined ? undefined : fittingSet(body.value, allowed);
  const fits = await checks.run('measurements', [body], (td) => {
    if (allowed === 'any') return 'the policy accepts any software';
    if (fitting !== undefined) return `set ${allowed.indexOf(fitting) + 1} of the policy`;
    return refuse(`none of the ${allowed.length} sets fits; MRTD is ${toHex(td.mrTd)}`);
  });
  const open = fitting === undefined ? [openSoftware] : openRegisters(fitting);
  if (fits.value !== undefined && open.length > 0) checks.skip('software', open.join('; '));
  else await checks.run('software', [fits], () => 'all three');
  if (fits.value !== undefined && fitting?.rtmr0 === undefined) checks.skip('hardware', openHardware);
  else await checks.run('hardware', [fits], () => 'it is pinned');
  const isNamed = fitting?.rtmr3 !== undefined;
  if (policy.rtmr3 === 'any' && !isNamed && body.value !== undefined) checks.skip('rtmr3', openStart);
  else
    await checks.run('rtmr3', [body], ({ rtmrs }) =>
      isNamed ? 'the set of the policy names it' : requireZero(rtmrs[3]),
    );
}

/** One that means software comes before one that does not. */
function fittingSet(body: Quote['body'], allowed: Policy['measurements']): MeasurementSet | undefined {
  if (allowed === 'any') return undefined;
  const actual = measurementsOf(body);
  const fitting = allowed.filter(
    (set) =>
      measurements.some((name) => set[name] !== undefined) &&
      measurements.every((name) => set[name] === undefined || set[name].toLowerCase() === actual[name]),
  );
  return fitting.find((set) => openRegisters(set).length === 0) ?? fitting[0];
}

function requireZero(rtmr3: Uint8Array): void {
  const digits = toHex(rtmr3);
  if (!/^0+$/.test(digits)) refuse(`it was extended: ${digits}`);
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

async function judgeTcb(checks: PolicyChecks, verification: QuoteVerification, policy: Policy): Promise<void> {
  const { tcb: combined, tcbEvaluationNumber, quote } = verification;
  const tcb = combined === undefined ? { id: 'tcb-not-revoked' } : { id: 'tcb-not-revoked', value: combined };
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
  await checks.run('collateral-age', [tcb], () => requireYoung(verification.collateralAgeMs, policy));
  const body = quote === undefined ? { id: 'quote-format' } : { id: 'quote-format', value: quote.body };
  await checks.run('tcb-svn', [body], ({ teeTcbSvn, teeTcbSvn2 }) => {
    const { teeTcbSvnMin: floor } = policy;
    if (floor === undefined) return 'the policy has no floor';
    for (const svn of teeTcbSvn2 === undefined ? [teeTcbSvn] : [teeTcbSvn, teeTcbSvn2]) {
      const low = svn.findIndex(
        (component, index) => component < Number.parseInt(floor.slice(2 * index, 2 * index + 2), 16),
      );
      if (low >= 0) refuse(`${toHex(svn)} is below ${floor} in component ${low}`);
    }
    return `at least ${floor}`;
  });
}

async function judgePlatform(
  checks: PolicyChecks,
  { platform: found }: QuoteVerification,
  { fmspcs, platformIds }: Policy,
): Promise<void> {
  const platform: Step<PckPlatform> = found === undefined ? { id: 'pck-chain' } : { id: 'pck-chain', value: found };
  await checks.run('machine', [platform], (pck) => {
    const fmspc = toHex(pck.fmspc);
    if (fmspcs !== undefined && !fmspcs.some((one) => one.toLowerCase() === fmspc)) {
      refuse(`its FMSPC is ${fmspc}; allowed: ${fmspcs.join(', ')}`);
    }
    const ids = platformIdsOf(pck);
    if (platformIds !== undefined && !platformIds.some((one) => ids.includes(one.toLowerCase()))) {
      refuse(`it is ${ids.join(' or ')}, which the policy does not name`);
    }
    return fmspcs === undefined && platformIds === undefined ? 'the policy allows any' : `FMSPC ${fmspc}`;
  });
}

/** What identifies one machine, lowercase hexadecimal: its PPID and, where its certificate has one, its instance id. */
export function platformIdsOf({ ppid, instanceId }: PckPlatform): string[] {
  return [ppid, instanceId].filter((id) => id !== undefined).map(toHex);
}

async function judgeAttributes(checks: PolicyChecks, body: Step<Quote['body']>, policy: Policy): Promise<void> {
  await checks.run('xfam', [body], ({ xfam }) => {
    const found = toHex(xfam);
    if (policy.xfam === undefined) return 'the policy allows any';
    if (!policy.xfam.some((one) => one.toLowerCase() === found))
      refuse(`it is ${found}; allowed: ${policy.xfam.join(', ')}`);
    return found;
  });
  await checks.run('exact-attributes', [body], ({ tdAttributes }) => {
    const on = optionalAttributesOf(tdAttributes);
    const text = on.length === 0 ? 'none is on' : `${on.join(', ')} on`;
    const { tdAttributes: exact, perfmonAllowed } = policy;
    if (exact === undefined && on.includes('perfmon') && perfmonAllowed !== true) refuse('performance counters are on');
    if (exact !== undefined && (on.length !== exact.length || !on.every((name) => exact.includes(name)))) {
      refuse(`${text}; the policy wants exactly: ${exact.join(', ') || 'none'}`);
    }
    return text;
  });
}

/** Those that are on, in the order of `optionalAttributes`. */
export function optionalAttributesOf(tdAttributes: Uint8Array): OptionalAttribute[] {
  const bits = attributeBits(tdAttributes);
  return optionalAttributes.filter((name) => bits.includes(tdAttribute[name]));
}
