import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChatCall } from '../../../../server/features/chat/call.ts';
import { ServerError } from '../../../../server/http/errors.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } });

function read(fields: Record<string, unknown> = {}) {
  return readChatCall({ model: 'm', messages, ...fields }, () => 42);
}

/** The error message that the caller receives for a body. */
function refusal(body: unknown): string {
  try {
    readChatCall(body, () => 42);
  } catch (error) {
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toHaveProperty('code', 'ERR_REQUEST_INVALID');
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}

describe('defaults (I-014…I-022)', () => {
  it('are those of OpenAI', () => {
    expect(read()).toEqual({
      model: 'm',
      stream: false,
      includeUsage: false,
      refusesCalls: false,
      files: [],
      work: {
        input: {
          messages,
          tools: [],
          toolChoice: 'none',
          parallelToolCalls: true,
          jsonSchema: undefined,
          reasoning: true,
        },
        choices: 1,
        maxTokens: undefined,
        sampling: {
          temperature: 1,
          topP: 1,
          topK: 0,
          minP: 0,
          presencePenalty: 0,
          frequencyPenalty: 0,
          logitBias: [],
          seed: 42,
          logprobs: undefined,
        },
        stop: [],
      },
    });
  });

  it('apply to null too, which clients send for "not set"', () => {
    const nulls = [
      'temperature',
      'top_p',
      'n',
      'max_tokens',
      'stop',
      'stream',
      'tools',
      'tool_choice',
      'seed',
      'logprobs',
    ];
    expect(read(Object.fromEntries(nulls.map((key) => [key, null])))).toEqual(read());
  });

  it('apply with unknown fields present, which are ignored (I-023)', () => {
    expect(read({ store: true, metadata: { a: 1 }, user: 'u', service_tier: 'auto', zzz: [[[]]] })).toEqual(read());
  });
});

describe('fields in range', () => {
  it('are passed on unchanged', () => {
    const { work } = read({
      temperature: 2,
      top_p: 0,
      n: 10,
      max_tokens: 1,
      presence_penalty: -2,
      frequency_penalty: 2,
      top_k: 40,
      min_p: 0.05,
      seed: 7,
      logprobs: true,
      top_logprobs: 20,
      logit_bias: { 50256: -100, 0: 100 },
      stop: 'END',
    });
    expect(work).toMatchObject({ choices: 10, maxTokens: 1, stop: ['END'] });
    expect(work.sampling).toEqual({
      temperature: 2,
      topP: 0,
      topK: 40,
      minP: 0.05,
      presencePenalty: -2,
      frequencyPenalty: 2,
      logitBias: [
        { token: 0, bias: 100 },
        { token: 50256, bias: -100 },
      ],
      seed: 7,
      logprobs: 20,
    });
  });

  it('−0 becomes 0', () => {
    expect(Object.is(read(JSON.parse('{"temperature": -0}')).work.sampling.temperature, 0)).toBe(true);
  });

  it('max_completion_tokens takes precedence over max_tokens', () => {
    expect(read({ max_tokens: 5, max_completion_tokens: 9 }).work.maxTokens).toBe(9);
  });

  it('a huge max_tokens is capped at 2,147,483,647', () => {
    expect(read({ max_tokens: 2 ** 53 }).work.maxTokens).toBe(2 ** 31 - 1);
  });

  it.each([
    [0, 0],
    [4294967295, 4294967295],
    [4294967296, 1],
    [-1, 4294967295],
    [Number.MAX_SAFE_INTEGER, 4292870144],
  ])('seed %d is reduced to %d', (seed, folded) => {
    expect(read({ seed }).work.sampling.seed).toBe(folded);
  });

  it('reasoning_effort "none" switches reasoning off', () => {
    expect(read({ reasoning_effort: 'none' }).work.input.reasoning).toBe(false);
    expect(read({ reasoning_effort: 'high' }).work.input.reasoning).toBe(true);
    expect(read({ reasoning_effort: 'xhigh' }).work.input.effort).toBe('xhigh');
    expect(read({}).work.input.effort).toBeUndefined();
  });

  it('stream_options.include_usage is read', () => {
    expect(read({ stream: true, stream_options: { include_usage: true } })).toMatchObject({
      stream: true,
      includeUsage: true,
    });
  });

  it.each([
    [{ type: 'text' }, undefined],
    [{ type: 'json_object' }, '{}'],
    [{ type: 'json_schema', json_schema: { name: 'x', schema: { type: 'string' } } }, '{"type":"string"}'],
    [{ type: 'json_schema', json_schema: { name: 'x' } }, '{}'],
  ])('response_format %j', (response_format, jsonSchema) => {
    expect(read({ response_format }).work.input.jsonSchema).toBe(jsonSchema);
  });
});

describe('messages (I-015)', () => {
  it('developer counts as system, text parts are joined, tool results keep their call', () => {
    const { input } = read({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        {
          role: 'user',
          name: 'ann',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: '42' },
        { role: 'assistant', content: 'So 42.', reasoning_content: 'well', refusal: null },
      ],
    }).work;
    expect(input.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', name: 'ann', content: 'a\nb' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '42' },
      { role: 'assistant', content: 'So 42.', reasoning_content: 'well' },
    ]);
  });
});

