/**
 * Chat through the official `openai` client: one whole answer, then one that arrives word by word.
 *
 *     npm start                                   # prints base URL, key and certificate
 *     BASE_URL=https://localhost:8443/openai/v1 API_KEY=clst_… CERTIFICATE=.cloister/certificate.pem node examples/01-chat.ts
 */
import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import OpenAI from 'openai';

const {
  BASE_URL = 'https://localhost:8443/openai/v1',
  API_KEY,
  CERTIFICATE = '.cloister/certificate.pem',
} = process.env;
if (API_KEY === undefined) throw new Error('set API_KEY to the key that `npm start` prints');

// The certificate of the development authority that issues the server's: trust it as `curl --cacert` does.
setDefaultCACertificates([...getCACertificates(), readFileSync(CERTIFICATE, 'utf8')]);

const client = new OpenAI({ baseURL: BASE_URL, apiKey: API_KEY, maxRetries: 5 });
const [model] = (await client.models.list()).data;
if (model === undefined) throw new Error('the server has no model');

const answer = await client.chat.completions.create({
  model: model.id,
  messages: [{ role: 'user', content: 'Hello! Who are you?' }],
  temperature: 0,
});
console.log(answer.choices[0]?.message.content);
console.log(`(${answer.usage?.prompt_tokens} tokens in, ${answer.usage?.completion_tokens} out)\n`);

const stream = await client.chat.completions.create({
  model: model.id,
  messages: [
    { role: 'system', content: 'Answer in one sentence.' },
    { role: 'user', content: 'What is 12 plus 30?' },
  ],
  temperature: 0,
  max_tokens: 100,
  stream: true,
});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta.content ?? '');
process.stdout.write('\n');
