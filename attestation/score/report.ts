/** A score as text, and as JSON in the format of teep's reports. Pure. */
import type { Measurement } from '../policy/policy.ts';
import type { Verdict } from '../verify/checks.ts';
import type { FactorResult, FactorStatus } from './score.ts';

export interface ScoreHeader {
  /** The origin or path that was scored, as given. */
  readonly source: string;
  /** The models that were measured at the start. */
  readonly models: readonly string[];
  readonly atMs: number;
  readonly verdict: Verdict;
  readonly simulated: boolean;
  readonly nonce: string | undefined;
  readonly measurements: Readonly<Record<Measurement, string>> | undefined;
  readonly keysetDigest: string | undefined;
}

/** teep writes the status as a number. */
const statusNumbers = { pass: 0, fail: 1, skip: 2, 'not-applicable': 3 } as const;
const statusWords = { pass: 'PASS', fail: 'FAIL', skip: 'SKIP', 'not-applicable': 'N/A' } as const;

export interface ScoreJson {
  readonly title: string;
  readonly provider: string;
  readonly model: string;
  readonly timestamp: string;
  readonly factors: readonly {
    readonly name: string;
    readonly status: 0 | 1 | 2 | 3;
    readonly detail: string;
    readonly enforced: boolean;
    readonly tier: string;
  }[];
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly enforced_failed: number;
  readonly allowed_failed: number;
  readonly not_applicable: number;
  readonly metadata: Readonly<Record<string, string>>;
}

/** teep's `VerificationReport`. Facts without their own member are in `metadata`. */
export function scoreJson(header: ScoreHeader, factors: readonly FactorResult[]): ScoreJson {
  const failed = factors.filter(({ status }) => status === 'fail');
  return {
    title: header.simulated ? 'Attestation Report (SIMULATED: proves nothing about hardware)' : 'Attestation Report',
    provider: header.source,
    model: header.models.join(', '),
    timestamp: new Date(header.atMs).toISOString(),
    factors: factors.map(({ name, status, detail, enforced, tier }) => ({
      ...{ name, status: statusNumbers[status], detail, enforced, tier },
    })),
    passed: countOf(factors, 'pass'),
    failed: failed.length,
    skipped: countOf(factors, 'skip'),
    enforced_failed: failed.filter(({ enforced }) => enforced).length,
    allowed_failed: failed.filter(({ enforced }) => !enforced).length,
    not_applicable: countOf(factors, 'not-applicable'),
    metadata: metadataOf(header),
  };
}

/** One line per factor, grouped by tier, the advice for failed factors, and the total. */
export function scoreText(header: ScoreHeader, factors: readonly FactorResult[]): string {
  const { title, provider, model, timestamp, metadata } = scoreJson(header, factors);
  const facts = [['evidence of', provider], ['scored at', timestamp], ...(model === '' ? [] : [['model', model]])];
  const width = Math.max(...factors.map(({ name }) => name.length));
  const line = ({ name, status, detail }: FactorResult) =>
    `  ${statusWords[status].padEnd(4)}  ${name.padEnd(width)}  ${detail}`;
  const tiers = [...new Set(factors.map(({ tier }) => tier))].map((tier) => {
    const own = factors.filter((factor) => factor.tier === tier);
    const [first] = own;
    const isOne = own.every(({ status, detail }) => status === first!.status && detail === first!.detail);
    return [tier, ...(isOne ? [line({ ...first!, name: `all ${own.length}` })] : own.map(line))].join('\n');
  });
  const remedies = factors.filter(({ remedy }) => remedy !== undefined);
  return [
    [title, ...facts.map(([label, value]) => `${label!.padEnd(12)}${value}`)].join('\n'),
    ...tiers,
    ...(remedies.length === 0 ? [] : [remedyText(remedies)]),
    `${scoreLine(factors)}; cloister verify: ${metadata.verdict}\n`,
  ].join('\n\n');
}

/** Like teep, excludes factors that do not apply from both numbers. */
export function scoreLine(factors: readonly FactorResult[]): string {
  const [passed, failed, skipped] = [countOf(factors, 'pass'), countOf(factors, 'fail'), countOf(factors, 'skip')];
  const absent = countOf(factors, 'not-applicable');
  return `Score: ${passed}/${passed + failed + skipped} passed, ${skipped} skipped, ${failed} failed, ${absent} n/a`;
}

function remedyText(factors: readonly FactorResult[]): string {
  return ['What would make them pass', ...factors.map(({ name, remedy }) => `  ${name}: ${remedy}`)].join('\n');
}

function countOf(factors: readonly FactorResult[], status: FactorStatus): number {
  return factors.filter((factor) => factor.status === status).length;
}

function metadataOf({ verdict, simulated, nonce, measurements, keysetDigest }: ScoreHeader): Record<string, string> {
  const { mrSeam, mrTd, rtmr0, rtmr1, rtmr2, rtmr3 } = measurements ?? ({} as Partial<Record<Measurement, string>>);
  const members: [string, string | undefined][] = [
    ['hardware', measurements === undefined ? undefined : simulated ? 'simulated' : 'intel-tdx'],
    ['verdict', verdict],
    ['nonce', nonce],
    ['keyset_digest', keysetDigest],
    ...Object.entries({ mrseam: mrSeam, mrtd: mrTd, rtmr0, rtmr1, rtmr2, rtmr3 }),
  ];
  return Object.fromEntries(members.filter((member): member is [string, string] => member[1] !== undefined));
}
