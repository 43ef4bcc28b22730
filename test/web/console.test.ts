/** The renter's console of the compute service. */
import { describe, expect, it } from 'vitest';
import { newSshKey } from '../support/compute/compute-fixtures.ts';
import { accessibilityViolations, focusOn, overflowOf, whyNoBrowser } from './support/browser.ts';
import { rent } from './support/renter.ts';

const looks = [360, 768, 1280].flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, theme })));
const views = ['Pods', 'Machines', 'Keys', 'Webhooks', 'Billing', 'Events', 'API'];

describe.skipIf(whyNoBrowser !== undefined)("the renter's console", () => {
  const renter = rent();

  it('deploys a pod, shows how to reach it and what it printed, and releases it', async () => {
    const { page, faults } = await renter.signedIn();
    await page.getByRole('link', { name: 'Choose a machine' }).click();
    await page.getByRole('button', { name: 'Deploy on RTX 4090 in Oslo' }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByLabel('Template').selectOption('torch');
    await drawer.getByLabel('Name').fill('training');
    await drawer.getByLabel('End after').fill('2');
    expect(await accessibilityViolations(page)).toEqual([]);
    await drawer.getByRole('button', { name: 'Deploy', exact: true }).click();
    await drawer.getByText('The pod is being prepared.').waitFor();
    await renter.work();
    await drawer.getByRole('button', { name: 'Show the pods' }).click();
    const card = page.getByRole('article', { name: 'training' });
    await card.getByText('ssh root@192.0.2.7 -p 2222').waitFor({ timeout: 15_000 });
    await card.getByText('$1.00 held for the first hour').waitFor();
    await page.getByText('runs', { exact: false }).first().waitFor();
    await card.getByRole('button', { name: 'Details of training' }).click();
    await drawer.getByText(renter.compute.world.engine.hostKeyFingerprint).waitFor();
    await drawer.getByText('listening on port 22').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    renter.compute.world.engine.printed = 'epoch 1\nepoch 2';
    await drawer.getByText('epoch 2').waitFor({ timeout: 15_000 });
    page.on('dialog', (dialog) => void dialog.accept());
    await drawer.getByRole('button', { name: 'Release the pod' }).click();
    await drawer.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'No pod runs' }).waitFor();
    await page.getByRole('link', { name: 'Billing' }).click();
    await page.getByRole('cell', { name: 'training' }).waitFor();
    await page.getByRole('cell', { name: 'released' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows the sudo password of a confidential machine once, and keeps nothing', async () => {
    const { page, faults } = await renter.signedIn();
    await page.goto(`${renter.origin}/svc/console#machines`);
    await page.getByRole('button', { name: 'Deploy on H100 in a trust domain' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: 'Deploy', exact: true }).click();
    await drawer.getByText('Copy the sudo password now').waitFor();
    const password = (await drawer.locator('.notice code').textContent())!;
    expect(password.length).toBeGreaterThan(10);
    expect(await accessibilityViolations(page)).toEqual([]);
    await renter.work();
    await drawer.getByRole('button', { name: 'Show the pods' }).click();
    await page.getByText('Intel TDX: the memory is encrypted').waitFor();
    expect(await page.content()).not.toContain(password);
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href]),
    );
    expect(JSON.parse(kept)).toEqual([{}, {}, '', null, `${renter.origin}/svc/console#pods`]);
    expect(faults).toEqual([]);
  });

  it.each(looks)('is accessible and fits a window of $width pixels, $theme', async (look) => {
    const { page, faults } = await renter.signedIn(look);
    for (const view of views) {
      await page.getByRole('link', { name: view, exact: true }).click();
      await page.getByRole('heading', { name: view, exact: true, level: 1 }).waitFor();
      await page.waitForFunction(() => !/Loading/.test(document.body.textContent));
      expect({ view, found: await accessibilityViolations(page) }).toEqual({ view, found: [] });
      expect({ view, overflow: await overflowOf(page) }).toEqual({ view, overflow: 0 });
    }
    expect(faults).toEqual([]);
  });

  it('adds SSH keys, makes API keys that work, and says why it refuses', async () => {
    const { page } = await renter.signedIn();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByLabel('Name of the SSH key').fill('desk');
    await page.getByLabel('Public key').fill('nonsense');
    await page.getByRole('button', { name: 'Add the SSH key' }).click();
    await page.getByRole('alert').getByText('public_key').waitFor();
    await page.getByLabel('Public key').fill(newSshKey());
    await page.getByRole('button', { name: 'Add the SSH key' }).click();
    await page.getByRole('cell', { name: 'desk', exact: true }).waitFor();
    await page.getByLabel('Name of the API key').fill('ci');
    await page.getByRole('button', { name: 'Create an API key' }).click();
    const key = (await page.locator('.notice code').textContent())!.trim();
    expect((await renter.compute.get('/api/svc/pods', { key })).status).toBe(200);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Revoke ci' }).click();
    await page.getByRole('cell', { name: 'ci', exact: true }).waitFor({ state: 'detached' });
    expect((await renter.compute.get('/api/svc/pods', { key })).status).toBe(401);
  });

  it('adds and deletes credentials of registries, and never shows their password', async () => {
    const { page, faults } = await renter.signedIn();
    await page.getByRole('link', { name: 'Keys' }).click();
    const password = 'token-5b1fe2c0';
    await page.getByLabel('Name of the credential').fill('team');
    await page.getByLabel('Registry', { exact: true }).fill('http://localhost');
    await page.getByLabel('User at the registry').fill('anna');
    await page.getByLabel('Password or token').fill(password);
    await page.getByRole('button', { name: 'Add the credential' }).click();
    await page.getByRole('alert').getByText('registry').waitFor();
    await page.getByLabel('Registry', { exact: true }).fill('ghcr.io');
    await page.getByRole('button', { name: 'Add the credential' }).click();
    await page.getByRole('cell', { name: 'ghcr.io', exact: true }).waitFor();
    expect(await page.getByLabel('Password or token').inputValue()).toBe('');
    expect(await page.content()).not.toContain(password);
    expect(await accessibilityViolations(page)).toEqual([]);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Delete team' }).click();
    await page.getByRole('cell', { name: 'ghcr.io', exact: true }).waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('adds webhooks, and lists the events that could not be delivered', async () => {
    const { page } = await renter.signedIn();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByLabel('Address').fill('https://localhost:1/events');
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByText('Copy the signing secret now').waitFor();
    await page.getByText('Every event was delivered.').waitFor();
    const { db } = renter.compute.world.store;
    const { id } = await db.selectFrom('compute_webhooks').select('id').executeTakeFirstOrThrow();
    const letter = {
      id: 'letter-1',
      webhook_id: id,
      event_id: 'evt-1',
      attempts: 8,
      reason: 'timeout',
      at: Date.now(),
    };
    await db.insertInto('compute_dead_letters').values(letter).execute();
    await page.reload();
    await page.getByRole('cell', { name: 'timeout' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('is signed in to with a key, which it does not keep, and signed out of', async () => {
    const { page } = await renter.window();
    await page.goto(renter.origin);
    await page.waitForURL('**/svc/console');
    await page.getByLabel('API key').fill(renter.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Pods', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByText('a key cannot make keys').waitFor();
    expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]))).not.toContain(renter.key);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('refuses a link that was used, and works with the keyboard alone', async () => {
    const { page } = await renter.signedIn();
    const { secret } = await renter.compute.world.accounts.makeLoginLink({
      accountId: renter.accountId,
      now: Date.now(),
    });
    await page.goto(`${renter.origin}/svc/console#pods`);
    await focusOn(page, /^A\s+Machines/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Machines', exact: true }).waitFor();
    await focusOn(page, /^BUTTON\s+Deploy on RTX 4090/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const first = await renter.window();
    await first.page.goto(`${renter.origin}/svc/console#${secret}`);
    await first.page.getByRole('heading', { name: 'Pods', exact: true }).waitFor();
    const second = await renter.window();
    await second.page.goto(`${renter.origin}/svc/console#${secret}`);
    await second.page.getByRole('alert').getByText('already used').waitFor();
    expect(second.page.url()).not.toContain(secret);
  });
});
