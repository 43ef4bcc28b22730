/** Eight conversations alternate on four sequences: how much of the prompt of the second turn is still cached? */
import { type Answer, type Message, streamChat } from '../client.ts';
import { promptText } from '../prompts.ts';
import type { Sample } from '../results.ts';
import type { Scenario, ScenarioOptions } from '../scenario.ts';
import type { Server } from '../servers.ts';
import { quantile } from '../statistics.ts';

const conversationCount = 8;
const openingTokens = 1_000;

export const prefix: Scenario = {
  name: 'prefix',
  shape: () => ({ sequences: 4, context: 2_048 }),
  cases: (options) => [
    { label: '8 conversations on 4 sequences', run: (server, repeat) => measure(server, repeat, options) },
  ],
};

async function measure(server: Server, repeat: number, { quick, endTokens }: ScenarioOptions): Promise<Sample> {
  const agent = server.agent();
  const conversations = Array.from({ length: quick ? 2 : conversationCount }, (_, index) => ({
    messages: [] as Message[],
    index: repeat * 1_000 + index,
  }));
  const turns: Answer[][] = [];
  for (const words of [openingTokens, 24]) {
    const answers: Answer[] = [];
    for (const { messages, index } of conversations) {
      messages.push({ role: 'user', content: promptText(words, index) });
      const answer = await streamChat(server, { agent, messages, maxTokens: 32, endTokens });
      messages.push({ role: 'assistant', content: answer.text });
      answers.push(answer);
    }
    turns.push(answers);
  }
  agent.destroy();
  const [opening, second] = turns as [Answer[], Answer[]];
  const firstText = (answers: Answer[]) => answers.map((answer) => answer.textAt[0]! - answer.startedAt);
  return {
    openingFirstTokenP50Ms: quantile(firstText(opening), 0.5),
    secondTurnFirstTokenP50Ms: quantile(firstText(second), 0.5),
    secondTurnFirstTokenMaxMs: quantile(firstText(second), 1),
    cachedPromptShare: quantile(
      second.map((answer) => answer.cachedTokens / answer.promptTokens),
      0.5,
    ),
  };
}
