/**
 * Judges whether a genuine quote is acceptable. A policy must pin the software: with MRTD, RTMR1 or RTMR2 open, the verdict is at best
 * `could-not-check`. `policy-file.ts` parses policies.
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
 * Measurements that must match together, 96 hexadecimal digits each. Registers not named may have any value, except RTMR3: see `Policy`.
 * A set without `mrTd`, `rtmr1` and `rtmr2` never leads to `verified`: see `pinned-software.ts`.
 */
export type MeasurementSet = Readonly<Partial<Record<Measurement, string>>>;

/** The TD attributes that may be on in addition to SEPT_VE_DISABLE, which must be on. */
export const optionalAttributes = ['pks', 'keyLocker', 'perfmon'] as const;
export type OptionalAttribute = (typeof optionalAttributes)[number];

export interface Policy {
  /** One of these sets must match completely. `'any'` accepts any software, so that the verdict is at best `could-not-check`. */
  readonly measurements: readonly MeasurementSet[] | 'any';
  /** Allowed TCB statuses. Default: `UpToDate`. `Revoked` cannot be allowed. */
  readonly tcbStatuses?: readonly TcbStatus[];
  /** Allowed open advisories. Default: none. */
  readonly advisories?: readonly string[] | 'any';
  /** Default `'zero'`, the value of a start that does not extend it. `'any'` if the caller replays the start log. */
  readonly rtmr3?: 'zero' | 'any';
  /** Minimum tcbEvaluationDataNumber of Intel's collateral. Default 0. */
  readonly tcbEvaluationMin?: number;
  /** Maximum age of Intel's collateral in days. Default: until the documents expire, 30 days in 2026. */
  readonly collateralAgeDaysMax?: number;
  /**
   * Minimum of each component of TEE_TCB_SVN, and of TEE_TCB_SVN2 if the quote has it: 32 hexadecimal digits in the quote's byte order.
   * Default: zeros, which leave the judgement to the TCB status.
   */
  readonly teeTcbSvnMin?: string;
  /** Processor families (FMSPC), 12 hexadecimal digits each. Default: any. */
  readonly fmspcs?: readonly string[];
  /** PPIDs or platform instance ids of the PCK certificate, 32 hexadecimal digits each. Default: any. */
  readonly platformIds?: readonly string[];
  /** XFAM values, 16 hexadecimal digits each, in the quote's byte order. Default: any. */
  readonly xfam?: readonly string[];
  /** The exact attributes that are on. Default: PKS and Key Locker on or off, performance counters as in `perfmonAllowed`. */
  readonly tdAttributes?: readonly OptionalAttribute[];
  /** Whether performance counters may be on, without `tdAttributes`. Default false. */
  readonly perfmonAllowed?: boolean;
  /** Whether the debug attribute may be on, with which the host reads the memory. For development only. Default false. */
  readonly debugAllowed?: boolean;
}

export const policyChecks = {
  'report-data': {
    title: 'The quote was made for this nonce and these keys',
    action: 'Do not send anything: the quote is replayed, or the keys belong to another server.',
  },
  measurements: {
    title: 'The measured software is in the policy',
    action: "Compare the measurements with the operator's published ones; do not trust unknown ones.",
  },
  software: {
    title: 'The policy pins firmware, kernel and command line (MRTD, RTMR1, RTMR2)',
    action: 'Add the missing registers to the policy: `cloister measure` computes them from the image.',
  },
  hardware: {
    title: 'The policy pins the virtual hardware (RTMR0)',
    action: 'Add RTMR0: `cloister measure --event-log` computes it from a first boot.',
  },
  rtmr3: {
    title: 'RTMR3 has the value that the policy requires',
    action: "Replay the server's start log, or ask the operator what extended it.",
  },
  'tcb-status': { title: 'The TCB status is allowed', action: 'Ask the operator to update or configure the platform.' },
  advisories: {
    title: 'Every open advisory is allowed',
    action: "Read Intel's advisory; allow it, or wait for the update.",
  },
  'tcb-evaluation': { title: 'The collateral is recent enough', action: 'Fetch fresh collateral from Intel.' },
  'collateral-age': {
    title: 'The collateral is not older than the policy allows',
    action: 'Fetch fresh collateral from Intel, or ask the operator why the server keeps old collateral.',
  },
  'tcb-svn': {
    title: 'TEE_TCB_SVN reaches the minimum of the policy',
    action: 'Ask the operator to update the TDX module and the firmware.',
  },
  machine: {
    title: 'The policy allows the processor family and the machine',
    action: 'Do not send anything: the virtual machine runs on a machine that the policy does not allow.',
  },
  xfam: { title: 'The policy allows the value of XFAM', action: 'Ask the operator which processor features are on.' },
  'exact-attributes': {
    title: 'PKS, Key Locker and performance counters match the policy',
    action: 'Ask the operator to start the virtual machine with exactly these attributes.',
  },
} as const satisfies Record<string, CheckText>;

export type PolicyCheckId = keyof typeof policyChecks;

/** A check and whether the verdict requires it to pass. A failure always prevents `verified`. */
export interface JudgedCheck extends Check {
  readonly required: boolean;
}

export interface Judgement {
  readonly verdict: Verdict;
  /** The quote's checks, then the policy's. */
  readonly checks: readonly JudgedCheck[];
}

type PolicyChecks = CheckList<PolicyCheckId>;

