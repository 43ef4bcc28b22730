/**
 * Measures how many tokens a model's chat template adds to the texts of a chat: once, on sample chats, after the model has
 * loaded. The token count of a chat is bounded by this before the chat is rendered.
 */
import type { ChatInput, ChatMessage, ChatTool, TextModel } from '@cloister/models/interface/model';
import type { PromptOverhead } from './request.ts';

/** Allowance for a date that the template prints: its length varies by day. */
const dateTokens = 16;

const user: ChatMessage = { role: 'user', content: 'x' };
const assistant: ChatMessage = { role: 'assistant', content: 'x' };
const system: ChatMessage = { role: 'system', content: 'x' };
const call: ChatMessage = {
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'call000000', type: 'function', function: { name: 'f', arguments: '{}' } }],
};
const result: ChatMessage = { role: 'tool', content: 'x', tool_call_id: 'call000000' };
const tool: ChatTool = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } };
const secondTool: ChatTool = { ...tool, function: { ...tool.function, name: 'g' } };

/** @returns undefined if the template refuses a chat of one short message */
export async function measurePromptOverhead(model: TextModel): Promise<PromptOverhead | undefined> {
  const weigh = (messages: readonly ChatMessage[], extra: Partial<ChatInput> = {}) =>
    weighPrompt(model, { ...plainChat, ...extra, messages });
  const fixed = await weigh([user]);
  if (fixed === undefined) return undefined;
  const increase = (weight: number | undefined, than: number | undefined) =>
    weight === undefined || than === undefined ? undefined : Math.max(0, weight - than);
  const exchange = increase(await weigh([user, assistant, user]), fixed);
  const instruction = increase(await weigh([system, user]), fixed);
  const withTool = await weigh([user], { tools: [tool] });
  const withTools = await weigh([user], { tools: [tool, secondTool] });
  const calling = increase(await weigh([user, call, result], { tools: [tool] }), withTool);
  return {
    fixed: fixed + dateTokens,
    perMessage: exchange === undefined && instruction === undefined ? fixed : Math.max(exchange ?? 0, instruction ?? 0),
    // A template that refuses a sample refuses such chats, too.
    tools: increase(withTool, fixed) ?? 0,
    perTool: increase(withTools, withTool) ?? 0,
    perCall: calling ?? 0,
    schema: increase(await weigh([user], { jsonSchema: '{"type":"object"}' }), fixed) ?? 0,
  };
}

const plainChat: ChatInput = {
  messages: [],
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: true,
  jsonSchema: undefined,
  reasoning: true,
};

/**
 * Returns the maximum number of tokens of this prompt's text in any context: a control token is always one token, and
 * ordinary text has at most as many tokens as bytes. The vocabulary may put a space before text that follows a control token.
 * @returns undefined if the template refuses the chat
 */
async function weighPrompt(model: TextModel, input: ChatInput): Promise<number | undefined> {
  const { control, offsets } = model.info.vocabulary;
  let most: number | undefined;
  for (const reasoning of [true, false]) {
    const prepared = await model.prepareChat({ ...input, reasoning }).catch(() => undefined);
    if (prepared === undefined) continue;
    let weight = 1;
    for (const token of prepared.tokens) weight += control[token] === 1 ? 2 : offsets[token + 1]! - offsets[token]!;
    most = Math.max(most ?? 0, weight);
  }
  return most;
}
