/**
 * LangChain.js with its package for OpenAI: a streamed answer, a typed answer, and a model that may call a function.
 *
 *     npm install @langchain/openai @langchain/core zod
 *     BASE_URL=https://localhost:8443/openai/v1 API_KEY=clst_… CERTIFICATE=.cloister/certificate.pem node examples/11-langchain.ts
 */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { z } from 'zod';

const { BASE_URL: baseURL = 'https://localhost:8443/openai/v1', API_KEY: apiKey } = process.env;
const { CERTIFICATE = '.cloister/certificate.pem', MODEL = 'cloister-demo-TEE' } = process.env;
if (apiKey === undefined) throw new Error('set API_KEY to the key that `npm start` prints');

setDefaultCACertificates([...getCACertificates(), readFileSync(CERTIFICATE, 'utf8')]);

const model = new ChatOpenAI({ model: MODEL, apiKey, configuration: { baseURL }, maxTokens: 200 });

for await (const piece of await model.stream('What is 12 plus 30?')) process.stdout.write(piece.text);
process.stdout.write('\n');

const weather = tool(({ city }) => `sunny in ${city}`, {
  name: 'get_weather',
  description: 'The weather in a city.',
  schema: z.object({ city: z.string() }),
});
const question = new HumanMessage('What is the weather in Bern?');
const answer = await model.bindTools([weather]).invoke([question]);
const calls = answer.tool_calls ?? [];
for (const { name, args } of calls) console.log(name, args);
const results = await Promise.all(calls.map((call) => weather.invoke({ ...call, type: 'tool_call' })));
// A model that called no tool has answered already.
const last = calls.length === 0 ? answer : await model.bindTools([weather]).invoke([question, answer, ...results]);
console.log(last.text);
