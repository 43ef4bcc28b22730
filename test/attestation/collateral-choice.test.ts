/** Collateral: its source, its allowed age, and which parts of GPU evidence end a session. */
import { afterEach, describe, expect, it } from 'vitest';
import { attestServer, type CollateralChoice } from '../../attestation/client/attest-server.ts';
import { attestedFetch } from '../../attestation/client/attested-fetch.ts';
import { gpuExpiry } from '../../attestation/client/gpu-expiry.ts';
import { blockingCheck } from '../../attestation/client/verification.ts';
import { type EvidencePolicy, parseEvidencePolicy } from '../../attestation/policy/evidence-policy.ts';
import { createSimulatedPlatform } from '../../attestation/simulate/platform.ts';
import {
  type AttestedServerOptions,
  simulatedSoftware,
  startAttestedServer,
} from '../support/attestation/attested-server.ts';
import { startCollateralServer } from '../support/attestation/collateral-server.ts';
import { buildGpuEvidence, gpuNowMs } from '../support/attestation/gpu-evidence.ts';
import { buildReference } from '../support/attestation/gpu-reference.ts';

const day = 86_400_000;
const platform = await createSimulatedPlatform(Date.now());
const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function start(options: AttestedServerOptions = {}) {
  const server = await startAttestedServer({ platform, ...options });
  const mirror = await startCollateralServer(server.platform.collateral);
  running.push(server, mirror);
  return { server, mirror, source: { url: mirror.url } };
}

type Started = Awaited<ReturnType<typeof start>>;
async function judge({ server }: Started, collateral?: CollateralChoice, policy: Partial<EvidencePolicy> = {}) {
  const { verification } = await attestServer(server.origin, {
    policy: { measurements: simulatedSoftware, ...policy },
    roots: server.rootPem,
    ...(collateral === undefined ? {} : { collateral }),
  });
  const { verdict, checks } = verification;
  return verdict === 'verified' ? verdict : `${blockingCheck(checks)?.id}: ${blockingCheck(checks)?.reason}`;
}

/** The collateral of another platform, which the server should not have. */
const foreign = { evidence: (all: object) => ({ ...all, collateral: null }) as never };

describe('collateral', () => {
  it('is the server’s by default, without a fetch', async () => {
    const started = await start();
    expect(await judge(started)).toBe('verified');
    expect(started.mirror.asked).toEqual([]);
  });

  it("is the mirror’s if one is configured, regardless of the server's", async () => {
    const started = await start();
    expect(await judge(started, started.source)).toBe('verified');
    expect(started.mirror.asked).toHaveLength(4);
    const without = await start(foreign);
    expect(await judge(without, without.source)).toBe('verified');
  });

  it('is missing if the server has none and fetching is disabled', async () => {
    expect(await judge(await start(foreign), 'none')).toMatch(/no collateral is available/);
  });

  it('of a mirror that does not respond leaves the server unverified', async () => {
    const started = await start();
    await started.mirror.close();
    const unavailable = expect.objectContaining({ code: 'ERR_COLLATERAL_UNAVAILABLE' });
    await expect(judge(started, started.source)).rejects.toEqual(unavailable);
  });

  it('is accepted within the evaluation number and the age that the policy allows', async () => {
    const old = await createSimulatedPlatform(Date.now() - 13 * day);
    const started = await start({ platform: old });
    expect(await judge(started)).toBe('verified');
    expect(await judge(started, undefined, { collateralAgeDaysMax: 15 })).toBe('verified');
    expect(await judge(started, undefined, { collateralAgeDaysMax: 13.5 })).toBe(
      'collateral-age: issued 14.0 days ago, at most 13.5 allowed',
    );
    expect(await judge(started, started.source, { collateralAgeDaysMax: 1 })).toMatch(/^collateral-age/);
    expect(await judge(started, undefined, { tcbEvaluationMin: 1000 })).toMatch(/^tcb-evaluation/);
  });

  it.each([0, -1, 367, '14', null])('rejects a maximum age of %j', (collateralAgeDaysMax) => {
    const text = JSON.stringify({ measurements: 'any', collateralAgeDaysMax });
    expect(() => parseEvidencePolicy(text)).toThrow(/collateralAgeDaysMax must be a number of days/);
  });

  it('is cached between verifications', async () => {
    const { server, mirror, source } = await start();
    let time = Date.now();
    const clock = () => time;
    const send = attestedFetch(
      { measurements: 'any' },
      { roots: server.rootPem, collateral: source, now: clock, clock },
    );
    for (let count = 0; count < 3; count++) {
      await (await send(server.origin)).text();
      time += 10 * 60_000;
    }
    expect([server.attestations, mirror.asked.length]).toEqual([3, 4]);
  });
});

it.each(['other', true, ''])('a policy has no channel %j', (channel) => {
  expect(() => parseEvidencePolicy(JSON.stringify({ measurements: 'any', channel }))).toThrow(
    /channel must be "bound" or "key"/,
  );
});

describe('the expiry of GPU evidence', () => {
  const evidence = () => {
    const { report, chainPem } = buildGpuEvidence();
    return { gpus: [{ report, chainPem }], switches: [] };
  };
  const trust = (gpuReference: object, policy: Partial<EvidencePolicy> = {}) => ({
    policy: { measurements: 'any' as const, ...policy },
    gpuReference,
  });

  it('ends with the first OCSP response, certificate or manifest’s signer', async () => {
    const { reference } = await buildReference();
    expect(gpuExpiry(evidence(), trust(reference))).toBe(gpuNowMs + 60_000);
    const noNext = { nextUpdateMs: undefined } as never;
    const silent = await buildReference({ gpuAnswer: noNext, rimAnswer: noNext });
    // A response without nextUpdate is valid for a day; the test's certificates expire sooner.
    expect(gpuExpiry(evidence(), trust(silent.reference))).toBe(gpuNowMs - 60_000 + day);
    const signer = await buildReference({
      signerNotAfterMs: gpuNowMs + 30_000,
    });
    expect(gpuExpiry(evidence(), trust(signer.reference))).toBe(gpuNowMs + 30_000);
  });

  it("is the GPU's own chain alone if the policy waives the rest", async () => {
    const { reference } = await buildReference();
    const end = gpuExpiry(evidence(), trust(reference, { gpuMeasurements: 'any' }))!;
    expect(end).toBeGreaterThan(gpuNowMs + 60_000);
    expect(Number.isFinite(end)).toBe(true);
  });

  it('counts switches as GPUs, and the manifest of switches', async () => {
    const { gpus } = evidence();
    const waived = trust({}, { gpuMeasurements: 'any' });
    expect(gpuExpiry({ gpus: [], switches: gpus }, waived)).toBe(gpuExpiry({ gpus, switches: [] }, waived));
    const { reference } = await buildReference({ signerNotAfterMs: gpuNowMs + 30_000 });
    const ofSwitch = trust({ switchRim: reference.vbiosRim });
    expect(gpuExpiry(evidence(), ofSwitch)).toBe(gpuNowMs + 30_000);
  });

  it('is infinite without devices, and unknown if malformed', () => {
    expect(gpuExpiry({ gpus: [], switches: [] }, trust({}))).toBe(Number.POSITIVE_INFINITY);
    const unreadable = { gpus: [{ report: new Uint8Array(), chainPem: 'no chain' }], switches: [] };
    expect(gpuExpiry(unreadable, trust({}))).toBeUndefined();
  });
});
