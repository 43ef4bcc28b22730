import { basename } from 'node:path';
import { findListed, readModelList } from '@cloister/models/catalogue/model-list';
import { DigestCache } from '@cloister/models/hub/digest-cache';
import { pullModel } from '@cloister/models/hub/pull';
import { exitCodes, usageError } from '@cloister/server/program/command';
import { formatBytes } from '@cloister/server/program/progress';
import { readFlags, type Subcommand, settingHelp, withRemote } from './models-setting.ts';

const connectionsMax = 16;

export const pullHelp = `Usage: cloister models pull <id>… [options]

Downloads each file that is missing or does not match its digest, and verifies the digest. An interrupted download leaves a
.part file, and the same command resumes it.

  --all                pull every model with a remote source
  --connections <n>    parallel connections, 1 to ${connectionsMax} [4]
${settingHelp}
Environment: HF_TOKEN for private and gated repositories, CLOISTER_HUB for a mirror, HTTPS_PROXY for a proxy.
`;

export const pullModels: Subcommand = async (args, io, hooks) => {
  const command = 'models pull';
  const options = { all: { type: 'boolean' }, connections: { type: 'string' } } as const;
  const { values, positionals, setting } = readFlags(args, { command, io, options });
  if (positionals.length > 0 === (values.all === true))
    throw usageError('pull takes the IDs of models or --all, not both', command);
  const connections = parseConnections(values.connections);
  const models = await readModelList(setting.places);
  const wanted = values.all
    ? models.filter(({ entry }) => entry.source.kind !== 'path')
    : positionals.map((name) => findListed(models, name));
  setting.makeStateFolder();
  const digestCache = await DigestCache.open(setting.digestsPath);
  return withRemote(io, hooks, async ({ progress, ...remote }) => {
    for (const { entry, folders } of wanted) {
      const files = await pullModel(entry, {
        ...remote,
        ...(connections === undefined ? {} : { connections }),
        folders,
        digestCache,
        signal: hooks.signal,
        onProgress: ({ phase, file, ...bytes }) =>
          progress.report({ label: `${phase === 'download' ? 'pulling' : 'hashing'} ${basename(file)}`, ...bytes }),
      });
      progress.finish();
      for (const { path, bytes, outcome } of files) {
        const result = outcome === 'present' ? 'already present' : 'pulled';
        io.stdout.write(`${entry.id}: ${path}  ${formatBytes(bytes)}  ${result}, digest matches\n`);
      }
    }
    return exitCodes.ok;
  });
};

function parseConnections(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const connections = Number(value);
  if (Number.isInteger(connections) && connections >= 1 && connections <= connectionsMax) return connections;
  throw usageError(`--connections must be 1 to ${connectionsMax}, got ${value}`, 'models pull');
}
