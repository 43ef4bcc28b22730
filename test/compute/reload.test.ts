/** SIGHUP of the compute service's process. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { ComputeServer } from '../support/compute/compute-server.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const template = { id: 'base', name: 'Base', default: true, image: 'registry.test/base:1' };
const content = { engines: [], machines: [], templates: { standard: [template] } };

it('reloads templates and the address of payments, names what needs a restart, and keeps all of a wrong file', async () => {
  await using folder = await scratchFolder();
  const server = new ComputeServer(folder.path, content);
  const path = join(folder.path, 'compute.json');
  const write = (file: object) => writeFileSync(path, JSON.stringify(file));
  const names = async () => {
    const { body } = await server.call('GET', '/api/svc/templates?provider=standard');
    return body.items.map(({ name }: { name: string }) => name);
  };
  const reload = async (lines: number) => {
    server.signal('SIGHUP');
    const reports = () =>
      server.log
        .split('\n')
        .filter((line) => line.includes('configuration reloaded'))
        .map((line) => JSON.parse(line));
    await vi.waitFor(() => expect(reports()).toHaveLength(lines), { timeout: 10_000 });
    return reports().at(-1);
  };
  try {
    await server.start();
    expect(await names()).toEqual(['Base']);
    const { service } = JSON.parse(readFileSync(path, 'utf8'));
    const changed = { ...service, top_up_url: 'https://pay.example.org', lease_s: 5 };
    write({ ...content, service: changed, templates: { standard: [{ ...template, name: 'Torch' }] } });
    const first = await reload(1);
    expect(first).toMatchObject({
      reloaded: ['service.top_up_url', 'templates'],
      needsRestart: ['service.lease_s'],
      failed: [],
    });
    expect(await names()).toEqual(['Torch']);
    expect((await server.call('GET', '/api/svc/balance')).body.top_up_url).toBe('https://pay.example.org');
    write({ ...content, service: { ...service, prot: 1 } });
    const wrong = await reload(2);
    expect(wrong).toMatchObject({ reloaded: [], msg: 'configuration reloaded in part' });
    expect(String(wrong.failed)).toContain('prot');
    expect(await names()).toEqual(['Torch']);
  } finally {
    await server.stop();
  }
}, 60_000);
