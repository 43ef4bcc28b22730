/**
 * `@huggingface/transformers` behind the plainest HTTP server, for `bench/embeddings.ts`:
 * `node bench/peers/transformers-server.mjs --transformers <folder> --model <folder> --threads 2 --port 8000`.
 * A request's texts are computed 32 at a time, the way sentence-transformers does it by default.
 */
import { createServer } from 'node:http';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const batchTexts = 32;

const { values } = parseArgs({
  options: {
    transformers: { type: 'string' },
    model: { type: 'string' },
    threads: { type: 'string' },
    port: { type: 'string' },
  },
});
const library = join(resolve(values.transformers), 'node_modules/@huggingface/transformers/dist/transformers.node.mjs');
const { env, pipeline } = await import(pathToFileURL(library).href);
env.allowRemoteModels = false;
env.localModelPath = dirname(resolve(values.model));
const extract = await pipeline('feature-extraction', basename(values.model), {
  // The file `onnx/model.onnx`, whatever its precision is.
  dtype: 'fp32',
  session_options: { intraOpNumThreads: Number(values.threads), interOpNumThreads: 1 },
});

async function embed(texts) {
  const data = [];
  for (let first = 0; first < texts.length; first += batchTexts) {
    const batch = texts.slice(first, first + batchTexts);
    const { data: numbers, dims } = await extract(batch, { pooling: 'mean', normalize: true });
    for (let row = 0; row < batch.length; row++) {
      const vector = numbers.slice(row * dims[1], (row + 1) * dims[1]);
      data.push({ object: 'embedding', index: first + row, embedding: Buffer.from(vector.buffer).toString('base64') });
    }
  }
  return { object: 'list', data, model: 'model' };
}

const server = createServer(async (request, response) => {
  if (request.url !== '/v1/embeddings') {
    response.end(JSON.stringify({ data: [{ id: 'model' }] }));
    return;
  }
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk;
  const answer = JSON.stringify(await embed(JSON.parse(body).input));
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
});
server.listen(Number(values.port), '127.0.0.1');
