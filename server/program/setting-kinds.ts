/** The kinds of settings: how a value is parsed from text or JSON. */

import { isIP } from 'node:net';
import { isLoopback } from '../http/own-host.ts';

/** How one setting is parsed from text or JSON, and described in help and errors. */
export interface Setting<Value> {
  readonly help: string;
  /** The accepted values, for help and errors. */
  readonly range: string;
  readonly fallback: Value;
  /** What help shows in place of the value; by default the range. */
  readonly placeholder?: string;
  /** Relative values are resolved against the working directory. */
  readonly isPath?: boolean;
  /** The flag may be repeated; the values are joined by commas. */
  readonly isList?: boolean;
  /** The value is never printed or measured, only whether it is set. */
  readonly isSecret?: boolean;
  /** @returns undefined if the value is out of range */
  readonly parse: (value: string | number | boolean) => Value | undefined;
}

/** Names in a certificate. */
const namesMax = 32;
/** Nodes that a starting node asks for secrets. */
const originsMax = 16;

interface IntegerOptions {
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
}

/** A whole number within bounds. */
export function integer(help: string, { fallback, min, max }: IntegerOptions): Setting<number> {
  return {
    help,
    fallback,
    range: `${min}…${max}`,
    parse(value) {
      const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
      return Number.isInteger(number) && Number(number) >= min && Number(number) <= max ? Number(number) : undefined;
    },
  };
}

/** A whole number within bounds, or `auto`. */
export function integerOrAuto(help: string, { min, max }: Omit<IntegerOptions, 'fallback'>): Setting<number | 'auto'> {
  const number = integer(help, { fallback: min, min, max });
  return {
    help,
    fallback: 'auto',
    range: `${number.range}|auto`,
    parse: (value) => (value === 'auto' ? 'auto' : number.parse(value)),
  };
}

/** A port, or `off`. */
export function portOrOff(help: string, fallback: number): Setting<number | 'off'> {
  const port = integer(help, { fallback, min: 0, max: 65535 });
  return { ...port, range: `${port.range}|off`, parse: (value) => (value === 'off' ? 'off' : port.parse(value)) };
}

/** A port, `off` or `auto`. */
export function portOrOffOrAuto(help: string): Setting<number | 'off' | 'auto'> {
  const port = portOrOff(help, 0);
  return {
    ...port,
    fallback: 'auto',
    range: `${port.range}|auto`,
    parse: (value) => (value === 'auto' ? 'auto' : port.parse(value)),
  };
}

/** A text that is not empty. */
export function text(help: string, fallback: string): Setting<string> {
  return { help, fallback, range: 'text', parse: (value) => (isFilled(value) ? value : undefined) };
}

/** A text that is not empty, or unset. */
export function optional(help: string): Setting<string | undefined> {
  return { help, fallback: undefined, range: 'text', parse: (value) => (isFilled(value) ? value : undefined) };
}

/** The path of a file, or unset. */
export function file(help: string): Setting<string | undefined> {
  return { ...optional(help), placeholder: 'file', isPath: true };
}

/** The path of a folder. */
export function folder(help: string, fallback: string): Setting<string> {
  return { ...text(help, fallback), placeholder: 'folder', isPath: true };
}

/** Texts separated by commas, or unset. */
export function list(help: string): Setting<string | undefined> {
  return { ...optional(help), isList: true };
}

/** DNS names and IP addresses separated by commas, in lower case, or unset. */
export function hostNames(help: string): Setting<string | undefined> {
  return {
    help,
    fallback: undefined,
    range: `1…${namesMax} DNS names or IP addresses, separated by commas`,
    placeholder: 'name',
    isList: true,
    parse(value) {
      if (!isFilled(value)) return undefined;
      const names = splitNames(value);
      return names.length > 0 && names.length <= namesMax && names.every(isHostName) ? names.join(',') : undefined;
    },
  };
}

