/** The clients for Python of OpenAI and Anthropic, each check in a process of its own. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type Area, type Check, models, type Place, type TestedClient } from '../client.ts';

const python = join(import.meta.dirname, '../build/python/bin/python3');
const examples = join(import.meta.dirname, '../../../examples');
const timeoutMs = 60_000;

const hasPython = existsSync(python);
if (!hasPython) console.warn('clients for Python are skipped: .ci/install-clients.sh could not install them');

type Address = (place: Place) => string;

/** @returns what the program prints · @throws with its output if it fails */
async function run(args: readonly string[], place: Place, address: Address): Promise<string> {
  const { stdout } = await promisify(execFile)(python, ['-B', ...args], {
    env: {
      ...{ BASE_URL: address(place), API_KEY: place.apiKey, SSL_CERT_FILE: place.certificatePath },
      ...{ CHAT: models.chat, SCRIPTED: models.scripted, EMBEDDING: models.embedding },
    },
    ...{ timeout: timeoutMs, killSignal: 'SIGKILL' },
  });
  return stdout;
}

const titles: Readonly<Record<Area, string>> = {
  text: 'gets an answer',
  stream: 'streams the whole answer',
  tools: 'gets a call and sends its result',
  typed: 'parses an answer by its schema',
  errors: 'raises its own errors for an unknown model, a prompt that is too long and a wrong key',
  embeddings: 'gets embeddings',
  images: 'gets an image',
  tokens: 'counts as many tokens as a message uses',
};

function checks(program: string, areas: readonly Area[], address: Address): Check[] {
  return areas.map((area) => ({
    proves: [area],
    title: titles[area],
    run: async (place) => void (await run([join(import.meta.dirname, program), area], place, address)),
  }));
}

function example(name: string, printed: RegExp, address: Address): Check {
  return {
    proves: ['text', 'stream'],
    title: `runs examples/${name}`,
    async run(place) {
      expect(await run([join(examples, name)], place, address)).toMatch(printed);
    },
  };
}

const openAiUrl: Address = (place) => place.openAiUrl;
const origin: Address = (place) => place.origin;
const common = ['text', 'stream', 'tools', 'typed', 'errors'] as const;

export const pythonClients: readonly TestedClient[] = [
  {
    name: 'openai (Python)',
    package: 'pypi:openai',
    isMissing: !hasPython,
    checks: [
      ...checks('openai_client.py', [...common, 'embeddings'], openAiUrl),
      example('16-openai.py', /^cosine 0\.\d+$/m, openAiUrl),
    ],
  },
  {
    name: 'Anthropic SDK (Python)',
    package: 'pypi:anthropic',
    isMissing: !hasPython,
    checks: [
      ...checks('anthropic_client.py', [...common, 'tokens'], origin),
      example('17-anthropic.py', /^weather\(\{'city': '(Lyon|Oslo)'\}\)$/m, origin),
    ],
  },
];
