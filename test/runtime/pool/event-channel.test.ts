import { describe, expect, it } from 'vitest';
import { EventChannel } from '../../../runtime/pool/event-channel.ts';

async function collect<T>(channel: EventChannel<T>): Promise<T[]> {
  const events: T[] = [];
  for await (const event of channel) events.push(event);
  return events;
}

describe('EventChannel', () => {
  it('delivers events pushed before and after the consumer started to wait, in order', async () => {
    const channel = new EventChannel<number>({ onLeave: () => {} });
    channel.push(1);
    const collected = collect(channel);
    channel.push(2);
    await Promise.resolve();
    channel.push(3);
    channel.close();
    expect(await collected).toEqual([1, 2, 3]);
  });

  it('delivers the events before an error, then the error', async () => {
    const channel = new EventChannel<number>({ onLeave: () => {} });
    channel.push(1);
    channel.fail(new Error('broken'));
    expect(await channel.next()).toEqual({ done: false, value: 1 });
    await expect(channel.next()).rejects.toThrow('broken');
  });

  it('calls `onLeave` once if the consumer leaves early, and ignores later events', async () => {
    let left = 0;
    const channel = new EventChannel<number>({ onLeave: () => (left += 1) });
    channel.push(1);
    channel.push(2);
    for await (const event of channel) if (event === 1) break;
    channel.push(3);
    expect(left).toBe(1);
    expect(await channel.next()).toEqual({ done: true, value: undefined });
  });

  it('does not call `onLeave` after a regular end', async () => {
    let left = 0;
    const channel = new EventChannel<number>({ onLeave: () => (left += 1) });
    channel.close();
    await collect(channel);
    expect(left).toBe(0);
  });
});
