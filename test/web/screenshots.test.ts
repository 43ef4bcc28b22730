/** The screenshots of the documentation: `npm run screenshots` writes them to `docs/images/`. */
import { mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'vitest';
import { type Look, visit, whyNoBrowser } from './support/browser.ts';
import { rent } from './support/renter.ts';

const folder = process.env.SCREENSHOTS ?? join(tmpdir(), 'cloister-screenshots');
/** Only for the documentation; elsewhere, further views are kept to be looked at. */
const isDocumented = folder.endsWith('docs/images');

describe.skipIf(whyNoBrowser !== undefined)('screenshots', () => {
  const server = visit();
  afterEach(() => server.forget());
  mkdirSync(folder, { recursive: true });

  it.each<[string, Look]>([
    ['chat', {}],
    ['chat-dark', { theme: 'dark' }],
    ['chat-narrow', { width: 390 }],
  ])('%s', async (name, look) => {
    const { page } = await server.signedIn(look);
    await page.getByLabel('Message').fill('What is 48 + 27?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Proof' }).waitFor();
    await page.screenshot({ path: join(folder, `${name}.png`) });
    if (name !== 'chat') return;
    await page.getByRole('button', { name: 'Proof' }).click();
    await page.getByText('The receipt matches').waitFor();
    await page.screenshot({ path: join(folder, 'chat-proof.png') });
    for (const path of ['usage', 'reference', 'status']) {
      await page.goto(`${server.origin}/${path}`, { waitUntil: 'networkidle' });
      await page.screenshot({ path: join(folder, `${path}.png`) });
    }
  });
});

describe.skipIf(whyNoBrowser !== undefined)("screenshots of the operator's console", () => {
  const server = visit();
  afterEach(() => server.forget());

  it.each<[string, Look]>([
    ['operator', {}],
    ['operator-dark', { theme: 'dark' }],
    ['operator-narrow', { width: 390 }],
  ])('%s', async (name, look) => {
    const { page } = await server.window(look);
    await page.goto(new URL('/', server.server.listening.metricsUrl).href);
    await page.getByLabel('Admin token').fill(readFileSync(join(server.server.stateDir, 'admin-token'), 'utf8').trim());
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('cell', { name: 'default', exact: true }).waitFor();
    if (!isDocumented) await page.screenshot({ path: join(folder, `${name}-accounts.png`) });
    await page.getByRole('button', { name: 'Invoices' }).click();
    if (name === 'operator') await page.getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByRole('button', { name: 'JSON of invoice 1' }).waitFor();
    await page.screenshot({ path: join(folder, `${name}.png`) });
    if (isDocumented) return;
    for (const view of ['Movements', 'Models']) {
      await page.getByRole('button', { name: view }).click();
      await page.getByRole('table').waitFor();
      await page.screenshot({ path: join(folder, `${name}-${view.toLowerCase()}.png`) });
    }
  });
});

describe.skipIf(whyNoBrowser !== undefined)('screenshots of the console', () => {
  const renter = rent();

  it.each<[string, Look]>([
    ['console', {}],
    ['console-dark', { theme: 'dark' }],
    ['console-narrow', { width: 390 }],
  ])('%s', async (name, look) => {
    const { page } = await renter.signedIn(look);
    for (const machine of ['H100 in a trust domain', 'RTX 4090 in Oslo']) {
      if (name !== 'console') break;
      await page.getByRole('link', { name: 'Machines' }).click();
      await page
        .getByRole('button', { name: `Deploy on ${machine}` })
        .first()
        .click();
      await page.getByLabel('Name').fill(machine.startsWith('H100') ? 'inference' : 'training');
      await page.getByRole('button', { name: 'Deploy', exact: true }).click();
      await page.getByText('The pod is being prepared.').waitFor();
      await page.getByRole('button', { name: 'Show the pods' }).click();
    }
    await renter.work();
    await page.goto(`${renter.origin}/svc/console#pods`);
    await page.getByText('ssh root@').waitFor({ timeout: 15_000 });
    await page.screenshot({ path: join(folder, `${name}.png`) });
    const suffix = name.slice('console'.length);
    await page.getByRole('button', { name: 'Details of training' }).click();
    await page.getByText('listening on port 22').waitFor();
    await page.screenshot({ path: join(folder, `console-pod${suffix}.png`) });
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Machines' }).click();
    await page.getByRole('cell', { name: 'PyTorch' }).waitFor();
    await page.screenshot({ path: join(folder, `console-machines${suffix}.png`) });
    if (isDocumented) return;
    // Looked at by eye, but not part of the documentation.
    for (const view of ['Keys', 'Webhooks', 'Billing', 'Events']) {
      await page.getByRole('link', { name: view, exact: true }).click();
      await page.waitForFunction(() => !/Loading/.test(document.body.textContent));
      await page.screenshot({ path: join(folder, `console-${view.toLowerCase()}${suffix}.png`) });
    }
  });
});
