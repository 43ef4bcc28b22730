/** Claude Code, the command line of Anthropic, in a session that writes a file. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { models, type Place, sunny, type TestedClient } from '../client.ts';
import { fileName, written } from '../scripted-model.ts';
import { runAgentExample } from './command.ts';

/** The program that the package's install script would copy. */
const program = join(import.meta.dirname, '../node_modules/@anthropic-ai/claude-code-linux-x64/claude');

function start({ origin, apiKey, certificatePath, folder }: Place) {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(program, join(bin, 'claude'));
  const env = {
    ...{ BASE_URL: `${origin}/v1`, API_KEY: apiKey, CERTIFICATE: certificatePath, MODEL: models.scripted },
    // A retry would not change the answer to a wrong key.
    CLAUDE_CODE_MAX_RETRIES: '0',
  };
  return runAgentExample('15-claude-code.sh', { folder, bin, env });
}

export const claudeCode: TestedClient = {
  name: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  checks: [
    {
      proves: ['text', 'stream', 'tools'],
      title: 'writes a file as the model asks, and shows the closing answer (examples/15-claude-code.sh)',
      timeoutMs: 180_000,
      async run(place) {
        const { code, output } = await start(place);
        expect(code, output).toBe(0);
        expect(readFileSync(join(place.folder, 'work', fileName), 'utf8')).toBe(written);
        expect(output).toContain(sunny);
      },
    },
    {
      proves: ['errors'],
      title: 'ends with an error and the status for a wrong key',
      timeoutMs: 180_000,
      async run(place) {
        const { code, output } = await start({ ...place, apiKey: 'clst_wrong' });
        expect(code).toBe(1);
        expect(output).toContain('401');
      },
    },
  ],
};
