import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { computeApps } from '../support/compute/compute-app.ts';
import { inventoryFile, newSshKey } from '../support/compute/compute-fixtures.ts';

const open = computeApps();

describe('SSH keys', () => {
  const keys = '/api/svc/ssh-keys';

  it('C-074 to C-076 and C-079 are added, listed newest first, shown and deleted', async () => {
    const app = await open();
    const { key } = await app.tenant('acme', { sshKey: false });
    const first = await app.call('POST', keys, { key, body: { name: 'first', public_key: newSshKey() } });
    expect(first).toMatchObject({ status: 201, body: { id: expect.any(String), name: 'first' } });
    app.world.sleep(1_000);
    const second = await app.call('POST', keys, { key, body: { name: 'second', public_key: newSshKey() } });
    expect((await app.get(keys, { key })).body).toEqual([second.body, first.body]);
    expect((await app.get(`${keys}/${first.body.id}`, { key })).body).toEqual(first.body);
    expect((await app.call('DELETE', `${keys}/${first.body.id}`, { key })).body).toEqual({ success: true });
    expect((await app.call('DELETE', `${keys}/${first.body.id}`, { key })).status).toBe(404);
    const other = await app.tenant('other', { sshKey: false });
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await app.call(method, `${keys}/${second.body.id}`, { key: other.key })).status).toBe(404);
    }
  });

  it('C-078 reject the same key twice on one account, with any comment', async () => {
    const app = await open();
    const { key } = await app.tenant('acme', { sshKey: false });
    const publicKey = newSshKey();
    await app.call('POST', keys, { key, body: { name: 'a', public_key: publicKey } });
    const again = { name: 'b', public_key: `${publicKey.split(' ').slice(0, 2).join(' ')} other` };
    expect(await app.call('POST', keys, { key, body: again })).toMatchObject({
      status: 409,
      body: { code: 'KEY_EXISTS' },
    });
    const other = await app.tenant('other', { sshKey: false });
    expect((await app.call('POST', keys, { key: other.key, body: again })).status).toBe(201);
  });

  const rsa = (bits: number) => {
    const { n = '', e = '' } = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
    const field = (bytes: Buffer) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return Buffer.concat([length, bytes]);
    };
    const modulus = Buffer.concat([Buffer.alloc(1), Buffer.from(n, 'base64url')]);
    const blob = Buffer.concat([field(Buffer.from('ssh-rsa')), field(Buffer.from(e, 'base64url')), field(modulus)]);
    return `ssh-rsa ${blob.toString('base64')}`;
  };

  it.each<[what: string, key: string]>([
    ['options', `command="id" ${newSshKey()}`],
    ['two lines', `${newSshKey()}\n${newSshKey()}`],
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n-----END OPENSSH PRIVATE KEY-----'],
    ['another type', newSshKey().replace('ssh-ed25519 ', 'ssh-dss ')],
    ['a type that is not that of the key', newSshKey().replace('ssh-ed25519 ', 'ecdsa-sha2-nistp256 ')],
    ['half a key', newSshKey().slice(0, 40)],
    ['RSA of 1024 bits', rsa(1024)],
    ['nothing', ''],
  ])('C-078 reject %s', async (_what, public_key) => {
    const app = await open();
    const { key } = await app.tenant('acme', { sshKey: false });
    expect(await app.call('POST', keys, { key, body: { name: 'a', public_key } })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/`public_key`/) },
    });
  });

  const blobOf = (type: string, ...fields: (string | Buffer)[]) => {
    const parts = [type, ...fields].map((one) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(one.length);
      return Buffer.concat([length, Buffer.from(one as string, 'latin1')]);
    });
    return `${type} ${Buffer.concat(parts).toString('base64')}`;
  };

  it.each<[what: string, key: string]>([
    ['ed25519', newSshKey()],
    ['RSA of 2048 bits', rsa(2048)],
    ['RSA of 4096 bits', rsa(4096)],
    ['ECDSA on P-256', blobOf('ecdsa-sha2-nistp256', 'nistp256', Buffer.alloc(65, 4))],
    ['ECDSA on P-384', blobOf('ecdsa-sha2-nistp384', 'nistp384', Buffer.alloc(97, 4))],
    ['ECDSA on P-521', blobOf('ecdsa-sha2-nistp521', 'nistp521', Buffer.alloc(133, 4))],
    ['ed25519 in a security key', blobOf('sk-ssh-ed25519@openssh.com', Buffer.alloc(32, 1), 'ssh:')],
    ['ECDSA in a security key', blobOf('sk-ecdsa-sha2-nistp256@openssh.com', 'nistp256', Buffer.alloc(65, 4), 'ssh:')],
  ])('C-078 accept %s', async (_what, public_key) => {
    const app = await open();
    const { key } = await app.tenant('acme', { sshKey: false });
    expect((await app.call('POST', keys, { key, body: { name: 'a', public_key } })).status).toBe(201);
  });
});

describe('docker credentials', () => {
  const path = '/api/svc/docker-credentials';
  const credential = { name: 'hub', registry: 'ghcr.io', username: 'me', password: 'canary-password' };

  it('C-080 to C-084 are stored, listed, shown and deleted; no response contains the password', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { status, body } = await app.call('POST', path, { key, body: credential });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'hub',
      registry: 'ghcr.io',
      username: 'me',
      created_at: expect.any(String),
    });
    expect((await app.get(path, { key })).body).toEqual({ credentials: [body], total: 1 });
    expect((await app.get(`${path}/${body.id}`, { key })).body).toEqual(body);
    const rows = JSON.stringify(await app.world.store.db.selectFrom('compute_registries').selectAll().execute());
    expect(rows + app.log).not.toMatch(/canary/);
    const other = await app.tenant('other');
    expect((await app.get(`${path}/${body.id}`, { key: other.key })).status).toBe(404);
    expect((await app.call('DELETE', `${path}/${body.id}`, { key: other.key })).status).toBe(404);
    expect((await app.call('DELETE', `${path}/${body.id}`, { key })).body).toMatchObject({
      id: body.id,
      deleted: true,
    });
    expect((await app.get(`${path}/${body.id}`, { key })).status).toBe(404);
  });

  it.each(['name', 'registry', 'username', 'password'])('C-081 need %s', async (field) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const answer = await app.call('POST', path, { key, body: { ...credential, [field]: undefined } });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(`\`${field}\``) } });
  });

  it.each(['localhost:5000', '10.0.0.1', 'registry.internal', 'a/b'])('are rejected for %s', async (registry) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    expect((await app.call('POST', path, { key, body: { ...credential, registry } })).status).toBe(400);
  });

  it("are accepted for the operator's own registry if an engine lists it", async () => {
    const engines = [{ ...inventoryFile.engines[0], registries: ['registry.internal:5000'] }];
    const app = await open({ inventory: { ...inventoryFile, engines } });
    const { key } = await app.tenant('acme');
    const body = { ...credential, registry: 'registry.internal:5000' };
    expect(await app.call('POST', path, { key, body })).toMatchObject({
      status: 201,
      body: { registry: body.registry },
    });
    const other = { ...credential, registry: 'registry.internal:5001' };
    expect((await app.call('POST', path, { key, body: other })).status).toBe(400);
  });
});
