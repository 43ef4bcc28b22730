/**
 * Switches of thinking that other servers have, as OpenAI's `reasoning_effort`: those of vLLM, SGLang and llama.cpp
 * (`chat_template_kwargs`, `reasoning_budget`), Qwen (`enable_thinking`), Ollama (`think`), Z.ai and DeepSeek (`thinking`) and
 * OpenRouter (`reasoning`). Pure.
 */
import { type ReasoningEffort, reasoningEfforts } from '@cloister/models/interface/model';
import { refuseField, refusePlace } from '../../http/body-reader.ts';
import { isPlainObject } from '../../schema/checks.ts';

/** The levels that callers may send: `max` is Anthropic's name, and the highest level. */
export const effortNames = [...reasoningEfforts, 'max'] as const;
export type EffortName = (typeof effortNames)[number];

export function effortOfName(name: EffortName): ReasoningEffort {
  return name === 'max' ? 'xhigh' : name;
}

/** What one field says: the level, or whether the model thinks, and the place that says it. */
interface Switch {
  readonly path: string;
  readonly says: ReasoningEffort | boolean;
}

/** How a model thinks, in the form of the engine. */
export interface Thinking {
  readonly reasoning: boolean;
  /** Undefined: the template's own. */
  readonly effort: ReasoningEffort | undefined;
}

/** The fields that this file reads. */
export const thinkingSwitches = [
  'enable_thinking',
  'think',
  'thinking',
  'reasoning',
  'include_reasoning',
  'reasoning_budget',
  'chat_template_kwargs',
] as const;

type Sent = Readonly<Record<string, unknown>>;

/**
 * @param raw parsed JSON with the fields of other servers
 * @param effort `reasoning_effort` of the body
 * @throws {ServerError} ERR_REQUEST_INVALID for a value that has no equivalent, and for fields that contradict one another
 */
export function readThinking(raw: Sent, effort: ReasoningEffort | undefined): Thinking {
  const sent: Switch[] = effort === undefined ? [] : [{ path: 'reasoning_effort', says: effort }];
  for (const name of ['enable_thinking', 'think'] as const) sent.push(...readSwitch(raw[name], name));
  sent.push(...readThinkingField(raw.thinking), ...readBudget(raw.reasoning_budget));
  sent.push(...readKwargs(raw.chat_template_kwargs), ...readReasoning(raw.reasoning));
  const thinking = agreed(sent);
  if (thinking.reasoning) refuseHidden(raw);
  return thinking;
}

/** All fields that are sent must mean the same. */
function agreed(sent: readonly Switch[]): Thinking {
  let [thinks, level]: [Switch | undefined, Switch | undefined] = [undefined, undefined];
  for (const one of sent) {
    const isOn = one.says !== 'none' && one.says !== false;
    if (thinks !== undefined && isOn !== (thinks.says !== 'none' && thinks.says !== false)) {
      refusePlace(one.path, `must agree with \`${thinks.path}\`: one turns thinking on, the other off`);
    }
    thinks ??= one;
    if (typeof one.says === 'boolean') continue;
    if (level !== undefined && level.says !== one.says) refusePlace(one.path, `must agree with \`${level.path}\``);
    level = one;
  }
  if (thinks?.says === false || thinks?.says === 'none') return { reasoning: false, effort: 'none' };
  return { reasoning: true, effort: level?.says as ReasoningEffort | undefined };
}

function readSwitch(value: unknown, path: string): readonly Switch[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'boolean') return [{ path, says: value }];
  const level = effortNames.find((name) => name === value);
  if (level !== undefined) return [{ path, says: effortOfName(level) }];
  return refuseField(path, `must be true, false or one of ${listOf(effortNames)}`, value);
}

function readThinkingField(value: unknown): readonly Switch[] {
  if (!isPlainObject(value)) return readSwitch(value, 'thinking');
  const { type, budget_tokens: budget = null } = value;
  if (budget !== null) refuseBudget('thinking.budget_tokens', budget);
  switch (type) {
    case 'disabled':
      return [{ path: 'thinking', says: false }];
    case 'enabled':
    case 'adaptive':
      return [{ path: 'thinking', says: true }];
    case 'auto':
      return [];
    default:
      return refuseField(
        'thinking.type',
        `must be one of ${listOf(['enabled', 'disabled', 'adaptive', 'auto'])}`,
        type,
      );
  }
}

/** llama.cpp: -1 has no limit, 0 turns thinking off. */
function readBudget(value: unknown): readonly Switch[] {
  if (value === undefined || value === null || value === -1) return [];
  return value === 0 ? [{ path: 'reasoning_budget', says: false }] : refuseBudget('reasoning_budget', value);
}

function refuseBudget(path: string, value: unknown): never {
  return refuseField(path, 'is not supported: send `reasoning_effort` instead', value);
}

/** Variables of chat templates, of which those of thinking have an equivalent. */
function readKwargs(value: unknown): readonly Switch[] {
  const path = 'chat_template_kwargs';
  if (value === undefined || value === null) return [];
  if (!isPlainObject(value)) return refuseField(path, 'must be an object', value);
  const { enable_thinking: enabled, thinking, reasoning_effort: effort, ...others } = value;
  if (Object.values(others).some((other) => other !== undefined && other !== null)) {
    refusePlace(path, 'is only supported with `enable_thinking`, `thinking` and `reasoning_effort`');
  }
  return [
    ...readSwitch(enabled, `${path}.enable_thinking`),
    ...readSwitch(thinking, `${path}.thinking`),
    ...readLevel(effort, `${path}.reasoning_effort`),
  ];
}

/** OpenRouter's object. `summary` is OpenAI's, and has no effect. */
function readReasoning(value: unknown): readonly Switch[] {
  if (value === undefined || value === null) return [];
  if (!isPlainObject(value)) return refuseField('reasoning', 'must be an object', value);
  const { effort, enabled = null, max_tokens: budget = null } = value;
  if (budget !== null) refuseBudget('reasoning.max_tokens', budget);
  if (enabled !== null && typeof enabled !== 'boolean') {
    refuseField('reasoning.enabled', 'must be true or false', enabled);
  }
  return [...readLevel(effort, 'reasoning.effort'), ...readSwitch(enabled, 'reasoning.enabled')];
}

function readLevel(value: unknown, path: string): readonly Switch[] {
  if (value === undefined || value === null) return [];
  const level = effortNames.find((name) => name === value);
  if (level === undefined) return refuseField(path, `must be one of ${listOf(effortNames)}`, value);
  return [{ path, says: effortOfName(level) }];
}

/** OpenRouter leaves the thoughts out of the answer; here an answer without them is one without thinking. */
function refuseHidden({ reasoning, include_reasoning: included }: Sent): void {
  const isExcluded = isPlainObject(reasoning) && reasoning.exclude === true;
  if (!isExcluded && included !== false) return;
  const path = isExcluded ? 'reasoning.exclude' : 'include_reasoning';
  refusePlace(path, `must be ${!isExcluded}: thoughts are left out only with \`reasoning_effort\` "none"`);
}

function listOf(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}
