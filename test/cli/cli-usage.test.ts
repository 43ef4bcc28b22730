/** The usage of a month, and statements compared with the books. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openAccountStore } from '../../accounts/store.ts';
import { canonicalBytes } from '../../attestation/aci/jcs.ts';
import { halfUsed, makeAccount, noon } from '../support/accounts/account-stores.ts';
import { runCloister } from '../support/cloister.ts';
import { startAttestedApp } from '../support/server/attested-app.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cloister-usage-'));
const state = '--state-dir state';
const cloister = (line: string) => runCloister(`${line} ${state}`, { cwd });

let statement: Record<string, string | number>;

beforeAll(async () => {
  const accounts = await openAccountStore(join(cwd, 'state', 'accounts.sqlite'), { clock: () => noon });
  const acme = await makeAccount(accounts, { name: 'acme, "Ltd"' });
  const zoo = await makeAccount(accounts, { name: 'zoo' });
  for (let count = 0; count < 3; count += 1) await (await acme.admit()).settle(halfUsed);
  await (await zoo.admit()).settle(halfUsed);
  const july = { now: Date.UTC(2030, 6, 1) };
  await (await zoo.admit(july)).settle({ ...halfUsed, ...july });
  await (await acme.admit({ ...july, agent: 'tax-analyst' })).settle({ ...halfUsed, ...july });
  const of = await accounts.readStatement({ accountId: acme.accountId, day: '2030-06-15' });
  statement = {
    object: 'usage.statement',
    account_id: of.accountId,
    day: of.day,
    requests: of.rows,
    prompt_tokens: of.promptTokens,
    completion_tokens: of.completionTokens,
    images: of.images,
    steps: of.steps,
    price_micro_dollars: of.price,
    root: of.root,
  };
  await accounts.close();
});

describe('cloister accounts usage', () => {
  it('prints the usage of a month as CSV, with names quoted', async () => {
    const { code, stdout } = await cloister('accounts usage --month 2030-06 --format csv --by account,model');
    expect(code).toBe(0);
    expect(stdout.split('\r\n')).toEqual([
      'month,account,model,key_id,agent,requests,prompt_tokens,completion_tokens,images,steps,price_micro_dollars,price',
      '2030-06,"acme, ""Ltd""",fake-TEE,,,3,90,60,0,0,150,0.000150',
      '2030-06,zoo,fake-TEE,,,1,30,20,0,0,50,0.000050',
      '',
    ]);
  });

  it('prints the usage by agent, with an empty cell for requests without an agent', async () => {
    const { stdout } = await cloister('accounts usage --month 2030-07 --format csv --by agent');
    expect(stdout.split('\r\n').slice(1)).toEqual([
      '2030-07,,,,,1,30,20,0,0,50,0.000050',
      '2030-07,,,,tax-analyst,1,30,20,0,0,50,0.000050',
      '',
    ]);
    const json = await cloister('accounts usage --month 2030-07 --by agent --json');
    expect(JSON.parse(json.stdout).usage.map(({ agent }: { agent: string | null }) => agent)).toEqual([
      null,
      'tax-analyst',
    ]);
  });

  it('prints JSON by key, of one account, and a table', async () => {
    const { stdout } = await cloister('accounts usage --month 2030-07 --account zoo --json');
    expect(JSON.parse(stdout)).toEqual({
      month: '2030-07',
      currency: 'USD',
      usage: [expect.objectContaining({ account: 'zoo', key_id: expect.any(String), requests: 1, price: '0.000050' })],
    });
    const table = await cloister('accounts usage --month 2030-06 --by account');
    expect(table.stdout).toMatch(/^ACCOUNT +REQUESTS +PROMPT.*\nacme, "Ltd" +3 +90 +60 +0 +0\.000150\n/);
  });

  it.each([
    ['accounts usage --month 2030-13', 1, 'a month is written YYYY-MM'],
    ['accounts usage --by day', 64, '--by is one or more of account, model, key, agent'],
    ['accounts usage --format xml', 64, '--format is table, csv or json, got xml'],
    ['accounts usage --account nobody', 1, 'no account has this name'],
    ['accounts check-statement', 64, 'check-statement takes the file of a statement'],
  ])('refuses %s', async (line, code, message) => {
    expect(await cloister(line)).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });
});

describe('cloister accounts check-statement', () => {
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);

  it('compares a statement with the books', async () => {
    write('good.json', JSON.stringify(statement));
    const good = await cloister('accounts check-statement good.json');
    expect([good.code, good.stdout]).toEqual([
      0,
      'the statement of 2030-06-15 agrees with the books; its signature was not checked (--report)\n',
    ]);
    write('bad.json', JSON.stringify({ ...statement, requests: 4, root: '00'.repeat(32) }));
    const bad = await cloister('accounts check-statement bad.json');
    expect(bad.code).toBe(1);
    expect(bad.stdout).toMatch(
      /^requests differs from the books, which have 3\nroot differs from the books, which have /,
    );
    write('broken.json', '{');
    expect((await cloister('accounts check-statement broken.json')).code).toBe(64);
  });

  it('checks the signature with the keys of a report', async () => {
    const server = await startAttestedApp();
    const { enclave } = server;
    const named = { workload_keyset_digest: enclave.identity.digest, key_id: enclave.receiptKeyId };
    const whole = { ...statement, signed_at: 1_900_000_000, ...named };
    const signed = { ...whole, signature: Buffer.from(enclave.signReceipt(canonicalBytes(whole))).toString('hex') };
    write('report.json', (await server.get('/v1/aci/attestation')).text);
    await server.close();
    write('signed.json', JSON.stringify(signed));
    const good = await cloister('accounts check-statement signed.json --report report.json');
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('it is signed by the server of the report')]);
    for (const [change, message] of [
      [{ signed_at: 1 }, 'the signature does not belong to the statement'],
      [{ key_id: 'other' }, 'has no signature by a key of the report'],
      [{ workload_keyset_digest: `sha256:${'0'.repeat(64)}` }, 'names another keyset'],
    ] as const) {
      write('forged.json', JSON.stringify({ ...signed, ...change }));
      const forged = await cloister('accounts check-statement forged.json --report report.json');
      expect([forged.code, forged.stdout]).toEqual([1, expect.stringContaining(message)]);
    }
    expect(readFileSync(join(cwd, 'signed.json'), 'utf8')).toContain('signature');
  });
});

describe('cloister accounts invoice', () => {
  it('refuses a month that is not over, issues a past one as a page, and lists it', async () => {
    const line =
      "accounts invoice 'acme, \"Ltd\"' --issuer 'Us & <b>Co</b>' --html invoice.html --pdf invoice.pdf --month";
    expect(await cloister(`${line} 2030-06`)).toMatchObject({ code: 1, stderr: expect.stringContaining('not over') });
    const issued = await cloister(`${line} 2020-01`);
    expect(issued.stdout).toMatch(/^NUMBER +ACCOUNT.*\n1 +acme, "Ltd" +2020-01 +0\.000000/);
    const page = readFileSync(join(cwd, 'invoice.html'), 'utf8');
    expect(page).toContain('<pre>Us &amp; &lt;b&gt;Co&lt;/b&gt;</pre>');
    expect(page).toContain('Invoice 1');
    const pdf = readFileSync(join(cwd, 'invoice.pdf'));
    expect(pdf.toString('latin1')).toMatch(/^%PDF-1\.\d\n/);
    expect((await cloister(`${line} 2020-01`)).stderr).toContain('invoice 1 was issued before');
    expect(readFileSync(join(cwd, 'invoice.pdf')).equals(pdf)).toBe(true);
    const { stdout } = await cloister('accounts invoices --json');
    expect(JSON.parse(stdout)).toMatchObject({ invoices: [{ number: 1, month: '2020-01', total: 0 }], faults: [] });
  });
});
