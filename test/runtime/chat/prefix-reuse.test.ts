/** How much of what prompts share is computed once, on a load of agents, documents and branching conversations. */
import { describe, expect, it } from 'vitest';
import { countReuse } from '../../support/runtime/branching-load.ts';

describe('nine agents with documents and branching conversations', () => {
  it('computes each token once if everything fits into host memory', () => {
    const { computed, fresh, stateBytesMax } = countReuse({ requests: 256, stateTokensMax: 100_000 });
    expect(computed / fresh).toBeLessThan(1.01);
    expect(stateBytesMax).toBeLessThanOrEqual(100_000);
  });

  it('computes at most twice as many tokens with room for a quarter of them', () => {
    const { computed, fresh, stateBytesMax } = countReuse({ requests: 256, stateTokensMax: 23_000 });
    expect(computed / fresh).toBeLessThan(2);
    expect(stateBytesMax).toBeLessThanOrEqual(23_000);
  });
});
