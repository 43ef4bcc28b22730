/** Answers of a model with random weights, under any grammar. */
import type { LlamaText } from '../../models/gguf/llama-text.ts';
import type { AnswerFailure, PreparedChat, StepOperation } from '../../models/interface/model.ts';
import { greedy, spell } from './models.ts';

export interface RandomAnswers {
  /** One answer for each of them, generated in parallel; at most as many as the model has sequences. */
  readonly seeds: readonly number[];
  /** An answer that has not ended by then is left out. */
  readonly tokensMax: number;
}

/** An answer that its grammar does not allow to continue. */
export class FailedAnswer extends Error {
  readonly code: AnswerFailure;

  constructor(code: AnswerFailure) {
    super(`an answer failed: ${code}`);
    this.code = code;
  }
}

/** @returns the texts of the answers that came to an end, and how many did not · @throws {FailedAnswer} */
export async function randomAnswers(
  model: LlamaText,
  prepared: PreparedChat,
  { seeds, tokensMax }: RandomAnswers,
): Promise<{ readonly texts: readonly string[]; readonly unfinished: number }> {
  const logitBias = closingTokens(model).map((token) => ({ token, bias: 6 }));
  const answers = seeds.map((seed, sequence) => {
    model.beginSampling(sequence, { ...greedy, temperature: 1.3, seed, logitBias }, prepared);
    return { sequence, position: 0, next: prepared.tokens, tokens: [] as number[] };
  });
  let operations: StepOperation[] = answers.map(({ sequence }) => ({ kind: 'trim', sequence, from: 0 }));
  const texts: string[] = [];
  let open = answers;
  for (let count = 0; open.length > 0 && count < tokensMax; count++) {
    const rows = open.map(({ sequence, position, next }) => ({ sequence, position, tokens: next, sample: true }));
    const { tokens, failures } = await model.step({ operations, rows });
    for (const code of failures.values()) throw new FailedAnswer(code);
    operations = [];
    for (const [row, answer] of open.entries()) {
      answer.position += answer.next.length;
      answer.next = tokens.slice(row, row + 1);
      answer.tokens.push(tokens[row]!);
    }
    const ended = open.filter(({ tokens }) => model.info.endTokens.has(tokens.at(-1)!));
    texts.push(...ended.map(({ tokens }) => spell(model, tokens.slice(0, -1))));
    open = open.filter((answer) => !ended.includes(answer));
  }
  return { texts, unfinished: open.length };
}

/** Closing tokens are made more likely than chance, so that answers end. */
function closingTokens(model: LlamaText): number[] {
  return Array.from({ length: model.info.vocabulary.size }, (_, token) => token).filter((token) =>
    /^["}\]@.:/]$/.test(spell(model, [token])),
  );
}
