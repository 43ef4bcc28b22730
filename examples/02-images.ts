/**
 * A picture through the official `openai` client, written to a file; then one drawn step by step.
 *
 *     npm start                                   # prints base URL, key and certificate
 *     BASE_URL=https://localhost:8443/openai/v1 API_KEY=clst_… CERTIFICATE=.cloister/certificate.pem node examples/02-images.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import OpenAI from 'openai';

const {
  BASE_URL = 'https://localhost:8443/openai/v1',
  API_KEY,
  CERTIFICATE = '.cloister/certificate.pem',
} = process.env;
const { OUTPUT = 'picture.png' } = process.env;
if (API_KEY === undefined) throw new Error('set API_KEY to the key that `npm start` prints');

// The certificate of the development authority that issues the server's: trust it as `curl --cacert` does.
setDefaultCACertificates([...getCACertificates(), readFileSync(CERTIFICATE, 'utf8')]);

const client = new OpenAI({ baseURL: BASE_URL, apiKey: API_KEY, maxRetries: 5 });
const drawing = {
  prompt: 'a yellow house with a red roof on a green hill under an orange sun',
  size: '512x512',
  response_format: 'b64_json',
  // An extension of OpenAI's fields, which its client passes on.
  guidance_scale: 3,
  num_inference_steps: 20,
  seed: 1,
} as const;

const { data } = await client.images.generate(drawing as OpenAI.ImageGenerateParamsNonStreaming);
const picture = data?.[0]?.b64_json;
if (picture === undefined) throw new Error('the answer holds no picture');
writeFileSync(OUTPUT, Buffer.from(picture, 'base64'));
console.log(`wrote ${OUTPUT}`);

const events = await fetch(`${BASE_URL}/images/generations`, {
  method: 'POST',
  headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify({ ...drawing, stream: true }),
});
for await (const text of events.body!.pipeThrough(new TextDecoderStream())) {
  for (const [, step, steps] of text.matchAll(/"step":(\d+),"steps":(\d+)/g)) console.log(`step ${step} of ${steps}`);
}
