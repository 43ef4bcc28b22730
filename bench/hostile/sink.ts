/** A process that receives the attackers' requests in place of the server, discards them and answers 400. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeIdentity } from '../../server/tls/tls.ts';

const { certificate, key } = makeIdentity({ host: 'localhost', now: Date.now() });
const server = createServer({ cert: certificate, key }, (request, response) => {
  request.resume().once('end', () => response.writeHead(400).end());
});
server.listen(0, '127.0.0.1', () => process.send!(`https://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once('disconnect', () => process.exit());
