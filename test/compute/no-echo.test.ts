/** Errors of the compute API never echo a request body, except the name of an unknown field (C-026). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operationsOf } from '../../compute/routes/operations.ts';
import { computeApps } from '../support/compute/compute-app.ts';
import { newSshKey } from '../support/compute/compute-fixtures.ts';
import { expectNoEcho } from '../support/server/echo-probe.ts';

const unlimited = { limit: 1_000_000, windowMs: 1_000 };
const limits = { perEndpoint: unlimited, perAccount: unlimited, keyless: unlimited, creations: unlimited };
const start = computeApps();

const bodies: readonly (readonly [url: string, body: object])[] = [
  [
    '/api/svc/pods',
    {
      ...{ provider: 'standard', name: 'pod', machine_id: 'm-1', image: 'docker.io/library/debian:12', gpu_count: 1 },
      ...{ start_command: 'sleep 1', ports: [80], env: { TOKEN: 'b' }, docker_credential_id: 'none' },
    },
  ],
  [
    '/api/svc/pods',
    {
      ...{ provider: 'confidential', name: 'vm', resource_name: 'h100-tdx', ssh_key_uids: ['none'], hardstop_hours: 3 },
      ...{ cost_per_hour: 2.5, template_uid: 'none', image: 'debian' },
    },
  ],
  ['/api/svc/vms', { name: 'vm', resource_name: 'h100-tdx', ports: [{ port: 80, protocol: 'tcp' }] }],
  ['/api/svc/ssh-keys', { name: 'laptop', public_key: newSshKey() }],
  ['/api/svc/api-keys', { name: 'key', scopes: ['pods'] }],
  ['/api/svc/webhooks', { url: 'ftp://hooks.example' }],
];

/** A marker that is not the name of any field. */
const words = fc.stringMatching(/^canary [a-z0-9]{10}$/);

describe('an error of the compute API', () => {
  it.each(bodies)('of %s does not echo %j', async (url, request) => {
    const app = await start({ limits });
    const { key } = await app.tenant('acme', { micro: 0, sshKey: false });
    const send = async (body: unknown) => {
      const { statusCode, body: text } = await app.app.inject({
        ...{ method: 'POST', url, payload: JSON.stringify(body) },
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
      });
      return { status: statusCode, text };
    };
    await expectNoEcho({ request, send, traces: () => app.log, word: words, numRuns: 150 });
  });

  it("names an unknown field, or its position if the name could not be a field's (C-026)", async () => {
    const app = await start();
    const { key } = await app.tenant('acme', { sshKey: false });
    const refuse = async (fields: object) =>
      (await app.call('POST', '/api/svc/webhooks', { key, body: { url: 'https://hooks.example', ...fields } })).body
        .error;
    expect(await refuse({ secert: 1 })).toBe('`secert` is not a known field');
    expect(await refuse({ 'two words': 1 })).toBe('the request body has an unknown field at position 2');
  });

  it('names the field of a rejected price, unless it cannot be a field name', async () => {
    const app = await start();
    const { key } = await app.tenant('acme', { sshKey: false });
    const refuse = async (fields: object) => {
      const { body } = await app.call('POST', '/api/svc/pods', { key, body: { provider: 'standard', ...fields } });
      return [body.code, body.error.split(':')[0]];
    };
    expect(await refuse({ options: { hourly_price: 1 } })).toEqual([
      'PRICE_NOT_ACCEPTED',
      '`options.hourly_price` is not accepted',
    ]);
    for (const fields of [{ 'canary word_price': 1 }, { 'canary word': { price: 1 } }]) {
      expect(await refuse(fields)).toEqual(['PRICE_NOT_ACCEPTED', 'a price is not accepted']);
    }
  });

  it('never echoes text from the path or the query, on any route', async () => {
    const app = await start({ limits });
    const { key } = await app.tenant('acme', { micro: 0, sshKey: false });
    for (const { method, path, query = {} } of operationsOf({ svc: 'svc' })) {
      const filled = path.replaceAll(/:\w+/g, 'canary%20word');
      const texts = new URLSearchParams(Object.keys(query).map((name): [string, string] => [name, 'canary word']));
      const { statusCode, body } = await app.app.inject({
        ...{ method, url: `${filled}?${texts}` },
        headers: { 'x-api-key': key },
      });
      if (statusCode >= 400) expect(body).not.toMatch(/canary.word/);
    }
    expect(app.log).not.toMatch(/canary.word/);
  });
});
