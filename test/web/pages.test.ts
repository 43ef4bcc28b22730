/** Every page, at three widths and in both themes: accessible, complete, and inside the content policy. */
import { afterEach, describe, expect, it } from 'vitest';
import { accessibilityViolations, overflowOf, visit, whyNoBrowser } from './support/browser.ts';

const paths = ['/', '/chat', '/usage', '/reference', '/status', '/sign-in'];
const looks = [360, 768, 1280].flatMap((width) => (['light', 'dark'] as const).map((theme) => ({ width, theme })));

describe.skipIf(whyNoBrowser !== undefined)('the pages', () => {
  const server = visit();
  afterEach(() => server.forget());

  it.each(looks)('are accessible and fit a window of $width pixels, $theme', async (look) => {
    const { page, faults } = await server.signedIn(look);
    for (const path of paths) {
      await page.goto(`${server.origin}${path}`);
      await page.locator('main h1').first().waitFor();
      await page.waitForFunction(() => !/Loading|Checking evidence/.test(document.body.textContent));
      expect({ path, found: await accessibilityViolations(page) }).toEqual({ path, found: [] });
      expect({ path, overflow: await overflowOf(page) }).toEqual({ path, overflow: 0 });
    }
    // At most two rows.
    expect((await page.locator('header.bar').boundingBox())!.height).toBeLessThan(110);
    expect(faults).toEqual([]);
  });

  it('ask people who are not signed in to sign in, and show the rest', async () => {
    const { page, faults } = await server.window();
    for (const path of ['/chat', '/usage']) {
      await page.goto(`${server.origin}${path}`);
      await page.getByRole('heading', { name: /^Sign in to/ }).waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
    }
    await page.goto(`${server.origin}/reference`);
    await page.getByText('/v1/chat/completions').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('change their theme, and keep the choice', async () => {
    const { page } = await server.window();
    await page.goto(server.origin);
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.getByRole('button', { name: /Theme/ }).click();
    await page.getByRole('button', { name: /Theme: light/ }).click();
    await expect.poll(paper).not.toBe(light);
    const dark = await paper();
    await page.reload();
    await page.getByRole('button', { name: /Theme: dark/ }).waitFor();
    await expect.poll(paper).toBe(dark);
  });

  it('show what the server published, with a reason for each check', async () => {
    const { page } = await server.signedIn();
    await page.getByRole('button', { name: 'Simulated machine' }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('This machine is simulated.').waitFor();
    expect(await drawer.locator('.checks li').count()).toBeGreaterThan(10);
    expect(await drawer.locator('.checks li.fail').count()).toBe(0);
    expect(await accessibilityViolations(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      drawer.getByText('Save the evidence').click(),
    ]);
    expect(download.suggestedFilename()).toBe('cloister-evidence.json');
  });

  it('show when the server could not serve', async () => {
    const { page } = await server.window();
    const incidents = [
      { check: 'models', from: '2026-11-23T10:00:00.000Z', to: null },
      { check: 'accounts', from: '2026-11-23T09:00:00.000Z', to: '2026-11-23T09:01:00.000Z' },
    ];
    await page.goto(`${server.origin}/status`);
    await page.getByText('None since the server first became ready.').waitFor();
    await page.route('**/health/incidents', (route) => route.fulfill({ json: { incidents } }));
    await page.getByText('A model was loaded again until now').waitFor();
    await page.getByText('The account database was unavailable until 23 Nov 2026').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('load nothing from other hosts', async () => {
    const { page } = await server.signedIn();
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    for (const path of paths) await page.goto(`${server.origin}${path}`, { waitUntil: 'networkidle' });
    expect([...hosts].filter((host) => host !== '')).toEqual([new URL(server.origin).host]);
  });
});
