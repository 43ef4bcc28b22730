/** Bodies of the inference routes, from their bytes to the engine's request. */
import { agentDirectory, agents } from '../../../agents/registry.ts';
import { parseJson } from '../../../server/bodies/parse-json.ts';
import { readConfidentialCall } from '../../../server/features/agents/schema.ts';
import { readChatCall } from '../../../server/features/chat/call.ts';
import { readCompletionCall, readDetokenizeCall, readTokenizeCall } from '../../../server/features/completions/call.ts';
import { readEmbeddingCall } from '../../../server/features/embeddings/schema.ts';
import { readImageCall } from '../../../server/features/images/schema.ts';
import { readCountCall, readMessagesCall } from '../../../server/features/messages/call.ts';
import { readRerankCall, readScoreCall } from '../../../server/features/rerank/schema.ts';
import { readInputTokensCall, readResponseCall } from '../../../server/features/responses/call.ts';
import { ServerError } from '../../../server/http/errors.ts';
import { jsonGenerator } from '../mutation/json.ts';
import { canary, type FuzzTarget, refusalsOf, withoutEcho } from '../target.ts';

const randomSeed = () => 1;
const directory = agentDirectory();
const findAgent = (slug: string) => directory.get(slug);

export const targets: readonly FuzzTarget[] = [
  bodyTarget({
    name: 'chat-bodies',
    summary: 'bodies of /v1/chat/completions and /v1/confidential/chat/completions',
    strings: [
      ...['messages', 'role', 'content', 'system', 'user', 'assistant', 'tool', 'tool_calls', 'function', 'name'],
      ...['tools', 'tool_choice', 'parameters', 'response_format', 'json_schema', 'stop', 'logit_bias', '$ref', canary],
    ],
    async read(body) {
      await withoutEcho(() => readChatCall(body, randomSeed));
      await withoutEcho(() => readConfidentialCall(body, { findAgent, randomSeed }));
    },
  }),
  bodyTarget({
    name: 'response-bodies',
    summary: 'bodies of /v1/responses and /v1/responses/input_tokens',
    strings: [
      ...[
        'input',
        'instructions',
        'type',
        'message',
        'input_text',
        'function_call',
        'function_call_output',
        'custom_tool_call',
        'custom',
        'input_file',
        'file_data',
        'encrypted_content',
        'reasoning',
      ],
      ...[
        'call_id',
        'arguments',
        'output',
        'tools',
        'tool_choice',
        'allowed_tools',
        'text',
        'format',
        'include',
        canary,
      ],
    ],
    async read(body) {
      await withoutEcho(() => readResponseCall(body, 1));
      await withoutEcho(() => readInputTokensCall(body));
    },
  }),
  bodyTarget({
    name: 'message-bodies',
    summary: 'bodies of /v1/messages and /v1/messages/count_tokens',
    strings: [
      ...[
        'messages',
        'role',
        'content',
        'system',
        'user',
        'assistant',
        'type',
        'text',
        'tool_use',
        'tool_result',
        'input',
      ],
      ...[
        'thinking',
        'document',
        'tools',
        'input_schema',
        'tool_choice',
        'stop_sequences',
        'is_error',
        'source',
        'search_result',
        'tool_reference',
        'cache_control',
        canary,
      ],
    ],
    async read(body) {
      await withoutEcho(() => readMessagesCall(body, 1));
      await withoutEcho(() => readCountCall(body));
    },
  }),
  bodyTarget({
    name: 'completion-bodies',
    summary: 'bodies of /v1/completions',
    strings: ['prompt', 'echo', 'logprobs', 'suffix', 'best_of', 'n', 'stop', 'logit_bias', 'stream_options', canary],
    read: (body) => withoutEcho(() => readCompletionCall(body, 1)),
  }),
  bodyTarget({
    name: 'token-bodies',
    summary: 'bodies of /v1/tokenize and /v1/detokenize',
    strings: ['prompt', 'messages', 'role', 'content', 'tools', 'tokens', 'add_special_tokens', canary],
    // A body that one route refuses may be right for the other.
    async read(body) {
      const [tokenized] = await Promise.allSettled([withoutEcho(() => readTokenizeCall(body))]);
      await withoutEcho(() => readDetokenizeCall(body));
      if (tokenized.status === 'rejected') throw tokenized.reason;
    },
  }),
  bodyTarget({
    name: 'embedding-bodies',
    summary: 'bodies of /v1/embeddings',
    strings: ['input', 'model', 'encoding_format', 'base64', 'dimensions', canary],
    read: (body) => withoutEcho(() => readEmbeddingCall(body)),
  }),
  bodyTarget({
    name: 'rerank-bodies',
    summary: 'bodies of /v1/rerank and /v1/score',
    strings: ['query', 'documents', 'text', 'text_1', 'text_2', 'top_n', 'truncate_prompt_tokens', canary],
    // A body that one route refuses may be right for the other.
    async read(body) {
      const [ranked] = await Promise.allSettled([withoutEcho(() => readRerankCall(body))]);
      await withoutEcho(() => readScoreCall(body));
      if (ranked.status === 'rejected') throw ranked.reason;
    },
  }),
  bodyTarget({
    name: 'image-bodies',
    summary: 'bodies of /v1/images/generations',
    strings: ['prompt', 'size', '512x512', 'n', 'response_format', 'seed', canary],
    read: (body) => withoutEcho(() => readImageCall(body, { randomSeed })),
  }),
];

interface CallReader {
  readonly name: string;
  readonly summary: string;
  readonly strings: readonly string[];
  readonly read: (body: unknown) => Promise<void>;
}

function bodyTarget({ name, summary, strings, read }: CallReader): FuzzTarget {
  return {
    name,
    summary,
    generate: jsonGenerator({ strings: [...strings, ...agents.map(({ slug }) => slug)] }),
    open: () => ({
      run: (input) => read(parseJson(input)),
      isRefusal: refusalsOf(ServerError, 'ERR_REQUEST_INVALID'),
    }),
  };
}
