/** `POST /v1/chat/completions` and its confidential sibling, streamed and sealed. */
import { readEvents } from '../api/event-stream.ts';
import { ApiError } from '../api/request.ts';
import { sendSealed } from '../proof/sealed-request.ts';
import type { Exchange } from './exchange.ts';

export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'file'; readonly file: { readonly filename: string; readonly file_data: string } };

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string | readonly ChatPart[];
}

export interface ChatRequest {
  readonly model: string;
  readonly isAgent: boolean;
  readonly messages: readonly ChatMessage[];
  readonly temperature: number | undefined;
  readonly answerTokensMax: number | undefined;
  /** Asks an agent for the facts of the documents in place of an answer in words. */
  readonly listsFacts: boolean;
}

export interface ToolCall {
  readonly name: string;
  readonly arguments: string;
}

/** The findings of an agent's tools. */
export interface AgentReport {
  readonly slug: string;
  readonly tools: readonly { readonly name: string; readonly result: unknown; readonly called_by?: string }[];
  readonly context?: { readonly complete: boolean };
  readonly facts?: FactsReport;
}

export type FactValue = string | number | { readonly count: number; readonly unit: string };

export interface ReportedFact {
  readonly kind: string;
  readonly value: Readonly<Record<string, FactValue>>;
  readonly by: 'model' | 'tools' | 'both' | 'computed';
  /** Fields that are the model's reading. */
  readonly judged?: readonly string[];
}

export interface FactsReport {
  readonly facts: readonly ReportedFact[];
  readonly left_out: readonly { readonly because: string; readonly facts: number }[];
  readonly complete: boolean;
}

/** What one event adds to the answer. */
export interface AnswerChange {
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly report?: AgentReport;
  readonly usage?: { readonly promptTokens: number; readonly answerTokens: number };
  readonly finishReason?: string;
  readonly exchange?: Exchange;
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta: {
      readonly content?: string;
      readonly reasoning_content?: string;
      readonly tool_calls?: readonly {
        readonly index: number;
        readonly function?: { readonly name?: string; readonly arguments?: string };
      }[];
    };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
  readonly agent?: AgentReport;
  readonly error?: string | { readonly message: string };
}

/** @throws {ApiError} for an error of the API, also in the middle of the stream */
export async function* streamChat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<AnswerChange> {
  const { model, isAgent, messages, temperature, answerTokensMax, listsFacts } = request;
  const path = isAgent ? '/v1/confidential/chat/completions' : '/v1/chat/completions';
  const body = {
    ...{ model, messages, stream: true, stream_options: { include_usage: true } },
    ...(temperature !== undefined && { temperature }),
    ...(answerTokensMax !== undefined && { max_tokens: answerTokensMax }),
    ...(listsFacts && { response_format: { type: 'agent_facts' } }),
  };
  const sent = await sendSealed(path, body, signal);
  const stream = readEvents(sent.response.body!);
  const calls: ToolCall[] = [];
  let isComplete = false;
  for await (const data of stream.events) {
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error !== undefined) throw streamError(chunk.error);
    const change = changeOf(chunk, calls);
    isComplete ||= change.finishReason !== undefined;
    yield change;
  }
  if (!isComplete) throw new Error('the answer was cut off: it did not reach its end');
  yield {
    exchange: {
      ...{ request: sent.body, response: stream.bytes(), isSealed: sent.proof?.verification.sealingKey !== undefined },
      receiptId: sent.response.headers.get('x-receipt-id') ?? undefined,
    },
  };
}

/** @param calls accumulates the parts of tool calls */
function changeOf({ choices = [], usage, agent }: Chunk, calls: ToolCall[]): AnswerChange {
  const [choice] = choices;
  const { content, reasoning_content: reasoning, tool_calls: parts = [] } = choice?.delta ?? {};
  for (const { index, function: part } of parts) {
    const known = calls[index] ?? { name: '', arguments: '' };
    calls[index] = {
      name: part?.name ?? known.name,
      arguments: known.arguments + (part?.arguments ?? ''),
    };
  }
  return {
    ...(content !== undefined && { text: content }),
    ...(reasoning !== undefined && { reasoning }),
    ...(parts.length > 0 && { toolCalls: [...calls] }),
    ...(agent !== undefined && { report: agent }),
    ...(usage && { usage: { promptTokens: usage.prompt_tokens, answerTokens: usage.completion_tokens } }),
    ...(choice?.finish_reason && { finishReason: choice.finish_reason }),
  };
}

function streamError(error: NonNullable<Chunk['error']>): ApiError {
  return new ApiError(200, typeof error === 'string' ? error : error.message);
}
