import type { LoadedModel } from '@cloister/server/operator/loaded-model';
import { exitCodes, usageError } from '@cloister/server/program/command';
import { formatBytes } from '@cloister/server/program/progress';
import { callAdmin } from './admin-client.ts';
import { adminHelp, readAdminFlags } from './admin-flags.ts';
import type { Subcommand } from './models-setting.ts';

export const loadHelp = `Usage: cloister models load <id> [options]

Loads a model of the catalogue into a running server, by id or alias, and waits until it serves. The server verifies its files,
checks that it fits the memory, and measures it into its start log before the first request: clients whose policy does not name
the model then reject the server until it is restarted. Calls the admin API, with the admin token of the state folder.

Options:
${adminHelp}`;

export const unloadHelp = `Usage: cloister models unload <id> [options]

Unloads a model of a running server: new requests are refused, running ones finish, then its memory is free. The start log keeps
the model, so evidence still names it until the server is restarted. Calls the admin API, with the admin token of the state folder.

Options:
${adminHelp}`;

/** A load of a large model takes minutes. */
const loadTimeoutMs = 6 * 3_600_000;

export const loadModel: Subcommand = async (args, io, { signal }) => {
  const { target, json, id } = readId(args, { command: 'models load', io });
  const call = { method: 'POST', body: { id }, timeoutMs: loadTimeoutMs, signal };
  const model = (await callAdmin('/admin/models', { ...target, ...call })) as LoadedModel;
  if (json) io.stdout.write(`${JSON.stringify(model, null, 2)}\n`);
  else io.stdout.write(`${model.id} is loaded: ${formatBytes(model.memoryBytes)}, ${model.device ?? '-'}\n`);
  return exitCodes.ok;
};

export const unloadModel: Subcommand = async (args, io, { signal }) => {
  const { target, json, id } = readId(args, { command: 'models unload', io });
  const call = { method: 'DELETE', timeoutMs: loadTimeoutMs, signal };
  const model = (await callAdmin(`/admin/models/${encodeURIComponent(id)}`, { ...target, ...call })) as LoadedModel;
  io.stdout.write(json ? `${JSON.stringify(model, null, 2)}\n` : `${model.id} is unloaded\n`);
  return exitCodes.ok;
};

function readId(args: string[], { command, io }: Parameters<typeof readAdminFlags>[1]) {
  const { target, json, positionals } = readAdminFlags(args, { command, io });
  const [id, other] = positionals;
  if (id === undefined) throw usageError('expected the id of a model, got nothing', command);
  if (other !== undefined) throw usageError(`expected one id, got also ${other}`, command);
  return { target, json, id };
}