/** The names of a value of `hostNames`. */
export function splitNames(value: string | undefined): readonly string[] {
  return [...new Set((value ?? '').split(',').map((name) => name.trim().toLowerCase()))].filter((name) => name !== '');
}

function isHostName(name: string): boolean {
  return (
    isIP(name) !== 0 ||
    (name.length <= 253 && /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(name))
  );
}

/** A text that is never printed, or unset. */
export function secret(help: string): Setting<string | undefined> {
  return { ...optional(help), isSecret: true };
}

/** `https://` and a name, without a path. */
export function httpsOrigin(help: string): Setting<string | undefined> {
  return {
    help,
    fallback: undefined,
    range: 'https://host[:port]',
    placeholder: 'url',
    parse: (value) => (isFilled(value) && isHttpsOrigin(value) ? value : undefined),
  };
}

/** Origins of one kind of server, separated by commas, or unset. */
export function httpsOrigins(help: string): Setting<string | undefined> {
  return {
    help,
    fallback: undefined,
    range: `1…${originsMax} of https://host[:port], separated by commas`,
    placeholder: 'url',
    isList: true,
    parse(value) {
      if (!isFilled(value)) return undefined;
      const origins = splitOrigins(value);
      return origins.length > 0 && origins.length <= originsMax && origins.every(isHttpsOrigin)
        ? origins.join(',')
        : undefined;
    },
  };
}

/** The origins of a value of `httpsOrigins`. */
export function splitOrigins(value: string | undefined): readonly string[] {
  return [...new Set((value ?? '').split(',').map((origin) => origin.trim().replace(/\/$/, '')))].filter(Boolean);
}

function isHttpsOrigin(value: string): boolean {
  const { protocol, pathname, search, hash, username, password } = URL.parse(value) ?? {};
  return protocol === 'https:' && pathname === '/' && [search, hash, username, password].every((part) => part === '');
}

/** `https://…`, or `http://` and a loopback address. */
export function collectorAddress(help: string): Setting<string | undefined> {
  return {
    help,
    fallback: undefined,
    range: 'https://…, or http:// of a loopback address',
    placeholder: 'url',
    parse(value) {
      const url = typeof value === 'string' ? URL.parse(value) : null;
      if (url === null || `${url.username}${url.password}${url.search}${url.hash}` !== '') return undefined;
      const isPrivate = url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, ''));
      return url.protocol === 'https:' || isPrivate ? url.href.replace(/\/+$/, '') : undefined;
    },
  };
}

/** Kept without a trailing slash. */
export function baseAddress(help: string): Setting<string | undefined> {
  return {
    help,
    fallback: undefined,
    range: 'an https:// address without user, query and fragment',
    placeholder: 'url',
    parse(value) {
      const url = typeof value === 'string' ? URL.parse(value) : null;
      const isPlain = url?.protocol === 'https:' && `${url.username}${url.password}${url.search}${url.hash}` === '';
      return isPlain ? url.href.replace(/\/+$/, '') : undefined;
    },
  };
}

/** The first choice is the default. */
export function choice<const Choice extends string>(
  help: string,
  choices: readonly [Choice, ...Choice[]],
): Setting<Choice> {
  return {
    help,
    fallback: choices[0],
    range: choices.join('|'),
    parse: (value) => choices.find((one) => one === value),
  };
}

/** Also 1 and 0, true and false. */
export function toggle(help: string, fallback: boolean): Setting<boolean> {
  const values = new Map<unknown, boolean>([
    ...(['on', '1', 'true', 1, true] as const).map((value) => [value, true] as const),
    ...(['off', '0', 'false', 0, false] as const).map((value) => [value, false] as const),
  ]);
  return { help, fallback, range: 'on|off', parse: (value) => values.get(value) };
}

function isFilled(value: string | number | boolean): value is string {
  return typeof value === 'string' && value.length > 0 && !value.includes('\0');
}
