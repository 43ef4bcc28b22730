/**
 * Splits a model like llama.cpp's tool: all metadata is in the first part, and tensors are in order over all parts.
 * @see llama.cpp tools/gguf-split/gguf-split.cpp
 */
import { type GgufFile, writeGguf } from './gguf.ts';

export interface SplitOptions {
  readonly parts: number;
  /** The first part has only metadata, as with `--no-tensor-first-split`. */
  readonly emptyFirst?: boolean;
}

/** Writes `<stem>-00001-of-00003.gguf` and so on. @returns the paths of the parts in order */
export function writeSplitGguf(stem: string, file: GgufFile, { parts, emptyFirst = false }: SplitOptions): string[] {
  const { metadata, tensors } = file;
  const filled = emptyFirst ? parts - 1 : parts;
  const perPart = Math.ceil(tensors.length / filled);
  return Array.from({ length: parts }, (_, part) => {
    const slot = emptyFirst ? part - 1 : part;
    const own = slot < 0 ? [] : tensors.slice(slot * perPart, (slot + 1) * perPart);
    const path = `${stem}-${fiveDigits(part + 1)}-of-${fiveDigits(parts)}.gguf`;
    const split = {
      'split.no': { u16: part },
      'split.count': { u16: parts },
      'split.tensors.count': { i32: tensors.length },
    };
    writeGguf(path, { metadata: part === 0 ? { ...metadata, ...split } : split, tensors: own });
    return path;
  });
}

function fiveDigits(number: number): string {
  return String(number).padStart(5, '0');
}
