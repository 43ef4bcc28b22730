/**
 * The conversation of the page. It exists only in the memory of this page: closing the page deletes it, and the server stores no text.
 */
import { type Signal, signal } from '@preact/signals';
import { reasonOf } from '../api/request.ts';
import { noteEnded } from '../api/session.ts';
import { type AgentReport, type ChatMessage, type ChatPart, streamChat, type ToolCall } from './chat-stream.ts';
import type { Exchange } from './exchange.ts';

export interface Attachment {
  readonly name: string;
  readonly bytes: number;
  /** A data URL. */
  readonly data: string;
}

export interface UserTurn {
  readonly role: 'user';
  readonly id: number;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

export interface AnswerTurn {
  readonly role: 'assistant';
  readonly id: number;
  readonly model: string;
  /** The text is a list of facts as JSON. */
  readonly listsFacts: boolean;
  /** Changes while the answer arrives. */
  readonly answer: Signal<Answer>;
}

export type Turn = UserTurn | AnswerTurn;

export interface Answer {
  readonly state: 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed';
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ToolCall[];
  readonly report: AgentReport | undefined;
  readonly problem: string | undefined;
  readonly usage: { readonly promptTokens: number; readonly answerTokens: number } | undefined;
  /** Why the answer ended, in the API's words. */
  readonly finishReason: string | undefined;
  /** What a proof of the answer needs; undefined until the answer is complete. */
  readonly exchange: Exchange | undefined;
}

export interface Settings {
  readonly instructions: string;
  /** Undefined for the model's default. */
  readonly temperature: number | undefined;
  readonly answerTokensMax: number | undefined;
}

export interface ChatTarget {
  readonly model: string;
  readonly isAgent: boolean;
  /** Whether the answer is the facts of the documents. */
  readonly listsFacts: boolean;
}

const emptyAnswer: Answer = {
  ...{ state: 'waiting', text: '', reasoning: '', toolCalls: [], report: undefined, problem: undefined },
  ...{ usage: undefined, finishReason: undefined, exchange: undefined },
};

export const turns = signal<readonly Turn[]>([]);
export const isAnswering = signal(false);
export const settings = signal<Settings>({ instructions: '', temperature: undefined, answerTokensMax: undefined });

let leaving: AbortController | undefined;
let lastId = 0;

/** Adds a message and its answer. */
export async function ask(message: Pick<UserTurn, 'text' | 'attachments'>, target: ChatTarget): Promise<void> {
  turns.value = [...turns.value, { role: 'user', id: ++lastId, ...message }];
  await answerLast(target);
}

/** Removes the last answer and requests another. */
export async function retry(target: ChatTarget): Promise<void> {
  stop();
  const last = turns.value.findLastIndex(({ role }) => role === 'user');
  turns.value = turns.value.slice(0, last + 1);
  await answerLast(target);
}

/** Ends the running answer; what has arrived stays. */
export function stop(): void {
  leaving?.abort();
}

export function clear(): void {
  stop();
  turns.value = [];
}

/** The conversation as Markdown, for a file. */
export function exportText(): string {
  return turns.value
    .map((turn) =>
      turn.role === 'user'
        ? `## You\n\n${turn.text}\n${turn.attachments.map(({ name }) => `\n(file: ${name})\n`).join('')}`
        : `## ${turn.model}\n\n${turn.answer.value.text}\n`,
    )
    .join('\n');
}

async function answerLast({ model, isAgent, listsFacts }: ChatTarget): Promise<void> {
  const answer = signal<Answer>(emptyAnswer);
  const messages = messagesOf(turns.value, settings.value);
  turns.value = [...turns.value, { role: 'assistant', id: ++lastId, model, listsFacts, answer }];
  const own = new AbortController();
  leaving = own;
  isAnswering.value = true;
  const { temperature, answerTokensMax } = settings.value;
  try {
    const request = { model, isAgent, messages, temperature, answerTokensMax, listsFacts };
    for await (const change of streamChat(request, own.signal)) {
      const { text, reasoning } = answer.value;
      answer.value = {
        ...answer.value,
        ...change,
        state: 'streaming',
        text: text + (change.text ?? ''),
        reasoning: reasoning + (change.reasoning ?? ''),
      };
    }
    answer.value = { ...answer.value, state: 'done' };
  } catch (error) {
    noteEnded(error);
    const isStopped = own.signal.aborted;
    answer.value = {
      ...answer.value,
      ...(isStopped ? { state: 'stopped' } : { state: 'failed', problem: reasonOf(error) }),
    };
  } finally {
    if (leaving === own) {
      leaving = undefined;
      isAnswering.value = false;
    }
  }
}

function messagesOf(all: readonly Turn[], { instructions }: Settings): ChatMessage[] {
  const system: ChatMessage[] = instructions.trim() === '' ? [] : [{ role: 'system', content: instructions }];
  return [
    ...system,
    ...all
      .map((turn): ChatMessage => {
        if (turn.role === 'user') return { role: 'user', content: contentOf(turn) };
        return { role: 'assistant', content: turn.answer.value.text };
      })
      // An answer that failed before its first word.
      .filter(({ role, content }) => role !== 'assistant' || content !== ''),
  ];
}

function contentOf({ text, attachments }: UserTurn): string | ChatPart[] {
  if (attachments.length === 0) return text;
  return [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...attachments.map(({ name, data }): ChatPart => ({ type: 'file', file: { filename: name, file_data: data } })),
  ];
}
