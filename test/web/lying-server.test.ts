/** A server or an intermediary that lies: the page says so and shows no false proof. */
import { afterEach, describe, expect, it } from 'vitest';
import { visit, whyNoBrowser } from './support/browser.ts';

describe.skipIf(whyNoBrowser !== undefined)('the page', () => {
  const server = visit();
  afterEach(() => server.forget());

  it('sends nothing to a server whose evidence was changed', async () => {
    const { page } = await server.window({ asksForEvidence: true });
    await page.route('**/v1/aci/attestation*', async (route) => {
      const answer = await route.fetch();
      // Another key in the keyset: the quote binds the digest of the real one.
      const body = (await answer.text()).replace(/"public_key":"[0-9a-f]{8}/, '"public_key":"00000000');
      await route.fulfill({ response: answer, body });
    });
    let chats = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/chat/completions')) chats += 1;
    });
    await page.goto(await server.link());
    await page.getByRole('button', { name: 'Evidence does not hold' }).waitFor();
    await page.getByLabel('Message').fill('My secret');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('nothing was sent').waitFor();
    expect(chats).toBe(0);
  });

  it('rejects evidence that answers another request', async () => {
    const { page } = await server.window({ asksForEvidence: true });
    const earlier = await fetch(`${server.origin}/v1/aci/attestation?nonce=${'a'.repeat(64)}`);
    const body = await earlier.text();
    await page.route('**/v1/aci/attestation*', (route) => route.fulfill({ status: 200, body }));
    await page.goto(await server.link());
    await page.waitForURL('**/chat');
    await page.getByRole('button', { name: 'Evidence does not hold' }).click();
    await page.getByRole('dialog').getByText('The evidence does not hold.').waitFor();
  });

  it('shows an answer that was cut as cut', async () => {
    const { page } = await server.signedIn();
    await page.route('**/v1/chat/completions', async (route) => {
      const answer = await route.fetch();
      const body = await answer.body();
      await route.fulfill({ response: answer, body: body.subarray(0, Math.floor(body.length / 2)) });
    });
    await page.getByLabel('Message').fill('What is 7 + 5?');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: 'Proof' }).count()).toBe(0);
  });

  it('rejects an answer whose bytes were changed on the way', async () => {
    const { page } = await server.signedIn();
    await page.route('**/v1/chat/completions', async (route) => {
      const answer = await route.fetch();
      const body = Buffer.from(await answer.body());
      body[body.length - 20]! ^= 1;
      await route.fulfill({ response: answer, body });
    });
    await page.getByLabel('Message').fill('What is 7 + 5?');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
  });

  it('rejects the receipt of another answer', async () => {
    const { page } = await server.signedIn();
    const ask = async () => {
      const before = await page.getByRole('button', { name: 'Proof' }).count();
      await page.getByLabel('Message').fill('What is 7 + 5?');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Proof' }).nth(before).waitFor();
    };
    await ask();
    await ask();
    let first: string | undefined;
    await page.route('**/v1/aci/receipts/*', async (route) => {
      const answer = await route.fetch();
      first ??= await answer.text();
      await route.fulfill({ response: answer, body: first });
    });
    await page.getByRole('button', { name: 'Proof' }).first().click();
    await page.getByRole('dialog').getByText('The receipt matches the exact bytes').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Proof' }).last().click();
    await page.getByRole('dialog').getByText('The receipt is for the request that was sent:').waitFor();
  });

  it('reports a server that has no evidence, and that messages are not sealed to it', async () => {
    const { page } = await server.window({ asksForEvidence: true });
    await page.route('**/v1/aci/**', (route) => route.fulfill({ status: 503, json: { error: 'none' } }));
    await page.goto(await server.link());
    await page.getByRole('button', { name: 'No evidence' }).waitFor();
    await page.getByLabel('Message').fill('Hello');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Proof' }).click();
    await page.getByText('protected by TLS only').waitFor();
  });
});
