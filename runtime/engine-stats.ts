/** What a chat engine has done. */
import type { EngineStats } from './request.ts';

/** What adds up; the rest of its stats says how things stand. */
export type EngineTotals = {
  -readonly [Name in Exclude<
    keyof EngineStats,
    'preparing' | 'running' | 'waiting' | 'cachedStateBytes' | 'pinnedStateBytes'
  >]: number;
};

export function noTotals(): EngineTotals {
  return {
    promptTokens: 0,
    cachedPromptTokens: 0,
    sharedPromptTokens: 0,
    completionTokens: 0,
    guessedTokens: 0,
    rightlyGuessedTokens: 0,
    steps: 0,
    decodeMs: 0,
    sampleMs: 0,
    scriptMs: 0,
    threads: 0,
  };
}

/** Before it does anything. */
export const NO_STATS: EngineStats = {
  preparing: 0,
  running: 0,
  waiting: 0,
  cachedStateBytes: 0,
  pinnedStateBytes: 0,
  ...noTotals(),
};
