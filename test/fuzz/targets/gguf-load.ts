/** GGUF files with damaged metadata, of models and of LoRA adapters: planned, loaded, sampled once and closed through the addon. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadLlamaText, planLlamaMemory } from '../../../models/gguf/llama-text.ts';
import { ModelError } from '../../../models/interface/errors.ts';
import type { Random } from '../../support/random.ts';
import { mutate } from '../mutation/bytes.ts';
import { bytesOf, type FuzzTarget, type GeneratorSource, refusalsOf } from '../target.ts';

export const targets: readonly FuzzTarget[] = [
  {
    name: 'gguf-load',
    summary: 'GGUF files with damaged metadata, loaded through the addon',
    isNative: true,
    generate: damageHead,
    open() {
      const folder = mkdtempSync(join(tmpdir(), 'cloister-fuzz-gguf-'));
      const modelPath = join(folder, 'model.gguf');
      const sizes = { sequences: 1, contextPerSequence: 64, batchTokens: 16, threads: 1, poll: 0 };
      const options = { modelPath, ...sizes, gpu: 'off' } as const;
      return {
        isRefusal: refusalsOf(ModelError, 'ERR_MODEL_LOAD', 'ERR_MEMORY_BUDGET'),
        async run(input) {
          writeFileSync(modelPath, input);
          await planLlamaMemory(options);
          const model = await loadLlamaText(options);
          try {
            await model.step({
              operations: [],
              rows: [{ sequence: 0, position: 0, tokens: Int32Array.of(0), sample: true }],
            });
          } finally {
            await model.close();
          }
        },
        close: async () => rmSync(folder, { recursive: true }),
      };
    },
  },
  {
    name: 'lora-adapter',
    summary: 'LoRA adapters with damaged metadata, loaded with the model of gguf-load',
    isNative: true,
    generate: damageHead,
    open() {
      const folder = mkdtempSync(join(tmpdir(), 'cloister-fuzz-lora-'));
      const adapterPath = join(folder, 'adapter.gguf');
      const modelPath = join(import.meta.dirname, '../corpus/gguf-load/llama.gguf');
      const sizes = { sequences: 1, contextPerSequence: 64, batchTokens: 16, threads: 1, poll: 0 };
      return {
        isRefusal: refusalsOf(ModelError, 'ERR_MODEL_LOAD', 'ERR_MEMORY_BUDGET', 'ERR_LOGITS_INVALID'),
        async run(input) {
          writeFileSync(adapterPath, input);
          const model = await loadLlamaText({ modelPath, adapterPaths: [adapterPath], ...sizes, gpu: 'off' });
          try {
            await model.step({
              operations: [],
              rows: [{ sequence: 0, adapter: 1, position: 0, tokens: Int32Array.of(0, 1), sample: true }],
            });
          } finally {
            await model.close();
          }
        },
        close: async () => rmSync(folder, { recursive: true }),
      };
    },
  },
];

/** Mutates only the head, since the weights after it have no structure. */
function damageHead({ corpus, random }: GeneratorSource): Uint8Array {
  const file = random.pick(corpus);
  const headBytes = headLength(file);
  const head = changeNumber(file.slice(0, headBytes), random);
  const changed = random.below(2) === 0 ? head : mutate(head, words, random);
  const whole = new Uint8Array(changed.length + file.length - headBytes);
  whole.set(changed);
  whole.set(file.subarray(headBytes), changed.length);
  return whole;
}

/** Length up to the last tensor's name, which suffices for this corpus. */
function headLength(file: Uint8Array): number {
  const bytes = Buffer.from(file);
  return Math.max(64, ...['output_norm.weight', '.lora_b'].map((name) => bytes.lastIndexOf(name) + 60));
}

/** Replaces a small number in the head, such as a value, a tensor's dimension or an offset. */
function changeNumber(head: Uint8Array, random: Random): Uint8Array {
  const at = random.below(head.length - 8);
  const view = new DataView(head.buffer, head.byteOffset);
  if (random.below(3) > 0) view.setUint32(at, random.pick(numbers), true);
  else view.setBigUint64(at, random.pick([0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 63n - 1n, 2n ** 64n - 1n]), true);
  return head;
}

const numbers = [0, 1, 2, 3, 63, 64, 65, 4_096, 65_536, 2 ** 24, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
const words = [
  ...['.lora_a', '.lora_b', 'adapter', 'adapter.type', 'adapter.lora.alpha', 'general.type', 'token_embd.weight'],
  ...['general.architecture', 'llama', 'bert', 'mamba', 'qwen3moe', 'gemma3', 't5', 'rwkv7', 'tokenizer.ggml.model'],
  ...[
    'gpt2',
    'bpe',
    'no_vocab',
    '{{ messages }}',
    '{% for x in messages %}',
    '{{- raise_exception("x") -}}',
    '<|im_end|>',
  ],
].map(bytesOf);
