/** Where settings come from: flags, `CLOISTER_*` variables and a JSON file. Values are not validated here. */
import { parseArgs } from 'node:util';
import { ServerError } from '../http/errors.ts';
import { readJsonFile } from './json-file.ts';
import type { Setting } from './setting-kinds.ts';
import { flagName, type SettingName, settings, variableName } from './settings.ts';
import { nearest, suggestion } from './suggestion.ts';

/** A value as it was given. */
export interface GivenValue {
  readonly key: SettingName;
  /** The name that the operator used: a flag, a variable or a key of the file. */
  readonly name: string;
  readonly value: unknown;
}

/** What a source contains, and everything that is wrong with it. */
export interface SourceContent {
  readonly given: readonly GivenValue[];
  readonly problems: readonly ServerError[];
}

const prefix = 'CLOISTER_';
/** Names of ignored variables that a warning lists; the others are counted. */
const namesShownMax = 8;

/** The flags of a command line. @param only settings that the command accepts as flags */
export function readFlags(
  args: readonly string[],
  { extra, only }: { extra: readonly string[]; only?: readonly string[] | undefined },
): SourceContent & { file: string | undefined; flags: ReadonlySet<string>; positionals: readonly string[] } {
  const keys = new Map([...(only ?? Object.keys(settings)), 'config'].map((key) => [flagName(key), key]));
  const options = Object.fromEntries([
    ...[...keys.keys()].map((flag) => [flag, { type: 'string' as const }]),
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
  const problems: ServerError[] = [];
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const key = keys.get(token.name);
    const isKnown = token.rawName.startsWith('--');
    if (isKnown && key === undefined && extra.includes(token.name)) flags.add(token.name);
    else if (!isKnown || key === undefined) {
      const known = [...keys.keys(), ...extra].map((flag) => `--${flag}`);
      problems.push(unknown(token.rawName, { known, code: 'ERR_USAGE' }));
    } else if (token.value === undefined) {
      problems.push(new ServerError('ERR_USAGE', `${token.rawName} needs a value`));
    } else {
      const before = isList(key) ? values.get(key) : undefined;
      values.set(key, before === undefined ? token.value : `${before},${token.value}`);
    }
  }
  const file = values.get('config');
  values.delete('config');
  const given = [...values].map(([key, value]) => ({ key: key as SettingName, name: `--${flagName(key)}`, value }));
  return { given, problems, file, flags, positionals };
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

/**
 * The variables that are settings. Others that begin with `CLOISTER_` are ignored with a warning: Kubernetes sets some
 * for a Service of that name, and other programs may use the prefix.
 */
export function readVariables(env: Readonly<Record<string, string | undefined>>): {
  readonly given: readonly GivenValue[];
  readonly file: string | undefined;
  readonly warnings: readonly string[];
} {
  const keys = new Map(Object.keys(settings).map((key) => [variableName(key), key as SettingName]));
  const given: GivenValue[] = [];
  const [unknownNames, serviceNames]: [string[], string[]] = [[], []];
  for (const [name, value] of Object.entries(env)) {
    if (!name.startsWith(prefix) || name === 'CLOISTER_CONFIG' || value === undefined) continue;
    const key = keys.get(name);
    if (isServiceAddress(value) || (key === undefined && isServiceVariable(name))) serviceNames.push(name);
    else if (key === undefined) unknownNames.push(name);
    else given.push({ key, name, value });
  }
  const warnings = [
    ...unknownWarning(unknownNames, [...keys.keys(), 'CLOISTER_CONFIG']),
    ...serviceWarning(serviceNames),
  ];
  return { given, file: env.CLOISTER_CONFIG, warnings };
}

/** The form in which Kubernetes gives the address of a Service: `CLOISTER_PORT=tcp://10.0.0.1:8443`. */
function isServiceAddress(value: string): boolean {
  return value.length <= 300 && /^(tcp|udp|sctp):\/\/[^/]+:\d{1,5}$/.test(value);
}

function isServiceVariable(name: string): boolean {
  return /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d{1,5}_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name);
}

function unknownWarning(names: readonly string[], known: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, namesShownMax).map((name) => {
    const near = nearest(withoutPrefix(name), known.map(withoutPrefix));
    return near === undefined ? showName(name) : `${showName(name)} (did you mean ${prefix}${near}?)`;
  });
  return [`ignored variables that are not settings: ${listed(shown, names.length)}`];
}

function serviceWarning(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = listed(names.slice(0, namesShownMax).map(showName), names.length);
  const remedy = 'if one is meant as a setting, use its flag, or set enableServiceLinks: false in the Pod';
  return [`ignored variables that Kubernetes sets for a Service: ${shown}; ${remedy}`];
}

function withoutPrefix(name: string): string {
  return name.slice(prefix.length);
}

function listed(shown: readonly string[], count: number): string {
  return count > shown.length ? `${shown.join(', ')} and ${count - shown.length} more` : shown.join(', ');
}

/** Names of variables may contain any character. */
function showName(name: string): string {
  return /^\w{1,80}$/.test(name) ? name : `${JSON.stringify(name.slice(0, 80))}`;
}

/** A JSON object whose keys are settings. */
export function readSettingsFile(path: string): SourceContent {
  let content: Readonly<Record<string, unknown>>;
  try {
    content = readJsonFile(path, `configuration file ${path}`);
  } catch (error) {
    return { given: [], problems: [error as ServerError] };
  }
  const entries = Object.entries(content);
  const isKnown = ([key]: readonly [string, unknown]) => Object.hasOwn(settings, key);
  return {
    given: entries.filter(isKnown).map(([key, value]) => ({
      key: key as SettingName,
      name: `${key} in ${path}`,
      value: isList(key) && Array.isArray(value) ? value.join(',') : value,
    })),
    problems: entries
      .filter((entry) => !isKnown(entry))
      .map(([key]) => unknown(key, { known: Object.keys(settings), code: 'ERR_CONFIG', where: ` in ${path}` })),
  };
}

function isList(key: string): boolean {
  const all: Readonly<Record<string, Setting<unknown>>> = settings;
  return all[key]?.isList === true;
}

function unknown(
  name: string,
  { known, code, where = '' }: { known: readonly string[]; code: 'ERR_USAGE' | 'ERR_CONFIG'; where?: string },
): ServerError {
  return new ServerError(code, `${name}${where} is not a setting${suggestion(name, known)}`);
}
