/**
 * What an agent is: a preset that a caller names in `model`, with a prompt of its own and deterministic tools that read the
 * caller's texts before the model does. Interfaces only; `registry.ts` lists the agents there are.
 */

/** Plain data, as JSON carries it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One text of the caller, in the order in which the caller sent them. */
export interface AgentDocument {
  /** Index of the message in the caller's `messages`, from 0. */
  readonly message: number;
  readonly text: string;
}

/**
 * Reads the caller's texts. The same documents give the same bytes: no clock, no network, no randomness. It takes time in
 * proportion to the texts, whatever they hold, and no text makes it throw.
 */
export interface AgentTool {
  /** Lower-case words joined by underscores, unique within its agent. */
  readonly name: string;
  /** Changes with every change of what it finds. */
  readonly version: string;
  run(documents: readonly AgentDocument[]): ToolFindings;
}

export interface ToolFindings {
  /** For the client, verbatim. */
  readonly result: Json;
  /** For the model's context: compact lines, most important first. As many of the first as fit are shown to it. */
  readonly digest: readonly string[];
}

export interface Agent {
  /** What callers send in `model`: lower-case words joined by hyphens. */
  readonly slug: string;
  readonly name: string;
  readonly industry: string;
  readonly version: string;
  /** Put before everything that the caller sends. Never part of an answer by our doing. */
  readonly prompt: string;
  /** What holds where the caller says nothing. */
  readonly defaults: { readonly temperature: number; readonly maxTokens: number };
  /** Run in this order. */
  readonly tools: readonly AgentTool[];
  /** JSON schema of the agent's own report, for `response_format: {"type": "agent_report"}`. */
  readonly reportSchema: Json;
}
