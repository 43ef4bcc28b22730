/** Tries the findings of a published review of a comparable system on this one: see docs/audit/README.md. */
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { afterAll, describe, expect, it } from 'vitest';
import { toHex } from '../../attestation/base/bytes.ts';
import { parseEventLog } from '../../attestation/eventlog/event-log.ts';
import { replayEventLog } from '../../attestation/eventlog/replay.ts';
import { replayStartLog } from '../../attestation/eventlog/start-log.ts';
import { makeIdentity, tlsOptions } from '../../server/tls/tls.ts';
import { type AttestedServerOptions, testStartLog } from '../support/attestation/attested-server.ts';
import { writeBootLog } from '../support/attestation/boot-log.ts';
import { startEvidenceVerifier } from '../support/attestation/evidence-verifier.ts';

const { verify, close } = await startEvidenceVerifier();
afterAll(close);

/** A machine whose firmware measured so many ACPI tables, and its RTMR0. */
async function machineWith({ tables }: { tables: number }): Promise<{ rtmr0: string; server: AttestedServerOptions }> {
  const log = writeBootLog({ variables: new Uint8Array(64), tables });
  const [rtmr0, rtmr1, rtmr2] = await replayEventLog(parseEventLog(log).events);
  const rtmrs = [rtmr0, rtmr1, rtmr2, await replayStartLog(testStartLog)] as const;
  const bootLog = Buffer.from(log).toString('base64');
  return { rtmr0: toHex(rtmr0), server: { td: { rtmrs }, evidence: (all) => ({ ...all, boot_log: bootLog }) } };
}

describe('ACPI tables', () => {
  it('refuses a machine with other ACPI tables than the policy was written for', async () => {
    const [known, injected] = [await machineWith({ tables: 3 }), await machineWith({ tables: 4 })];
    const policy = { measurements: [{ rtmr0: known.rtmr0 }] };
    expect((await verify({ server: known.server, policy })).failed).toEqual([]);
    const { verdict, failed } = await verify({ server: injected.server, policy });
    expect({ verdict, failed }).toEqual({ verdict: 'not-verified', failed: ['measurements'] });
  });
});

describe('recorded traffic', () => {
  const hybrid = 'X25519MLKEM768';
  const [major = 0, minor = 0] = process.versions.openssl.split('.').map(Number);
  const isKnown = major > 3 || (major === 3 && minor >= 5);

  it.skipIf(!isKnown)('can be that of a key exchange which quantum computers do not break', async () => {
    const server = https.createServer(tlsOptions(makeIdentity({ host: '127.0.0.1', now: Date.now() })));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ecdhCurve: hybrid });
    await once(socket, 'secureConnect');
    expect(socket.getProtocol()).toBe('TLSv1.3');
    socket.destroy();
    server.close();
  });
});
