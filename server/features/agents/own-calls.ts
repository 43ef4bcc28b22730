/** Runs the calls that a model makes of its agent's tools, within one turn's bounds, and keeps what the answer says of them. */
import { createHash } from 'node:crypto';
import type { Agent, AgentDocument, AgentTool, Json } from '@cloister/agents/agent/agent';
import { buildCallBlock } from '@cloister/agents/agent/findings-block';
import { readArguments } from '@cloister/agents/agent/tool-offer';
import type { ChatMessage } from '@cloister/models/interface/model';
import { RuntimeError } from '@cloister/runtime/pool/errors';
import type { WrittenCall } from './round.ts';
import type { AgentTools, ToolOptions } from './tools.ts';

/** Of one turn, over all of its rounds. */
export const ownCallsMax = 8;

/** What an answer says of one call, beside what the tools found before the model began. */
export interface OwnCallReport {
  readonly name: string;
  readonly version: string;
  readonly called_by: 'model';
  /** Of the arguments as the model wrote them, UTF-8. */
  readonly arguments_sha256: string;
  /** Verbatim; of a call that did not run `{ error }`. */
  readonly result: Json;
}

export interface OwnCallsOptions {
  readonly agent: Pick<Agent, 'slug' | 'tools'>;
  readonly tools: Pick<AgentTools, 'call'>;
  /** The caller's, as the tools have read them. */
  readonly documents: readonly AgentDocument[];
  /** How many messages the caller sent: places in texts of calls are named by the numbers behind them. */
  readonly messages: number;
  /** Whether a text must not be read, because excerpts of it would show what is not told. */
  readonly isSecret: (text: string) => boolean;
  /** Waits for a thread's work within what is left of the turn. */
  readonly inTime: <Result>(work: (options: ToolOptions) => Promise<Result>) => Promise<Result>;
}

export class OwnCalls {
  readonly #options: OwnCallsOptions;
  readonly #reports: OwnCallReport[] = [];
  #seen = 0;

  constructor(options: OwnCallsOptions) {
    this.#options = options;
  }

  /** In the order of the calls. */
  get reports(): readonly OwnCallReport[] {
    return this.#reports;
  }

  /** Whether the model may call once more. */
  get isOpen(): boolean {
    return this.#seen < ownCallsMax;
  }

  /**
   * One after another, so that a turn never has more than one thread.
   * @returns the messages that answer them, in their order
   * @throws {RuntimeError} ERR_CANCELLED, ERR_DEADLINE and the like; a call that cannot run is told to the model instead
   */
  async answer(calls: readonly WrittenCall[]): Promise<readonly ChatMessage[]> {
    const answers: ChatMessage[] = [];
    for (const call of calls) {
      const content = await this.#run(call);
      answers.push({ role: 'tool', tool_call_id: call.id, name: call.name, content });
    }
    return answers;
  }

  async #run(call: WrittenCall): Promise<string> {
    this.#seen += 1;
    const tool = this.#options.agent.tools.find(({ name }) => name === call.name);
    if (tool === undefined) return this.#refuse(call, undefined, 'there is no such function');
    if (this.#seen > ownCallsMax)
      return this.#refuse(call, tool, `at most ${ownCallsMax} calls are made for one answer`);
    const { agent, tools, documents, inTime } = this.#options;
    const message = this.#options.messages + this.#seen - 1;
    const read = readArguments(tool, call.arguments, { documents, message });
    if ('error' in read) return this.#refuse(call, tool, read.error);
    const own = read.documents.find((document) => document.message === message)!;
    if (this.#options.isSecret(own.text)) return this.#refuse(call, tool, 'instructions are no text to read');
    try {
      const task = { slug: agent.slug, tool: tool.name, documents: read.documents };
      const { findings } = await inTime((options) => tools.call(task, options));
      this.#report(call, tool, findings.result);
      return buildCallBlock({ name: tool.name, version: tool.version, digest: findings.digest }, { message });
    } catch (error) {
      if (error instanceof RuntimeError && error.code === 'ERR_QUEUE_FULL') {
        return this.#refuse(call, tool, 'the tools are busy');
      }
      throw error;
    }
  }

  #refuse(call: WrittenCall, tool: AgentTool | undefined, error: string): string {
    this.#report(call, tool, { error });
    return `Error: ${error}. Nothing was computed.`;
  }

  /** A name that no tool has is the model's own text, which is not repeated. */
  #report(call: WrittenCall, tool: AgentTool | undefined, result: Json): void {
    this.#reports.push({
      name: tool?.name ?? 'unknown',
      version: tool?.version ?? '0',
      called_by: 'model',
      arguments_sha256: createHash('sha256').update(call.arguments).digest('hex'),
      result,
    });
  }
}
