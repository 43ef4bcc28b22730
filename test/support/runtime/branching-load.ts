/**
 * Nine agents, a document per agent, and conversations that branch, on a scheduler without a model. Each request asks about a
 * document, or continues one of the earlier conversations, chosen at random. One account, 32 clients.
 */
import type { Job } from '../../../runtime/chat/answer.ts';
import { Scheduler } from '../../../runtime/chat/scheduler.ts';
import { Random } from '../random.ts';
import { greedy } from './chat-request.ts';

/** Lengths in tokens. Agents' prompts have 1,200 to 1,600. */
const lengths = { document: 800, question: 115, answer: 64, conversationMax: 4500 };
const clients = 32;
const agentCount = 9;

interface BranchingJob extends Job {
  readonly answer: number[];
}

export interface ReuseCount {
  /** Prompt tokens that were computed. */
  readonly computed: number;
  /** Prompt tokens that no earlier prompt or answer had at the same place. */
  readonly fresh: number;
  readonly stateBytesMax: number;
}

/** @param stateTokensMax host memory for states, in tokens */
export function countReuse({ requests, stateTokensMax }: { requests: number; stateTokensMax: number }): ReuseCount {
  const scheduler = new Scheduler<BranchingJob>({
    sequences: clients,
    contextPerSequence: 6144,
    stepTokensMax: 512,
    canTrim: true,
    canSplit: true,
    draftTokensMax: 0,
    promptLookup: 'off',
    queuedRequestsMax: clients,
    stateBytesMax: stateTokensMax,
    stateBytesFixed: 0,
    stateBytesPerToken: 1,
    endTokens: new Set(),
  });
  const random = new Random(7);
  const seen = new SeenTokens();
  let nextToken = 0;
  const newTokens = (length: number) => Array.from({ length }, () => nextToken++);
  const prompts = Array.from({ length: agentCount }, (_, agent) => newTokens(1200 + 50 * agent));
  const beginnings = prompts.map((prompt) => [...prompt, ...newTokens(lengths.document)]);
  const conversations: number[][] = [];
  let [left, computed, fresh, bytesMax] = [requests, 0, 0, 0];

  const submit = () => {
    if (left-- <= 0) return;
    const continues = conversations.length > 0 && random.below(2) === 0;
    const prompt = [...random.pick(continues ? conversations : beginnings), ...newTokens(lengths.question)];
    fresh += Math.max(1, seen.add(prompt));
    const common = { salt: 'a', account: 'a', priority: 0, choices: 1, sampling: greedy } as const;
    scheduler.submit({ ...common, prompt: Int32Array.from(prompt), maxTokens: lengths.answer, answer: [] });
  };
  const step = (): boolean => {
    const planned = scheduler.nextStep({ prefillTokens: 128 });
    if (planned === undefined) return false;
    const rows = planned.step.rows.filter(({ sample }) => sample).length;
    const tokens = Int32Array.from({ length: rows }, () => nextToken++);
    const { drawn } = scheduler.complete(planned.step, {
      drawn: new Int32Array(rows).fill(1),
      tokens,
      failures: new Map(),
      logprobs: Array.from(tokens, () => undefined),
      decodeMicros: 1,
      productMicros: 0,
      attentionMicros: 0,
      sampleMicros: 1,
      threads: 1,
    });
    for (const { answer, token, end } of drawn) {
      const { job } = answer;
      job.answer.push(token);
      if (end === undefined) continue;
      computed += job.prompt.length - answer.reused;
      // The last token of an answer is not computed.
      const conversation = [...job.prompt, ...job.answer.slice(0, -1)];
      seen.add(conversation);
      if (conversation.length < lengths.conversationMax) conversations.push([...conversation, job.answer.at(-1)!]);
      submit();
    }
    bytesMax = Math.max(bytesMax, scheduler.cached.stateBytes.all);
    return true;
  };

  for (const prompt of prompts) {
    seen.add(prompt);
    const onFailed = (error: unknown) => {
      throw error;
    };
    scheduler.pin({ tokens: Int32Array.from(prompt), onPinned: () => undefined, onFailed });
  }
  while (step());
  for (let client = 0; client < clients; client += 1) submit();
  while (step());
  return { computed, fresh, stateBytesMax: bytesMax };
}

/** A tree of all tokens so far. */
class SeenTokens {
  readonly #next = new Map<number, SeenTokens>();

  /** @returns how many of the tokens were not in the tree */
  add(tokens: readonly number[]): number {
    let added = 0;
    let node: SeenTokens = this;
    for (const token of tokens) {
      let next = node.#next.get(token);
      if (next === undefined) {
        next = new SeenTokens();
        node.#next.set(token, next);
        added += 1;
      }
      node = next;
    }
    return added;
  }
}
