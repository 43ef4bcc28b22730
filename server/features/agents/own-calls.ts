/** Runs a model's calls of its agent's tools within the limits of a turn, and records them for the answer. */
import { createHash } from 'node:crypto';
import type { Agent, AgentDocument, AgentTool, Json } from '@cloister/agents/agent/agent';
import { buildCallBlock } from '@cloister/agents/agent/findings-block';
import { readArguments } from '@cloister/agents/agent/tool-offer';
import type { ChatMessage } from '@cloister/models/interface/model';
import { RuntimeError } from '@cloister/runtime/pool/errors';
import type { WrittenCall } from './round.ts';
import type { AgentTools, ToolOptions } from './tools.ts';

/** Limits of one turn, over all of its rounds. */
export const ownCallsMax = 8;

/** The record of one call in the answer. */
export interface OwnCallReport {
  readonly name: string;
  readonly version: string;
  readonly called_by: 'model';
  /** Length of the arguments as the model wrote them, UTF-8. */
  readonly arguments_sha256: string;
  /** The tool's result, or `{ error }` if the call did not run. */
  readonly result: Json;
}

export interface OwnCallsOptions {
  readonly agent: Pick<Agent, 'slug' | 'tools'>;
  readonly tools: Pick<AgentTools, 'call'>;
  /** The caller's documents, as the tools have read them. */
  readonly documents: readonly AgentDocument[];
  /** Number of the caller's messages. Texts of calls are numbered after them. */
  readonly messages: number;
  /** Whether tools must not read a text, because excerpts of it would reveal the agent's prompt. */
  readonly isSecret: (text: string) => boolean;
  /** Waits for a thread's work within the remaining time of the turn. */
  readonly inTime: <Result>(work: (options: ToolOptions) => Promise<Result>) => Promise<Result>;
}

export class OwnCalls {
  readonly #options: OwnCallsOptions;
  readonly #reports: OwnCallReport[] = [];
  #seen = 0;

  constructor(options: OwnCallsOptions) {
    this.#options = options;
  }

  /** Reports of the finished calls, in call order. */
  get reports(): readonly OwnCallReport[] {
    return this.#reports;
  }

  /** Whether the model may call once more. */
  get isOpen(): boolean {
    return this.#seen < ownCallsMax;
  }

  /**
   * Runs the calls in sequence, so that a turn uses at most one thread.
   * @returns the results as messages, in the order of the calls
   * @throws {RuntimeError} ERR_CANCELLED, ERR_DEADLINE and the like; a call that cannot run becomes an error message for the model
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
    if (tool === undefined) return this.#refuse(call, undefined, 'this function does not exist');
    if (this.#seen > ownCallsMax) return this.#refuse(call, tool, `an answer may make at most ${ownCallsMax} calls`);
    const { agent, tools, documents, inTime } = this.#options;
    const message = this.#options.messages + this.#seen - 1;
    const read = readArguments(tool, call.arguments, { documents, message });
    if ('error' in read) return this.#refuse(call, tool, read.error);
    const own = read.documents.find((document) => document.message === message)!;
    if (this.#options.isSecret(own.text)) return this.#refuse(call, tool, 'tools cannot read instructions');
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

  /** @param tool undefined for an unknown name, which is text of the model and not repeated */
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
