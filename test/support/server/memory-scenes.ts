/** Requests that carry a canary in every field with text, and end in every possible way. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attestedFetch } from '../../../attestation/client/attested-fetch.ts';
import { parsePemChain } from '../../../attestation/x509/pem.ts';
import type { RunningServer } from './server.ts';

export interface MemoryScene {
  /** The suffix of the scene's canary. */
  readonly id: string;
  readonly title: string;
  readonly status: number;
  /** @returns the response, its body unread unless the caller left */
  readonly send: (server: RunningServer, text: string) => Promise<Response>;
}

const model = 'cloister-demo-TEE';

const say = (content: string, rest: object = {}) => ({
  model,
  max_tokens: 16,
  messages: [{ role: 'user', content }],
  ...rest,
});

const tool = (description: string) => ({
  type: 'function',
  function: {
    name: 'look',
    description,
    parameters: { type: 'object', properties: { place: { enum: [description] } } },
  },
});
const schema = (word: string) => ({
  type: 'json_schema',
  json_schema: { name: 'answer', schema: { type: 'object', properties: { word: { enum: [word] } } } },
});
const json = (key: string) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' });
const chat = (server: RunningServer, body: object) => server.post('/chat/completions', body);

export const memoryScenes: readonly MemoryScene[] = [
  {
    id: 'chat',
    title: 'a chat',
    status: 200,
    send: (server, text) => chat(server, say(`Say ${text}`, { user: text, stop: [text] })),
  },
  {
    id: 'strm',
    title: 'a streamed chat',
    status: 200,
    send: (server, text) => chat(server, say(`Say ${text}`, { stream: true })),
  },
  {
    id: 'tool',
    title: 'a chat with a tool',
    status: 200,
    send: (server, text) => chat(server, say(`Look at ${text}`, { tools: [tool(text)], tool_choice: 'required' })),
  },
  {
    id: 'schm',
    title: 'a chat with a JSON schema',
    status: 200,
    send: (server, text) => chat(server, say(`Give ${text}`, { response_format: schema(text) })),
  },
  {
    id: 'resp',
    title: 'a response',
    status: 200,
    send: (server, text) =>
      server.post('/responses', {
        model,
        max_output_tokens: 16,
        instructions: `Like ${text}`,
        input: [{ role: 'user', content: `Say ${text}` }],
        metadata: { note: text },
      }),
  },
  {
    id: 'rstr',
    title: 'a streamed response with a tool',
    status: 200,
    send: (server, text) =>
      server.post('/responses', {
        ...{ model, max_output_tokens: 16, stream: true, input: `Say ${text}` },
        tools: [{ type: 'function', name: 'look', description: text, parameters: { type: 'object' } }],
      }),
  },
  { id: 'rsta', title: 'a response that continues sealed state', status: 200, send: continueResponse },
  {
    id: 'mesg',
    title: 'a message of the Messages API',
    status: 200,
    send: (server, text) =>
      server.post('/messages', {
        ...{ model, max_tokens: 16, system: `Like ${text}`, stop_sequences: [text], metadata: { user_id: text } },
        messages: [{ role: 'user', content: [{ type: 'text', text: `Say ${text}` }] }],
      }),
  },
  {
    id: 'mcnt',
    title: 'a count of tokens',
    status: 200,
    send: (server, text) =>
      server.post('/messages/count_tokens', { model, messages: [{ role: 'user', content: `Say ${text}` }] }),
  },
  {
    id: 'cmpl',
    title: 'a completion of several prompts',
    status: 200,
    send: (server, text) =>
      server.post('/completions', { model, prompt: [`Say ${text}`, `So ${text}`], echo: true, stop: text }),
  },
  {
    id: 'cstr',
    title: 'a streamed completion',
    status: 200,
    send: (server, text) => server.post('/completions', { model, prompt: `Say ${text}`, stream: true }),
  },
  {
    id: 'tokn',
    title: 'a text that is tokenized',
    status: 200,
    send: (server, text) => server.post('/tokenize', { model, prompt: `Say ${text}` }),
  },
  { id: 'detk', title: 'tokens that are detokenized', status: 200, send: detokenize },
  {
    id: 'embd',
    title: 'embeddings',
    status: 200,
    send: (server, text) =>
      server.post('/embeddings', { model: 'cloister-demo-embedding-TEE', input: [text, `a b ${text}`] }),
  },
  {
    id: 'embo',
    title: 'an embedding of one text',
    status: 200,
    send: (server, text) => server.post('/embeddings', { model: 'cloister-demo-embedding-TEE', input: `one ${text}` }),
  },
  {
    id: 'rrnk',
    title: 'documents that are reranked',
    status: 200,
    send: (server, text) =>
      server.post('/rerank', {
        ...{ model: 'cloister-demo-reranker-TEE', query: `Find ${text}`, return_documents: true },
        documents: [text, { text: `a b ${text}` }],
      }),
  },
  {
    id: 'scor',
    title: 'a pair of texts that is scored',
    status: 200,
    send: (server, text) =>
      server.post('/score', { model: 'cloister-demo-reranker-TEE', text_1: `one ${text}`, text_2: `two ${text}` }),
  },
  {
    id: 'imag',
    title: 'a picture',
    status: 200,
    send: (server, text) => server.post('/images/generations', { ...drawing(text), response_format: 'b64_json' }),
  },
  { id: 'link', title: 'a picture that is fetched by its link', status: 200, send: fetchPicture },
  {
    id: 'agnt',
    title: "an agent's turn over a document",
    status: 200,
    send: (server, text) =>
      server.post('/confidential/chat/completions', {
        model: 'contract-analyst',
        max_tokens: 8,
        messages: [{ role: 'user', content: `This Agreement with ${text} is governed by the laws of Ireland.` }],
      }),
  },
  {
    id: 'larg',
    title: 'a body that is read on a thread of its own',
    status: 200,
    send: (server, text) => chat(server, say(`Say ${text}`, { padding: `${text} `.repeat(10_000) })),
  },
  {
    id: 'lref',
    title: 'a large body with a wrong value',
    status: 400,
    send: (server, text) => chat(server, say(text, { temperature: `${text} `.repeat(10_000) })),
  },
  { id: 'seal', title: 'a sealed body', status: 200, send: sendSealed },
  {
    id: 'fiel',
    title: 'a field with a wrong value',
    status: 400,
    send: (server, text) => chat(server, say(text, { temperature: text })),
  },
  {
    id: 'json',
    title: 'a body that is not JSON',
    status: 400,
    send: (server, text) => server.post('/chat/completions', `{"a": "${text}`),
  },
  {
    id: 'long',
    title: 'a prompt that is too long',
    status: 400,
    send: (server, text) => chat(server, say(`${text} ${'and so on '.repeat(5000)}`)),
  },
  {
    id: 'keyy',
    title: 'a refused key',
    status: 401,
    send: (server, text) => server.post('/chat/completions', say(text), { headers: json(text) }),
  },
  {
    id: 'type',
    title: 'a body of another type',
    status: 415,
    send: (server, text) =>
      server.post('/chat/completions', text, {
        headers: { ...json(server.listening.apiKey), 'content-type': 'text/plain' },
      }),
  },
  {
    id: 'head',
    title: 'a header',
    status: 200,
    send: (server, text) =>
      server.post('/chat/completions', say('Hello'), { headers: { ...json(server.listening.apiKey), 'x-note': text } }),
  },
  { id: 'left', title: 'a stream whose caller left', status: 200, send: leaveStream },
];

