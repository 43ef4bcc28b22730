/** The page that verifies servers from outside, opened from a disk and from a static site. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { simulatedSoftware } from '../support/attestation/attested-server.ts';
import { accessibilityViolations, type Look, overflowOf, visit, whyNoBrowser } from './support/browser.ts';

const path = join(tmpdir(), 'cloister-verifier-under-test.html');
const policy = JSON.stringify({ measurements: simulatedSoftware, sources: 'any' });

describe.skipIf(whyNoBrowser !== undefined)('the verifier in one file', () => {
  const server = visit();
  afterEach(() => server.forget());
  beforeAll(() => {
    execFileSync(process.execPath, [join(import.meta.dirname, '../../web/build.ts'), '--verifier', path]);
  });

  async function open(url = pathToFileURL(path).href, look: Look = {}) {
    const { page, faults } = await server.window(look);
    await page.goto(url);
    const trust = async () => {
      await page.getByText('Root of a simulation').click();
      await page.getByLabel('PEM text').fill(readFileSync(join(server.server.stateDir, 'simulation-root.pem'), 'utf8'));
      await page.getByLabel('Policy').fill(policy);
    };
    const verify = async () => {
      await page.getByLabel('Address').fill(server.origin);
      await page.getByRole('button', { name: 'Verify' }).click();
    };
    return { page, faults, trust, verify };
  }

  it('verifies a server by its address, and explains a policy that does not fit', async () => {
    const { page, faults, trust, verify } = await open();
    await trust();
    await verify();
    await page.getByText('Verified.', { exact: true }).waitFor();
    expect(await page.locator('.checks li.fail').count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    const other = policy.replaceAll(/[0-9a-f]{96}/g, '0'.repeat(96));
    await page.getByLabel('Policy').fill(other);
    await page.getByText('Not verified.').waitFor();
    await page.getByText('The change affected:').waitFor();
    expect(faults).toEqual([]);
  });

  it('fits a narrow window', async () => {
    const { page, trust, verify } = await open(undefined, { width: 360 });
    expect(await overflowOf(page)).toBe(0);
    await trust();
    await verify();
    await page.getByText('Verified.', { exact: true }).waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('verifies a server from a static site of another origin', async () => {
    const site = createServer((_, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8').end(readFileSync(path));
    });
    site.listen(0, '127.0.0.1');
    await once(site, 'listening');
    const { port } = site.address() as AddressInfo;
    const { page, faults, trust, verify } = await open(`http://127.0.0.1:${port}/`);
    await trust();
    await verify();
    await page.getByText('Verified.', { exact: true }).waitFor();
    expect(faults).toEqual([]);
    site.close();
  });

  it('verifies evidence that is dropped on it', async () => {
    const chat = await server.signedIn();
    await chat.page.getByRole('button', { name: 'Simulated machine' }).click();
    const [download] = await Promise.all([
      chat.page.waitForEvent('download'),
      chat.page.getByText('Save the evidence').click(),
    ]);
    const evidence = readFileSync(await download.path(), 'utf8');
    const { page, faults, trust } = await open();
    await trust();
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'evidence.json', { type: 'application/json' }));
      return transfer;
    }, evidence);
    await page.getByLabel('What to verify').dispatchEvent('drop', { dataTransfer: data });
    await page.getByText('Verified.', { exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  it('does not take a simulation for hardware, and verifies nothing without a policy', async () => {
    const { page, verify } = await open();
    await verify();
    await page.getByText('Not verified.').waitFor();
    await page.getByRole('button', { name: 'Start from what this server runs' }).click();
    expect(await page.getByLabel('Policy').inputValue()).toContain('mrTd');
    await page.getByText('Not verified.').waitFor();
  });

  it('checks the proof of an answer that the chat page saved, and rejects a changed one', async () => {
    const chat = await server.signedIn();
    await chat.page.getByLabel('Message').fill('What is 7 + 5?');
    await chat.page.keyboard.press('Enter');
    await chat.page.getByRole('button', { name: 'Proof' }).click();
    const [download] = await Promise.all([
      chat.page.waitForEvent('download'),
      chat.page.getByRole('button', { name: 'Save the proof' }).click(),
    ]);
    const proof = readFileSync(await download.path(), 'utf8');
    const { page, trust } = await open();
    await trust();
    const give = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'proof.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await give(proof);
    await page.getByText('for the exact request and answer in the file').waitFor();
    await give(proof.replace('7 + 5', '7 + 6'));
    await page.getByText('The receipt is not proven.').waitFor();
  });

  it('checks the proof of a charge that the usage page saved, and rejects a changed one', async () => {
    const chat = await server.signedIn();
    const answered = chat.page.waitForResponse('**/v1/chat/completions');
    await chat.page.getByLabel('Message').fill('What is 7 + 5?');
    await chat.page.keyboard.press('Enter');
    const id = (await answered).headers()['x-request-id']!;
    await chat.page.getByRole('button', { name: 'Proof' }).waitFor();
    await chat.page.goto(`${server.origin}/usage`);
    await chat.page.getByLabel('Request ID').fill(id);
    await chat.page.getByRole('button', { name: 'Check', exact: true }).click();
    const [download] = await Promise.all([
      chat.page.waitForEvent('download'),
      chat.page.getByRole('button', { name: 'Save the proof' }).click(),
    ]);
    const proof = readFileSync(await download.path(), 'utf8');
    const { page, faults, trust } = await open();
    await trust();
    const give = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'charge.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await give(proof);
    await page.getByText('The statement is signed by a key of the verified machine.').waitFor();
    await page.getByText(/^The request is number \d+ of \d+/).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await give(proof.replace(/"price_micro_dollars": \d+/, '"price_micro_dollars": 1'));
    await page.getByText('The request is not on the statement that the server published.').waitFor();
    await give(proof.replace(/"requests": \d+/, '"requests": 9'));
    await page.getByText('The signature of the statement is invalid.').waitFor();
    await give(proof.replace(/"proof": \[/, '"proof": [1,'));
    await page.getByRole('alert').getByText('no proof of a charge').waitFor();
    expect(faults).toEqual([]);
  });

  it('reports a file that is none of these, and an address that does not answer', async () => {
    const { page } = await open();
    const file = { name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{"a":') };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Address').fill('http://localhost:1');
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByRole('alert').getByText('https://host').waitFor();
  });
});
