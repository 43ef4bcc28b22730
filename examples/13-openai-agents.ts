/**
 * OpenAI's Agents SDK: an agent with a function, over the Responses API.
 *
 *     npm install @openai/agents openai zod
 *     BASE_URL=https://localhost:8443/openai/v1 API_KEY=clst_… CERTIFICATE=.cloister/certificate.pem node examples/13-openai-agents.ts
 */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Agent, OpenAIResponsesModel, run, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

const { BASE_URL: baseURL = 'https://localhost:8443/openai/v1', API_KEY: apiKey } = process.env;
const { CERTIFICATE = '.cloister/certificate.pem', MODEL = 'cloister-demo-TEE' } = process.env;
if (apiKey === undefined) throw new Error('set API_KEY to the key that `npm start` prints');

setDefaultCACertificates([...getCACertificates(), readFileSync(CERTIFICATE, 'utf8')]);
// Traces would send prompts and completions to OpenAI.
setTracingDisabled(true);

const weather = tool({
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `sunny in ${city}`,
});
const agent = new Agent({
  name: 'Forecaster',
  instructions: 'Answer in one sentence.',
  model: new OpenAIResponsesModel(new OpenAI({ baseURL, apiKey }), MODEL),
  modelSettings: { maxTokens: 200 },
  tools: [weather],
});
const { finalOutput } = await run(agent, 'What is the weather in Bern?');
console.log(finalOutput);