describe('tools', () => {
  it('default to auto, and a named one is passed alone and required', () => {
    const tools = [tool('a'), tool('b')];
    expect(read({ tools }).work.input.toolChoice).toBe('auto');
    expect(read({ tools, tool_choice: 'required' }).work.input).toMatchObject({ tools, toolChoice: 'required' });
    expect(read({ tools, tool_choice: { type: 'function', function: { name: 'b' } } }).work.input).toMatchObject({
      tools: [tool('b')],
      toolChoice: 'required',
    });
  });
});

describe('what clients of other servers send', () => {
  const answerOf = (message: object) =>
    read({ messages: [...messages, { role: 'assistant', ...message }] }).work.input.messages[1];
  const called = (text: string) => [{ id: 'c', function: { name: 'f', arguments: text } }];

  it.each([
    [{ content: null }, ''],
    [{ content: null, refusal: 'I cannot.' }, 'I cannot.'],
    [{ content: 'Hi', refusal: 'I cannot.' }, 'Hi'],
    [
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'refusal', refusal: 'b' },
        ],
      },
      'a\nb',
    ],
  ])('an earlier answer %j has the text %j', (message, content) => {
    expect(answerOf(message)).toEqual({ role: 'assistant', content });
  });

  it.each([
    ['', '{}'],
    ['{"a":1}', '{"a":1}'],
  ])('arguments %j of an earlier call are read as %s', (sent, text) => {
    expect(answerOf({ content: null, tool_calls: called(sent) })).toMatchObject({
      tool_calls: [{ function: { name: 'f', arguments: text } }],
    });
  });

  it.each(['auto', 'required'])('allowed tools with the mode %s are the only tools of the model', (mode) => {
    const allowed = { mode, tools: [{ type: 'function', function: { name: 'b' } }] };
    const { input } = read({
      tools: [tool('a'), tool('b')],
      tool_choice: { type: 'allowed_tools', allowed_tools: allowed },
    }).work;
    expect(input).toMatchObject({ tools: [tool('b')], toolChoice: mode });
  });

  it('seeds of 64 bits give different seeds of 32 bits', () => {
    const seeds = [2 ** 63, -(2 ** 63), 2 ** 53 + 2, 1.8e19].map((seed) => read({ seed }).work.sampling.seed);
    expect(new Set(seeds).size).toBeGreaterThan(2);
    for (const seed of seeds) expect(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32).toBe(true);
  });

  it.each([{ repetition_penalty: 1 }, { ignore_eos: false }, { min_tokens: 0 }, { grammar: null }])(
    '%j changes nothing and is accepted',
    (field) => {
      expect(read(field).work).toEqual(read({}).work);
    },
  );

  it('neutral values of the fields of vLLM and llama.cpp change nothing', () => {
    const penalties = { xtc_probability: 0, dry_multiplier: 0, dynatemp_range: 0, length_penalty: 1 };
    const sampling = { typ_p: 1, top_n_sigma: -1, n_predict: -1, use_beam_search: false, stop_token_ids: null };
    const prompt = { add_generation_prompt: true, continue_final_message: false, include_stop_str_in_output: false };
    expect(read({ ...penalties, ...sampling, ...prompt }).work).toEqual(read({}).work);
  });

  it('top_k of -1 sets no limit', () => {
    expect(read({ top_k: -1 }).work.sampling.topK).toBe(0);
  });
});

