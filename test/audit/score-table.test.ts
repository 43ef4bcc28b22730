/**
 * The scores that the documentation shows are those that `cloister score` prints. After a change:
 * `UPDATE_SCORES=1 npx vitest run --project unit test/audit/score-table.test.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { factors, tiers } from '../../attestation/score/factors.ts';
import type { ScoreJson } from '../../attestation/score/report.ts';
import { scoreOf, startPaperScene, startSimulatedScene } from '../support/attestation/score-scenes.ts';

const page = join(import.meta.dirname, '../../docs/audit/score.md');
const scenes = [await startSimulatedScene(), await startPaperScene()];
afterAll(() => Promise.all(scenes.map((scene) => scene.close())));

const words = ['PASS', 'FAIL', 'SKIP', 'N/A'];

function table(scores: readonly ScoreJson[]): string {
  const rows = factors
    .filter(({ tier }) => tier !== tiers.gateway)
    .map(({ name, passes }) => {
      const cells = scores.map(({ factors }) => words[factors.find((factor) => factor.name === name)!.status]);
      return `| \`${name}\` | ${cells.join(' | ')} | ${passes} |`;
    });
  const sums = scores.map(({ passed, failed, skipped }) => `${passed} of ${passed + failed + skipped}`);
  const heading = ['| factor | simulated | TDX and one GPU, on paper | it passes where |', '|---|---|---|---|'];
  const gateways = factors.filter(({ tier }) => tier === tiers.gateway).length;
  rows.push(`| \`gateway_…\`, ${gateways} | N/A | N/A | a gateway between proves the same of itself |`);
  return [...heading, ...rows, `| **score** | **${sums.join('** | **')}** | |`].join('\n');
}

it('docs/audit/score.md shows what cloister score prints', async () => {
  const scores = [];
  for (const scene of scenes) scores.push((await scoreOf(scene)).score);
  const text = readFileSync(page, 'utf8');
  const [before, , after] = text.split(/<!-- (?:computed|end) -->\n/);
  const expected = `${before}<!-- computed -->\n${table(scores)}\n<!-- end -->\n${after}`;
  if (process.env.UPDATE_SCORES !== undefined) writeFileSync(page, expected);
  else expect(text).toBe(expected);
});
