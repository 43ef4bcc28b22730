import { describe, expect, it } from 'vitest';
import { readChatCall } from '../../../../server/features/chat/call.ts';

const messages = [{ role: 'user', content: 'Hi' }];

function thinkingOf(fields: object) {
  const { reasoning, effort } = readChatCall({ model: 'm', messages, ...fields }, () => 42).work.input as {
    reasoning: boolean;
    effort?: string;
  };
  return { reasoning, effort };
}

const off = { reasoning: false, effort: 'none' };
const on = { reasoning: true, effort: undefined };

describe('thinking', () => {
  it.each([
    ...[{ reasoning_effort: 'none' }, { enable_thinking: false }, { think: false }, { thinking: { type: 'disabled' } }],
    ...[{ chat_template_kwargs: { enable_thinking: false } }, { chat_template_kwargs: { thinking: false } }],
    ...[{ reasoning: { effort: 'none' } }, { reasoning: { enabled: false } }, { reasoning_budget: 0 }],
    { reasoning: { enabled: false, exclude: true }, include_reasoning: false },
    { enable_thinking: false, reasoning_effort: 'none' },
  ])('is turned off by %j', (fields) => {
    expect(thinkingOf(fields)).toEqual(off);
  });

  it.each([
    ...[{}, { enable_thinking: true }, { think: true }, { thinking: { type: 'enabled' } }, { thinking: null }],
    ...[{ reasoning: {} }, { reasoning: { enabled: true, exclude: false } }, { reasoning_budget: -1 }],
    ...[{ chat_template_kwargs: {} }, { include_reasoning: true }, { thinking: { type: 'auto' } }],
  ])('is left on by %j', (fields) => {
    expect(thinkingOf(fields)).toEqual(on);
  });

  it.each([
    [{ reasoning: { effort: 'high' } }, 'high'],
    [{ think: 'low' }, 'low'],
    [{ chat_template_kwargs: { reasoning_effort: 'medium', enable_thinking: true } }, 'medium'],
    [{ reasoning_effort: 'max' }, 'xhigh'],
    [{ reasoning_effort: 'xhigh', reasoning: { effort: 'max' } }, 'xhigh'],
  ])('has the level of %j', (fields, effort) => {
    expect(thinkingOf(fields)).toEqual({ reasoning: true, effort });
  });

  it.each([
    [{ enable_thinking: false, reasoning_effort: 'high' }, '`enable_thinking` must agree with `reasoning_effort`'],
    [
      { reasoning: { effort: 'low' }, reasoning_effort: 'high' },
      '`reasoning.effort` must agree with `reasoning_effort`',
    ],
    [{ chat_template_kwargs: { secret: 1 } }, '`chat_template_kwargs` is only supported with `enable_thinking`'],
    [{ chat_template_kwargs: 'secret' }, '`chat_template_kwargs` must be an object, got a string'],
    [{ enable_thinking: 'secret' }, '`enable_thinking` must be true, false or one of "none"'],
    [{ thinking: { type: 'secret' } }, '`thinking.type` must be one of "enabled"'],
    [
      { thinking: { type: 'enabled', budget_tokens: 5 } },
      '`thinking.budget_tokens` is not supported: send `reasoning_e',
    ],
    [
      { reasoning: { max_tokens: 5 } },
      '`reasoning.max_tokens` is not supported: send `reasoning_effort` instead, got 5',
    ],
    [{ reasoning: { enabled: 'secret' } }, '`reasoning.enabled` must be true or false, got a string'],
    [{ reasoning: { exclude: true } }, '`reasoning.exclude` must be false'],
    [{ include_reasoning: false }, '`include_reasoning` must be true'],
    [{ reasoning_budget: 5 }, '`reasoning_budget` is not supported: send `reasoning_effort` instead, got 5'],
  ])('cannot be set by %j', (fields, message) => {
    const refusal = (): unknown => thinkingOf(fields);
    expect(refusal).toThrow(message);
    expect(refusal).not.toThrow('secret');
  });
});
