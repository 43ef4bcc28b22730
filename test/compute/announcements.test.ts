/** System news of the operator, the third subject of webhooks (I-066, C-157). */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { announce } from '../../compute/store/announcements.ts';
import { readFeed } from '../../compute/store/events.ts';
import { describeStores } from '../support/accounts/account-stores.ts';
import { runCloister } from '../support/cloister.ts';
import { worlds } from '../support/compute/compute-world.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const news = {
  kind: 'system.maintenance',
  text: 'The network in Oslo is renewed.',
  startsAt: '2026-12-01T22:00:00.000Z',
  endsAt: undefined,
} as const;

describeStores('an announcement', (store) => {
  const open = worlds(store);

  it('is the next event of every open account and wakes the webhooks', async () => {
    const world = await open();
    const [old, fresh] = [await world.account('old', 5_000_000), await world.account('fresh', 0)];
    const closed = await world.account('closed', 0);
    await world.deploy(old);
    await world.accounts.closeAccount({ account: 'closed', now: world.now });
    const webhook = {
      id: 'webhook-1',
      account_id: fresh,
      url: 'https://a',
      sealed_secret: '',
      created_at: 0,
      cursor: 0,
    };
    await world.store.db.insertInto('compute_webhooks').values(webhook).execute();
    expect(await announce(world.store, news)).toBe(2);
    expect(await world.events(old)).toEqual(['pod.provisioning', 'system.maintenance']);
    expect(await world.events(closed)).toEqual([]);
    const feed = await readFeed(world.store.db, { accountId: fresh, after: 0, limit: 9 });
    expect(feed).toEqual([
      {
        id: expect.stringMatching(/^evt-/),
        sequence: 1,
        kind: 'system.maintenance',
        podId: undefined,
        at: world.now,
        data: { text: 'The network in Oslo is renewed.', starts_at: '2026-12-01T22:00:00.000Z', ends_at: null },
      },
    ]);
    const jobs = await world.store.db.selectFrom('compute_jobs').select('id').where('kind', '=', 'webhook').execute();
    expect(jobs).toEqual([{ id: 'webhook:webhook-1' }]);
  });

  it('reaches more accounts than fit into one statement, each with its own event id', async () => {
    const world = await open();
    for (let count = 0; count < 501; count++) await world.account(`account-${count}`, 0);
    expect(await announce(world.store, news)).toBe(501);
    const rows = await world.store.db.selectFrom('compute_events').select(['id', 'account_id']).execute();
    expect([new Set(rows.map(({ id }) => id)).size, new Set(rows.map((row) => row.account_id)).size]).toEqual([
      501, 501,
    ]);
  });
});

describe('cloister compute announce', () => {
  it('reports the event to every account of the state folder', async () => {
    await using folder = await scratchFolder();
    const cloister = (line: string) => runCloister(`${line} --state-dir ${folder.path}`, { cwd: folder.path });
    await cloister('accounts create acme');
    const told = await cloister('compute announce incident Oslo-is-down --starts 2026-12-01T23:00:00+01:00');
    expect(told).toMatchObject({ code: 0, stdout: 'announced to 1 accounts\n' });
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(join(folder.path, 'accounts.sqlite'), { readOnly: true });
    const [event] = database.prepare('select kind, data from compute_events').all();
    database.close();
    expect(event?.kind).toBe('system.incident');
    expect(JSON.parse(String(event?.data))).toEqual({
      text: 'Oslo-is-down',
      starts_at: '2026-12-01T22:00:00.000Z',
      ends_at: null,
    });
  });

  it.each([
    ['announce', /notice, maintenance, incident, resolved/],
    ['announce party tonight', /announce takes a kind/],
    ['announce notice', /and a text/],
    ['announce notice a b', /in quotes/],
    ['announce notice a --starts tomorrow', /--starts must be a time/],
    ['announce notice a --starts 2026-12-01T22:00:00Z --ends 2026-12-01T21:00:00Z', /--ends must be after/],
    ['announce notice a --colour red', /colour/],
  ])('rejects %s', async (line, says) => {
    await using folder = await scratchFolder();
    const refused = await runCloister(`compute ${line}`, { cwd: folder.path });
    expect(refused).toMatchObject({ code: 64, stderr: expect.stringMatching(says) });
  });
});
