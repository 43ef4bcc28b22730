import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openAccountStore } from '../../accounts/store.ts';
import { runCloister } from '../support/cloister.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cloister-cli-'));

const cloister = (line: string) => runCloister(line, { cwd });

async function json(line: string) {
  return JSON.parse((await cloister(`${line} --json`)).stdout);
}

describe('cloister accounts', () => {
  it('creates, credits, moves, shows, audits and closes accounts', async () => {
    const state = '--state-dir accounts-1';
    const created = await cloister(`accounts create acme --plan pro ${state}`);
    expect(created.stdout).toMatch(/^ACCOUNT +PLAN +BALANCE.*\nacme +pro +0\.000000/);
    expect(await cloister(`accounts credit acme 12.5 --reference i1 ${state}`)).toMatchObject({ code: 0, stderr: '' });
    expect((await cloister(`accounts plan acme team ${state}`)).stdout).toContain('team');
    expect((await cloister(`accounts show acme ${state}`)).stdout).toContain('0 running, 0 of any number of requests');
    expect((await cloister(`accounts close acme ${state}`)).stdout).toContain('closed 20');
    expect((await cloister(`accounts list ${state}`)).stdout.split('\n')).toHaveLength(3);
    expect(await cloister(`accounts audit ${state}`)).toMatchObject({
      code: 0,
      stdout: 'the ledger of 1 accounts is consistent\n',
    });
  });

  it('reports a repeated payment reference as already booked and exits with 3', async () => {
    const state = '--state-dir accounts-3';
    await cloister(`accounts create acme ${state}`);
    await cloister(`accounts credit acme 12.5 --reference i1 ${state}`);
    const again = await cloister(`accounts credit acme 12.5 --reference i1 ${state}`);
    expect(again.code).toBe(3);
    expect(again.stdout).toContain('12.500000');
    expect(again.stderr).toBe('payment i1 is already booked: nothing was added\n');
    expect(await json(`accounts credit acme 12.5 --reference i1 ${state}`)).toMatchObject({ alreadyBooked: true });
    expect(await json(`accounts credit acme 1 --reference i2 ${state}`)).toMatchObject({ alreadyBooked: false });
  });

  it('backs up, restores and moves accounts', async () => {
    const state = '--state-dir accounts-4';
    await cloister(`accounts create acme ${state}`);
    await cloister(`accounts credit acme 12.5 --reference i1 ${state}`);
    const backup = await cloister(`accounts backup books-4 ${state}`);
    expect(backup).toMatchObject({ code: 0, stdout: expect.stringContaining('backed up: 1 accounts, ') });
    expect(backup.stdout).toContain('0 daily statements, 12.500000 USD paid in, 0.000000 USD spent\n');
    expect(backup.stderr).toContain('accounts: 1 of 1 rows\n');
    expect(await cloister(`accounts backup books-4 ${state}`)).toMatchObject({ code: 1 });
    await cloister(`accounts credit acme 1 ${state}`);
    const refused = await cloister(`accounts restore books-4 ${state}`);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('add --replace') });
    expect((await cloister(`accounts restore books-4 --replace ${state}`)).stdout).toContain('restored and audited: 1');
    expect((await json(`accounts show acme ${state}`)).balance.paidIn).toBe(12_500_000);
    expect((await json(`accounts move --to moved-4.sqlite ${state}`)).money.paidIn).toBe(12_500_000);
    expect((await cloister(`accounts move --to moved-4.sqlite ${state}`)).code).toBe(3);
    const left = await cloister(`accounts list ${state}`);
    expect(left).toMatchObject({ code: 1, stderr: expect.stringContaining('were moved to another') });
  });

  it.each([
    ['accounts backup', 64, 'backup takes the file to write'],
    ['accounts backup a b', 64, 'backup takes one argument at most'],
    ['accounts restore', 64, 'restore takes the file of a backup'],
    ['accounts restore nothing', 1, 'the backup cannot be restored'],
    ['accounts move', 64, 'move takes --to'],
    ['accounts move --to mysql://x', 64, '--to is postgres://… or the path of a SQLite file'],
    ['accounts move --to x.sqlite --state-dir none', 64, 'the state folder has no accounts'],
  ])('refuses %s', async (line, code, message) => {
    const { stderr, ...result } = await cloister(line);
    expect([result.code, stderr]).toEqual([code, expect.stringContaining(message)]);
  });

  it('prints JSON', async () => {
    const state = '--state-dir accounts-2';
    expect(await json(`accounts create acme ${state}`)).toMatchObject({ name: 'acme', plan: 'free', closedAt: null });
    const credited = await json(`accounts credit acme 0.000001 ${state}`);
    expect(credited.balance).toEqual({ paidIn: 1, available: 1, held: 0, spent: 0 });
    expect(await json(`accounts list ${state}`)).toHaveLength(1);
    expect(await json(`accounts show acme ${state}`)).toMatchObject({ requestsToday: 0, planInForce: { id: 'free' } });
    expect(await json(`accounts audit ${state}`)).toMatchObject({ sum: 0, faults: [] });
  });

  it.each([
    [
      'accounts',
      64,
      'accounts takes create, list, show, credit, refund, plan, close, audit, usage, invoice, invoices or check-statement, got nothing',
    ],
    ['accounts create', 64, 'create takes the name of the new account'],
    ['accounts create a b', 64, 'create takes the name'],
    ['accounts create a --plan gold', 1, 'no plan has this id; these exist: developer, enterprise, free'],
    ['accounts credit nobody', 64, 'credit takes an account and an amount in US dollars'],
    ['accounts credit nobody -- -5', 1, 'the amount must be above 0'],
    ['accounts credit nobody 5', 1, 'no account has this name'],
    ['accounts refund nothing', 1, 'the request is unknown, was free of charge or is already refunded'],
    ['accounts list now', 64, 'list takes no argument, got now'],
    ['accounts list --wings', 64, 'wings'],
    ['plans set free', 64, 'set takes at least one field'],
    [
      'plans set free --requests-per-day many',
      64,
      '--requests-per-day must be a whole number or "unlimited", got many',
    ],
    ['plans set free --models chat', 64, '--models must be surface=id,id'],
    ['plans set free --priority 1000', 1, "a plan's priority must be a whole number from -100 to 100"],
    ['plans show gold', 1, 'no plan has this id'],
    ['plans set fre --priority 1', 1, 'no plan has this id; these exist: developer, enterprise, free, operator'],
    ['plans create free', 1, 'a plan with this id already exists'],
    ['plans create Gold', 1, 'a plan id must be lower-case words'],
    ['plans create', 64, 'create takes the ID of the new plan'],
    ['keys create --account nobody', 1, 'no account has this name: create it'],
    ['keys create --scopes fly', 1, "a key's scopes are one or more of pods"],
    ['keys create --expires never', 1, '--expires must be a date, a time or a number of days such as 90d, got never'],
    ['keys create --expires 2001-01-01', 1, 'the expiry must be a time in the future'],
  ])('exits %j with code %i and prints %j', async (line, code, message) => {
    const result = await cloister(line);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr).toContain(message);
  });

  it.each(['accounts', 'plans'])('%s has --help', async (command) => {
    const { code, stdout } = await cloister(`${command} --help`);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^Usage: cloister ${command}`));
  });
});

describe('cloister plans', () => {
  it('lists, shows, changes and creates plans', async () => {
    const state = '--state-dir plans-1';
    expect((await cloister(`plans list ${state}`)).stdout).toMatch(/\nfree +Free +40960 +unlimited +100 /);
    const set = `plans set free --requests-per-day unlimited --requests-per-minute 7 --models 'chat=a,b;images=c'`;
    expect((await cloister(`${set} ${state}`)).stdout).toMatch(
      /free +Free +40960 +7 +unlimited .*chat=a,b;images=c\n$/,
    );
    expect(await json(`plans show free ${state}`)).toMatchObject({
      requestsPerMinute: 7,
      models: { chat: ['a', 'b'], images: ['c'] },
    });
    const made = await json(`plans create campus --title Campus --monthly-price 9.99 --price-percent 80 ${state}`);
    expect(made).toMatchObject({ id: 'campus', title: 'Campus', monthlyPrice: 9_990_000, pricePercent: 80 });
  });

  it('changes a plan of a running server on the same state folder', async () => {
    const path = join(cwd, 'plans-2', 'accounts.sqlite');
    const accounts = await openAccountStore(path);
    await cloister('plans set free --requests-per-day 3 --state-dir plans-2');
    expect((await accounts.findPlan('free')).requestsPerDay).toBe(3);
    await accounts.close();
  });
});

describe('cloister keys', () => {
  it('creates keys with scopes and an expiry', async () => {
    const state = '--state-dir keys-1';
    await cloister(`accounts create default ${state}`);
    const made = await json(`keys create --scopes inference,balance --expires 90d ${state}`);
    expect(made.scopes).toEqual(['balance', 'inference']);
    const days = (Date.parse(made.expiresAt) - Date.parse(made.createdAt)) / 86_400_000;
    expect(days).toBe(90);
    const [listed] = await json(`keys list ${state}`);
    expect(listed).toMatchObject({ id: made.id, lastUsed: null, revokedAt: null });
    expect((await cloister(`keys list ${state}`)).stdout).toMatch(/live until 20.*never\n/);
  });
});
