/**
 * Writes random-weight GGUF models of real shapes for the benches: `node bench/make-model.ts --help`.
 * Speed does not depend on the weights' values, only on their shape and type; the text is words without meaning.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TensorType, writeGguf } from '../test/support/models/gguf.ts';
import { randomTransformer, type TransformerShape } from '../test/support/models/random-transformer.ts';
import { chatmlTemplate } from '../test/support/server/chat-templates.ts';
import { readOptions } from './command-line.ts';
import { buildWordTokenizer } from './words.ts';

export interface BenchModel {
  readonly shape: TransformerShape;
  readonly vocabulary: number;
}

export const benchModels: Readonly<Record<string, BenchModel>> = {
  /** Same shape as SmolLM2-135M. */
  '135m': {
    vocabulary: 49_152,
    shape: {
      architecture: 'llama',
      layers: 30,
      width: 576,
      heads: 9,
      keyValueHeads: 3,
      headWidth: 64,
      feedForward: 1536,
      context: 8192,
      tied: true,
    },
  },
  /** Same shape as Qwen2.5-0.5B. */
  '0.5b': {
    vocabulary: 151_936,
    shape: {
      architecture: 'qwen2',
      layers: 24,
      width: 896,
      heads: 14,
      keyValueHeads: 2,
      headWidth: 64,
      feedForward: 4864,
      context: 32_768,
      tied: true,
    },
  },
  /** Same shape as Qwen2.5-1.5B. */
  '1.5b': {
    vocabulary: 151_936,
    shape: {
      architecture: 'qwen2',
      layers: 28,
      width: 1536,
      heads: 12,
      keyValueHeads: 2,
      headWidth: 128,
      feedForward: 8960,
      context: 32_768,
      tied: true,
    },
  },
  /** Same shape as Llama-3.1-8B. */
  '8b': {
    vocabulary: 128_256,
    shape: {
      architecture: 'llama',
      layers: 32,
      width: 4096,
      heads: 32,
      keyValueHeads: 8,
      headWidth: 128,
      feedForward: 14_336,
      context: 32_768,
      tied: false,
    },
  },
  /** The layers of Qwen3-30B-A3B, six of 48, with a smaller vocabulary. */
  moe: {
    vocabulary: 32_768,
    shape: {
      architecture: 'qwen3moe',
      layers: 6,
      width: 2048,
      heads: 32,
      keyValueHeads: 4,
      headWidth: 128,
      feedForward: 768,
      experts: { count: 128, used: 8 },
      context: 32_768,
      tied: false,
    },
  },
};

const types: Readonly<Record<string, TensorType>> = { f32: 'F32', f16: 'F16', q8_0: 'Q8_0', q4_k: 'Q4_K' };
/** Common mixtures of formats, written by llama.cpp's own program. */
const mixtures = ['q4_0', 'q4_k_m', 'q5_k_m', 'q6_k', 'iq4_xs', 'bf16'];
const buildFolder = join(import.meta.dirname, 'build');
const defaultQuantize = join(buildFolder, 'llama.cpp/build/bin/llama-quantize');

/** Default location of a bench model. */
export function benchModelPath(name: string, type = 'q8_0'): string {
  return join(buildFolder, `random-${name}-${type}.gguf`);
}

/** The path of a Q8_0 bench model, which is created if it does not exist. */
export function ensureBenchModel(name: string): string {
  const path = benchModelPath(name);
  if (!existsSync(path)) makeModel(name, { type: 'q8_0', path });
  return path;
}

interface ModelFile {
  readonly type: string;
  readonly path: string;
  /** llama-quantize; needed for mixtures. */
  readonly quantize?: string | undefined;
}

export function makeModel(name: string, { type, path, quantize = defaultQuantize }: ModelFile): void {
  const model = benchModels[name];
  const isMixture = mixtures.includes(type);
  const tensorType = isMixture ? 'F16' : types[type];
  const all = [...Object.keys(types), ...mixtures];
  if (!model) throw new RangeError(`--shape must be one of ${Object.keys(benchModels).join(', ')}, got ${name}`);
  if (!tensorType) throw new RangeError(`--type must be one of ${all.join(', ')}, got ${type}`);
  if (isMixture && !existsSync(quantize)) {
    throw new Error(`${quantize} not found. Action: node bench/peers/build-llama-server.ts`);
  }
  mkdirSync(dirname(path), { recursive: true });
  const partial = `${path}.${process.pid}`;
  const tokenizer = buildWordTokenizer(model.vocabulary);
  writeGguf(
    partial,
    randomTransformer(model.shape, {
      name: `random ${name} ${type}`,
      tokenizer,
      template: chatmlTemplate,
      type: tensorType,
      seed: 1,
    }),
  );
  if (isMixture) convert(partial, type, quantize);
  renameSync(partial, path);
}

/** @throws {Error} if llama-quantize fails; its output has the reason */
function convert(path: string, type: string, quantize: string): void {
  const converted = `${path}.${type}`;
  const { status } = spawnSync(quantize, [path, converted, type.toUpperCase(), '2'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  rmSync(path);
  if (status !== 0) throw new Error(`llama-quantize ended with ${status}`);
  renameSync(converted, path);
}

const help = `node bench/make-model.ts [options]
  --shape <name>        shape: ${Object.keys(benchModels).join(' or ')} [135m]
  --type <name>         tensor type: ${[...Object.keys(types), ...mixtures].join(', ')} [q8_0]
  --quantize <file>     llama-quantize, which writes the last ${mixtures.length} of them [bench/build/llama.cpp/build/bin/llama-quantize]
  --out <file>          output file [bench/build/random-<shape>-<type>.gguf]
`;

function main(): void {
  const { shape, type, out, quantize } = readOptions(help, {
    shape: { type: 'string', default: '135m' },
    type: { type: 'string', default: 'q8_0' },
    out: { type: 'string' },
    quantize: { type: 'string' },
  });
  const path = out ?? benchModelPath(shape, type);
  const started = performance.now();
  makeModel(shape, { type, path, quantize });
  const seconds = (performance.now() - started) / 1000;
  console.log(`${path}: ${(statSync(path).size / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s`);
}

if (import.meta.main) main();
