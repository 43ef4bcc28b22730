import { basename } from 'node:path';
import type { ModelFile } from '@cloister/models/catalogue/catalogue';
import { findListed, type ListedModel, readModelList } from '@cloister/models/catalogue/model-list';
import { verifyFile } from '@cloister/models/hub/digest';
import { DigestCache } from '@cloister/models/hub/digest-cache';
import { ModelError } from '@cloister/models/interface/errors';
import { exitCodes, table } from '@cloister/server/program/command';
import { createProgress } from '@cloister/server/program/progress';
import { readFlags, type Subcommand, settingHelp } from './models-setting.ts';

export const verifyHelp = `Usage: cloister models verify [<id>…] [--json]

Hashes every file of the named models, or of all models, and compares it with the catalogue's digest. The digest cache is
not used. Exits with 1 if a file is missing or does not match.

${settingHelp}`;

interface Finding {
  readonly id: string;
  readonly file: string;
  readonly result: 'ok' | 'mismatch' | 'missing' | 'changed';
  /** The error and the action to take; empty if the result is ok. */
  readonly message: string;
}

const results: Readonly<Record<string, Finding['result']>> = {
  ERR_DIGEST_MISMATCH: 'mismatch',
  ERR_FILE_MISSING: 'missing',
  ERR_FILE_CHANGED: 'changed',
};

export const verifyModels: Subcommand = async (args, io, { signal }) => {
  const options = { json: { type: 'boolean' } } as const;
  const { values, positionals, setting } = readFlags(args, { command: 'models verify', io, options });
  const models = await readModelList(setting.places);
  const wanted = positionals.length === 0 ? models : positionals.map((name) => findListed(models, name));
  setting.makeStateFolder();
  const digestCache = await DigestCache.open(setting.digestsPath);
  const progress = createProgress(io.stderr);
  const verify = async ({ entry, folders }: ListedModel, file: ModelFile): Promise<Finding> => {
    const about = { id: entry.id, file: file.path };
    try {
      const { identity, sha256 } = await verifyFile(entry, file, {
        folders,
        signal,
        onProgress: ({ file: path, ...bytes }) => progress.report({ label: `hashing ${basename(path)}`, ...bytes }),
      });
      digestCache.remember(identity, sha256);
      return { ...about, result: 'ok', message: '' };
    } catch (error) {
      const result = error instanceof ModelError ? results[error.code] : undefined;
      if (result === undefined) throw error;
      return { ...about, result, message: (error as Error).message };
    }
  };
  const findings: Finding[] = [];
  for (const model of wanted) for (const file of model.entry.files) findings.push(await verify(model, file));
  progress.finish();
  await digestCache.save();
  io.stdout.write(values.json ? `${JSON.stringify({ files: findings }, null, 2)}\n` : describe(findings));
  return findings.every(({ result }) => result === 'ok') ? exitCodes.ok : exitCodes.failure;
};

function describe(findings: readonly Finding[]): string {
  const rows = findings.map(({ id, file, result }) => [id, file, result]);
  const messages = findings.filter(({ message }) => message !== '').map(({ message }) => `\n${message}\n`);
  return `${table([['ID', 'FILE', 'RESULT'], ...rows])}${messages.join('')}`;
}
