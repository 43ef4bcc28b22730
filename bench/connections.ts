/**
 * `node bench/connections.ts`: the cost of a connection of `attestedFetch`, including the handshake and one request, with a
 * pinned key only and with a channel-binding proof, alternating. Client and server share the process. Quotes are simulated;
 * the cost of making one is a separate result.
 */
import { attestedFetch } from '../attestation/client/attested-fetch.ts';
import { startAttestedServer } from '../test/support/attestation/attested-server.ts';
import { readOptions } from './command-line.ts';
import { runBench } from './in-process.ts';

readOptions('node bench/connections.ts, without options', {});

const connections = 200;
// Every response closes its connection, so that every request opens one.
const server = await startAttestedServer({
  handle: (_, response) => response.setHeader('connection', 'close').end('x'),
});

await runBench(
  {
    name: 'connections',
    settings: { connections, client: 'in the same process: CPU time is that of both ends' },
    servers: {},
  },
  (['key', 'bound'] as const).map((channel) => ({
    scenario: 'connections',
    label: channel,
    of: 'cloister',
    measure: () => measureConnections(channel),
  })),
);
await server.close();

async function measureConnections(channel: 'key' | 'bound') {
  const send = attestedFetch({ measurements: 'any', channel }, { roots: server.rootPem });
  const open = async () => (await send(server.origin)).text();
  for (let count = 0; count < 20; count++) await open();
  const [cpu, start] = [process.cpuUsage(), performance.now()];
  for (let count = 0; count < connections; count++) await open();
  const { user, system } = process.cpuUsage(cpu);
  return {
    cpuMsPerConnection: (user + system) / 1000 / connections,
    msPerConnection: (performance.now() - start) / connections,
    cpuMsPerQuote: await quoteMs(),
  };
}

async function quoteMs(): Promise<number> {
  const cpu = process.cpuUsage();
  for (let count = 0; count < 50; count++) await server.platform.quote(new Uint8Array(64));
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 1000 / 50;
}
