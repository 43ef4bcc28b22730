/** The load generator's HTTP client: plain `node:http(s)`, with the arrival time of each event. */
import { type Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface RequestOptions {
  readonly agent: HttpAgent | HttpsAgent;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface ChatTarget {
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly modelId: string;
  /** Path of chat requests, if not the direct route. */
  readonly chatPath?: string;
}

export type Message = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

export interface ChatOptions {
  readonly agent: HttpAgent | HttpsAgent;
  readonly messages: readonly Message[];
  readonly maxTokens: number;
  /** Tokens to suppress, so that the response has its full length. */
  readonly endTokens: readonly number[];
  readonly choices?: number;
  readonly signal?: AbortSignal;
  /** Called with each piece of text as it arrives. */
  readonly onText?: (at: number) => void;
}

/** Times are `performance.now()` milliseconds. */
export interface Answer {
  readonly startedAt: number;
  /** Arrival of each event that carried text. */
  readonly textAt: readonly number[];
  readonly endedAt: number;
  readonly text: string;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
}

/** Sends a request and reads the whole response. @throws on a network error */
export async function request(url: string, options: RequestOptions): Promise<{ status: number; body: string }> {
  const reply = await open(url, options);
  let body = '';
  for await (const chunk of reply.setEncoding('utf8')) body += chunk;
  return { status: reply.statusCode ?? 0, body };
}

/** Streams one chat response. @throws if the status is not 200 or the stream ends without usage */
export async function streamChat(target: ChatTarget, options: ChatOptions): Promise<Answer> {
  const startedAt = performance.now();
  const reply = await open(`${target.baseUrl}${target.chatPath ?? '/v1/chat/completions'}`, {
    agent: options.agent,
    headers: { 'content-type': 'application/json', ...target.headers },
    body: JSON.stringify(chatBody(target, options)),
    ...(options.signal && { signal: options.signal }),
  });
  reply.setEncoding('utf8');
  if (reply.statusCode !== 200) {
    let body = '';
    for await (const chunk of reply) body += chunk;
    throw new Error(`${target.baseUrl} answered ${reply.statusCode}: ${body.slice(0, 500)}`);
  }
  const textAt: number[] = [];
  let text = '';
  let usage: Usage | undefined;
  for await (const event of serverSentEvents(reply)) {
    const piece = event.data.choices.map(({ delta }) => delta?.content ?? '').join('');
    if (piece !== '') {
      textAt.push(event.at);
      text += piece;
      options.onText?.(event.at);
    }
    usage = event.data.usage ?? usage;
  }
  if (!usage) throw new Error(`${target.baseUrl}: the stream ended without usage`);
  return {
    startedAt,
    textAt,
    endedAt: performance.now(),
    text,
    promptTokens: usage.prompt_tokens,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
    completionTokens: usage.completion_tokens,
  };
}

export function chatBody(target: ChatTarget, options: Omit<ChatOptions, 'agent'>): object {
  return {
    model: target.modelId,
    messages: options.messages,
    max_tokens: options.maxTokens,
    temperature: 0.8,
    top_p: 0.95,
    stream: true,
    stream_options: { include_usage: true },
    ...(options.choices && { n: options.choices }),
    ...(options.endTokens.length > 0 && { logit_bias: Object.fromEntries(options.endTokens.map((id) => [id, -100])) }),
  };
}

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number };
}

interface Chunk {
  readonly choices: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly usage?: Usage | null;
  readonly error?: unknown;
}

/** @throws if an event reports an error */
async function* serverSentEvents(reply: IncomingMessage): AsyncGenerator<{ at: number; data: Chunk }> {
  let rest = '';
  for await (const chunk of reply as AsyncIterable<string>) {
    const at = performance.now();
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if (!line.startsWith('data: ') || line.startsWith('data: [DONE]')) continue;
      const data = JSON.parse(line.slice(6)) as Chunk;
      if (data.error) throw new Error(`the stream reported ${JSON.stringify(data.error)}`);
      yield { at, data };
    }
  }
}

/** Timeout after which a server counts as stuck. */
const exchangeTimeoutMs = 600_000;

function open(url: string, { agent, headers, body, signal }: RequestOptions): Promise<IncomingMessage> {
  const timeout = AbortSignal.timeout(exchangeTimeoutMs);
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https') ? httpsRequest : httpRequest;
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const method = body === undefined ? 'GET' : 'POST';
    const outgoing = send(url, {
      method,
      agent,
      headers: { ...headers, ...length },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    outgoing.on('response', resolve).on('error', reject).end(body);
  });
}
