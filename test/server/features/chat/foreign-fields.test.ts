import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readChatCall } from '../../../../server/features/chat/call.ts';
import { foreignFields, refuseForeign } from '../../../../server/features/chat/foreign-fields.ts';
import { thinkingSwitches } from '../../../../server/features/chat/thinking-switches.ts';
import { readCompletionCall } from '../../../../server/features/completions/call.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const chat = (fields: object = {}) => readChatCall({ model: 'm', messages, ...fields }, () => 42).work;
const completion = (fields: object = {}) => readCompletionCall({ model: 'm', prompt: 'Hi', ...fields }, 42).work;

describe('a field of vLLM or llama.cpp', () => {
  const documented = readFileSync(new URL('../../../../docs/reference/api.md', import.meta.url), 'utf8');

  it('is in the reference of the API', () => {
    const names = [...Object.keys(foreignFields), ...thinkingSwitches];
    expect(names.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  it.each([
    ...[{ documents: [{ text: 'secret' }] }, { echo: true }, { prompt_logprobs: 1 }, { n_probs: 3 }],
    ...[{ repeat_last_n: 5 }, { min_keep: 5 }, { lora: [{ id: 0, scale: 0.5 }] }, { logits_processors: ['secret'] }],
    ...[{ best_of: 2 }, { guided_whitespace_pattern: 'secret' }, { skip_special_tokens: false }],
    ...[{ add_special_tokens: true }, { return_token_ids: true }, { reasoning_format: 'none' }],
    ...[{ thinking_token_budget: 5 }, { parse_tool_calls: false }, { top_a: 0.2 }, { t_max_predict_ms: 5 }],
    ...[{ cache_salt: 'secret' }, { chat_template: 'secret' }, { add_generation_prompt: false }],
    ...[{ continue_final_message: true }, { truncate_prompt_tokens: 5 }, { include_stop_str_in_output: true }],
    ...[{ use_beam_search: true }, { length_penalty: 2 }, { samplers: ['top_k'] }, { typ_p: 0.5 }, { top_n_sigma: 1 }],
    ...[{ dynatemp_range: 0.5 }, { xtc_probability: 0.5 }, { dry_multiplier: 0.8 }, { web_search_options: {} }],
  ])('is refused with its name and without its text: %j', (field) => {
    const [name] = Object.keys(field);
    const refusal = (): unknown => chat(field);
    expect(refusal).toThrow(`\`${name}\` is not supported`);
    expect(refusal).not.toThrow('secret');
  });

  it.each([
    ...[{ documents: [] }, { echo: false }, { n_probs: 0 }, { repeat_last_n: 64 }, { min_keep: 0 }, { lora: [] }],
    ...[{ logits_processors: [] }, { best_of: 1 }, { skip_special_tokens: true }, { add_special_tokens: false }],
    ...[{ return_token_ids: false }, { reasoning_format: 'auto' }, { parse_tool_calls: true }, { top_a: 0 }],
    ...[{ t_max_predict_ms: 0 }, { grammar: '' }, { structured_outputs: {} }, { bad_words: [] }, { cache_salt: null }],
    ...[{ stream_options: { continuous_usage_stats: false } }, { chat_template_kwargs: {} }],
  ])('is accepted if its value changes nothing: %j', (field) => {
    expect(chat(field)).toEqual(chat());
  });

  it('is refused within an object by its whole path', () => {
    expect(() => chat({ stream_options: { continuous_usage_stats: true } })).toThrow(
      '`stream_options.continuous_usage_stats` is not supported: send `stream_options.include_usage` instead, got true',
    );
  });

  it('is refused by completions too, except for the fields that they have', () => {
    expect(() => completion({ prompt_logprobs: 1 })).toThrow('`prompt_logprobs` is not supported');
    expect(() => completion({ prompt_embeds: 'secret' })).toThrow('`prompt_embeds` is not supported: send `prompt`');
    expect(completion({ echo: true, best_of: 1, add_special_tokens: true })).toEqual(completion());
  });

  it('may be neutral as a list, if a list of neutral values has it', () => {
    const fields = { lora: { neutral: [1, []] } };
    for (const lora of [1, [], null]) expect(() => refuseForeign({ lora }, fields)).not.toThrow();
    for (const lora of [2, [1], {}]) expect(() => refuseForeign({ lora }, fields)).toThrow('`lora` is not supported');
  });
});

describe('a schema in response_format', () => {
  it('of the type json_object is enforced, as llama.cpp does', () => {
    const schema = { type: 'object', properties: { a: { type: 'integer' } } };
    const { input } = chat({ response_format: { type: 'json_object', schema } });
    expect(JSON.parse((input as { jsonSchema: string }).jsonSchema)).toEqual(schema);
  });
});

describe('fields of OpenAI whose values have no effect here', () => {
  it.each([
    ...[{ verbosity: 'medium' }, { prediction: { type: 'content', content: 'a' } }, { service_tier: 'priority' }],
    ...[{ modalities: ['text'] }, { prediction: { type: 'content', content: [{ type: 'text', text: 'a' }] } }],
  ])('are accepted: %j', (field) => {
    expect(chat(field)).toEqual(chat());
  });

  it.each([
    [{ verbosity: 'zzz' }, '`verbosity` must be one of "medium"'],
    [{ verbosity: 'low' }, '`verbosity` must be one of "medium"'],
    [{ prediction: { type: 'x' } }, '`prediction.type` must be'],
    [{ service_tier: 'zzz' }, '`service_tier` must be one of "auto", "default", "flex", "scale", "priority"'],
    [{ modalities: ['text', 'audio'] }, '`modalities[1]` must be one of "text"'],
  ])('are refused with another value: %j', (field, message) => {
    expect(() => chat(field)).toThrow(message);
  });
});
