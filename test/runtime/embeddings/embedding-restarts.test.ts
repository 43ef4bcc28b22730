/** Models that cannot be loaded, and threads that are lost or hang. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeTexts } from '../../support/models/fake-embedding.ts';
import {
  embed,
  endEngines,
  firsts,
  makeGate,
  openGate,
  refusal,
  startEngine,
} from '../../support/runtime/embedding-engines.ts';
import { patientWatch } from '../../support/runtime/thread-watch.ts';

afterEach(endEngines);

describe('an embedding engine', () => {
  it('reports why a model cannot be loaded, and refuses requests', async () => {
    const { engine, states } = await startEngine({ failsToOpen: true });
    expect(states.at(-1)).toEqual({ kind: 'failed', message: 'the file is not a model' });
    await expect(embed(engine, ['a'])).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
  });

  it('verifies and reloads the files after a thread was lost, then continues', async () => {
    let proofs = 0;
    const { engine, states } = await startEngine({}, { verifyWeights: async () => void proofs++ });
    await expect(embed(engine, [fakeTexts.dies])).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    await expect(embed(engine, ['meanwhile'])).rejects.toEqual(refusal('ERR_NOT_READY'));
    await vi.waitFor(() => expect(states.at(-1)!.kind).toBe('ready'));
    expect(proofs).toBe(1);
    expect(firsts((await embed(engine, ['again'])).vectors)).toEqual(['5 a']);
  });

  it('fails all requests if the files no longer pass verification', async () => {
    const verifyWeights = () => Promise.reject(new Error('the weights were changed'));
    const { engine, states } = await startEngine({}, { verifyWeights, sessionThreads: 2 });
    const texts = [fakeTexts.dies, ...Array.from({ length: 8 }, () => 'w'.repeat(40))];
    const answers = await Promise.allSettled(texts.map((text) => embed(engine, [text])));
    expect(answers[0]).toEqual({ status: 'rejected', reason: refusal('ERR_ENGINE_LOST') });
    await vi.waitFor(() => expect(states.at(-1)).toEqual({ kind: 'failed', message: 'the weights were changed' }));
    await expect(embed(engine, ['more'])).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    expect(engine.stats.running).toBe(0);
  });

  it('pauses longer before each restart after consecutive losses', async () => {
    const { engine, states } = await startEngine({}, { restartDelays: { firstMs: 1, longestMs: 4, steadyMs: 60_000 } });
    for (let loss = 0; loss < 4; loss++) {
      await vi.waitFor(() => expect(states.at(-1)!.kind).toBe('ready'));
      await expect(embed(engine, [fakeTexts.dies])).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    }
    await vi.waitFor(() => expect(states.at(-1)!.kind).toBe('ready'));
    const pauses = states.flatMap((state) => (state.kind === 'loading' && state.loss ? [state.loss.restartMs] : []));
    expect(pauses).toEqual([1, 2, 4, 4]);
    expect(engine.health.losses).toBe(4);
  });

  it('replaces a thread whose batch does not complete in time, and fails its texts', async () => {
    const gate = makeGate();
    const watch = { ...patientWatch, stepTimeoutMs: 200 };
    const { engine, states } = await startEngine({ gate, takesText: false }, { watch });
    await expect(embed(engine, ['hangs'])).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    expect(states.at(-1)).toMatchObject({ kind: 'loading', loss: { reason: 'a task made no progress in time' } });
    openGate(gate);
    await vi.waitFor(() => expect(states.at(-1)!.kind).toBe('ready'));
    expect(firsts((await embed(engine, ['again'])).vectors)).toEqual(['5 a']);
  });
});
