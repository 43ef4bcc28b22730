/**
 * A stream of requests to a fleet, one after the other, that goes on when a node is killed in the middle. The client verifies
 * each node, chooses among them and seals every body; the balancer between them reads nothing.
 *
 *     npx cloister fleet up --nodes 3        # prints the base URL; its files are in .cloister-fleet
 *     node examples/07-fleet.ts              # in another terminal: npx cloister fleet kill 2
 *     npx cloister fleet down
 *
 * The nodes only simulate TDX: the roots of the simulation are given here by hand, and nothing is proven by them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
// If only the package is installed: from '@cloister/attestation'.
import { attestedFetch, parseEvidencePolicy } from '../attestation/node.ts';

const { FLEET = '.cloister-fleet', BASE_URL = 'https://localhost:8443/openai/v1', REQUESTS = '100' } = process.env;
const read = (name: string) => readFileSync(join(FLEET, name), 'utf8');

const fleetFetch = attestedFetch(parseEvidencePolicy(read('policy.json')), {
  roots: read('simulation-roots.pem'),
  seal: true,
  fleet: 'announced',
});
// A request of which nothing was sent goes to another node automatically. One that a killed node was answering fails, and the
// OpenAI client sends it again: the first attempt was not charged, since its answer never ended.
const client = new OpenAI({ baseURL: BASE_URL, apiKey: read('api-key').trim(), fetch: fleetFetch, maxRetries: 5 });
const [model] = (await client.models.list()).data;
if (model === undefined) throw new Error('the fleet has no model');

const answersByNode = new Map<string, number>();
for (let number = 1; number <= Number(REQUESTS); number++) {
  const { data: answer, response } = await client.chat.completions
    .create({
      model: model.id,
      messages: [{ role: 'user', content: `What is ${number} plus ${number}?` }],
      max_tokens: 8,
    })
    .withResponse();
  // The id of a receipt names the node that answered.
  const node = response.headers.get('x-receipt-id')?.split('-')[1] ?? 'unknown';
  answersByNode.set(node, (answersByNode.get(node) ?? 0) + 1);
  console.log(`${String(number).padStart(4)}  ${node}  ${answer.usage?.completion_tokens} tokens`);
}
const counts = [...answersByNode].map(([node, count]) => `${count} from ${node}`);
console.log(`${REQUESTS} answers, none lost: ${counts.join(', ')}`);
