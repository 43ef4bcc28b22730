/** Answers that their grammar does not allow to continue: they fail, and other answers are not affected. */
import { describe, expect, it } from 'vitest';
import { alone, startOn } from '../../support/compute/recorded-engine.ts';
import { chatRequest } from '../../support/runtime/chat-request.ts';
import { FakeModel } from '../../support/runtime/fake-model.ts';

const isMarked = (cells: readonly number[]) => cells[0] === '#'.charCodeAt(0);

const failures = ['ERR_GRAMMAR_TOO_COMPLEX', 'ERR_GRAMMAR_UNSATISFIABLE'] as const;

describe.each(failures)('an answer whose grammar fails with %s', (failure) => {
  it.each([true, false])(
    'ends with its own error, whatever the other answers of the batch contain (cut back: %s)',
    async (canTrim) => {
      const fails = (cells: readonly number[]) => (isMarked(cells) && cells.length > 8 ? failure : undefined);
      const { recorder, engine } = startOn(new FakeModel({ fails, canTrim }), { prefixCacheBytes: 600 });
      const request = chatRequest('a neighbour', { maxTokens: 20 });
      await Promise.all([
        engine.submit(1, chatRequest('#123', { maxTokens: 20, choices: 2 })),
        engine.submit(2, request),
      ]);
      await Promise.all([recorder.ended(1), recorder.ended(2)]);
      expect(recorder.of(1).at(-1)).toMatchObject({ kind: 'error', error: { code: failure } });
      expect(recorder.text(2)).toBe(await alone(request, { canTrim }));
      // Later requests can use its sequences.
      for (let id = 3; id < 9; id++) await engine.submit(id, request);
      for (let id = 3; id < 9; id++) {
        await recorder.ended(id);
        expect(recorder.text(id)).toBe(recorder.text(2));
      }
      expect(engine.stats.running).toBe(0);
      await engine.drain();
    },
  );
});
