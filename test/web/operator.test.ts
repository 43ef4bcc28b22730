/** The operator's console on the admin port. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { accessibilityViolations, focusOn, type Look, overflowOf, visit, whyNoBrowser } from './support/browser.ts';

const looks = [360, 768, 1280].flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, theme })));
const views = ['Accounts', 'Movements', 'Invoices', 'Plans', 'Keys', 'Books', 'Models', 'Nodes', 'Reference'];

describe.skipIf(whyNoBrowser !== undefined)("the operator's console", () => {
  const server = visit();
  afterEach(() => server.forget());

  const token = () => readFileSync(join(server.server.stateDir, 'admin-token'), 'utf8').trim();

  async function open(secret: string, look: Look = {}) {
    const { page, faults } = await server.window(look);
    await page.goto(new URL('/', server.server.listening.metricsUrl).href);
    await page.getByLabel('Admin token').fill(secret);
    await page.getByRole('button', { name: 'Open' }).click();
    return { page, faults };
  }

  it('refuses a wrong token', async () => {
    const { page } = await open('x'.repeat(43));
    await page.getByRole('alert').getByText('token is wrong').waitFor();
  });

  it('opens an account, books a payment, makes a plan and a key, and audits the books', async () => {
    const { page, faults } = await open(token());
    await page.getByRole('cell', { name: 'default', exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByLabel('Name').fill('acme');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByRole('cell', { name: 'acme', exact: true }).waitFor();
    await page.locator('select[name=account]').first().selectOption('acme');
    await page.getByLabel('US dollars').fill('12.50');
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await page.getByRole('cell', { name: '$12.50' }).first().waitFor();
    await page.getByRole('button', { name: 'Plans', exact: true }).click();
    await page.getByLabel('ID', { exact: true }).fill('research');
    await page.getByLabel('Requests a minute').fill('60');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('cell', { name: /research/ }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Keys', exact: true }).click();
    await page.getByLabel('Account').fill('acme');
    await page.getByLabel('Name of the key').fill('first');
    await page.getByRole('button', { name: 'Create a key', exact: true }).click();
    await page.getByText('shown only once').waitFor();
    await page.getByRole('button', { name: 'Movements', exact: true }).click();
    await page.getByLabel('Account').selectOption('acme');
    await page.getByRole('cell', { name: 'payment' }).waitFor();
    await page.getByRole('cell', { name: '$12.50' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Invoices', exact: true }).click();
    await page.getByLabel('Account').selectOption('acme');
    await page.getByLabel('Issuer').fill('Cloister Ltd\n1 Street');
    await page.getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByRole('button', { name: 'JSON of invoice 1' }).waitFor();
    await page.getByRole('button', { name: 'Check all invoices' }).click();
    await page.getByText('All 1 invoices are complete.').waitFor();
    await page.getByLabel('Month').fill('2999-01');
    await page.getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByRole('alert').getByText('the month is not over').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Models', exact: true }).click();
    await page.getByRole('cell', { name: 'cloister-demo-TEE', exact: true }).waitFor();
    await page.getByRole('cell', { name: 'ready' }).first().waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Nodes', exact: true }).click();
    await page.getByText('This server is not a node of a fleet.').waitFor();
    await page.getByRole('button', { name: 'Books', exact: true }).click();
    await page.getByRole('button', { name: 'Recompute the books', exact: true }).click();
    await page.getByText('agree.').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(kept).not.toContain(token());
  });

  it('says why a model cannot be loaded until the next change, loads one, and unloads it', async () => {
    const { page, faults } = await open(token());
    const model = 'cloister-demo-reranker-TEE';
    await page.getByRole('button', { name: 'Models', exact: true }).click();
    await page.getByLabel('Name in the catalogue').fill('nowhere');
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    const alert = page.getByRole('alert').getByText('the catalogue has no model with this id');
    await alert.waitFor();
    // The list is refreshed every five seconds.
    await page.waitForResponse((response) => response.url().endsWith('/admin/models'));
    expect(await alert.isVisible()).toBe(true);
    // A load takes less than a second. The test delays its request until the page shows the progress.
    const isSaid = Promise.withResolvers<void>();
    await page.route('**/admin/models', async (route) => {
      if (route.request().method() === 'POST') await isSaid.promise;
      await route.continue();
    });
    await page.getByLabel('Name in the catalogue').fill(model);
    await page.getByRole('button', { name: 'Load', exact: true }).click();
    await page.getByRole('status').getByText(`Loading ${model}…`).waitFor();
    isSaid.resolve();
    await page.getByRole('row', { name: model }).getByText('ready').waitFor();
    await alert.waitFor({ state: 'detached' });
    expect(await accessibilityViolations(page)).toEqual([]);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: `Unload ${model}` }).click();
    await page.getByRole('cell', { name: model, exact: true }).waitFor({ state: 'detached' });
    // Chromium reports the refused load.
    expect(faults.filter((fault) => !/status of 404/.test(fault))).toEqual([]);
  });

  it.each(looks)('is accessible and fits a window of $width pixels, $theme', async (look) => {
    const { page, faults } = await open(token(), look);
    await page.getByRole('cell', { name: 'default', exact: true }).waitFor();
    for (const view of views) {
      await page.getByRole('button', { name: view, exact: true }).click();
      await page.waitForFunction(() => !/Loading/.test(document.body.textContent));
      expect({ view, found: await accessibilityViolations(page) }).toEqual({ view, found: [] });
      expect({ view, overflow: await overflowOf(page) }).toEqual({ view, overflow: 0 });
    }
    expect(faults).toEqual([]);
  });

  it('works with the keyboard alone', async () => {
    const { page, faults } = await server.window();
    await page.goto(new URL('/', server.server.listening.metricsUrl).href);
    await page.getByLabel('Admin token').waitFor();
    await focusOn(page, /^INPUT/);
    await page.keyboard.type(token());
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'default', exact: true }).waitFor();
    await focusOn(page, /^BUTTON\s+Models/);
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'cloister-demo-TEE', exact: true }).waitFor();
    await focusOn(page, /^BUTTON\s+Reference/);
    await page.keyboard.press('Enter');
    await page.getByText('/admin/audit', { exact: true }).waitFor();
    await focusOn(page, /^SUMMARY.*\/admin\/audit/);
    await page.keyboard.press('Enter');
    await focusOn(page, /^SUMMARY\s+Try it/);
    await page.keyboard.press('Enter');
    await focusOn(page, /^BUTTON\s+Send/);
    await page.keyboard.press('Enter');
    await page.locator('#audit').getByRole('status').getByText('"faults": []').waitFor();
    expect(faults).toEqual([]);
  });
});
