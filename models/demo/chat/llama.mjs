// Lines of JSON in, lines of JSON out, through llama.cpp: `{tokenize}` → `{ids}` · `{prompt, tokensMax}` → `{text, stopped, tokenCount}`.
// Started by evaluate.py. node-llama-cpp is resolved from the working directory.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const modelPath = process.argv[2];
const entry = createRequire(join(process.cwd(), 'package.json')).resolve('node-llama-cpp');
const { getLlama } = await import(pathToFileURL(entry).href);
const llama = await getLlama({ gpu: false, maxThreads: 1, logLevel: 'error' });
const model = await llama.loadModel({ modelPath, gpuLayers: 0 });
const context = await model.createContext({ contextSize: 4096, batchSize: 4096, threads: 1 });
const sequence = context.getSequence();

async function answer({ prompt, tokensMax, temperature = 0 }) {
  await sequence.clearHistory();
  const tokens = [];
  let stopped = true;
  for await (const token of sequence.evaluate(model.tokenize(prompt, true), { temperature })) {
    tokens.push(token);
    if (tokens.length === tokensMax) {
      stopped = false;
      break;
    }
  }
  return { text: model.detokenize(tokens, true), stopped, tokenCount: tokens.length };
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const reply = 'tokenize' in request ? { ids: model.tokenize(request.tokenize, true) } : await answer(request);
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
await llama.dispose();
