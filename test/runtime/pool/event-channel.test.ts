import { describe, expect, it } from 'vitest';
import { EventChannel } from '../../../runtime/pool/event-channel.ts';

async function collect<T>(channel: EventChannel<T>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of channel) events.push(event);
  return events;
}

describe('EventChannel', () => {
  it('hands over what was pushed before and after somebody listened, in order', async () => {
    const channel = new EventChannel<number>({ onLeave: () => {} });
    channel.push(1);
    const collected = collect(channel);
    channel.push(2);
    await Promise.resolve();
    channel.push(3);
    channel.close();
    expect(await collected).toEqual([1, 2, 3]);
  });

  it('delivers what came before an error, then the error', async () => {
    const channel = new EventChannel<number>({ onLeave: () => {} });
    channel.push(1);
    channel.fail(new Error('broken'));
    expect(await channel.next()).toEqual({ done: false, value: 1 });
    await expect(channel.next()).rejects.toThrow('broken');
  });

  it('tells the producer once when the consumer leaves early, and takes nothing more', async () => {
    let left = 0;
    const channel = new EventChannel<number>({ onLeave: () => (left += 1) });
    channel.push(1);
    channel.push(2);
    for await (const event of channel) if (event === 1) break;
    channel.push(3);
    expect(left).toBe(1);
    expect(await channel.next()).toEqual({ done: true, value: undefined });
  });

  it('does not call a regular end leaving', async () => {
    let left = 0;
    const channel = new EventChannel<number>({ onLeave: () => (left += 1) });
    channel.close();
    await collect(channel);
    expect(left).toBe(0);
  });
});
