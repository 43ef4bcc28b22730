/** What a page costs: bytes on the wire, time to its contents on a slow processor, and memory of the server. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { visit, whyNoBrowser } from './support/browser.ts';

const gzippedBytesMax = 90_000;
/** On a processor that is slowed four times. */
const firstContentsMsMax = 3_000;
const serverBytesMax = 2_000_000;

const root = new URL('../../web/build/', import.meta.url);
const { pages } = JSON.parse(readFileSync(new URL('pages.json', root), 'utf8')) as { pages: Record<string, string> };

describe('a page', () => {
  it.each(Object.entries(pages))('%s has at most 90 kB after compression', (_path, file) => {
    const seen = new Set([file]);
    for (const name of seen) {
      const text = readFileSync(new URL(name, root), 'utf8');
      const found = text.matchAll(/(?:\/assets\/|["'`]\.\/)([\w-]+\.(?:js|css|svg))/g);
      for (const [, asset] of found) seen.add(asset!);
    }
    const bytes = [...seen].reduce(
      (sum, name) => sum + gzipSync(readFileSync(new URL(name, root)), { level: 9 }).length,
      0,
    );
    expect(bytes).toBeLessThanOrEqual(gzippedBytesMax);
    expect(bytes).toBeGreaterThan(10_000);
  });

  it('has no inline code or style', () => {
    for (const file of Object.values(pages)) {
      const html = readFileSync(new URL(file, root), 'utf8');
      expect(html).not.toMatch(/<style|style=|<script(?![^>]*src=)|\son\w+=/);
    }
  });
});

describe.skipIf(whyNoBrowser !== undefined)('a visit', () => {
  const server = visit();

  it('shows contents soon on a slow processor, and costs the server little memory', async () => {
    const bytes = () =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.server.process.pid}/status`, 'utf8'))![1]) * 1024;
    const { page } = await server.window();
    const client = await page.context().newCDPSession(page);
    await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    const before = bytes();
    await page.goto(server.origin, { waitUntil: 'networkidle' });
    const [paint] = await page.evaluate(() =>
      performance.getEntriesByName('first-contentful-paint').map(({ startTime }) => startTime),
    );
    const grown = bytes() - before;
    console.log(
      `first contents after ${Math.round(paint!)} ms at a quarter of the speed, server +${Math.round(grown / 1e3)} kB`,
    );
    expect(paint).toBeLessThan(firstContentsMsMax);
    // A handshake and a quote cost memory too, so the limit is checked on the files alone.
    const { PageFiles } = await import('../../server/features/pages/page-files.ts');
    const files = new PageFiles();
    const index = (await files.index())!;
    const all = await Promise.all([...Object.values(index.pages), ...index.assets].map((name) => files.file(name)));
    const held = all.reduce((sum, { plain, gzipped }) => sum + plain.length + gzipped.length, 0);
    expect(held).toBeLessThan(serverBytesMax);
  });
});
