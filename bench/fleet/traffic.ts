/**
 * Traffic of a chat service, generated: conversations of accounts, each with one of a few system prompts of its own, whose turns
 * repeat everything that was said. Prompts are lists of blocks, so that the longest common beginning is a comparison of numbers.
 */
import { randomSource } from './random.ts';

export interface TurnRequest {
  /** Seconds since the beginning. */
  readonly at: number;
  readonly account: number;
  /** Ids of the prompt's blocks of 32 tokens; equal ids are equal tokens. */
  readonly blocks: readonly number[];
  /** What a client hashes: the system prompt and the first message of the user. */
  readonly beginning: string;
  readonly answerTokens: number;
}

export interface TrafficOptions {
  readonly accounts: number;
  readonly conversations: number;
  /** Over which conversations begin. */
  readonly seconds: number;
  readonly seed: number;
}

export const blockTokens = 32;

/** In the order of their time. */
export function makeTraffic({ accounts, conversations, seconds, seed }: TrafficOptions): TurnRequest[] {
  const random = randomSource(seed);
  let nextBlock = 0;
  const text = (tokens: number) => Array.from({ length: Math.ceil(tokens / blockTokens) }, () => nextBlock++);
  const between = (low: number, high: number) => Math.floor(low + random() * (high - low));
  const prompts = Array.from({ length: accounts }, () =>
    Array.from({ length: between(1, 4) }, () => text(between(100, 1500))),
  );
  const requests: TurnRequest[] = [];
  for (let count = 0; count < conversations; count++) {
    // A few accounts send most of the traffic.
    const account = Math.floor(accounts * random() ** 3);
    const systemPrompt = between(0, prompts[account]!.length);
    const blocks = [...prompts[account]![systemPrompt]!];
    const turns = 1 + Math.floor(-Math.log(1 - random()) * 3);
    let at = random() * seconds;
    for (let turn = 0; turn < turns; turn++) {
      blocks.push(...text(between(20, turn === 0 ? 800 : 200)));
      const answerTokens = between(40, 400);
      requests.push({
        at,
        account,
        blocks: [...blocks],
        beginning: `${account}/${systemPrompt}/${count}`,
        answerTokens,
      });
      blocks.push(...text(answerTokens));
      at += 5 + random() * 60;
    }
  }
  return requests.toSorted((a, b) => a.at - b.at);
}
