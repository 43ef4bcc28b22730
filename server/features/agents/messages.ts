/** Builds the messages of an agent's turn: the agent's prompt, the caller's messages, and the findings of the tools. Pure. */
import type { Agent, AgentDocument } from '@cloister/agents/agent/agent';
import { type PromptForm, promptOf } from '@cloister/agents/agent/brief';
import type { FindingsBlock } from '@cloister/agents/agent/findings-block';
import {
  choosePassages,
  type Passage,
  type Ranking,
  type RankingTask,
  splitParagraphs,
} from '@cloister/agents/agent/passages';
import type { NumberedLines } from '@cloister/agents/facts/numbered-lines';
import type { ChatMessage } from '@cloister/models/interface/model';

export interface TurnSources {
  readonly agent: Agent;
  readonly form: PromptForm;
  /** The messages as the caller sent them. */
  readonly messages: readonly ChatMessage[];
  /** Undefined if the tools have no findings. */
  readonly block: FindingsBlock | undefined;
  /** Of a turn that lists facts: the documents' lines have numbers, and the instruction follows the agent's prompt. */
  readonly listing?: { readonly lines: NumberedLines; readonly instruction: string };
}

/** The selected passages, if the documents do not fit. */
export interface Excerpts {
  readonly passages: readonly Passage[];
  /** UTF-16 units. */
  readonly unitsShown: number;
  readonly units: number;
}

/** Maximum length of a paragraph that counts as a question. */
const questionUnitsMax = 400;
/** The length at either end of a text in which a question is searched for. */
const edgeUnits = 4 * questionUnitsMax;
/** Weight of a word of the findings relative to one of the question. The findings decide if the question names no topic. */
const findingsWeight = 0.1;
const leftOut = '[…]';

/** The documents for the tools and the choice of passages: all texts of the caller except earlier answers. */
export function documentsOf(messages: readonly ChatMessage[]): readonly AgentDocument[] {
  return messages.flatMap(({ role, content }, message) =>
    (role === 'user' || role === 'tool') && content !== '' ? [{ message, text: content }] : [],
  );
}

/** The messages with the complete documents. */
export function wholeMessages(sources: TurnSources): ChatMessage[] {
  const question = findQuestion(sources.messages);
  return compose(sources, question, ({ role, content }, message) => {
    if (sources.listing !== undefined && role !== 'assistant')
      return sources.listing.lines.show(message, { start: 0, end: content.length });
    if (sources.form === 'full' || question?.message !== message) return content;
    return `${content.slice(0, question.start)}${content.slice(question.end)}`.trim();
  });
}

/** The input of the ranking of passages: the words of the question, and with a lower weight those of the findings. */
export function rankingTask({ messages, block }: TurnSources): RankingTask {
  const question = findQuestion(messages);
  return {
    documents: documentsOf(messages),
    queries: [
      { text: question === undefined ? '' : textOf(messages, question), weight: 1 },
      { text: block?.text ?? '', weight: findingsWeight },
    ],
    kept: question === undefined ? [] : [question],
  };
}

/**
 * The messages with the question and the highest-ranked passages.
 * @param ranking of `rankingTask`
 * @param unitsMax maximum length of the passages without the question, UTF-16 units
 */
