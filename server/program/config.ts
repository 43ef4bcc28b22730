/**
 * Builds one validated, frozen `Config` from flags, `CLOISTER_*` variables, a JSON file and defaults, in that order of
 * precedence.
 */
import { resolve } from 'node:path';
import { ServerError } from '../http/errors.ts';
import type { CommandIo } from './command.ts';
import { type GivenValue, readFlags, readSettingsFile, readVariables } from './config-sources.ts';
import { settingConflicts } from './setting-conflicts.ts';
import type { Setting } from './setting-kinds.ts';
import { type Config, type SettingName, settings } from './settings.ts';

export type { Config } from './settings.ts';

export interface ConfigSources {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

export interface ConfigOptions {
  /** Boolean flags of the command itself, for example `json`. */
  readonly extra?: readonly string[];
  /** Flags that the command accepts; variables and the file are still validated as a whole. */
  readonly only?: readonly SettingName[];
}

/** Where the value of a setting was given. */
export type Origin = 'default' | 'file' | 'environment' | 'flag';

export interface ReadConfig {
  readonly config: Config;
  readonly origins: Readonly<Record<SettingName, Origin>>;
  /** The configuration file. */
  readonly file: string | undefined;
  /** One line for each kind of ignored variable. */
  readonly warnings: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly positionals: readonly string[];
}

/** The only place that reads the process's environment. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/**
 * Reads every setting.
 * @throws {ServerError} ERR_USAGE for an unknown flag, ERR_CONFIG for anything else; one line for each problem
 */
export function readConfig(sources: ConfigSources, options: ConfigOptions = {}): ReadConfig {
  const { problems, ...read } = examineConfig(sources, options);
  const [first] = problems;
  if (first === undefined) return read;
  if (problems.length === 1) throw first;
  throw new ServerError(first.code, problems.map(({ message }) => message).join('\n'), { cause: first });
}

/** Reads every setting for a command, and prints warnings. @throws as `readConfig` */
export function readCommandConfig(args: readonly string[], io: CommandIo, options: ConfigOptions = {}): ReadConfig {
  const read = readConfig({ args, env: io.env, cwd: io.cwd }, options);
  for (const warning of read.warnings) io.stderr.write(`cloister: warning: ${warning}\n`);
  return read;
}

/** Reads every setting and reports all problems; settings with a problem have their default. */
export function examineConfig(
  { args, env, cwd }: ConfigSources,
  { extra = [], only }: ConfigOptions = {},
): ReadConfig & { readonly problems: readonly ServerError[] } {
  const flags = readFlags(args, { extra, only });
  const variables = readVariables(env);
  const named = flags.file ?? variables.file;
  const path = named === undefined ? undefined : resolve(cwd, named);
  const file = path === undefined ? { given: [], problems: [] } : readSettingsFile(path);
  const problems = [...flags.problems, ...file.problems];
  const values: Record<string, unknown> = {};
  const origins: Record<string, Origin> = {};
  for (const [key, setting] of Object.entries(settings)) {
    values[key] = setting.fallback;
    origins[key] = 'default';
  }
  const take = (given: readonly GivenValue[], origin: Origin) => {
    for (const one of given) {
      const setting: Setting<unknown> = settings[one.key];
      const parsed = setting.parse(one.value as string);
      if (parsed === undefined) problems.push(wrongValue(setting, one));
      else values[one.key] = parsed;
      origins[one.key] = origin;
    }
  };
  take(file.given, 'file');
  take(variables.given, 'environment');
  take(flags.given, 'flag');
  for (const [key, { isPath }] of Object.entries<Setting<unknown>>(settings)) {
    if (isPath === true && typeof values[key] === 'string') values[key] = resolve(cwd, values[key]);
  }
  const config = Object.freeze(values) as Config;
  problems.push(...settingConflicts(config).map((message) => new ServerError('ERR_CONFIG', message)));
  return {
    config,
    origins: origins as Record<SettingName, Origin>,
    file: path,
    problems,
    warnings: variables.warnings,
    flags: flags.flags,
    positionals: flags.positionals,
  };
}

function wrongValue({ range, isSecret }: Setting<unknown>, { name, value }: GivenValue): ServerError {
  const got = isSecret === true ? 'another value' : JSON.stringify(value);
  return new ServerError('ERR_CONFIG', `${name} must be ${range}, got ${got}`);
}
