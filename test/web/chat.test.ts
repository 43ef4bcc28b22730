/** The chat in a browser: sealed streams and their proofs, agents with files, images and embeddings. */
import { afterEach, describe, expect, it } from 'vitest';
import { accessibilityViolations, focusOn, visit, whyNoBrowser } from './support/browser.ts';

const invoice = `INVOICE 2041
Supplier: Alder Works Ltd, VAT GB 123 4567 82
Net 1,000.00 GBP
VAT 20% 200.00 GBP
Total 1,250.00 GBP
`;

describe.skipIf(whyNoBrowser !== undefined)('the chat page', () => {
  const server = visit();
  afterEach(() => server.forget());

  it('streams a sealed answer and proves it with the receipt for the exact bytes', async () => {
    const { page, faults } = await server.signedIn();
    const sealed = page.waitForRequest('**/v1/chat/completions');
    await page.getByLabel('Message').fill('What is 7 + 5?');
    await page.keyboard.press('Enter');
    const request = await sealed;
    expect(request.headers()['ehbp-encapsulated-key']).toMatch(/^[0-9a-f]{64}$/);
    expect(request.postDataBuffer()?.includes('7 + 5')).toBe(false);
    await page.getByRole('button', { name: 'Proof' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('The receipt matches the exact bytes').waitFor();
    expect(await drawer.locator('.checks li.pass').count()).toBe(7);
    await drawer.getByText('encrypted to a key of the verified machine').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('works with the keyboard alone', async () => {
    const { page } = await server.signedIn();
    await page.getByLabel('Message').waitFor();
    await focusOn(page, /^TEXTAREA message/);
    await page.keyboard.type('Hello');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Proof' }).waitFor();
    await focusOn(page, /^BUTTON\s+Proof/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('shows the findings of an agent in an attached file', async () => {
    const { page } = await server.signedIn();
    await page.getByLabel('Model').selectOption('tax-analyst');
    const file = { name: 'invoice.txt', mimeType: 'text/plain', buffer: Buffer.from(invoice) };
    await page.locator('#files').setInputFiles(file);
    await page.getByLabel('Message').fill('Is this invoice right?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('button', { name: 'Proof' }).waitFor({ timeout: 90_000 });
    const findings = page.getByLabel('Findings of the tools');
    await findings.locator('summary').first().click();
    expect(await findings.textContent()).toMatch(/1,?250|invoice/i);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('stops an answer, keeps what arrived, and tries again', async () => {
    const { page } = await server.signedIn();
    await page.route('**/v1/chat/completions', async (route) => {
      // An answer that never comes.
      await new Promise((resolve) => page.once('requestfailed', resolve));
      await route.abort().catch(() => undefined);
    });
    await page.getByLabel('Message').fill('Hello');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('stopped').waitFor();
    await page.unroute('**/v1/chat/completions');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Proof' }).waitFor();
  });

  it('reports an error of the server in its words', async () => {
    const { page } = await server.signedIn();
    await page.getByText('Settings').click();
    await page.getByLabel('Temperature').fill('9');
    await page.getByLabel('Message').fill('Hello');
    await page.getByLabel('Message').press('Enter');
    await page.getByRole('alert').getByText('temperature').waitFor();
  });

  it('draws an image, and compares texts', async () => {
    const { page, faults } = await server.signedIn();
    await page.getByRole('button', { name: 'Images' }).click();
    await page.getByLabel('Description').fill('a red circle');
    await page.getByRole('button', { name: 'Draw' }).click();
    await page.getByRole('img', { name: 'a red circle' }).waitFor({ timeout: 90_000 });
    await page.getByRole('button', { name: 'Embeddings' }).click();
    await page.getByLabel('Question').fill('How do I return a parcel?');
    await page.getByLabel('Texts, one per line').fill('Returns are free within 30 days.\nThe sky is blue.');
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('cell', { name: 'The sky is blue.' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('shows the cost of the day, and proves a charge on the signed statement', async () => {
    const { page } = await server.signedIn();
    const answered = page.waitForResponse('**/v1/chat/completions');
    await page.getByLabel('Message').fill('Hello');
    await page.keyboard.press('Enter');
    const id = (await answered).headers()['x-request-id']!;
    await page.getByRole('button', { name: 'Proof' }).waitFor();
    await page.goto(`${server.origin}/usage`);
    await page.getByRole('cell', { name: 'cloister-demo-TEE' }).waitFor();
    await page.getByLabel('Request ID').fill(id);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('The statement is signed by a key of the verified machine.').waitFor();
    expect(await page.locator('.notice.good').textContent()).toMatch(/^The request is number \d+ of \d+/);
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});
