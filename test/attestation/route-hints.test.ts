/** What a client of a fleet reads from its own requests to choose a node. */
import { describe, expect, it } from 'vitest';
import { nodeAffinity, routeHints } from '../../attestation/fleet/route-hints.ts';

const hints = (body: unknown, key = 'Bearer a') => routeHints(new TextEncoder().encode(JSON.stringify(body)), key);
const user = (content: string) => ({ role: 'user', content });
const system = { role: 'system', content: 'You are a tax adviser.' };

describe('the affinity of a request', () => {
  it('is the same for all turns of a conversation', async () => {
    const first = await hints({ model: 'm', messages: [system, user('What is VAT?')] });
    const later = { role: 'assistant', content: 'A tax.' };
    const second = await hints({ model: 'm', messages: [system, user('What is VAT?'), later, user('Since when?')] });
    expect(first.model).toBe('m');
    expect(second).toEqual(first);
  });

  it.each([
    [
      'Messages',
      { model: 'm', system: 'S', messages: [user('a')] },
      { model: 'm', system: 'S', messages: [user('b')] },
    ],
    ['Responses', { model: 'm', input: 'a' }, { model: 'm', input: 'b' }],
    ['completions', { model: 'm', prompt: 'a' }, { model: 'm', prompt: 'c' }],
  ])('depends on the beginning of the prompt (%s)', async (_, one, other) => {
    const [a, b] = [await hints(one), await hints(other)];
    expect(a.affinity).toBeGreaterThanOrEqual(0);
    expect(a.affinity).toBeLessThan(256);
    expect(b.affinity).not.toBe(a.affinity);
  });

  it('is keyed with the API key, so that nobody else can compare prompts', async () => {
    const bodies = Array.from({ length: 40 }, (_, index) => ({ model: 'm', messages: [user(`question ${index}`)] }));
    const of = (key: string) => Promise.all(bodies.map(async (body) => (await hints(body, key)).affinity));
    const [one, again, other] = [await of('Bearer a'), await of('Bearer a'), await of('Bearer b')];
    expect(again).toEqual(one);
    expect(other.filter((value, index) => value === one[index]).length).toBeLessThan(5);
  });

  it('is combined with an order that depends on the API key only', async () => {
    const prompts = await Promise.all(['a', 'b', 'c'].map((prompt) => hints({ model: 'm', prompt }, 'Bearer a')));
    const [one] = prompts;
    const other = await hints({ model: 'm', prompt: 'a' }, 'Bearer b');
    expect(new Set(prompts.map(({ accountOrder }) => accountOrder)).size).toBe(1);
    expect(other.accountOrder).not.toBe(one!.accountOrder);
    expect(nodeAffinity(one!)).toBe(one!.accountOrder! * 256 + one!.affinity!);
    expect(nodeAffinity({ model: 'm' })).toBeUndefined();
  });

  it('spreads prompts over all 256 values', async () => {
    const seen = new Set<unknown>();
    for (let count = 0; count < 3000; count++) seen.add((await hints({ model: 'm', prompt: `p${count}` })).affinity);
    expect(seen.size).toBe(256);
  });

  it.each<[string, Uint8Array]>([
    ['no body', new Uint8Array()],
    ['no JSON', new Uint8Array([1, 2, 3])],
    ['a number', new TextEncoder().encode('7')],
    ['null', new TextEncoder().encode('null')],
    ['more than a megabyte', new TextEncoder().encode(JSON.stringify({ model: 'm', prompt: 'x'.repeat(2 ** 20) }))],
  ])('is absent for %s', async (_, body) => {
    expect(await routeHints(body, 'k')).toEqual({});
  });

  it('is absent for requests without a prompt, which still name their model', async () => {
    expect(await hints({ model: 'm', file: 'x' })).toEqual({ model: 'm', affinity: undefined });
  });
});

describe('the node that a request names', () => {
  const node = '90cf1b2a44d07e13';
  const random = 'a'.repeat(24);

  it.each([
    ['the state of a conversation', `resp_state_${node}-${'Ab_-'.repeat(1000)}`, node],
    ['an id with another prefix', `resp_${node}-${random}`, node],
    ['a state without a fleet', `resp_state_${node}${'a'.repeat(100)}`, undefined],
    ['an id without a fleet', `resp_${random}`, undefined],
    ['no text', 7, undefined],
  ])('is read from `previous_response_id`: %s', async (_, token, expected) => {
    expect((await hints({ model: 'm', input: 'hi', previous_response_id: token })).node).toBe(expected);
  });

  it('is read from bodies of more than a megabyte too, but not from texts within them', async () => {
    const image = 'x'.repeat(2 ** 20);
    const token = `resp_state_${node}-${random}`;
    expect(await hints({ input: image, previous_response_id: token })).toEqual({ node });
    expect(await hints({ input: `${image} ${JSON.stringify({ previous_response_id: token })}` })).toEqual({});
  });
});
