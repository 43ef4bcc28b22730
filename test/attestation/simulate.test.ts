import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { intelRootCa, verifyQuote } from '../../attestation/index.ts';
import { parseEvidencePolicy } from '../../attestation/policy/evidence-policy.ts';
import { createSimulatedPlatform } from '../../attestation/simulate/platform.ts';
import { simulatedSoftware } from '../support/attestation/attested-server.ts';

const nowMs = Date.UTC(2026, 5, 15);
const reportData = new Uint8Array(64).fill(9);

describe('a simulated platform', () => {
  it('signs quotes that are genuine under its own root', async () => {
    const platform = await createSimulatedPlatform(nowMs);
    const bytes = await platform.quote(reportData, { mrTd: new Uint8Array(48).fill(1) });
    const { genuine, quote } = await verifyQuote(bytes, platform.collateral, [platform.rootCa], nowMs);
    expect(genuine).toBe(true);
    expect(quote?.body.reportData).toEqual(reportData);
    expect(quote?.body.mrTd).toEqual(new Uint8Array(48).fill(1));
  });

  it("is not accepted under Intel's root or that of another simulation", async () => {
    const platform = await createSimulatedPlatform(nowMs);
    const other = await createSimulatedPlatform(nowMs);
    const quote = await platform.quote(reportData);
    for (const anchors of [[intelRootCa], [other.rootCa], []]) {
      const { genuine, checks } = await verifyQuote(quote, platform.collateral, anchors, nowMs);
      expect(genuine).toBe(false);
      expect(checks.find((check) => check.id === 'pck-chain')?.outcome).toBe('fail');
    }
  });

  it('boots the software that examples/simulation-policy.json names', () => {
    const path = new URL('../../examples/simulation-policy.json', import.meta.url);
    expect(parseEvidencePolicy(readFileSync(path, 'utf8')).measurements).toEqual(simulatedSoftware);
  });

  it('names itself a simulation in its certificates', async () => {
    const { rootCa } = await createSimulatedPlatform(nowMs);
    expect(new TextDecoder('latin1').decode(rootCa)).toContain('Cloister simulation, not Intel');
  });

  it('rejects report data that is not 64 bytes', async () => {
    const platform = await createSimulatedPlatform(nowMs);
    expect(() => platform.quote(new Uint8Array(63))).toThrow(RangeError);
  });
});
