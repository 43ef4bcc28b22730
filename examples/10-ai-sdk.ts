/**
 * Vercel's AI SDK with its provider for OpenAI: a streamed answer, and a model that may call a function.
 *
 *     BASE_URL=https://localhost:8443/openai/v1 API_KEY=clst_… CERTIFICATE=.cloister/certificate.pem node examples/10-ai-sdk.ts
 */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';

const { BASE_URL: baseURL = 'https://localhost:8443/openai/v1', API_KEY: apiKey } = process.env;
const { CERTIFICATE = '.cloister/certificate.pem', MODEL = 'cloister-demo-TEE' } = process.env;
if (apiKey === undefined) throw new Error('set API_KEY to the key that `npm start` prints');

setDefaultCACertificates([...getCACertificates(), readFileSync(CERTIFICATE, 'utf8')]);

const model = createOpenAI({ baseURL, apiKey })(MODEL);
// The server stores nothing: the provider has to send items instead of references to stored ones.
const common = { model, maxOutputTokens: 200, providerOptions: { openai: { store: false } } };

const stream = streamText({ ...common, system: 'Answer in one sentence.', prompt: 'What is 12 plus 30?' });
for await (const piece of stream.textStream) process.stdout.write(piece);
process.stdout.write('\n');

const city = jsonSchema<{ city: string }>({
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
});
const weather = tool({
  description: 'The weather in a city.',
  inputSchema: city,
  execute: async ({ city }) => `sunny in ${city}`,
});
const { text, steps } = await generateText({
  ...common,
  prompt: 'What is the weather in Bern?',
  tools: { get_weather: weather },
  stopWhen: stepCountIs(3),
});
for (const { toolName, input } of steps.flatMap(({ toolCalls }) => toolCalls)) console.log(toolName, input);
console.log(text);
