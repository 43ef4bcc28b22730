// Asks the shipped files, through llama.cpp, and prints how many answers equal the expected ones (or have all of their parts), by class.
// usage: node models/demo/vision/evaluate.mjs build/cases.jsonl   (cases.py writes it)
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const { loadLlamaText } = await import(join(root, 'models/gguf/llama-text.ts'));
const greedy = { temperature: 0, topP: 1, topK: 0, minP: 0, presencePenalty: 0, frequencyPenalty: 0 };
const model = await loadLlamaText({
  modelPath: join(import.meta.dirname, 'cloister-demo-vision.gguf'),
  projectorPath: join(import.meta.dirname, 'mmproj-cloister-demo-vision.gguf'),
  ...{ sequences: 1, contextPerSequence: 512, threads: 1, gpu: 'off' },
});

async function answer({ images, side, question }) {
  const decoded = images.map((base64) => ({ pixels: Buffer.from(base64, 'base64'), width: side, height: side }));
  const messages = [{ role: 'user', content: '\ufdd2'.repeat(images.length) + question }];
  const rest = { tools: [], toolChoice: 'auto', parallelToolCalls: true, reasoning: false };
  const prepared = await model.prepareChat({ messages, images: decoded, ...rest });
  model.beginSampling(0, { ...greedy, logitBias: [], seed: 1 }, prepared);
  const { tokens } = prepared;
  let next = -1;
  for (let position = 0, end = 0; position < tokens.length; position = end) {
    const isImage = tokens[position] < 0;
    for (end = position + 1; end < tokens.length && tokens[end] < 0 === isImage; ) end += 1;
    const row = { sequence: 0, position, tokens: tokens.subarray(position, end), sample: end === tokens.length };
    const operations = position === 0 ? [{ kind: 'trim', sequence: 0, from: 0 }] : [];
    next = (await model.step({ operations, rows: [row] })).tokens[0] ?? -1;
  }
  const bytes = [];
  const { vocabulary, endTokens } = model.info;
  for (let position = tokens.length; !endTokens.has(next) && bytes.length < 200; position += 1) {
    bytes.push(...vocabulary.bytes.subarray(vocabulary.offsets[next], vocabulary.offsets[next + 1]));
    const row = { sequence: 0, position, tokens: Int32Array.of(next), sample: true };
    next = (await model.step({ operations: [], rows: [row] })).tokens[0];
  }
  return Buffer.from(bytes).toString();
}

const found = new Map();
for (const line of readFileSync(process.argv[2], 'utf8').trim().split('\n')) {
  const one = JSON.parse(line);
  const counts = found.get(one.kind) ?? { right: 0, all: 0 };
  const answered = await answer(one);
  const isRight = Array.isArray(one.answer)
    ? one.answer.every((part) => answered.includes(part))
    : answered === one.answer;
  if (isRight) counts.right += 1;
  counts.all += 1;
  found.set(one.kind, counts);
}
for (const [kind, { right, all }] of found) console.log(`| ${kind} | ${all} | ${((100 * right) / all).toFixed(1)} % |`);
await model.close();
