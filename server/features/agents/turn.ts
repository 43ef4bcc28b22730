/** One turn of an agent: its tools read the documents, the prompt is fitted into the context, and the model answers. */
import type { Agent, Json } from '@cloister/agents/agent/agent';
import { type PromptForm, promptForm } from '@cloister/agents/agent/brief';
import { blockUnitsMax, buildFindingsBlock, callBlockUnitsMax } from '@cloister/agents/agent/findings-block';
import type { ToolReport } from '@cloister/agents/agent/reports';
import type { OfferedFunction } from '@cloister/agents/agent/tool-offer';
import { NumberedLines } from '@cloister/agents/facts/numbered-lines';
import { factsQuestion } from '@cloister/agents/facts/question';
import type { FactsReport } from '@cloister/agents/facts/report';
import { fileUnitsMax } from '@cloister/agents/files/file-text';
import type { ChatMessage } from '@cloister/models/interface/model';
import type { ChatRequest } from '@cloister/runtime/chat/request';
import { RuntimeError } from '@cloister/runtime/pool/errors';
import { refuseField } from '../../http/body-reader.ts';
import type { AnswerEvent } from '../../serving/answer-event.ts';
import type { ServedChatModel } from '../../serving/served-model.ts';
import type { CallerFile } from '../chat/files.ts';
import { type NumberedDocument, withFiles } from './attached-files.ts';
import { guarded, type PromptShape, repeatsPrompt } from './guard.ts';
import { withConfirmation } from './listed-facts.ts';
import { documentsOf, type Excerpts, rankingTask, shortMessages, type TurnSources, wholeMessages } from './messages.ts';
import { type OwnCallReport, OwnCalls, ownCallsMax } from './own-calls.ts';
import { answerInRounds, promptsMax } from './rounds.ts';
import { type AgentTools, type ToolOptions, withinTime } from './tools.ts';
import { fitTurn } from './window.ts';

/** Digits and a bar before a line. */
const lineNumberUnitsMax = 8;

export interface AgentTurnOptions {
  readonly agent: Agent;
  readonly shape: PromptShape;
  readonly model: ServedChatModel;
  readonly tools: AgentTools;
  /** Tokens per sequence of the loaded model. */
  readonly contextLength: number;
  /** The functions that the model may call, from `functionsFor`. */
  readonly functions: readonly OfferedFunction[];
  readonly files: readonly CallerFile[];
  /** Number of lines in the messages, if the model lists the documents' facts; the prompt must be the full one then. */
  readonly listedLines: number | undefined;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The member `agent` of an answer. */
export interface AgentExtension {
  readonly slug: string;
  readonly version: string;
  /** The results of the tools: first those from before the model's answer, then those of its calls. */
  readonly tools: readonly (
    | { readonly name: string; readonly version: string; readonly result: Json }
    | OwnCallReport
  )[];
  /** Only of a request for facts. */
  readonly facts?: FactsReport;
  /** Only of a request with files: what the message numbers in findings and passages stand for. */
  readonly documents?: readonly NumberedDocument[];
  readonly context:
    | { readonly complete: true }
    | {
        readonly complete: false;
        /** UTF-16 units of the documents in the prompt, and in total. */
        readonly shown: number;
        readonly of: number;
        readonly passages: Excerpts['passages'];
      };
}

export class AgentTurn {
  readonly form: PromptForm;
  readonly #options: AgentTurnOptions;
  #reports: readonly ToolReport[] = [];
  #calls: OwnCalls | undefined;
  #excerpts: Excerpts | undefined;
  #documents: readonly NumberedDocument[] | undefined;
  #facts: FactsReport | undefined;

  constructor(options: AgentTurnOptions) {
    this.#options = options;
    this.form = promptForm(options.contextLength);
  }

  /** Maximum bytes that the turn adds to the caller's messages in a prompt. */
  get addedBytesMax(): number {
    const { agent, functions, files, listedLines } = this.#options;
    const calls = functions.length === 0 ? 0 : ownCallsMax * callBlockUnitsMax + JSON.stringify(functions).length;
    const listing =
      listedLines === undefined ? 0 : factsQuestion(agent.facts).instruction.length + lineNumberUnitsMax * listedLines;
    return 3 * (agent.prompt.length + listing + blockUnitsMax + calls + (files.length === 0 ? 0 : fileUnitsMax));
  }

  /** Maximum number of prompts for the answer. */
  get promptsMax(): number {
    return this.#options.functions.length === 0 ? 1 : promptsMax;
  }

