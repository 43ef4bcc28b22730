/**
 * What a page costs: bytes on the wire, time to its contents on a slow processor, and memory of the server. With `PAGE_RESULTS=1`
 * (`npm run bench:pages`) the numbers are saved in `bench/results/`.
 */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { describeMachine } from '../../bench/machine.ts';
import { type Case, saveResults } from '../../bench/results.ts';
import { visit, whyNoBrowser } from './support/browser.ts';
import { gzippedBytes, memoryCost, pages } from './support/page-cost.ts';

const gzippedBytesMax = 90_000;
const slowdown = 4;
/** On a processor that is slowed by `slowdown`. */
const firstContentsMsMax = 3_000;
const serverBytesMax = 2_000_000;

const root = new URL('../../web/build/', import.meta.url);
const cases: Case[] = [];
const record = (scenario: string, label: string, sample: Readonly<Record<string, number>>) =>
  cases.push({ scenario, label, samples: { cloister: [sample] } });

afterAll(() => {
  if (process.env.PAGE_RESULTS === undefined || whyNoBrowser !== undefined) return;
  const settings = { slowdown, visits: 5 };
  const head = { name: 'pages', date: new Date().toISOString(), quick: false, machine: describeMachine(), settings };
  console.log(
    `saved in ${saveResults({ ...head, servers: { cloister: [`commit ${describeMachine().commit}`] }, cases })}`,
  );
});

describe('a page', () => {
  it.each(Object.entries(pages))('%s has at most 90 kB after compression', (path, file) => {
    const bytes = gzippedBytes(file);
    record('size', path, { gzippedKilobytes: bytes / 1000 });
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

describe('a server', () => {
  it('has at most 2 MB more memory for pages that nobody visits, and for those that were visited', () => {
    const { beforeFirstVisit, afterAllVisits } = memoryCost();
    record('memory', 'routes of the pages, before the first visit', { addedKilobytes: beforeFirstVisit / 1000 });
    record('memory', 'every page visited', { addedKilobytes: afterAllVisits / 1000 });
    expect(beforeFirstVisit).toBeLessThan(serverBytesMax);
    expect(afterAllVisits).toBeLessThan(serverBytesMax);
    expect(afterAllVisits).toBeGreaterThan(100_000);
  });
});

describe.skipIf(whyNoBrowser !== undefined)('a visit', () => {
  const server = visit();

  it.each(['/', '/chat', '/usage', '/reference', '/status', '/sign-in'])(
    'of %s shows contents soon on a slow processor',
    async (path) => {
      const paints: number[] = [];
      for (let round = 0; round < 5; round++) {
        const { page } = await server.window();
        const client = await page.context().newCDPSession(page);
        await client.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
        await page.goto(`${server.origin}${path}`);
        await page.locator('h1, h2').first().waitFor();
        const found = await page.evaluate(() =>
          performance.getEntriesByName('first-contentful-paint').map((one) => one.startTime),
        );
        paints.push(found[0]!);
        await server.forget();
      }
      const median = paints.sort((a, b) => a - b)[2]!;
      record('first contents', path, { firstContentsMs: Math.round(median) });
      expect(median).toBeLessThan(firstContentsMsMax);
    },
  );
});
