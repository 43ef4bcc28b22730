/**
 * Verifies the server before a word is sent, chats with it through the official `openai` client, and verifies the receipt
 * of the answer. On a machine without TDX the server only simulates one: the root of the simulation, another at every
 * start, is given here by hand, and nothing is proven by it.
 *
 *     npm start                                   # prints base URL and key
 *     BASE_URL=https://localhost:8443/openai/v1 API_KEY=clst_… ROOT=.cloister/simulation-root.pem \
 *       node examples/03-verify-before-sending.ts
 */
import { readFileSync } from 'node:fs';
import OpenAI from 'openai';
// If only the package is installed: from '@cloister/attestation'.
import { attestedFetch, checkReceipt, type EvidenceVerification, parseEvidencePolicy } from '../attestation/node.ts';

const { BASE_URL = 'https://localhost:8443/openai/v1', API_KEY, ROOT = '.cloister/simulation-root.pem' } = process.env;
if (API_KEY === undefined) throw new Error('set API_KEY to the key that `npm start` prints');

// The registers of a simulated boot. For a real server: the output of `cloister measure` for its image, and the models.
const policy = parseEvidencePolicy(readFileSync(new URL('simulation-policy.json', import.meta.url), 'utf8'));
const roots = readFileSync(ROOT, 'utf8');
let evidence: EvidenceVerification | undefined;
const verifiedFetch = attestedFetch(policy, {
  roots,
  seal: true,
  onVerification(origin, verification) {
    evidence = verification;
    const { verdict, simulated, measurements, keysetDigest } = verification;
    console.log(`${origin}: ${verdict}${simulated ? ' (simulated)' : ''}`);
    console.log(`  MRTD ${measurements?.mrTd}\n  RTMR3 ${measurements?.rtmr3}\n  keys ${keysetDigest}`);
  },
});

// The connection's key is compared with the attested one, so the certificate need not be trusted.
const client = new OpenAI({ baseURL: BASE_URL, apiKey: API_KEY, fetch: verifiedFetch, maxRetries: 5 });
const [model] = (await client.models.list()).data;
if (model === undefined) throw new Error('the server has no model');

const question = {
  model: model.id,
  messages: [{ role: 'user' as const, content: 'Hello! Who are you?' }],
  temperature: 0,
};
const response = await client.chat.completions.create(question).asResponse();
const answer = new Uint8Array(await response.arrayBuffer());
const { choices } = JSON.parse(new TextDecoder().decode(answer)) as OpenAI.ChatCompletion;
console.log(choices[0]?.message.content);

// The statement that the server signed about this answer: model and weights, and the digests of the exact bytes.
const receipt = await verifiedFetch(`${BASE_URL}/aci/receipts/${response.headers.get('x-receipt-id')}`, {
  headers: { authorization: `Bearer ${API_KEY}` },
});
const { checks } = await checkReceipt({
  receipt: await receipt.text(),
  evidence,
  request: new TextEncoder().encode(JSON.stringify(question)),
  response: answer,
});
for (const { outcome, title } of checks) console.log(`${outcome.padEnd(12)} ${title}`);

// Without that root, the same server is refused and nothing is sent to it.
const strict = new OpenAI({ baseURL: BASE_URL, apiKey: API_KEY, fetch: attestedFetch(policy), maxRetries: 0 });
await strict.chat.completions.create(question).catch((error: Error) => {
  console.log(`without the root: ${(error.cause as Error).message}`);
});