  /** @throws {RuntimeError} as `withinTime` and the engine · @throws {ServerError} if a file cannot be read */
  async *run(work: ChatRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<AnswerEvent, void, undefined> {
    const { agent, shape, tools, now, functions, listedLines } = this.#options;
    const listsFacts = listedLines !== undefined;
    const end = now() + work.timeoutMs;
    const clock: Clock = {
      signal,
      timeLeftMs: () => leftUntil(end, now()),
      inTime: (begin) =>
        withinTime(signal, (options) => begin({ ...options, account: work.account }), leftUntil(end, now())),
    };
    const messages = await this.#readFiles(work.input.messages, clock);
    const documents = documentsOf(messages);
    this.#reports = await clock.inTime((options) => tools.run({ slug: agent.slug, documents }, options));
    const telling = this.#reports.filter(({ isTelling }) => isTelling);
    const digests = telling.map(({ name, version, findings }) => ({ name, version, digest: findings.digest }));
    // The model does not see what the tools found, so that the two readings are independent.
    const block = listsFacts ? undefined : buildFindingsBlock(digests, this.form);
    const listing = listsFacts
      ? { listing: { lines: new NumberedLines(documents), instruction: factsQuestion(agent.facts).instruction } }
      : {};
    const sources = { agent, form: this.form, messages, block, ...listing };
    const allowed = [...messages.map(({ content }) => content), block?.text ?? '', JSON.stringify(agent.reportSchema)];
    const isSecret = (text: string) => repeatsPrompt(text, { shape, allowed });
    const calls = new OwnCalls({ agent, tools, documents, messages: messages.length, isSecret, inTime: clock.inTime });
    this.#calls = calls;
    const answer = guarded(this.#answer({ work, functions, sources, calls, clock }), { shape, allowed });
    if (!listsFacts) return yield* answer;
    const results = Object.fromEntries(this.#reports.map(({ name, findings }) => [name, findings.result]));
    yield* withConfirmation(answer, async (text) => {
      const task = { slug: agent.slug, documents, answer: text, results, showsAll: this.#excerpts === undefined };
      this.#facts = await clock.inTime((options) => tools.confirm(task, options));
    });
  }

  async #readFiles(messages: readonly ChatMessage[], { inTime }: Clock): Promise<readonly ChatMessage[]> {
    const { files, tools } = this.#options;
    if (files.length === 0) return messages;
    const texts = await inTime((options) =>
      tools.read({ files: files.map(({ name, bytes }) => ({ name, bytes })) }, options),
    );
    if ('problem' in texts) refuseField(`file ${texts.index + 1} of the request`, texts.problem, undefined);
    const read = withFiles(messages, files, texts);
    this.#documents = read.documents;
    return read.messages;
  }

  /** Call it once the answer is complete. */
  get extension(): { readonly agent: AgentExtension } {
    const { slug, version } = this.#options.agent;
    const read = this.#reports.map(({ name, version, findings }) => ({ name, version, result: findings.result }));
    const tools = [...read, ...(this.#calls?.reports ?? [])];
    const documents = this.#documents === undefined ? {} : { documents: this.#documents };
    const facts = this.#facts === undefined ? {} : { facts: this.#facts };
    return { agent: { slug, version, tools, ...facts, ...documents, context: this.#context() } };
  }

  /** If the template fails with functions but not without them, the turn has no functions. */
  async *#answer(asking: Asking): AsyncGenerator<AnswerEvent, void, undefined> {
    let hasStarted = false;
    try {
      for await (const event of this.#ask(asking)) {
        hasStarted = true;
        yield event;
      }
    } catch (error) {
      if (hasStarted || asking.functions.length === 0 || !refusesForm(error)) throw error;
      yield* this.#ask({ ...asking, functions: [] });
    }
  }

  async *#ask({ work, functions, sources, calls, clock }: Asking): AsyncGenerator<AnswerEvent, void, undefined> {
    const { model, tools, contextLength } = this.#options;
    const { signal, timeLeftMs, inTime } = clock;
    const fit = {
      work: withFunctions(work, functions),
      engine: model.engine,
      signal,
      contextMax: Math.min(contextLength, work.contextMax ?? contextLength),
    };
    const fitted = await fitTurn({
      ...fit,
      whole: () => wholeMessages(sources),
      shortener: async () => {
        const ranking = await inTime((options) => tools.rank(rankingTask(sources), options));
        return (unitsMax) => shortMessages(sources, ranking, unitsMax);
      },
    });
    this.#excerpts = fitted.excerpts;
    const asked = { ...fit.work, input: { ...fit.work.input, messages: fitted.messages } };
    if (functions.length > 0) yield* answerInRounds({ ...fit, work: asked, calls, timeLeftMs });
    else yield* model.engine.chat({ ...asked, timeoutMs: timeLeftMs() }, { signal });
  }

  #context(): AgentExtension['context'] {
    if (this.#excerpts === undefined) return { complete: true };
    const { passages, unitsShown, units } = this.#excerpts;
    return { complete: false, shown: unitsShown, of: units, passages };
  }
}

/** A turn that is ready for its model. */
interface Asking {
  readonly work: ChatRequest;
  /** The functions that the model may call. */
  readonly functions: readonly OfferedFunction[];
  readonly sources: TurnSources;
  readonly calls: OwnCalls;
  readonly clock: Clock;
}

/** The time limit of one turn. */
interface Clock {
  readonly signal: AbortSignal;
  /** @throws {RuntimeError} ERR_DEADLINE if no time remains */
  readonly timeLeftMs: () => number;
  /** Waits for a thread's work within the limit. */
  readonly inTime: <Result>(begin: (options: ToolOptions) => Promise<Result>) => Promise<Result>;
}

function leftUntil(end: number, now: number): number {
  if (now < end) return end - now;
  throw new RuntimeError('ERR_DEADLINE', 'the request ran out of time: request fewer tokens');
}

function withFunctions(work: ChatRequest, functions: readonly OfferedFunction[]): ChatRequest {
  if (functions.length === 0) return work;
  return { ...work, input: { ...work.input, tools: functions, toolChoice: 'auto' } };
}

function refusesForm(error: unknown): boolean {
  return error instanceof RuntimeError && (error.code === 'ERR_CHAT_TEMPLATE' || error.code === 'ERR_GRAMMAR_INVALID');
}
