/** `cloister ps`: the models of a running server. */
import type { LoadedModel } from '@cloister/server/operator/loaded-model';
import { type CommandIo, exitCodes, table, usageError } from '@cloister/server/program/command';
import { formatBytes } from '@cloister/server/program/progress';
import { callAdmin } from './models/admin-client.ts';
import { adminHelp, readAdminFlags } from './models/admin-flags.ts';

const help = `Usage: cloister ps [options]

Lists the models of a running server: status, main memory that they have claimed, requests, device, and for how long they
have been loaded and idle, and when an idle one is unloaded (--model-idle-ttl-s). Calls the admin API, with the admin token of the state folder.

${adminHelp}`;

/** @returns 0 · @throws {ServerError} ERR_USAGE, ERR_CONFIG, and as `callAdmin` */
export async function run(args: string[], io: CommandIo): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  const { target, json, positionals } = readAdminFlags(args, { command: 'ps', io });
  if (positionals.length > 0) throw usageError(`expected no argument, got ${positionals[0]}`, 'ps');
  const models = (await callAdmin('/admin/models', target)) as readonly LoadedModel[];
  io.stdout.write(json ? `${JSON.stringify({ models }, null, 2)}\n` : describe(models, Date.now()));
  return exitCodes.ok;
}

function describe(models: readonly LoadedModel[], now: number): string {
  const rows = models.map((model) => [
    model.id,
    model.kind,
    model.loadedPercent === null ? model.status : `${model.status} ${model.loadedPercent} %`,
    formatBytes(model.memoryBytes),
    model.sequences === null ? String(model.running) : `${model.running} of ${model.sequences}`,
    String(model.waiting),
    model.device ?? '-',
    model.loadedAt === null ? '-' : duration((now - model.loadedAt) / 1000),
    model.idleSeconds === null ? '-' : duration(model.idleSeconds),
    model.expiresSeconds === null ? '-' : duration(model.expiresSeconds),
  ]);
  return table([
    ['ID', 'KIND', 'STATUS', 'MEMORY', 'RUNNING', 'WAITING', 'DEVICE', 'LOADED', 'IDLE', 'EXPIRES IN'],
    ...rows,
  ]);
}

/** `45 s`, `12 min`, `3 h`, `9 d` */
function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 120) return `${whole} s`;
  if (whole < 7200) return `${Math.floor(whole / 60)} min`;
  return whole < 172_800 ? `${Math.floor(whole / 3600)} h` : `${Math.floor(whole / 86_400)} d`;
}
