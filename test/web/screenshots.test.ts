/** The screenshots of the documentation: `npm run screenshots` writes them to `docs/images/`. */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'vitest';
import { type Look, visit, whyNoBrowser } from './support/browser.ts';

const folder = process.env.SCREENSHOTS ?? join(tmpdir(), 'cloister-screenshots');

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
