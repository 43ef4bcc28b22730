/** C-093: the top-up URL that a running service returns. */
import { expect, it } from 'vitest';
import { ComputeServer } from '../support/compute/compute-server.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

it.each([
  { service: {}, shown: null },
  { service: { top_up_url: 'https://pay.example/top-up' }, shown: 'https://pay.example/top-up' },
])('the balance shows top_up_url as $shown with service $service', async ({ service, shown }) => {
  await using folder = await scratchFolder();
  const server = new ComputeServer(folder.path, { service, engines: [], machines: [], templates: {} });
  try {
    await server.start();
    expect(await server.call('GET', '/api/svc/balance')).toMatchObject({ status: 200, body: { top_up_url: shown } });
  } finally {
    await server.stop();
  }
});
