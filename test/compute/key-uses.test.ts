import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ComputeServer } from '../support/compute/compute-server.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

it('stores the day of the last use of a key while the service runs, and keeps it after a crash', async () => {
  await using folder = await scratchFolder();
  const endpoint = { transport: 'unix', socket_path: join(folder.path, 'nobody.sock') };
  const server = new ComputeServer(folder.path, {
    service: { lease_s: 3 },
    engines: [{ name: 'rack', type: 'docker', endpoint, public_host: 'rack.test' }],
    machines: [],
    templates: {},
  });
  try {
    await server.start();
    expect(await server.call('GET', '/api/svc/balance')).toMatchObject({ status: 200 });
    const days = () => server.rows('select last_used_day from keys').map(({ last_used_day: day }) => day);
    await expect.poll(days, { timeout: 20_000 }).toEqual([expect.any(Number)]);
    await server.kill();
    expect(days()).toEqual([expect.any(Number)]);
  } finally {
    await server.stop();
  }
});
