/** One turn of an agent: its tools read the documents, the prompt is made to fit, the model answers, and all of it is told. */
import type { Agent, Json } from '../../models/agents/agent.ts';
import { type PromptForm, promptForm } from '../../models/agents/brief.ts';
import { blockUnitsMax, buildFindingsBlock } from '../../models/agents/findings-block.ts';
import type { ToolReport } from '../../models/agents/reports.ts';
import type { ChatEvent, ChatRequest } from '../../runtime/request.ts';
import type { ServedChatModel } from '../start/served-model.ts';
import { guarded, type PromptShape } from './guard.ts';
import { documentsOf, type Excerpts, rankingTask, shortMessages, wholeMessages } from './messages.ts';
import { type AgentTools, withinTime } from './tools.ts';
import { fitTurn } from './window.ts';

export interface AgentTurnOptions {
  readonly agent: Agent;
  readonly shape: PromptShape;
  readonly model: ServedChatModel;
  readonly tools: AgentTools;
  /** Tokens per sequence, as the model was loaded. */
  readonly contextLength: number;
}

/** What an answer says of the agent that gave it, as its member `agent`. */
export interface AgentExtension {
  readonly slug: string;
  readonly version: string;
  /** Verbatim what the tools found. */
  readonly tools: readonly { readonly name: string; readonly version: string; readonly result: Json }[];
  readonly context:
    | { readonly complete: true }
    | {
        readonly complete: false;
        /** UTF-16 units of the documents that the model saw, and that there are. */
        readonly shown: number;
        readonly of: number;
        readonly passages: Excerpts['passages'];
      };
}

export class AgentTurn {
  readonly form: PromptForm;
  readonly #options: AgentTurnOptions;
  #reports: readonly ToolReport[] = [];
  #excerpts: Excerpts | undefined;

  constructor(options: AgentTurnOptions) {
    this.#options = options;
    this.form = promptForm(options.contextLength);
  }

  /** Bytes that the turn may add to the caller's messages. */
  get addedBytesMax(): number {
    return 3 * (this.#options.agent.prompt.length + blockUnitsMax);
  }

  /** @throws {RuntimeError} as `withinTime` and the engine */
  async *run(work: ChatRequest, { signal }: { signal: AbortSignal }): AsyncGenerator<ChatEvent, void, undefined> {
    const { agent, shape, model, tools, contextLength } = this.#options;
    const { messages } = work.input;
    const documents = documentsOf(messages);
    this.#reports = await withinTime(signal, (options) => tools.run({ slug: agent.slug, documents }, options));
    const telling = this.#reports.filter(({ isTelling }) => isTelling);
    const digests = telling.map(({ name, version, findings }) => ({ name, version, digest: findings.digest }));
    const block = buildFindingsBlock(digests, this.form);
    const sources = { agent, form: this.form, messages, block };
    const fitted = await fitTurn({
      work,
      engine: model.engine,
      signal,
      contextMax: Math.min(contextLength, work.contextMax ?? contextLength),
      whole: () => wholeMessages(sources),
      shortener: async () => {
        const ranking = await withinTime(signal, (options) => tools.rank(rankingTask(sources), options));
        return (unitsMax) => shortMessages(sources, ranking, unitsMax);
      },
    });
    this.#excerpts = fitted.excerpts;
    const input = { ...work.input, messages: fitted.messages };
    const allowed = [...messages.map(({ content }) => content), block?.text ?? '', JSON.stringify(agent.reportSchema)];
    yield* guarded(model.engine.chat({ ...work, input }, { signal }), { shape, allowed });
  }

  /** Once the answer is complete. */
  get extension(): { readonly agent: AgentExtension } {
    const { slug, version } = this.#options.agent;
    const tools = this.#reports.map(({ name, version, findings }) => ({ name, version, result: findings.result }));
    return { agent: { slug, version, tools, context: this.#context() } };
  }

  #context(): AgentExtension['context'] {
    if (this.#excerpts === undefined) return { complete: true };
    const { passages, unitsShown, units } = this.#excerpts;
    return { complete: false, shown: unitsShown, of: units, passages };
  }
}
