/** Codex, the command line of OpenAI, in a session that writes a file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { models, type Place, sunny, type TestedClient } from '../client.ts';
import { fileName, written } from '../scripted-model.ts';
import { runAgentExample } from './command.ts';

const bin = join(import.meta.dirname, '../node_modules/.bin');

const start = ({ openAiUrl, apiKey, certificatePath, folder }: Place) =>
  runAgentExample('14-codex.sh', {
    ...{ folder, bin },
    env: { BASE_URL: openAiUrl, API_KEY: apiKey, CERTIFICATE: certificatePath, MODEL: models.scripted },
  });

export const codex: TestedClient = {
  name: 'Codex',
  package: '@openai/codex',
  checks: [
    {
      proves: ['text', 'stream', 'tools'],
      title: 'runs a command of the model that writes a file, and shows the closing answer (examples/14-codex.sh)',
      timeoutMs: 180_000,
      async run(place) {
        const { code, output } = await start(place);
        expect(code, output).toBe(0);
        expect(readFileSync(join(place.folder, 'work', fileName), 'utf8').trim()).toBe(written);
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