/**
 * Judges a verified quote. The verdict is `verified` only if the quote is genuine, the policy pins the software and all its requirements
 * are met.
 * @param expectedReportData 64 bytes: see `reportDataOf`; `'any'` if the caller compares the report data
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
  if (ageMs === undefined) return refuse('the dates of the collateral are malformed');
  const days = (ageMs / dayMs).toFixed(1);
  if (daysMax !== undefined && ageMs > daysMax * dayMs) refuse(`issued ${days} days ago, at most ${daysMax} allowed`);
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
  if (expected === 'any') return 'not compared here: the caller compares it';
  if (!sameBytes(actual, expected)) refuse(`expected ${toHex(expected)}, got ${toHex(actual)}`);
  return 'as expected';
}

/** Finds the matching set and the registers that it leaves open. */
async function judgeSoftware(checks: PolicyChecks, body: Step<Quote['body']>, policy: Policy): Promise<void> {
  const { measurements: allowed } = policy;
  const matching = body.value === undefined ? undefined : matchingSet(body.value, allowed);
  const fits = await checks.run('measurements', [body], (td) => {
    if (allowed === 'any') return 'the policy accepts any software';
    if (matching !== undefined) return `set ${allowed.indexOf(matching) + 1} of the policy`;
    return refuse(`none of the ${allowed.length} sets matches; MRTD is ${toHex(td.mrTd)}`);
  });
  const open = matching === undefined ? [openSoftware] : openRegisters(matching);
  if (fits.value !== undefined && open.length > 0) checks.skip('software', open.join('; '));
  else await checks.run('software', [fits], () => 'all three are pinned');
  if (fits.value !== undefined && matching?.rtmr0 === undefined) checks.skip('hardware', openHardware);
  else await checks.run('hardware', [fits], () => 'RTMR0 is pinned');
  const isNamed = matching?.rtmr3 !== undefined;
  if (policy.rtmr3 === 'any' && !isNamed && body.value !== undefined) checks.skip('rtmr3', openStart);
  else
    await checks.run('rtmr3', [body], ({ rtmrs }) => (isNamed ? 'pinned by the matching set' : requireZero(rtmrs[3])));
}

/** Prefers a matching set that pins the software. */
function matchingSet(body: Quote['body'], allowed: Policy['measurements']): MeasurementSet | undefined {
  if (allowed === 'any') return undefined;
  const actual = measurementsOf(body);
  const matching = allowed.filter(
    (set) =>
      measurements.some((name) => set[name] !== undefined) &&
      measurements.every((name) => set[name] === undefined || set[name].toLowerCase() === actual[name]),
  );
  return matching.find((set) => openRegisters(set).length === 0) ?? matching[0];
}

function requireZero(rtmr3: Uint8Array): void {
  const digits = toHex(rtmr3);
  if (!/^0+$/.test(digits)) refuse(`RTMR3 was extended: ${digits}`);
}

/** The measurements of a TD in the policy's format. */
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
    if (tcbEvaluationNumber === undefined || tcbEvaluationNumber < min)
      refuse(`the TCB evaluation number is ${tcbEvaluationNumber}, the policy requires at least ${min}`);
  });
  await checks.run('collateral-age', [tcb], () => requireYoung(verification.collateralAgeMs, policy));
  const body = quote === undefined ? { id: 'quote-format' } : { id: 'quote-format', value: quote.body };
  await checks.run('tcb-svn', [body], ({ teeTcbSvn, teeTcbSvn2 }) => {
    const { teeTcbSvnMin: floor } = policy;
    if (floor === undefined) return 'the policy has no minimum';
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
      refuse(`the FMSPC is ${fmspc}; allowed: ${fmspcs.join(', ')}`);
    }
    const ids = platformIdsOf(pck);
    if (platformIds !== undefined && !platformIds.some((one) => ids.includes(one.toLowerCase()))) {
      refuse(`the platform id is ${ids.join(' or ')}, which the policy does not allow`);
    }
    return fmspcs === undefined && platformIds === undefined ? 'the policy allows any' : `FMSPC ${fmspc}`;
  });
}

/** The identifiers of one machine, lowercase hexadecimal: its PPID and, if the certificate has one, its platform instance id. */
export function platformIdsOf({ ppid, instanceId }: PckPlatform): string[] {
  return [ppid, instanceId].filter((id) => id !== undefined).map(toHex);
}

async function judgeAttributes(checks: PolicyChecks, body: Step<Quote['body']>, policy: Policy): Promise<void> {
  await checks.run('xfam', [body], ({ xfam }) => {
    const found = toHex(xfam);
    if (policy.xfam === undefined) return 'the policy allows any';
    if (!policy.xfam.some((one) => one.toLowerCase() === found))
      refuse(`XFAM is ${found}; allowed: ${policy.xfam.join(', ')}`);
    return found;
  });
  await checks.run('exact-attributes', [body], ({ tdAttributes }) => {
    const on = optionalAttributesOf(tdAttributes);
    const text = on.length === 0 ? 'all are off' : `${on.join(', ')} on`;
    const { tdAttributes: exact, perfmonAllowed } = policy;
    if (exact === undefined && on.includes('perfmon') && perfmonAllowed !== true) refuse('performance counters are on');
    if (exact !== undefined && (on.length !== exact.length || !on.every((name) => exact.includes(name)))) {
      refuse(`${text}; the policy requires exactly: ${exact.join(', ') || 'none'}`);
    }
    return text;
  });
}

/** The attributes that are on, in the order of `optionalAttributes`. */
export function optionalAttributesOf(tdAttributes: Uint8Array): OptionalAttribute[] {
  const bits = attributeBits(tdAttributes);
  return optionalAttributes.filter((name) => bits.includes(tdAttribute[name]));
}
