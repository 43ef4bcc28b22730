/** What a chat engine has done. */
import type { StepResult } from '@cloister/models/interface/model';
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

/** @param guesses tokens that the step's rows guessed */
export function addStep(totals: EngineTotals, result: StepResult, { guesses }: { guesses: number }): void {
  const rows = result.drawn.reduce((count, drawn) => count + Math.min(1, drawn), 0);
  totals.guessedTokens += guesses;
  totals.rightlyGuessedTokens += result.tokens.length - rows;
  totals.steps += 1;
  totals.decodeMs += result.decodeMicros / 1000;
  totals.sampleMs += result.sampleMicros / 1000;
  totals.threads = result.threads;
}

/** Before it does anything. */
export const noStats: EngineStats = {
  preparing: 0,
  running: 0,
  waiting: 0,
  cachedStateBytes: 0,
  pinnedStateBytes: 0,
  ...noTotals(),
};
