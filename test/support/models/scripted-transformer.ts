/**
 * A model that recites a script: its layers pass the last token's embedding through unchanged, and the output row of each
 * piece matches the embedding of the previous piece. Each piece is therefore a separate token.
 */
import type { GgufFile, Tensor } from './gguf.ts';
import { randomFiller } from './random-transformer.ts';
import { spellBytes, type Tokenizer } from './tokenizers.ts';

/** A logit far above the noise of the others, which stays below 10. */
const certainLogit = 40;
const pieceBytes = 3;

export interface Recital extends Script {
  readonly tokenizer: Tokenizer;
  readonly end: string;
  /** Script for prompts with another last token. */
  readonly others?: readonly Script[];
}

export interface Script {
  readonly pieces: readonly Uint8Array[];
  /** The last token of the prompts that it answers. */
  readonly start: string;
}

/**
 * Splits a script into pieces of at least three bytes, so that each is unique. Marks stay whole.
 * @param taken texts of tokens in the vocabulary · @returns one piece per step; marks are pieces, too
 * @throws {RangeError} if a mark occurs twice or the last piece is not unique
 */
export function scriptPieces(script: string, marks: readonly string[], taken: ReadonlySet<string>): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  const used = new Set([...taken].map((text) => spellBytes(Buffer.from(text))));
  for (const part of splitAtMarks(script, marks)) {
    const bytes = Buffer.from(part);
    for (let from = 0; from < bytes.length; ) {
      let to = marks.includes(part) ? bytes.length : Math.min(bytes.length, from + pieceBytes);
      while (to < bytes.length && (used.has(spellBytes(bytes.subarray(from, to))) || to - from < 2)) to++;
      // A single remaining byte would be the text of a byte token, so include it.
      if (bytes.length - to === 1) to = bytes.length;
      const piece = bytes.subarray(from, to);
      const spelled = spellBytes(piece);
      if (used.has(spelled) || piece.length < 2) {
        throw new RangeError(`script piece ${JSON.stringify(piece.toString())} comes twice: reword the script`);
      }
      used.add(spelled);
      pieces.push(piece);
      from = to;
    }
  }
  return pieces;
}

function splitAtMarks(script: string, marks: readonly string[]): string[] {
  if (marks.length === 0) return [script];
  const pattern = new RegExp(`(${marks.join('|')})`);
  return script.split(pattern).filter((part) => part !== '');
}

/** @param file a llama with a separate output matrix */
export function reciteScript(file: GgufFile, { tokenizer, end, others = [], ...first }: Recital): GgufFile {
  // The predecessor of each token; the end token follows every script.
  const sources = new Map<number, number[]>();
  for (const { start, pieces } of [first, ...others]) {
    const chain = [start, ...pieces.map(spellBytes), end].map((token) => tokenizer.idOf(token));
    for (const [index, token] of chain.slice(1).entries()) {
      sources.set(token, [...(sources.get(token) ?? []), chain[index]!]);
    }
  }
  return reciteAfter(file, sources);
}

/** @param sources by token, the tokens after which it comes */
export function reciteAfter(file: GgufFile, sources: ReadonlyMap<number, readonly number[]>): GgufFile {
  const [width = 0, vocabulary = 0] = file.tensors.find(({ name }) => name === 'token_embd.weight')!.shape;
  const embeddings = new Float32Array(vocabulary * width);
  randomFiller(7, 'script', 1)(embeddings, 0);
  for (let i = 0; i < embeddings.length; i++) embeddings[i] = Math.sign(embeddings[i]!);
  return { ...file, tensors: file.tensors.map((tensor) => recite(tensor, { sources, width, embeddings })) };
}

function recite(
  tensor: Tensor,
  {
    sources,
    width,
    embeddings,
  }: { sources: ReadonlyMap<number, readonly number[]>; width: number; embeddings: Float32Array },
): Tensor {
  if (/attn_output|ffn_down/.test(tensor.name)) return { ...tensor, fill: (values) => void values.fill(0) };
  if (tensor.name === 'token_embd.weight') {
    return { ...tensor, fill: (values, at) => values.set(embeddings.subarray(at, at + values.length)) };
  }
  if (tensor.name !== 'output.weight') return tensor;
  return {
    ...tensor,
    fill(values, at) {
      for (let i = 0; i < values.length; i++) {
        const from = sources.get(Math.floor((at + i) / width)) ?? [];
        const sum = from.reduce((all, source) => all + embeddings[source * width + ((at + i) % width)]!, 0);
        values[i] = (sum * certainLogit) / width;
      }
    },
  };
}
