/**
 * Embeddings through the official `openai` client: which of some sentences is closest in meaning to a question.
 *
 *     npm start                                   # prints base URL, key and certificate
 *     BASE_URL=https://localhost:8443/openai/v1 API_KEY=clst_… CERTIFICATE=.cloister/certificate.pem node examples/04-embeddings.ts
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
const { data: models } = await client.models.list();
const model = models.find((one) => 'dimensions' in one)?.id;
if (model === undefined) throw new Error('the server has no model that embeds');

const question = 'How do I get my money back?';
const sentences = [
  'A refund is paid within five days.',
  'The train to the coast leaves at noon.',
  'Our office is closed on Sundays.',
];
const { data } = await client.embeddings.create({ model, input: [question, ...sentences] });
const [asked, ...answers] = data.map(({ embedding }) => embedding);

// Vectors have length 1, so that their product is the cosine of the angle between them.
const likeness = answers.map((answer) => answer.reduce((sum, value, index) => sum + value * asked![index]!, 0));
const order = sentences.map((sentence, index) => ({ sentence, score: likeness[index]! }));
for (const { sentence, score } of order.sort((a, b) => b.score - a.score)) {
  console.log(`${score.toFixed(3)} ${sentence}`);
}
