/** Signing in and out, keys, and what the browser keeps. */
import { afterEach, describe, expect, it } from 'vitest';
import { visit, whyNoBrowser } from './support/browser.ts';

describe.skipIf(whyNoBrowser !== undefined)('a session', () => {
  const server = visit();
  afterEach(() => server.forget());

  it('starts with the link that the server prints, once', async () => {
    const { page } = await server.window();
    await page.goto(server.server.listening.pagesUrl);
    await page.waitForURL('**/chat');
    await page.getByLabel('Message').waitFor();
    const other = await server.window();
    await other.page.goto(server.server.listening.pagesUrl);
    await other.page.getByRole('alert').getByText('was used or has expired').waitFor();
  });

  it('starts with an API key, which the page does not keep, and cannot manage keys', async () => {
    const { page } = await server.window();
    await page.goto(`${server.origin}/sign-in`);
    const { apiKey } = server.server.listening;
    await page.getByLabel('API key').fill(apiKey);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/chat');
    await page.goto(`${server.origin}/usage`);
    await page.getByText('a key cannot make keys').waitFor();
    const kept = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(kept).not.toContain(apiKey);
    expect(cookieIn(kept)).toBe('');
  });

  it('refuses an unknown key with the reason of the server', async () => {
    const { page } = await server.window();
    await page.goto(`${server.origin}/sign-in`);
    await page.getByLabel('API key').fill(`clst_${'a'.repeat(43)}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('unknown, revoked or expired').waitFor();
  });

  it('ends when the person signs out, and when it expires on the server', async () => {
    const { page } = await server.signedIn();
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Strict' });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to chat' }).waitFor();
    // The same cookie again: the server has forgotten it.
    await page.context().addCookies([cookie!]);
    await page.goto(`${server.origin}/usage`);
    await page.getByRole('heading', { name: /Sign in to usage/ }).waitFor();
  });

  it('makes a key that works, shows it once, and revokes it', async () => {
    const { page } = await server.signedIn();
    await page.goto(`${server.origin}/usage`);
    await page.getByLabel('Name').fill('laptop');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const key = (await page.locator('.notice code').first().textContent())!.trim();
    const status = async () => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${server.server.listening.baseUrl}/models`, { headers })).status;
    };
    expect(await status()).toBe(200);
    await page.reload();
    await page.getByRole('cell', { name: 'laptop', exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Revoke laptop' }).click();
    await page.getByRole('cell', { name: 'laptop', exact: true }).waitFor({ state: 'detached' });
    expect(await status()).toBe(401);
  });

  it('leaves no text of a conversation in the storage, the caches or the history of the browser', async () => {
    const { page } = await server.signedIn();
    const canary = 'canary-4f1c9e-heliotrope';
    await page.getByLabel('Message').fill(`Repeat: ${canary}`);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Proof' }).waitFor();
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const databases = await indexedDB.databases();
      return JSON.stringify([
        { ...localStorage },
        { ...sessionStorage },
        names,
        databases,
        location.href,
        history.state,
      ]);
    });
    expect(kept).not.toContain('canary');
    await page.reload();
    await page.getByRole('heading', { name: 'Ask in confidence' }).waitFor();
    expect(await page.content()).not.toContain(canary);
  });
});

function cookieIn(kept: string): string {
  return (JSON.parse(kept) as [object, object, string])[2];
}
