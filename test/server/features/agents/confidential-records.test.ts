import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agents } from '../../../../agents/registry.ts';
import { readAgentPrints } from '../../../../server/features/agents/records.ts';
import { scratchFolder } from '../../../support/scratch-folder.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

async function printOf(tool = 'export const count = 1;\n') {
  await using scratch = await scratchFolder();
  const folder = scratch.path;
  mkdirSync(join(folder, 'clerk'));
  mkdirSync(join(folder, 'tools'));
  writeFileSync(
    join(folder, 'clerk/index.ts'),
    "import { count } from '../tools/count.ts';\nimport { readFileSync } from 'node:fs';\n",
  );
  writeFileSync(join(folder, 'clerk/prompt.md'), 'Count.\n');
  writeFileSync(join(folder, 'tools/count.ts'), tool);
  writeFileSync(join(folder, 'tools/other.ts'), 'export {};\n');
  return readAgentPrints(['clerk'], folder).get('clerk')!;
}

describe('the measurement of an agent', () => {
  it('covers its prompt and the code of its tools, as listed by sha256sum', async () => {
    const lines = [
      `${sha256("import { count } from '../tools/count.ts';\nimport { readFileSync } from 'node:fs';\n")}  clerk/index.ts\n`,
      `${sha256('export const count = 1;\n')}  tools/count.ts\n`,
    ];
    expect(await printOf()).toEqual({
      id: 'clerk',
      promptSha256: sha256('Count.\n'),
      toolsSha256: sha256(lines.join('')),
    });
  });

  it('changes if a tool changes', async () => {
    const one = await printOf();
    const other = await printOf('export const count = 2;\n');
    expect(other.promptSha256).toBe(one.promptSha256);
    expect(other.toolsSha256).not.toBe(one.toolsSha256);
  });

  it('exists for every agent', () => {
    const prints = readAgentPrints(agents.map(({ slug }) => slug));
    for (const { slug, prompt } of agents) expect(prints.get(slug)!.promptSha256).toBe(sha256(prompt));
  });
});
