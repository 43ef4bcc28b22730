/** For whom a forwarded request is, stated by a node of the directory. */
import { describe, expect, it } from 'vitest';
import { NodeDirectory } from '../../../server/fleet/directory.ts';
import { formatForwarded, readForwarded } from '../../../server/fleet/forwarded.ts';
import { fleetNodeKeys, fleetNowMs } from '../../support/attestation/fleet-entry.ts';

const [sender, receiver, stranger] = await Promise.all([fleetNodeKeys(), fleetNodeKeys(), fleetNodeKeys()]);
const directory = new NodeDirectory({ now: () => fleetNowMs });
directory.onRow({ node: sender.node, entry: await sender.text(), simulationRoot: undefined });
await directory.seen(sender.node, () => true, { signal: new AbortController().signal });

const at = fleetNowMs / 1000;
const statement = { from: sender.node, to: receiver.node, client: '2001:db8:0:1::/64', at };
const read = (header: string | string[] | undefined, { own = [receiver.node], now = fleetNowMs } = {}) =>
  readForwarded(header, { directory, own, now });
const good = formatForwarded(statement, sender.sign);

describe('the header of a forwarded request', () => {
  it('names the node that forwards, and the network of the caller', () => {
    for (const found of [
      read(good),
      read(good, { own: [stranger.node, receiver.node] }),
      read(good, { now: fleetNowMs + 30_000 }),
    ]) {
      expect(found).toMatchObject({ client: '2001:db8:0:1::/64', from: { entry: { node: sender.node } } });
    }
  });

  it.each([
    ['absent', undefined],
    ['only a mark', '1'],
    ['sent twice', [good, good]],
    ['changed', good.replace('2001:db8:0:1', '2001:db8:0:2')],
    ['about a caller without a network', good.replace('2001:db8:0:1::/64', 'x y')],
    ['signed by another node', formatForwarded(statement, stranger.sign)],
    ['by a node that is not in the directory', formatForwarded({ ...statement, from: stranger.node }, stranger.sign)],
    ['for another node', formatForwarded({ ...statement, to: stranger.node }, sender.sign)],
    ['31 seconds old', formatForwarded({ ...statement, at: at - 31 }, sender.sign)],
    ['from the future', formatForwarded({ ...statement, at: at + 31 }, sender.sign)],
  ])('says nothing if it is %s', (_what, header) => {
    expect(read(header)).toBeUndefined();
  });
});
