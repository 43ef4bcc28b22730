/**
 * Fields of vLLM, llama.cpp and similar servers that would change an answer. They are never ignored: a value that changes nothing
 * here is accepted, every other value is refused with what to send instead. Pure.
 *
 * Fields that switch thinking are in `thinking-switches.ts`. Fields that no table names are ignored (I-023).
 */
import { refuseField } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';

/** A field that is refused, except for values that change nothing. */
export interface ForeignField {
  /** A scalar, or a list of scalars, `[]` for an empty array and `{}` for an empty object. `null` is always accepted. */
  readonly neutral?: unknown;
  readonly instead?: string;
}

/** By name; with a dot for a member of an object. */
export type ForeignFields = Readonly<Record<string, ForeignField>>;

const schema = '`response_format` with a JSON schema';
const penalties = '`frequency_penalty` or `presence_penalty`';
const levels = '`reasoning_effort`';

/** The form of an answer. */
const forms: ForeignFields = {
  grammar: { neutral: '', instead: schema },
  guided_json: { instead: schema },
  guided_regex: { instead: `${schema} that has a \`pattern\`` },
  guided_choice: { instead: `${schema} that has an \`enum\`` },
  guided_grammar: { instead: schema },
  guided_whitespace_pattern: {},
  structured_outputs: { neutral: [{}], instead: schema },
  json_schema: { instead: schema },
  regex: { instead: `${schema} that has a \`pattern\`` },
  ebnf: { instead: schema },
  parse_tool_calls: { neutral: true },
  response_fields: { neutral: [[]] },
};

/** The choice of tokens. */
const samplers: ForeignFields = {
  repetition_penalty: { neutral: 1, instead: penalties },
  repeat_penalty: { neutral: 1, instead: penalties },
  // Neutral: the default, and the whole context.
  repeat_last_n: { neutral: [64, -1] },
  repetition_detection: {},
  typical_p: { neutral: 1 },
  typ_p: { neutral: 1 },
  top_a: { neutral: 0 },
  top_n_sigma: { neutral: -1 },
  min_keep: { neutral: [0, 1] },
  mirostat: { neutral: 0 },
  dynatemp_range: { neutral: 0 },
  xtc_probability: { neutral: 0 },
  dry_multiplier: { neutral: 0 },
  samplers: {},
  logits_processors: { neutral: [[]] },
  bad_words: { neutral: [[]], instead: '`logit_bias`' },
  allowed_token_ids: { neutral: [[]], instead: '`logit_bias`' },
  use_beam_search: { neutral: false },
  length_penalty: { neutral: 1 },
  best_of: { neutral: 1 },
  lora: { neutral: [[]], instead: 'the id of an adapter as `model`' },
};

/** The length of an answer, and what ends it. */
const limits: ForeignFields = {
  min_tokens: { neutral: 0 },
  n_predict: { neutral: -1, instead: '`max_completion_tokens`' },
  t_max_predict_ms: { neutral: [0, -1], instead: '`max_completion_tokens`' },
  ignore_eos: { neutral: false },
  stop_token_ids: { neutral: [[]], instead: '`stop`' },
  include_stop_str_in_output: { neutral: false },
};

/** The prompt. */
const prompts: ForeignFields = {
  chat_template: {},
  add_generation_prompt: { neutral: true },
  continue_final_message: { neutral: false },
  add_special_tokens: { neutral: false, instead: 'a prompt to `/v1/completions`' },
  truncate_prompt_tokens: {},
  documents: { neutral: [[]], instead: 'the texts in a message' },
  mm_processor_kwargs: { neutral: [{}] },
  cache_salt: {},
};

/** Further members of an answer. */
const reports: ForeignFields = {
  echo: { neutral: false, instead: 'a prompt to `/v1/completions`' },
  prompt_logprobs: {},
  n_probs: { neutral: 0, instead: '`logprobs` and `top_logprobs`' },
  post_sampling_probs: { neutral: false },
  return_tokens: { neutral: false },
  return_token_ids: { neutral: false },
  return_tokens_as_token_ids: { neutral: false },
  skip_special_tokens: { neutral: true },
  'stream_options.continuous_usage_stats': { neutral: false, instead: '`stream_options.include_usage`' },
};

/** Functions of OpenAI's servers. */
const functions: ForeignFields = {
  web_search_options: { instead: 'a function in `tools`' },
};

/** Thinking, where no switch of the chat is equivalent. */
const thinking: ForeignFields = {
  // Neutral: thoughts are a member of their own.
  reasoning_format: { neutral: ['auto', 'deepseek', 'parsed'] },
  thinking_forced_open: { neutral: false },
  thinking_token_budget: { neutral: -1, instead: levels },
};

/** The fields that chats, completions, responses and messages refuse. */
export const foreignFields: ForeignFields = {
  ...forms,
  ...samplers,
  ...limits,
  ...prompts,
  ...reports,
  ...functions,
  ...thinking,
};

/** `foreignFields` for an API that has some of these names itself. @param own names of fields that the API reads */
export function foreignFieldsExcept(own: readonly string[]): ForeignFields {
  return Object.fromEntries(Object.entries(foreignFields).filter(([name]) => !own.includes(name)));
}

/**
 * Refuses the fields of a body that would change the answer and are not supported.
 * @param raw parsed JSON; anything but an object is left to the schema
 * @throws {ServerError} ERR_REQUEST_INVALID, which names the field and repeats no text of it
 */
export function refuseForeign(raw: unknown, fields: ForeignFields = foreignFields): void {
  if (!isPlainObject(raw)) return;
  // Most fields of the table are absent from most bodies.
  for (const name in fields) {
    const value = valueAt(raw, name);
    if (value === null) continue;
    const { neutral = [], instead } = fields[name]!;
    if (listOf(neutral).some((one) => isSame(one, value))) continue;
    refuseField(name, instead === undefined ? 'is not supported' : `is not supported: send ${instead} instead`, value);
  }
}

/** @param path of a member, or of a member's member · @returns null if it is absent */
function valueAt(raw: Readonly<Record<string, unknown>>, path: string): unknown {
  const dot = path.indexOf('.');
  if (dot < 0) return (Object.hasOwn(raw, path) ? raw[path] : null) ?? null;
  const member = valueAt(raw, path.slice(0, dot));
  return isPlainObject(member) ? valueAt(member, path.slice(dot + 1)) : null;
}

function listOf(neutral: unknown): readonly unknown[] {
  return Array.isArray(neutral) ? neutral : [neutral];
}

/** @param neutral a scalar, or an empty array or object */
function isSame(neutral: unknown, value: unknown): boolean {
  if (Array.isArray(neutral)) return Array.isArray(value) && value.length === 0;
  if (isPlainObject(neutral)) return isPlainObject(value) && Object.keys(value).length === 0;
  return neutral === value;
}
