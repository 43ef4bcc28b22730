/** What a person does first, without a page of documentation: ask, see the proof and the cost, make a key, and copy a snippet. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { visit, whyNoBrowser } from './support/browser.ts';

describe.skipIf(whyNoBrowser !== undefined)('a newcomer with the printed link', () => {
  const server = visit();
  afterEach(() => server.forget());

  it('asks, sees the proof and the cost, makes a key, and runs the copied snippet in a shell', async () => {
    const { page } = await server.signedIn();
    await page.getByLabel('Message').fill('What is 48 + 27?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Proof' }).click();
    await page.getByText('The receipt matches').waitFor();
    const cost = await page.getByText(/ tokens of the prompt and /).textContent();
    expect(cost).toMatch(/^\$0\.\d+ for \d+ tokens of the prompt and \d+ of the answer/);
    await page.getByRole('link', { name: 'All usage' }).click();
    await page.getByRole('cell', { name: 'cloister-demo-TEE' }).waitFor();
    await page.getByLabel('Name').fill('laptop');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('button', { name: 'Copy snippet' }).click();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    // The state folder of the test is not the one in the current folder.
    const snippet = copied.replace('.cloister/', `${server.server.stateDir}/`);
    const { stdout } = await promisify(execFile)('bash', ['-c', snippet]);
    expect(JSON.parse(stdout)).toMatchObject({ choices: [{ message: { role: 'assistant' } }] });
  });

  it('finds snippets with the address and a model of the server on the first page', async () => {
    const { page } = await server.signedIn();
    await page.goto(server.origin);
    for (const client of ['curl', 'OpenAI for JavaScript', 'OpenAI for Python', 'verified fetch', 'verifying proxy']) {
      await page.getByLabel('Client').selectOption(client);
      const text = (await page.locator('.code code').last().textContent())!;
      expect({ client, text }).toMatchObject({ text: expect.stringContaining(server.origin) });
      expect(text).toContain('cloister-demo-TEE');
      expect(text).not.toMatch(/MODEL|…/);
    }
  });
});
