/**
 * Anthropic's Messages API through the official `@anthropic-ai/sdk` client: the tokens of a question, a streamed answer, and a
 * call of a function.
 *
 *     BASE_URL=https://localhost:8443/v1 API_KEY=clst_… CERTIFICATE=.cloister/certificate.pem node examples/09-messages.ts
 */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import Anthropic from '@anthropic-ai/sdk';

const { BASE_URL = 'https://localhost:8443/v1', API_KEY, CERTIFICATE = '.cloister/certificate.pem' } = process.env;
if (API_KEY === undefined) throw new Error('set API_KEY to the key that `npm start` prints');

setDefaultCACertificates([...getCACertificates(), readFileSync(CERTIFICATE, 'utf8')]);

// This client adds `/v1` itself.
const client = new Anthropic({ baseURL: new URL(BASE_URL).origin, apiKey: API_KEY, maxRetries: 5 });
const model = 'cloister-demo-TEE';
const question = { role: 'user' as const, content: 'What is 12 plus 30?' };
const { input_tokens: tokens } = await client.messages.countTokens({ model, messages: [question] });
console.log(`The question has ${tokens} tokens.`);

const stream = client.messages.stream({
  model,
  messages: [question],
  system: 'Answer in one sentence.',
  max_tokens: 100,
});
stream.on('text', (text) => process.stdout.write(text));
await stream.finalMessage();
process.stdout.write('\n');

const weather: Anthropic.Tool = {
  name: 'weather',
  description: 'The weather in a city.',
  input_schema: { type: 'object', properties: { city: { enum: ['Lyon', 'Oslo'] } }, required: ['city'] },
};
const called = await client.messages.create({
  model,
  messages: [{ role: 'user', content: 'What is the weather in Lyon?' }],
  max_tokens: 200,
  tools: [weather],
  tool_choice: { type: 'any' },
});
// To go on, append this answer, and a message of the user with a `tool_result` block for each call, to `messages`.
for (const block of called.content) {
  if (block.type === 'tool_use') console.log(`${block.name}(${JSON.stringify(block.input)})`);
}
