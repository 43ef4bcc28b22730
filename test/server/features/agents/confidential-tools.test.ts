/** The real tools in real worker threads. */
import { afterAll, describe, expect, it } from 'vitest';
import { rankPassages } from '../../../../agents/agent/passages.ts';
import { reportOfCall, reportsOf } from '../../../../agents/agent/reports.ts';
import { agents } from '../../../../agents/registry.ts';
import { openAgentTools, withinTime } from '../../../../server/features/agents/tools.ts';

const tools = openAgentTools({ threads: 1, startsAtOnce: true });
afterAll(() => tools.close());

const { signal } = new AbortController();
const options = { signal, account: 'a' };
const [agent] = agents;
const text = 'This Agreement is governed by the laws of Ireland. Either Party may terminate it by thirty days’ notice.';
const documents = [{ message: 1, text }];

describe('tools in worker threads', () => {
  it.each(agents.map(({ slug }) => slug))('return the same findings for %s as on the main thread', async (slug) => {
    const reports = await tools.run({ slug, documents }, options);
    const expected = reportsOf(agents.find((one) => one.slug === slug)!, documents);
    expect(reports).toEqual(JSON.parse(JSON.stringify(expected)));
  });

  it.each(agents.flatMap(({ slug, tools: list }) => list.map(({ name }) => [slug, name] as const)))(
    'can be called one by one: %s’s %s',
    async (slug, tool) => {
      const report = await tools.call({ slug, tool, documents }, options);
      const own = agents.find((one) => one.slug === slug)!.tools.find(({ name }) => name === tool)!;
      expect(report).toEqual(JSON.parse(JSON.stringify(reportOfCall(own, documents))));
    },
  );

  it('do not block the calling thread', async () => {
    const large = [{ message: 0, text: `${text}\n\n`.repeat(1900).slice(0, 200_000) }];
    const running = tools.run({ slug: agent!.slug, documents: large }, options);
    let turns = 0;
    let isOver = false;
    void running.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      turns += 1;
    }
    // If the thread computed the result itself, its event loop would turn only once or twice.
    expect(turns).toBeGreaterThan(20);
  });

  it('are no longer awaited once the caller disconnects', async () => {
    const leave = new AbortController();
    const waiting = tools.run({ slug: agent!.slug, documents }, { signal: leave.signal, account: 'a' });
    leave.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    expect(await tools.run({ slug: agent!.slug, documents }, options)).toHaveLength(agent!.tools.length);
  });

  it('do not quote a text in an error', async () => {
    const failing = tools.run(
      { slug: 'canary-7f3a9d21', documents: [{ message: 0, text: 'canary-7f3a9d21' }] },
      options,
    );
    await expect(failing).rejects.toMatchObject({
      code: 'ERR_INTERNAL',
      message: expect.not.stringContaining('canary'),
    });
  });
});

describe('tools that are not expected to be used', () => {
  it('start their threads with the first task', async () => {
    const late = openAgentTools({ threads: 1, startsAtOnce: false });
    const reports = await late.run({ slug: agent!.slug, documents }, options);
    expect(reports).toHaveLength(agent!.tools.length);
    await late.close();
  });

  it.each([true, false])('reject tasks once they are closed (started immediately: %s)', async (startsAtOnce) => {
    const closed = openAgentTools({ threads: 1, startsAtOnce });
    await closed.close();
    const refused = closed.run({ slug: agent!.slug, documents }, options);
    await expect(refused).rejects.toMatchObject({ code: 'ERR_DRAINING' });
  });
});

it('waiting for tools ends when the caller disconnects', async () => {
  const leave = new AbortController();
  const waiting = withinTime(leave.signal, ({ signal: own }) => rejectOnAbort(own));
  leave.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
});

it('passages are ranked in worker threads too', async () => {
  const task = { documents, queries: [{ text: 'Ireland', weight: 1 }], kept: [] };
  expect(await tools.rank(task, options)).toEqual(rankPassages(task));
});

function rejectOnAbort(own: AbortSignal): Promise<never> {
  return new Promise((_, reject) => own.addEventListener('abort', () => reject(own.reason)));
}
