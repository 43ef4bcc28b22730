/** Counters of a chat engine. */
import type { StepResult, TextModelInfo } from '@cloister/models/interface/model';
import type { PrefixCache } from './prefix-cache.ts';
import type { EngineStats } from './request.ts';

/** The counters among the statistics; the others are gauges. */
export type EngineTotals = {
  -readonly [Name in Exclude<
    keyof EngineStats,
    | 'preparing'
    | 'running'
    | 'waiting'
    | 'promptTokensLeft'
    | 'cachedStateBytes'
    | 'pinnedStateBytes'
    | 'kvTokens'
    | 'kvTokensMax'
  >]: number;
};

export function emptyTotals(): EngineTotals {
  return {
    promptTokens: 0,
    cachedPromptTokens: 0,
    sharedPromptTokens: 0,
    completionTokens: 0,
    draftTokens: 0,
    acceptedDraftTokens: 0,
    steps: 0,
    decodeMs: 0,
    productMs: 0,
    attentionMs: 0,
    sampleMs: 0,
    scriptMs: 0,
    threads: 0,
  };
}

/** @param draftTokens draft tokens in the step's rows */
export function addStep(totals: EngineTotals, result: StepResult, { draftTokens }: { draftTokens: number }): void {
  const rows = result.drawn.reduce((count, drawn) => count + Math.min(1, drawn), 0);
  totals.draftTokens += draftTokens;
  totals.acceptedDraftTokens += result.tokens.length - rows;
  totals.steps += 1;
  totals.decodeMs += result.decodeMicros / 1000;
  totals.productMs += result.productMicros / 1000;
  totals.attentionMs += result.attentionMicros / 1000;
  totals.sampleMs += result.sampleMicros / 1000;
  totals.threads = result.threads;
}

/** The gauges of memory. */
export function memoryStats(
  { stateBytes, busyTokens }: Pick<PrefixCache, 'stateBytes' | 'busyTokens'>,
  { sequences, contextPerSequence }: Pick<TextModelInfo, 'sequences' | 'contextPerSequence'>,
): Pick<EngineStats, 'cachedStateBytes' | 'pinnedStateBytes' | 'kvTokens' | 'kvTokensMax'> {
  const kv = { kvTokens: busyTokens, kvTokensMax: sequences * contextPerSequence };
  return { cachedStateBytes: stateBytes.all, pinnedStateBytes: stateBytes.pinned, ...kv };
}

/** Statistics of an engine that has not run yet. */
export const emptyEngineStats: EngineStats = {
  preparing: 0,
  running: 0,
  waiting: 0,
  promptTokensLeft: 0,
  cachedStateBytes: 0,
  pinnedStateBytes: 0,
  kvTokens: 0,
  kvTokensMax: 0,
  ...emptyTotals(),
};
