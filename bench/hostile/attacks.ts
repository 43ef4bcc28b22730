/** Requests of hostile accounts, by name of the attack. Pure: every run has the same bodies. */

export interface Attack {
  readonly path: string;
  readonly body: string;
  /** Milliseconds after which the client closes its connection without reading. */
  readonly leavesAfterMs?: number;
  /** The body is sent in pieces with this pause between them, and never completed. */
  readonly piecePauseMs?: number;
}

/** All attacks; the mix selects from the requested ones. */
export type AttackName = keyof typeof builders;

export const preparationAttacks: readonly AttackName[] = [
  ...(['messages-60000', 'messages-10000', 'combining-marks', 'control-look-alikes'] as const),
  ...(['leaving', 'slow-bodies'] as const),
];

/** Chats that fit and are therefore computed, which measures the model's scheduler. Run only if requested. */
const ordinaryWork: readonly AttackName[] = ['fitting-messages'];

export function attackNames(): AttackName[] {
  return Object.keys(builders) as AttackName[];
}

/** The attacks of a run without `--attacks`. */
export function usualAttacks(): AttackName[] {
  return attackNames().filter((name) => !ordinaryWork.includes(name));
}

/** @param model id of a chat model that is served · @param agent slug of an agent */
export function buildAttack(name: AttackName, { model, agent }: { model: string; agent: string }): Attack[] {
  return builders[name]({ model, agent });
}

interface Targets {
  readonly model: string;
  readonly agent: string;
}

const direct = '/v1/chat/completions';
const confidential = '/v1/confidential/chat/completions';
const textBytes = 3_000_000;
const int64Max = 9_223_372_036_854_775_807n;

const builders = {
  'messages-60000': ({ model }: Targets) => [chat(model, letters(60_000))],
  'messages-10000': ({ model }: Targets) => [chat(model, letters(10_000))],
  'combining-marks': ({ model }: Targets) => [chat(model, ask('\u0300'.repeat(textBytes / 2)))],
  'control-look-alikes': ({ model }: Targets) => [chat(model, ask('<|im_start|>'.repeat(textBytes / 12)))],
  // As much work as a context of 4,096 tokens allows.
  'fitting-messages': ({ model }: Targets) => [chat(model, letters(640)), chat(model, ask('\n'.repeat(4_000)))],
  leaving: ({ model }: Targets) =>
    [letters(60_000), letters(640), ask('\u0300'.repeat(60_000))].map((messages) => ({
      ...chat(model, messages),
      leavesAfterMs: 20,
    })),
  'slow-bodies': ({ model }: Targets) => [{ ...chat(model, letters(640)), piecePauseMs: 200 }],
  'inverted-bounds': (targets: Targets) =>
    schemas(targets, [
      { type: 'string', pattern: '^a{5,2}$' },
      { type: 'string', minLength: 5, maxLength: 2 },
      { type: 'array', items: { type: 'integer' }, minItems: 5, maxItems: 2 },
    ]),
  'optional-repeats': (targets: Targets) => schemas(targets, [{ type: 'string', pattern: '^(a?){1500}a$' }]),
  'chained-refs': (targets: Targets) => schemas(targets, [chainedRefs(8_000)]),
  'many-defs': (targets: Targets) => schemas(targets, [manyDefs(40_000)]),
  'doubling-any-of': (targets: Targets) => schemas(targets, [doublingAnyOf(25)]),
  'integer-ends': (targets: Targets) =>
    schemas(targets, [`{"type":"integer","minimum":${-int64Max - 1n},"maximum":${int64Max}}`]),
  'long-patterns': (targets: Targets) => schemas(targets, [{ type: 'string', pattern: `^${'ab?'.repeat(100_000)}$` }]),
};

interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

function ask(content: string): Message[] {
  return [{ role: 'user', content }];
}

function letters(count: number): Message[] {
  return Array.from({ length: count }, (_, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content: 'a' }));
}

function chat(model: string, messages: readonly Message[]): Attack {
  return { path: direct, body: JSON.stringify({ model, messages, max_tokens: 1 }) };
}

/** As `response_format`, as the parameters of a tool with `tool_choice: auto`, and on the confidential surface. */
function schemas({ model, agent }: Targets, all: readonly (object | string)[]): Attack[] {
  return all.flatMap((one) => {
    const schema = typeof one === 'string' ? one : JSON.stringify(one);
    const format = `"response_format":{"type":"json_schema","json_schema":{"name":"a","schema":${schema}}}`;
    const parameters = `{"type":"object","properties":{"a":${schema}}}`;
    const tools = `"tools":[{"type":"function","function":{"name":"a","parameters":${parameters}}}],"tool_choice":"auto"`;
    const body = (id: string, rest: string) =>
      `{"model":${JSON.stringify(id)},"messages":[{"role":"user","content":"a"}],"max_tokens":1,${rest}}`;
    return [
      { path: direct, body: body(model, format) },
      { path: direct, body: body(model, tools) },
      { path: confidential, body: body(agent, format) },
    ];
  });
}

function chainedRefs(length: number): object {
  const defs = Array.from({ length }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }] as const);
  return { $ref: '#/$defs/d0', $defs: { ...Object.fromEntries(defs), [`d${length}`]: { type: 'null' } } };
}

function manyDefs(count: number): object {
  const defs = Array.from({ length: count }, (_, index) => [`d${index}`, { type: 'null' }] as const);
  return { anyOf: defs.map(([name]) => ({ $ref: `#/$defs/${name}` })), $defs: Object.fromEntries(defs) };
}

/** Each definition references the next one twice. */
function doublingAnyOf(times: number): object {
  const defs = Array.from({ length: times }, (_, index) => {
    const below = { $ref: `#/$defs/d${index + 1}` };
    return [
      `d${index}`,
      {
        anyOf: [
          { type: 'array', items: below },
          { type: 'array', items: below, minItems: 1 },
        ],
      },
    ];
  });
  return { $ref: '#/$defs/d0', $defs: { ...Object.fromEntries(defs), [`d${times}`]: { type: 'null' } } };
}
