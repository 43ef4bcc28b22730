/**
 * `node bench/handshakes.ts`: full TLS 1.3 handshakes per second on consecutive connections, alternating between the plain
 * certificate and the one with a quote. Client and server share the process, so the ratio is the result, not the rate.
 */
import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:tls';
import { openSimulatedPlatform } from '../attestation/guest/simulated-platform.ts';
import { ratlsReportData } from '../attestation/ratls/ratls.ts';
import { closeProcess } from '../server/enclave/process-guard.ts';
import { OwnTlsKey, type TlsIdentity, tlsOptions } from '../server/tls/tls.ts';
import { readOptions } from './command-line.ts';
import { runBench } from './in-process.ts';

readOptions('node bench/handshakes.ts, without options', {});

const handshakes = 200;

// Keys are in locked memory, as in the server, so that its cost is included.
const keys = closeProcess().keysLocked ? 'in locked memory' : 'in ordinary memory';
const now = Date.now();
const key = new OwnTlsKey({ host: '127.0.0.1' });
const platform = await openSimulatedPlatform(now);
const quote = await platform.quote(await ratlsReportData(key.spki));
const identities = { plain: key.identity({ now }), 'with the quote': key.identity({ now, quote }) };

await runBench(
  {
    name: 'handshakes',
    settings: { handshakes, keys, client: 'in the same process: the ratio counts, not the rate' },
    servers: {},
  },
  Object.entries(identities).map(([label, identity]) => ({
    scenario: 'handshakes',
    label,
    of: 'cloister',
    measure: async () => ({
      handshakesPerSecond: await handshakesPerSecond(identity),
      certificateBytes: identity.certificate.length,
    }),
  })),
);

async function handshakesPerSecond(identity: TlsIdentity): Promise<number> {
  const server = https.createServer(tlsOptions(identity));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const start = performance.now();
  for (let count = 0; count < handshakes; count++) {
    const socket = connect({ host: '127.0.0.1', port, ca: identity.certificate });
    await once(socket, 'secureConnect');
    socket.destroy();
  }
  const seconds = (performance.now() - start) / 1000;
  server.close();
  return handshakes / seconds;
}