const drawing = (prompt: string) => ({ prompt: `a red circle ${prompt}`, size: '256x256', num_inference_steps: 10 });

async function detokenize(server: RunningServer, text: string): Promise<Response> {
  const tokenized = await server.post('/tokenize', { model, prompt: `Say ${text}` });
  const { tokens } = (await tokenized.json()) as { tokens: number[] };
  return await server.post('/detokenize', { model, tokens });
}

async function fetchPicture(server: RunningServer, text: string): Promise<Response> {
  const response = await server.post('/images/generations', drawing(text));
  const { data } = (await response.json()) as { data: { url: string }[] };
  return await fetch(data[0]!.url);
}

async function sendSealed(server: RunningServer, text: string): Promise<Response> {
  const roots = parsePemChain(readFileSync(join(server.stateDir, 'simulation-root.pem')), 'root');
  const send = attestedFetch({ measurements: 'any', sources: 'any' }, { roots, seal: true });
  const { baseUrl, apiKey } = server.listening;
  const body = JSON.stringify(say(`Say ${text}`));
  return await send(`${baseUrl}/chat/completions`, { method: 'POST', headers: json(apiKey), body });
}

async function leaveStream(server: RunningServer, text: string): Promise<Response> {
  const leaving = new AbortController();
  const body = JSON.stringify(say(`Go on about ${text}`, { stream: true, max_tokens: 500 }));
  const response = await server.post('/chat/completions', body, { signal: leaving.signal });
  await response.body!.getReader().read();
  leaving.abort();
  return response;
}

async function continueResponse(server: RunningServer, text: string): Promise<Response> {
  const body = { model, max_output_tokens: 8, store: true, input: `Say ${text}` };
  const { id } = (await (await server.post('/responses', body)).json()) as { id: string };
  return await server.post('/responses', { ...body, previous_response_id: id });
}
