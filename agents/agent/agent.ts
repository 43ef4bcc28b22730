/**
 * The interfaces of an agent: a preset that a caller names in `model`, with its own prompt and deterministic tools that read the
 * caller's texts before the model does. `registry.ts` lists the agents.
 */
import type { Fact, Vocabulary } from './vocabulary.ts';

/** Plain data that JSON can represent. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One text that the caller sent. Lists of documents keep the order of the request. */
export interface AgentDocument {
  /** Index of the message in the caller's `messages`, from 0. */
  readonly message: number;
  readonly text: string;
}

/**
 * Reads the caller's texts. Deterministic: the same documents give the same bytes, without clock, network or randomness. Takes time
 * proportional to the length of the texts and never throws, whatever the texts contain.
 */
export interface AgentTool {
  /** Lower-case words joined by underscores, unique within its agent. */
  readonly name: string;
  /** Changes whenever the tool's findings change. */
  readonly version: string;
  /** One line for a model that may call the tool: what the tool finds, and what text to pass to it. */
  readonly purpose: string;
  /** The parameters of a call in addition to the text, by name: lower-case words joined by underscores. */
  readonly inputs?: Readonly<Record<string, GivenInput>>;
  /** False for tools that say something about whole documents only: the model has no new text for them. Default true. */
  readonly isOffered?: boolean;
  run(documents: readonly AgentDocument[]): ToolFindings;
}

/** A list that the caller may pass, in addition to what the tool reads from the documents. The tool receives it as a text. */
export interface GivenInput {
  /** One line. */
  readonly description: string;
  /**
   * Regular expression that every value matches as a whole: without flags, in the syntax that JSON schemas share.
   */
  readonly pattern: string;
  readonly valuesMax: number;
  /** @returns a text that states the values */
  toText(values: readonly string[]): string;
}

export interface ToolFindings {
  /** Sent to the client verbatim. */
  readonly result: Json;
  /** Compact lines for the model's context, most important first. The model gets as many of them as fit. */
  readonly digest: readonly string[];
}

/**
 * Converts the results of an agent's tools to facts of its vocabulary, without correcting them: an error of a tool remains an error.
 * @param results by name of the tool, each for the same documents
 */
export type ToolFacts = (
  results: Readonly<Record<string, Json>>,
  documents: readonly AgentDocument[],
) => {
  readonly facts: readonly Fact[];
  /** For agents that compute one; null if there is nothing to score. */
  readonly score?: number | null;
};

/** A fact that a model listed, with the place that confirms it: UTF-16 offsets into a message. */
export interface ListedFact extends Fact {
  readonly at: { readonly message: number; readonly start: number; readonly end: number };
}

/** Computes further facts from those that a model listed and the documents confirm. */
export type ComputedFacts = (listed: readonly ListedFact[]) => readonly Fact[];

export interface Agent {
  /** What callers send in `model`: lower-case words joined by hyphens. */
  readonly slug: string;
  readonly name: string;
  readonly industry: string;
  readonly version: string;
  /** Precedes everything that the caller sends. The server never copies it into an answer. */
  readonly prompt: string;
  /** Defaults for settings that the request omits. */
  readonly defaults: { readonly temperature: number; readonly maxTokens: number };
  /** Run in this order. */
  readonly tools: readonly AgentTool[];
  /** JSON schema of the agent's own report, for `response_format: {"type": "agent_report"}`. */
  readonly reportSchema: Json;
  /** What its documents state, for `response_format: {"type": "agent_facts"}`. */
  readonly facts: Vocabulary;
  readonly toolFacts: ToolFacts;
  readonly computedFacts?: ComputedFacts;
}
