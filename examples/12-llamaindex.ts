/**
 * LlamaIndex.TS: a streamed answer, and an agent with a function.
 *
 *     npm install llamaindex @llamaindex/openai @llamaindex/workflow zod
 *     BASE_URL=https://localhost:8443/openai/v1 API_KEY=clst_… CERTIFICATE=.cloister/certificate.pem node examples/12-llamaindex.ts
 */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { OpenAI } from '@llamaindex/openai';
import { agent } from '@llamaindex/workflow';
import { tool } from 'llamaindex';
import { z } from 'zod';

const { BASE_URL: baseURL = 'https://localhost:8443/openai/v1', API_KEY: apiKey } = process.env;
const { CERTIFICATE = '.cloister/certificate.pem', MODEL = 'cloister-demo-TEE' } = process.env;
if (apiKey === undefined) throw new Error('set API_KEY to the key that `npm start` prints');

setDefaultCACertificates([...getCACertificates(), readFileSync(CERTIFICATE, 'utf8')]);

const llm = new OpenAI({ model: MODEL, apiKey, baseURL, maxTokens: 200 });

const messages = [{ role: 'user' as const, content: 'What is 12 plus 30?' }];
for await (const { delta } of await llm.chat({ messages, stream: true })) process.stdout.write(delta);
process.stdout.write('\n');

const weather = tool({
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `sunny in ${city}`,
});
const { data } = await agent({ llm, tools: [weather] }).run('What is the weather in Bern?');
console.log(data.result);
