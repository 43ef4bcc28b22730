/** Listing, showing and deploying templates: rows C-068 to C-073. */
import { describe, expect, it } from 'vitest';
import { computeApps } from '../support/compute/compute-app.ts';
import { templatesFile } from '../support/compute/compute-fixtures.ts';
import { pods, standard, svc } from '../support/compute/compute-scenes.ts';

const open = computeApps();

describe('a template', () => {
  it('C-069 is listed with these fields, and exactly one is the default', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { body } = await app.get(`${svc}/templates?provider=standard`, { key });
    expect(body).toEqual({
      success: true,
      items: [
        { id: 'base', name: 'Base', description: '', category: 'os', provider: 'standard', default: true },
        { id: 'torch', name: 'Torch', description: '', category: 'ml', provider: 'standard', default: false },
      ],
    });
    for (const defaults of [[], [0, 1]]) {
      const list = templatesFile.standard.map((one, index) => ({ ...one, default: defaults.includes(index) }));
      const broken = await open({ loadTemplates: async () => ({ ...templatesFile, standard: list }) });
      const tenant = await broken.tenant('acme');
      expect((await broken.get(`${svc}/templates`, tenant)).status).toBe(503);
    }
  });

  it.each([
    ['an id of the standard list', 'torch', 201],
    ['the uid of a confidential one', 'vm-ubuntu', 400],
    ['a name', 'Torch', 400],
    ['an image', 'registry.example/torch:1', 400],
  ])('C-070 given by %s: %s returns %i', async (_what, template_id, status) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const answer = await app.call('POST', pods, { key, body: { ...standard, template_id } });
    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toMatchObject({ code: 'TEMPLATE_UNKNOWN', charged: false });
    else expect(answer.body.pod.template_id).toBe(template_id);
  });

  it('C-071 is shown with the fields of its list and those of its start, and no others', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const manifest = async (id: string) => (await app.get(`${svc}/templates/${id}`, { key })).body;
    const start = { commands: ['sleep'], args: ['inf'], ports: [], env: {} };
    const torch = { id: 'torch', name: 'Torch', description: '', category: 'ml', provider: 'standard', default: false };
    expect(await manifest('torch')).toEqual({ ...torch, image: 'registry.example/torch:1', ...start });
    expect(await manifest('vm-ubuntu')).toEqual({
      ...templatesFile.confidential[0],
      visibility: 'PUBLIC',
      commands: [],
      args: [],
    });
  });
});

describe('templates', () => {
  const templates = `${svc}/templates`;

  it('C-068 to C-071 are listed by kind and shown whole', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    expect((await app.get(templates, { key })).body).toEqual({
      success: true,
      items: [
        {
          uid: 'vm-ubuntu',
          name: 'Ubuntu',
          description: 'Ubuntu 24.04',
          type: 'RENTAL',
          image: 'ubuntu-24.04',
          resource_name: 'h100-tdx',
          visibility: 'PUBLIC',
        },
      ],
    });
    const { items } = (await app.get(`${templates}?provider=standard`, { key })).body;
    expect(items).toHaveLength(2);
    expect(items.filter((one: { default: boolean }) => one.default)).toEqual([
      { id: 'base', name: 'Base', description: '', category: 'os', provider: 'standard', default: true },
    ]);
    const { body } = await app.get(`${templates}/vm-ubuntu`, { key });
    expect(body).toMatchObject({ uid: 'vm-ubuntu', commands: [], args: [], ports: [8080], env: { A: 'b' } });
    expect((await app.get(`${templates}/torch`, { key })).body).toMatchObject({ commands: ['sleep'], args: ['inf'] });
    expect((await app.get(`${templates}/nothing`, { key })).status).toBe(404);
  });

  it.each(['POST', 'PUT', 'DELETE'] as const)('C-072 answers %s with 405', async (method) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    expect(await app.call(method, templates, { key, body: {} })).toMatchObject({
      status: 405,
      headers: { allow: expect.stringMatching(/GET/) },
    });
    expect((await app.call(method, `${templates}/base`, { key, body: {} })).status).toBe(405);
  });

  it('C-073 are read at most every two minutes; 503 if they could never be read', async () => {
    let reads = 0;
    let isThere = false;
    const loadTemplates = async () => {
      reads += 1;
      if (!isThere) throw new Error('no file');
      return templatesFile;
    };
    const app = await open({ loadTemplates });
    const { key } = await app.tenant('acme');
    expect(await app.get(templates, { key })).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    isThere = true;
    for (let asks = 0; asks < 5; asks++) expect((await app.get(templates, { key })).status).toBe(200);
    expect(reads).toBe(2);
    isThere = false;
    app.world.sleep(119_999);
    expect((await app.get(templates, { key })).status).toBe(200);
    expect(reads).toBe(2);
    app.world.sleep(1);
    expect((await app.get(templates, { key })).status).toBe(200);
    expect(reads).toBe(3);
  });
});
