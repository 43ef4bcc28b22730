/**
 * OpenAI's Responses API through the official `openai` client: a streamed answer, and a call of a function.
 *
 *     BASE_URL=https://localhost:8443/openai/v1 API_KEY=clst_… CERTIFICATE=.cloister/certificate.pem node examples/08-responses.ts
 */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import OpenAI from 'openai';
import type { FunctionTool } from 'openai/resources/responses/responses';

const {
  BASE_URL = 'https://localhost:8443/openai/v1',
  API_KEY,
  CERTIFICATE = '.cloister/certificate.pem',
} = process.env;
if (API_KEY === undefined) throw new Error('set API_KEY to the key that `npm start` prints');

setDefaultCACertificates([...getCACertificates(), readFileSync(CERTIFICATE, 'utf8')]);

const client = new OpenAI({ baseURL: BASE_URL, apiKey: API_KEY, maxRetries: 5 });
const [model] = (await client.models.list()).data;
if (model === undefined) throw new Error('the server has no model');

const stream = await client.responses.create({
  model: model.id,
  instructions: 'Answer in one sentence.',
  input: 'What is 12 plus 30?',
  max_output_tokens: 100,
  stream: true,
});
for await (const event of stream) {
  if (event.type === 'response.output_text.delta') process.stdout.write(event.delta);
}
process.stdout.write('\n');

const weather: FunctionTool = {
  type: 'function',
  name: 'weather',
  description: 'The weather in a city.',
  parameters: { type: 'object', properties: { city: { enum: ['Lyon', 'Oslo'] } }, required: ['city'] },
  strict: true,
};
const called = await client.responses.create({
  model: model.id,
  input: 'What is the weather in Lyon?',
  tools: [weather],
  tool_choice: 'required',
  max_output_tokens: 200,
});
// The server stores nothing. To go on, send the question, these items and a `function_call_output` for each call as `input`.
for (const item of called.output) if (item.type === 'function_call') console.log(`${item.name}(${item.arguments})`);