export function shortMessages(
  sources: TurnSources,
  ranking: Ranking,
  unitsMax: number,
): { messages: ChatMessage[]; excerpts: Excerpts } {
  const documents = documentsOf(sources.messages);
  const question = findQuestion(sources.messages);
  const room = unitsMax + (question === undefined ? 0 : question.end - question.start);
  const passages = choosePassages(ranking, room);
  const isQuestion = (one: Passage) => sources.form === 'brief' && question !== undefined && isInside(one, question);
  const byMessage = Map.groupBy(passages, ({ message }) => message);
  const shown = new Map(
    documents.map(({ message, text }) => {
      const own = byMessage.get(message) ?? [];
      return [
        message,
        excerptText(
          text,
          own.filter((one) => !isQuestion(one)),
          sources.listing?.lines,
        ),
      ];
    }),
  );
  const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0);
  const excerpts = {
    passages,
    unitsShown: sum(passages.map(({ start, end }) => end - start)),
    units: sum(documents.map(({ text }) => text.length)),
  };
  const note = `(The documents do not fit: ${excerpts.unitsShown} of their ${excerpts.units} characters are shown, the passages that matter most for the question. ${leftOut} stands for what is left out.)`;
  const messages = compose({ ...sources, note }, question, ({ content }, message) => shown.get(message) ?? content);
  return { messages, excerpts };
}

/**
 * Builds one system message (many chat templates allow only one), then the caller's other messages. The findings are
 * appended to the last of them.
 */
function compose(
  { agent, form, messages, block, note, listing }: TurnSources & { note?: string },
  question: Passage | undefined,
  contentOf: (message: ChatMessage, index: number) => string,
): ChatMessage[] {
  const own = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : []));
  const instructions = listing === undefined ? [] : [listing.instruction];
  const system = [promptOf(agent, form), ...instructions, ...own].join('\n\n');
  const last = messages.findLastIndex(({ role }) => role === 'user' || role === 'tool');
  const behind = [note, block?.text].filter((text) => text !== undefined);
  const rest = messages.flatMap((message, index): ChatMessage[] => {
    if (message.role === 'system') return [];
    const parts = [contentOf(message, index)];
    if (index === last) parts.push(...behind);
    if (form === 'brief' && index === question?.message) parts.push(textOf(messages, question));
    return [{ ...message, content: parts.filter((part) => part !== '').join('\n\n') }];
  });
  const hasPlace = last >= 0 || behind.length === 0;
  return [{ role: 'system', content: hasPlace ? system : [system, ...behind].join('\n\n') }, ...rest];
}

/**
 * Finds the question in the last message of the user: all of a short message; in a long one the last paragraph, if it is a
 * single short line, else the first, if it introduces something. A document that is misread as a question is still shown.
 */
function findQuestion(messages: readonly ChatMessage[]): Passage | undefined {
  const message = messages.findLastIndex(({ role }) => role === 'user');
  const text = messages[message]?.content ?? '';
  const first = splitParagraphs({ message, text: text.slice(0, edgeUnits) })[0];
  const tail = Math.max(0, text.length - edgeUnits);
  const ending = splitParagraphs({ message, text: text.slice(tail) }).at(-1);
  if (first === undefined || ending === undefined) return undefined;
  const last = { message, start: ending.start + tail, end: ending.end + tail };
  if (last.end - first.start <= questionUnitsMax) return { message, start: first.start, end: last.end };
  const lineOf = ({ start, end }: Passage) => text.slice(start, end);
  const isLine = (one: Passage) => one.end - one.start <= questionUnitsMax && !lineOf(one).includes('\n');
  if (isLine(first) && /[:?]$/.test(lineOf(first)) && !/\?$/.test(lineOf(last))) return first;
  return isLine(last) ? last : undefined;
}

function excerptText(text: string, passages: readonly Passage[], lines?: NumberedLines): string {
  const parts: string[] = [];
  let end = 0;
  for (const passage of passages) {
    if (text.slice(end, passage.start).trim() !== '') parts.push(leftOut);
    parts.push(lines === undefined ? text.slice(passage.start, passage.end) : lines.show(passage.message, passage));
    end = passage.end;
  }
  if (text.slice(end).trim() !== '') parts.push(leftOut);
  return parts.join('\n\n');
}

function textOf(messages: readonly ChatMessage[], { message, start, end }: Passage): string {
  return messages[message]!.content.slice(start, end);
}

function isInside(one: Passage, other: Passage): boolean {
  return one.message === other.message && one.start >= other.start && one.end <= other.end;
}
