/**
 * How much a model's chat template adds to what callers write: measured once, on trial chats, when the model has loaded.
 * The prompt of a chat is bounded by it before anything is rendered.
 */
import type { ChatInput, ChatMessage, ChatTool, TextModel } from '@cloister/models/interface/model';
import type { PromptOverhead } from './request.ts';

/** A date that the template prints is longer on some days than on others. */
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

/** @returns undefined where the template refuses even one short message */
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
    // Where a template refuses such a trial it refuses such chats, too.
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
 * The most tokens into which the text of this prompt can be cut, whatever stands around it: a control token is always one, and
 * ordinary text has no more tokens than bytes. The vocabulary may put a space before text that follows a control token.
 * @returns undefined where the template refuses the chat
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