describe('an invalid value is rejected with its name and range (I-023)', () => {
  it.each([
    [{ temperature: 3 }, '`temperature` must be a number from 0 to 2, got 3'],
    [{ temperature: -0.1 }, '`temperature` must be a number from 0 to 2, got -0.1'],
    [{ temperature: '1' }, '`temperature` must be a number from 0 to 2, got a string'],
    [{ temperature: Number.POSITIVE_INFINITY }, '`temperature` must be a number from 0 to 2, got Infinity'],
    [{ temperature: true }, '`temperature` must be a number from 0 to 2, got true'],
    [{ top_p: 1.01 }, '`top_p` must be a number from 0 to 1, got 1.01'],
    [{ top_k: -2 }, '`top_k` must be an integer from -1 to 1000000, got -2'],
    [{ min_p: [] }, '`min_p` must be a number from 0 to 1, got an array of 0'],
    [{ n: 0 }, '`n` must be an integer from 1 to 10, got 0'],
    [{ n: 11 }, '`n` must be an integer from 1 to 10, got 11'],
    [{ n: 1.5 }, '`n` must be an integer from 1 to 10, got 1.5'],
    [{ max_tokens: 0 }, '`max_tokens` must be an integer of at least 1, got 0'],
    [{ max_tokens: Number.POSITIVE_INFINITY }, '`max_tokens` must be an integer of at least 1, got Infinity'],
    [{ max_completion_tokens: -5 }, '`max_completion_tokens` must be an integer of at least 1, got -5'],
    [{ presence_penalty: 2.5 }, '`presence_penalty` must be a number from -2 to 2, got 2.5'],
    [{ frequency_penalty: {} }, '`frequency_penalty` must be a number from -2 to 2, got an object'],
    [{ seed: 2 ** 65 }, '`seed` must be an integer from'],
    [{ seed: 1.5 }, '`seed` must be an integer from'],
    [{ stop: [1] }, '`stop` must be a string or an array of at most 64 strings, each of 1 to 1024 characters'],
    [{ stop: '' }, '`stop` must be a string or an array of at most 64 strings'],
    [{ stop: Array(65).fill('x') }, '`stop` must be a string or an array of at most 64 strings'],
    [{ stream: 'yes' }, '`stream` must be true or false, got a string'],
    [{ stream_options: 1 }, '`stream_options` must be an object, got 1'],
    [{ stream_options: { include_usage: 1 } }, '`stream_options.include_usage` must be true or false, got 1'],
    [{ logprobs: 5 }, '`logprobs` must be true or false, got 5'],
    [{ logprobs: true, top_logprobs: 21 }, '`top_logprobs` must be an integer from 0 to 20, got 21'],
    [{ top_logprobs: 3 }, '`top_logprobs` needs `logprobs` to be true, got 3'],
    [{ logit_bias: [] }, '`logit_bias` must be an object, got an array of 0'],
    [{ logit_bias: { cat: 1 } }, '`logit_bias` must have token ids as its keys'],
    [{ logit_bias: { 9999999999: 1 } }, '`logit_bias` must have token ids as its keys'],
    [{ logit_bias: { 5: 101 } }, '`logit_bias.5` must be a number from -100 to 100, got 101'],
    [{ logit_bias: Object.fromEntries(Array(1025).entries()) }, '`logit_bias` must have at most 1024 entries'],
    [{ reasoning_effort: 'much' }, '`reasoning_effort` must be one of "none", "minimal"'],
    [{ response_format: 'json' }, '`response_format` must be an object, got a string'],
    [{ response_format: {} }, '`response_format.type` must be a string, got nothing'],
    [
      { response_format: { type: 'xml' } },
      '`response_format.type` must be one of "text", "json_object", "json_schema"',
    ],
    [{ response_format: { type: 'json_schema' } }, '`response_format.json_schema` must be an object, got nothing'],
    [{ tools: {} }, '`tools` must be an array of at most 128, got an object'],
    [{ tools: [{}] }, '`tools[0].type` must be "function", got nothing'],
    [{ tools: [{ type: 'function', function: { name: 'a b' } }] }, '`tools[0].function.name` must be 1 to 64'],
    [{ tools: [tool('a'), tool('a')] }, '`tools` must not have two functions of the same name'],
    [
      { tools: [{ type: 'function', function: { name: 'a', parameters: 'x' } }] },
      '`tools[0].function.parameters` must be',
    ],
    [{ tool_choice: 'required' }, '`tool_choice` needs `tools`'],
    [{ tools: [tool('a')], tool_choice: 'some' }, '`tool_choice` must be "auto", "none", "required", {'],
    [
      { tools: [tool('a')], tool_choice: { type: 'function', function: { name: 'b' } } },
      '`tool_choice.function` must name',
    ],
    [
      {
        tools: [tool('a')],
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'auto', tools: [{ type: 'function', function: { name: 'b' } }] },
        },
      },
      '`tool_choice.allowed_tools` must name only `tools`',
    ],
    [{ grammar: 'root ::= "a"' }, '`grammar` is not supported: send `response_format` with a JSON schema instead'],
    [{ guided_json: {} }, '`guided_json` is not supported: send `response_format`'],
    [{ repetition_penalty: 1.1 }, '`repetition_penalty` is not supported: send `frequency_penalty`'],
    [{ ignore_eos: true }, '`ignore_eos` is not supported, got true'],
    [{ json_schema: {} }, '`json_schema` is not supported: send `response_format`'],
    [{ n_predict: 5 }, '`n_predict` is not supported: send `max_completion_tokens` instead'],
    [{ stop_token_ids: [2] }, '`stop_token_ids` is not supported: send `stop` instead'],
    [{ allowed_token_ids: [2] }, '`allowed_token_ids` is not supported: send `logit_bias` instead'],
    [{ bad_words: ['a'] }, '`bad_words` is not supported: send `logit_bias` instead'],
    [{ functions: [] }, '`functions` is no longer supported: send `tools` instead'],
    [{ function_call: 'auto' }, '`function_call` is no longer supported: send `tool_choice` instead'],
    [{ model: 5 }, '`model` must be a string, got 5'],
    [{ model: undefined }, '`model` must be a string, got nothing'],
    [{ messages: undefined }, '`messages` must be an array of messages, got nothing'],
    [{ messages: [] }, '`messages` must be an array of messages, got an array of 0'],
    [{ messages: 'Hi' }, '`messages` must be an array of at most 100000, got a string'],
    [{ messages: [1] }, '`messages[0]` must be an object, got 1'],
    [{ messages: [{ content: 'x' }] }, '`messages[0].role` must be a string, got nothing'],
    [{ messages: [{ role: 'robot' }] }, '`messages[0].role` must be one of "system", "developer", "user"'],
    [
      { messages: [{ role: 'user' }] },
      '`messages[0].content` must be a string or an array of text, image and file parts, got nothing',
    ],
    [
      { messages: [{ role: 'user', content: 5 }] },
      '`messages[0].content` must be a string or an array of text, image and file parts',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
      '`messages[0].content[0].image_url` must be an object with `url`, or the data URL itself, got nothing',
    ],
    [
      { messages: [{ role: 'system', content: [{ type: 'image_url' }] }] },
      '`messages[0].content[0]` must not be an image: only messages of users may have images',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'input_audio' }] }] },
      '`messages[0].content[0]` must not be sound: models here take text and images',
    ],
    [{ messages: [{ role: 'user', content: [{ type: 'text' }] }] }, '`messages[0].content[0].text` must be a string'],
    [{ messages: [{ role: 'user', content: 'x', name: 1 }] }, '`messages[0].name` must be a string, got 1'],
    [
      { messages: [{ role: 'assistant', content: [{ type: 'refusal' }] }] },
      '`messages[0].content[0].refusal` must be a string, got nothing',
    ],
    [{ messages: [{ role: 'tool', content: 'x' }] }, '`messages[0].tool_call_id` must be a string, got nothing'],
    [
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'f', arguments: {} } }] }] },
      '`messages[0].tool_calls[0].function.arguments` must be a string, got an object',
    ],
  ])('%j', (fields, message) => {
    expect(refusal({ model: 'm', messages, ...fields })).toContain(message);
  });

  it.each([null, 1, 'text', [], true])('a body of %j is rejected', (body) => {
    expect(refusal(body)).toMatch(/^the request body must be an object, got /);
  });

  it('a schema of 1,000 levels is rejected', () => {
    let schema: unknown = {};
    for (let level = 0; level < 1000; level++) schema = { properties: schema };
    const body = { model: 'm', messages, response_format: { type: 'json_schema', json_schema: { schema } } };
    expect(refusal(body)).toBe('`response_format.json_schema.schema` must not be nested more than 64 deep');
  });

  it('a schema of more than 256 KiB is rejected, naming its field', () => {
    const schema = { enum: ['a'.repeat(256 * 1024)] };
    const format = { type: 'json_schema', json_schema: { schema } };
    const said = 'must have at most 262144 bytes as JSON, got 262157';
    const body = { model: 'm', messages, response_format: format };
    expect(refusal(body)).toBe(`\`response_format.json_schema.schema\` ${said}`);
    const tool = { type: 'function', function: { name: 'a', parameters: schema } };
    expect(refusal({ model: 'm', messages, tools: [tool] })).toBe(`\`tools[0].function.parameters\` ${said}`);
  });

  it('tools with more than 512 KiB of parameters in total are rejected', () => {
    const parameters = { type: 'object', description: 'a'.repeat(200 * 1024) };
    const tools = ['a', 'b', 'c'].map((name) => ({ type: 'function', function: { name, parameters } }));
    expect(() => readChatCall({ model: 'm', messages, tools: tools.slice(0, 2) }, () => 42)).not.toThrow();
    expect(refusal({ model: 'm', messages, tools })).toBe(
      '`tools` must have at most 524288 bytes of JSON schemas altogether, got an array of 3',
    );
  });

  it('no error message repeats a string of the request', () => {
    fc.assert(
      fc.property(fc.constantFrom('temperature', 'stop', 'tools', 'messages', 'n', 'seed', 'stream'), (key) => {
        expect(refusal({ model: 'm', messages, [key]: { canary: 'canary' } })).not.toContain('canary');
      }),
    );
  });
});
