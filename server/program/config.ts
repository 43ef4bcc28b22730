/**
 * Builds one validated, frozen `Config` from flags, `CLOISTER_*` variables, a JSON file and defaults, in that order of
 * precedence.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ServerError } from '../http/errors.ts';
import { flagName, type Setting, type SettingName, settings, variableName } from './settings.ts';

export type Config = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer Value> ? Value : never;
};

export interface ConfigSources {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** Settings that are paths; relative ones are resolved against the working directory. */
const paths: ReadonlySet<string> = new Set([
  'stateDir',
  'catalogue',
  'tlsCert',
  'tlsKey',
  'tlsChain',
  'computeCa',
] satisfies SettingName[]);

/** The only place that reads the process's environment. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/**
 * Reads every setting.
 * @param extra boolean flags of the command itself, for example `json`
 * @param only flags that the command accepts; variables and the file are still validated as a whole
 * @throws {ServerError} ERR_USAGE for an unknown flag, ERR_CONFIG for anything else
 */
export function readConfig(
  { args, env, cwd }: ConfigSources,
  { extra = [], only }: { extra?: readonly string[]; only?: readonly SettingName[] } = {},
): { config: Config; flags: ReadonlySet<string>; positionals: readonly string[] } {
  const given = readFlags(args, { extra, only });
  const file = given.values.get('config') ?? env.CLOISTER_CONFIG;
  const sources = [
    ...(file === undefined ? [] : fromFile(resolve(cwd, String(file)))),
    ...fromVariables(env),
    ...fromFlags(given.values),
  ];
  const values: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries(settings)) values[key] = setting.fallback;
  for (const { key, name, value } of sources) values[key] = check(key as SettingName, { name, value });
  for (const key of paths) if (typeof values[key] === 'string') values[key] = resolve(cwd, values[key]);
  const config = Object.freeze(values) as Config;
  requireTogether(config);
  return { config, flags: given.flags, positionals: given.positionals };
}

interface Source {
  readonly key: string;
  /** The name that the operator used: a flag, a variable or a key of the file. */
  readonly name: string;
  readonly value: string | number | boolean;
}

function check(key: SettingName, { name, value }: { name: string; value: string | number | boolean }): unknown {
  const setting: Setting<unknown> = settings[key];
  const parsed = setting.parse(value);
  if (parsed === undefined) {
    throw new ServerError('ERR_CONFIG', `${name} must be ${setting.range}, got ${JSON.stringify(value)}`);
  }
  return parsed;
}

function readFlags(
  args: readonly string[],
  { extra, only }: { extra: readonly string[]; only?: readonly string[] | undefined },
) {
  const keys = [...(only ?? Object.keys(settings)), 'config'];
  const known = [...keys.map(flagName), ...extra];
  const options = Object.fromEntries([
    ...keys.map((key) => [flagName(key), { type: 'string' as const }]),
    ...extra.map((flag) => [flag, { type: 'boolean' as const }]),
  ]);
  const { tokens, positionals } = parseArgs({
    args: spellOutToggles(args),
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values = new Map<string, string>();
  const flags = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const key = keys.find((one) => flagName(one) === token.name);
    if (key === undefined && extra.includes(token.name)) flags.add(token.name);
    else if (key === undefined)
      throw unknown(
        token.rawName,
        known.map((flag) => `--${flag}`),
        { code: 'ERR_USAGE' },
      );
    else if (token.value === undefined) throw new ServerError('ERR_USAGE', `${token.rawName} needs a value`);
    else values.set(key, token.value);
  }
  return { values, flags, positionals };
}

/** A toggle may stand alone: `--simulate-tdx` means `--simulate-tdx=on`. */
function spellOutToggles(args: readonly string[]): string[] {
  const toggles = Object.entries<Setting<unknown>>(settings).filter(
    ([, { fallback }]) => typeof fallback === 'boolean',
  );
  return args.map((arg, index) => {
    const toggle = toggles.find(([key]) => arg === `--${flagName(key)}`);
    if (toggle === undefined || toggle[1].parse(args[index + 1] ?? '') !== undefined) return arg;
    return `${arg}=on`;
  });
}

function fromFlags(values: ReadonlyMap<string, string>): Source[] {
  return [...values]
    .filter(([key]) => key !== 'config')
    .map(([key, value]) => ({ key, name: `--${flagName(key)}`, value }));
}

function fromVariables(env: ConfigSources['env']): Source[] {
  const keys = new Map([...Object.keys(settings), 'config'].map((key) => [variableName(key), key]));
  return Object.entries(env).flatMap(([name, value]) => {
    if (!name.startsWith('CLOISTER_') || value === undefined) return [];
    const key = keys.get(name);
    if (key === undefined) throw unknown(name, [...keys.keys()], { code: 'ERR_CONFIG' });
    return key === 'config' ? [] : [{ key, name, value }];
  });
}

function fromFile(path: string): Source[] {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new ServerError('ERR_CONFIG', `configuration file ${path} cannot be read: ${(cause as Error).message}`, {
      cause,
    });
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new ServerError('ERR_CONFIG', `configuration file ${path} must hold a JSON object`);
  }
  return Object.entries(content).map(([key, value]) => {
    if (!Object.hasOwn(settings, key))
      throw unknown(key, Object.keys(settings), { code: 'ERR_CONFIG', where: ` in ${path}` });
    return { key, name: `${key} in ${path}`, value };
  });
}

function requireTogether({ tlsCert, tlsKey, tlsChain, computeUrl, computeCa }: Config): void {
  if (computeCa !== undefined && computeUrl === undefined) {
    throw new ServerError('ERR_CONFIG', '--compute-url is missing: --compute-ca applies to its certificate');
  }
  if (tlsChain !== undefined && tlsKey !== undefined) {
    throw new ServerError(
      'ERR_CONFIG',
      '--tls-chain applies to the key of this run, --tls-key replaces that key: set only one of them',
    );
  }
  if ((tlsCert === undefined) === (tlsKey === undefined)) return;
  const missing = tlsCert === undefined ? 'tlsCert' : 'tlsKey';
  throw new ServerError('ERR_CONFIG', `--${flagName(missing)} is missing: set a certificate and its key together`);
}

function unknown(
  name: string,
  known: readonly string[],
  { code, where = '' }: { code: 'ERR_USAGE' | 'ERR_CONFIG'; where?: string },
): ServerError {
  const nearest = known.toSorted((a, b) => distance(a, name) - distance(b, name))[0];
  return new ServerError(code, `${name}${where} is not a setting; did you mean ${nearest}?`);
}

/** Edit distance (Levenshtein), row by row. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const substitution = previous[column]! + (letter === other ? 0 : 1);
      current.push(Math.min(substitution, previous[column + 1]! + 1, current[column]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
