/** Clients that choose nodes themselves, with the code of `attestedFetch`, against a router that reads every prompt. */
import { describe, expect, it } from 'vitest';
import { type PlacementResult, placements, simulatePlacement } from '../../bench/fleet/placement.ts';
import { makeTraffic } from '../../bench/fleet/traffic.ts';

const nodes = 4;
const speed = { promptTokensPerSecond: 4000, answerTokensPerSecond: 40, slots: 16, cacheTokensMax: 100_000 };
/** Ten minutes, in which each node begins conversations that keep half of its slots busy. */
const seconds = 600;
const conversations = (700 * nodes * seconds) / 1800;

describe('1,000 accounts whose clients choose among four nodes', () => {
  const traffic = makeTraffic({ accounts: 1000, conversations, seconds, seed: nodes });
  const run = (rule: keyof typeof placements): Promise<PlacementResult> =>
    simulatePlacement(traffic, { nodes, speed, place: placements[rule]() });

  it('find 90 % of the cached prompt tokens that a router finds which reads every prompt, and reveal 8 bits', {
    timeout: 240_000,
  }, async () => {
    const clients = await run('clients choose');
    const oracle = await run('reads every prompt');
    const random = await run('two choices');
    expect(oracle.cachedPromptShare).toBeGreaterThan(0.5);
    expect(clients.cachedPromptShare / oracle.cachedPromptShare).toBeGreaterThanOrEqual(0.9);
    expect(random.cachedPromptShare / oracle.cachedPromptShare).toBeLessThan(0.5);
    expect(clients.revealedBits).toBeLessThanOrEqual(8);
  });
});
