/** Checks that a draft model has the vocabulary of the model that it drafts for. Pure. */
import type { TextModelInfo } from '@cloister/models/interface/model';
import { RuntimeError } from '../pool/errors.ts';

type Info = Pick<TextModelInfo, 'vocabulary' | 'endTokens'>;

/** @throws {RuntimeError} ERR_MODEL_LOAD with the first difference: token count, text, control tokens, end tokens */
export function requireSameVocabulary(target: Info, draft: Info): void {
  const difference = firstDifference(target, draft);
  if (difference === undefined) return;
  throw new RuntimeError(
    'ERR_MODEL_LOAD',
    `the draft model has another vocabulary: ${difference}; choose a smaller model of the same family, or remove it from --draft-model`,
  );
}

function firstDifference(target: Info, draft: Info): string | undefined {
  const [a, b] = [target.vocabulary, draft.vocabulary];
  if (a.size !== b.size) return `it has ${b.size} tokens, the model has ${a.size}`;
  for (let token = 0; token < a.size; token += 1) {
    if (!textOf(a, token).equals(textOf(b, token))) return `token ${token} has another text`;
    if (a.control[token] !== b.control[token]) return `token ${token} is a control token in only one of them`;
  }
  const isShared = (token: number) => target.endTokens.has(token) && draft.endTokens.has(token);
  const end = [...target.endTokens, ...draft.endTokens].find((token) => !isShared(token));
  return end === undefined ? undefined : `token ${end} ends an answer in only one of them`;
}

function textOf({ bytes, offsets }: TextModelInfo['vocabulary'], token: number): Buffer {
  const [start = 0, end = 0] = [offsets[token], offsets[token + 1]];
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
}
