/** Words of a tool's schema that spell control tokens: marked in the prompt, and answered as the caller wrote them. */
import { expect, it } from 'vitest';
import { asking, loadChat } from './chats.ts';
import { generate, greedy, spell, weatherTool } from './models.ts';

it('an argument is one of the enumerated strings, even if they spell control tokens', async () => {
  const model = await loadChat({ template: 'hermes' });
  const words = ['<|im_end|>', '<|im_start|>x'];
  const parameters = { type: 'object', properties: { place: { enum: words } }, required: ['place'] };
  const tool = { ...weatherTool, function: { ...weatherTool.function, parameters } };
  const prepared = await model.prepareChat(
    asking('Weather?', { tools: [tool], toolChoice: 'required', parallelToolCalls: false }),
  );
  const opening = Array.from({ length: model.info.vocabulary.size }, (_, token) => token).filter((token) =>
    spell(model, [token], prepared.shownTokens).startsWith('<tool_call>'),
  );
  expect(opening.length).toBeGreaterThan(0);
  const lineEnds = Array.from({ length: model.info.vocabulary.size }, (_, token) => token).filter(
    (token) => spell(model, [token]) === '\n',
  );
  // The opening of a call first, then its line end, and neither if there is a choice afterwards.
  const logitBias = [
    ...opening.map((token) => ({ token, bias: 60 })),
    ...lineEnds.map((token) => ({ token, bias: 30 })),
  ];
  const sampling = { ...greedy, logitBias, presencePenalty: 100 };
  const answer = await generate(model, { prepared }, { sequence: 0, sampling, count: 1200 });
  const text = spell(model, answer, prepared.shownTokens);
  const { toolCalls } = prepared.createParser().feed(text, true);
  expect(toolCalls).toHaveLength(1);
  expect(words).toContain(JSON.parse(toolCalls[0]!.arguments).place);
  await model.close();
});
