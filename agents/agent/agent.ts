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
  /** For a model that may call it: what it finds, and what a text of the call should hold. One line. */
  readonly purpose: string;
  /** What a call may give beside a text, by name: lower-case words joined by underscores. */
  readonly inputs?: Readonly<Record<string, GivenInput>>;
  run(documents: readonly AgentDocument[]): ToolFindings;
}

/** A list that is not read out of documents but given: the tool reads it from a text that states it in its own words. */
export interface GivenInput {
  /** One line. */
  readonly description: string;
  /** What every value looks like as a whole: a regular expression without flags, in the part of the syntax that JSON schemas share. */
  readonly pattern: string;
  readonly valuesMax: number;
  /** @returns the text that states them */
  toText(values: readonly string[]): string;
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
