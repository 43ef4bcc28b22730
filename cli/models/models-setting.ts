/** Flags, paths and the network client shared by the `models` subcommands. */
import { dirname } from 'node:path';
import type { ParseArgsOptionsConfig } from 'node:util';
import type { ModelFolders } from '@cloister/models/catalogue/catalogue';
import type { CataloguePlaces } from '@cloister/models/catalogue/model-list';
import { isSafeUrl, showUrl } from '@cloister/models/files/safe-url';
import { HttpClient } from '@cloister/models/hub/download';
import { hubDefault } from '@cloister/models/hub/hub';
import type { Clock } from '@cloister/models/hub/retry';
import { ServerError } from '@cloister/server/http/errors';
import { cataloguePlaces } from '@cloister/server/program/catalogue-places';
import type { CommandIo } from '@cloister/server/program/command';
import { parseCommandArgs } from '@cloister/server/program/command-args';
import { readCommandConfig } from '@cloister/server/program/config';
import { createProgress, type ProgressDisplay } from '@cloister/server/program/progress';
import { makeStateFolder, statePaths } from '@cloister/server/program/state-folder';

/** Dependencies that tests replace. */
export interface CommandHooks {
  /** Cancels the command [a signal that SIGINT or SIGTERM aborts]. */
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

export type Subcommand = (
  args: string[],
  io: CommandIo,
  hooks: { readonly signal: AbortSignal; readonly clock?: Clock },
) => Promise<number>;

export interface ModelsSetting {
  /** The catalogues that are read. */
  readonly places: CataloguePlaces;
  /** The catalogue that is changed: the last of `places`. */
  readonly cataloguePath: string;
  /** Of `cataloguePath`. */
  readonly folders: ModelFolders;
  readonly digestsPath: string;
  /** Creates the state folder, for commands that write to it. @throws {ServerError} ERR_START */
  readonly makeStateFolder: () => void;
}

export const settingHelp = `  --catalogue <file>   the only catalogue to use [CLOISTER_CATALOGUE, else the one that comes with Cloister, which never
                       changes, and catalogue.json in the state folder, which these commands change]
  --state-dir <folder> state folder; its subfolder "models" holds the weights [CLOISTER_STATE_DIR, .cloister]
  --config <file>      JSON file of settings, as for serve [CLOISTER_CONFIG]
`;

/** Flags of every subcommand. */
const settingFlags = {
  catalogue: { type: 'string' },
  'state-dir': { type: 'string' },
  config: { type: 'string' },
} as const;

/**
 * @param options the subcommand's own flags
 * @throws {ServerError} ERR_USAGE, ERR_CONFIG
 */
export function readFlags<const Options extends ParseArgsOptionsConfig>(
  args: string[],
  { command, io, options }: { command: string; io: CommandIo; options: Options },
) {
  const { values, positionals } = parseCommandArgs(args, { command, options: { ...settingFlags, ...options } });
  const given = values as { readonly [flag: string]: string | boolean | undefined };
  const settingArgs = Object.keys(settingFlags).flatMap((flag) =>
    given[flag] === undefined ? [] : [`--${flag}`, String(given[flag])],
  );
  const { config } = readCommandConfig(settingArgs, io);
  const places = cataloguePlaces(config);
  const cataloguePath = places.catalogues.at(-1)!.path;
  const { modelsFolder, digestCache } = statePaths(config);
  const setting: ModelsSetting = {
    places,
    cataloguePath,
    folders: { catalogueFolder: dirname(cataloguePath), modelsFolder },
    digestsPath: digestCache,
    makeStateFolder: () => makeStateFolder(config),
  };
  return { values, positionals, setting };
}

export interface Remote {
  readonly client: HttpClient;
  readonly hub: string;
  readonly token: string | undefined;
  readonly progress: ProgressDisplay;
  readonly onRetry: (failure: Error, pauseMs: number) => void;
}

/** Runs `work` with a network client and a progress display, and closes both. */
export async function withRemote<Result>(
  { env, stderr }: CommandIo,
  { clock }: { clock?: Clock },
  work: (remote: Remote) => Promise<Result>,
): Promise<Result> {
  const hub = env.CLOISTER_HUB ?? hubDefault;
  if (!isSafeUrl(hub)) {
    const range = 'an https address (or http on loopback) without credentials';
    throw new ServerError('ERR_CONFIG', `CLOISTER_HUB must be ${range}, got ${showUrl(hub)}`);
  }
  const client = new HttpClient({ env, ...(clock === undefined ? {} : { clock }) });
  const progress = createProgress(stderr);
  const onRetry = ({ message }: Error, pauseMs: number): void =>
    progress.note(`${message} (retrying in ${Math.ceil(pauseMs / 1000)} s)`);
  try {
    return await work({ client, hub, token: env.HF_TOKEN || undefined, progress, onRetry });
  } finally {
    progress.finish();
    client.close();
  }
}
