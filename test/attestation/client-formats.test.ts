/** Strict parsing of policies and bundles, which tenants write and store, and the display of findings. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { checkTable, explainChecks, printable, verdictLine } from '../../attestation/cli/check-table.ts';
import { attestedFetch } from '../../attestation/client/attested-fetch.ts';
import { type Bundle, formatBundle, parseBundle } from '../../attestation/client/bundle.ts';
import { requireAttestedKey } from '../../attestation/client/channel.ts';
import { sealedFetch } from '../../attestation/client/sealed-fetch.ts';
import { blockingCheck, type EvidenceCheck } from '../../attestation/client/verification.ts';
import {
  type EvidencePolicy,
  parseEvidencePolicy,
  requireEvidencePolicy,
} from '../../attestation/policy/evidence-policy.ts';
import { createSimulatedPlatform } from '../../attestation/simulate/platform.ts';
import { verdictOf } from '../../attestation/verify/checks.ts';

describe('the policy table of attestation/PACKAGE.md', () => {
  const members = {
    measurements: 1,
    rtmr3: 1,
    tcbStatuses: 1,
    advisories: 1,
    tcbEvaluationMin: 1,
    collateralAgeDaysMax: 1,
    teeTcbSvnMin: 1,
    fmspcs: 1,
    platformIds: 1,
    xfam: 1,
    tdAttributes: 1,
    perfmonAllowed: 1,
    debugAllowed: 1,
    sources: 1,
    started: 1,
    gpuRequired: 1,
    gpuMeasurements: 1,
    gpuModes: 1,
    gpuDriverMin: 1,
    gpuVbiosMin: 1,
    channel: 1,
  } satisfies Record<keyof EvidencePolicy, 1>;

  it('lists every member with its default', () => {
    const page = readFileSync(new URL('../../attestation/PACKAGE.md', import.meta.url), 'utf8');
    const [, table] = /\| member \| meaning \| default \|\n\|[-|]+\n((?:\|.*\n)+)/.exec(page)!;
    const rows = [...table!.matchAll(/^\| `(\w+)` \| (.+) \| (.+) \|$/gm)];
    expect(rows.map(([, name]) => name).sort()).toEqual(Object.keys(members).sort());
    for (const name of Object.keys(members)) {
      const wrong = JSON.stringify({ measurements: 'any', [name]: { wrong: 1 } });
      expect(() => parseEvidencePolicy(wrong)).toThrow(new RegExp(`^${name} must`));
    }
  });
});

describe('parseEvidencePolicy', () => {
  it('parses requirements for quotes and for servers from one file', () => {
    const policy = {
      measurements: [{ mrTd: 'ab'.repeat(48) }],
      sources: [{ repoUrl: 'https://example.org', repoCommit: 'c0ffee' }, { imageDigest: 'sha256:00' }],
      started: { 'cloister.model': ['sha256:00', '{}'] },
      gpuRequired: true,
      gpuMeasurements: 'published',
      gpuModes: ['multi'],
      tcbStatuses: ['UpToDate', 'SWHardeningNeeded'],
    };
    expect(parseEvidencePolicy(JSON.stringify(policy))).toEqual(policy);
  });

  it.each([
    ['{', /must be JSON/],
    ['[]', /must be an object/],
    ['{"measurements":"any","gpuRequired":true,"gpuRequired":false}', /free of duplicate members/],
    ['{"measurements":"any","started":{"a":["b"],"\\u0061":["c"]}}', /free of duplicate members/],
    ['{"sources":"any"}', /measurements is missing/],
    ['{"measurements":"any","source":"any"}', /no member source/],
    ['{"measurements":"any","sources":[]}', /sources must be/],
    ['{"measurements":"any","sources":[{}]}', /sources must be/],
    ['{"measurements":"any","sources":[{"commit":"x"}]}', /sources must be/],
    ['{"measurements":"any","started":[]}', /started must name/],
    ['{"measurements":"any","started":{"a":[]}}', /started must name/],
    ['{"measurements":"any","started":{"a":"b"}}', /started must name/],
    ['{"measurements":"any","gpuRequired":1}', /gpuRequired must be true or false/],
    ['{"measurements":"any","gpuMeasurements":"none"}', /gpuMeasurements must be/],
    ['{"measurements":"any","gpuModes":["off"]}', /gpuModes must be/],
    ['{"measurements":"any","gpuDriverMin":570}', /gpuDriverMin must be a version/],
    ['{"measurements":"any","gpuDriverMin":"570.x"}', /gpuDriverMin must be a version/],
    ['{"measurements":"any","gpuVbiosMin":"96..00"}', /gpuVbiosMin must be a version/],
  ])('rejects %s', (text, reason) => {
    expect(() => parseEvidencePolicy(text)).toThrow(reason);
    expect(() => parseEvidencePolicy(text)).toThrow(expect.objectContaining({ code: 'ERR_POLICY_MALFORMED' }));
  });
});

describe('a policy built by a program', () => {
  const write = (members: object) => () => requireEvidencePolicy(members as EvidencePolicy);

  it.each<[string, object, RegExp]>([
    ['a misspelt wish', { measurements: 'any', gpuRequird: true }, /no member gpuRequird/],
    ['a text where a flag belongs', { measurements: 'any', gpuRequired: 'true' }, /gpuRequired must be/],
    ['no measurements', { measurements: undefined }, /measurements is missing/],
    ['sets without one', { measurements: [] }, /measurements must be/],
  ])('is rejected with %s', (_, members, reason) => {
    expect(write(members)).toThrow(reason);
    expect(() => attestedFetch(members as EvidencePolicy)).toThrow(reason);
    expect(() => sealedFetch(members as EvidencePolicy)).toThrow(reason);
  });

  it('ignores undefined members, and copies the policy', () => {
    const sources = [{ repoCommit: 'c0ffee' }];
    const policy = requireEvidencePolicy({ measurements: 'any', sources, gpuRequired: undefined } as never);
    sources[0]!.repoCommit = 'other';
    expect(policy).toEqual({ measurements: 'any', sources: [{ repoCommit: 'c0ffee' }] });
  });
});

const compact = (text: string) => JSON.stringify(JSON.parse(text));

describe('bundles', () => {
  const bundle: Bundle = {
    takenAtMs: Date.UTC(2026, 10, 21, 12),
    nonce: '5e'.repeat(32),
    source: 'https://localhost',
    observed: { host: 'localhost', spkiSha256: 'ab'.repeat(32) },
    report: '{"a":"ü\\n"}',
    collateral: undefined,
    gpuReference: undefined,
  };

  it('are parsed as they were formatted, with and without optional members', async () => {
    const { collateral } = await createSimulatedPlatform(Date.now());
    const gpuReference = { driverRim: Uint8Array.of(1), vbiosRim: undefined, ocspResponses: [Uint8Array.of(2, 3)] };
    for (const one of [bundle, { ...bundle, nonce: undefined, observed: undefined, collateral, gpuReference }]) {
      expect(parseBundle(formatBundle(one))).toEqual(one);
    }
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['another kind', (text) => text.replace('bundle.v1', 'bundle.v2'), /kind of the bundle must be/],
    ['an unknown member', (text) => text.replace('{', '{"x":1,'), /no member "x"/],
    ['a repeated member', (text) => compact(text).replace('{', '{"nonce":null,'), /duplicate members/],
    ['no report', (text) => text.replace('"report"', '"reports"'), /no member "reports"/],
    ['a time without a zone', (text) => text.replace('.000Z', ''), /a time like/],
    ['a short nonce', (text) => text.replace('5e5e', '5e'), /64 lowercase hexadecimal digits/],
    [
      'a host that is not a string',
      (text) => text.replace('"host": "localhost"', '"host": 1'),
      /host of the bundle must be/,
    ],
    ['nothing', () => '', /must be JSON/],
  ])('are rejected with %s', (_, change, reason) => {
    expect(() => parseBundle(change(formatBundle(bundle)))).toThrow(reason);
  });
});

describe('requireAttestedKey', () => {
  const server = { host: 'tee.example.org', spkiSha256: 'ab'.repeat(32) };
  const same = server.spkiSha256;

  it('accepts a key of the keyset, for any host or for this one', () => {
    expect(requireAttestedKey(server, [{ spkiSha256: same }])).toContain(same);
    expect(requireAttestedKey(server, [{ spkiSha256: same, domain: 'TEE.example.org' }])).toContain(same);
    const both = [{ spkiSha256: same, domain: 'other.example.org' }, { spkiSha256: same }];
    expect(requireAttestedKey(server, both)).toContain(same);
  });

  it('rejects any other key', () => {
    expect(() => requireAttestedKey(server, [])).toThrow(/not among the 0 attested/);
    expect(() => requireAttestedKey(server, [{ spkiSha256: 'cd'.repeat(32) }])).toThrow(/not among the 1 attested/);
    expect(() => requireAttestedKey(server, [{ spkiSha256: same, domain: 'example.org' }])).toThrow(/for example.org/);
  });
});

describe('findings', () => {
  const check = (outcome: EvidenceCheck['outcome'], required: boolean, reason = 'because'): EvidenceCheck => ({
    ...{ id: `${outcome}-${required}`, title: `A ${outcome} check`, action: 'Do something.' },
    ...{ outcome, required, reason },
  });
  const [passed, failed] = [check('pass', true), check('fail', true)];
  const [missed, waived] = [check('not-checked', true), check('not-checked', false)];

  it('are verified only if no check failed and every required check ran', () => {
    expect(verdictOf([passed, waived])).toBe('verified');
    expect(verdictOf([passed, missed])).toBe('could-not-check');
    expect(verdictOf([passed, missed, check('fail', false)])).toBe('not-verified');
    expect(verdictOf([])).toBe('could-not-check');
    expect(blockingCheck([passed, missed, failed])).toBe(failed);
    expect(blockingCheck([passed, waived, missed])).toBe(missed);
    expect(blockingCheck([passed, waived])).toBeUndefined();
  });

  it('are shown as a table, with advice for failed and required checks', () => {
    const builds = check('not-checked', true, 'it depends on "a", which did not pass');
    const all = [passed, failed, missed, waived, builds];
    expect(checkTable(all)).toMatch(/^RESULT +CHECK +FOUND\npass +A pass check +because\nFAIL +A fail check/);
    expect(explainChecks(all).match(/→ Do something/g)).toHaveLength(2);
    expect(verdictLine('not-verified', all)).toBe('NOT VERIFIED: 1 passed, 1 failed, 3 not checked\n');
    expect(checkTable([check('pass', true, 'x'.repeat(500))])).toMatch(/x{99}…\n$/);
    expect(printable('a\u0007\u2028b\u{1f600}')).toBe('a\\u{7}\\u{2028}b\u{1f600}');
  });
});
