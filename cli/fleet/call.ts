/** What a command of `cloister fleet` was called with. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import { usageError } from '@cloister/server/program/command';
import { parseCommandArgs } from '@cloister/server/program/command-args';
import { simulationPolicy } from './fleet-up.ts';
import { type FleetPaths, fleetPaths, lockFleet, type Release } from './state.ts';

export interface FleetCall {
  readonly values: FleetValues;
  readonly positionals: readonly string[];
  /** After `--`; undefined without it. */
  readonly serveOptions: readonly string[] | undefined;
  readonly paths: FleetPaths;
  readonly cwd: string;
}

export type FleetValues = ReturnType<typeof parseFleetArgs>['values'];

const program = resolve(import.meta.dirname, '../cloister.mjs');
const text = { type: 'string' } as const;
const toggle = { type: 'boolean' } as const;

/** @param args without the name of the command and what follows `--` · @throws {ServerError} ERR_USAGE */
export function parseFleetArgs(args: readonly string[]) {
  return parseCommandArgs(args, {
    command: 'fleet',
    options: {
      ...{ nodes: text, port: text, policy: text, program: text, 'evidence-timeout-s': text, 'state-dir': text },
      ...{ swarm: text, image: text, simulated: toggle, 'metrics-port': text, json: toggle },
      ...{
        auto: toggle,
        min: text,
        max: text,
        'up-above-s': text,
        'up-above-tokens': text,
        'down-below-s': text,
        'interval-s': text,
      },
      ...{ 'cooldown-s': text, once: toggle, 'dry-run': toggle },
    },
  });
}

/** @param args after `fleet` and the name of the command · @throws {ServerError} ERR_USAGE */
export function fleetCall(args: readonly string[], cwd: string): FleetCall {
  const at = args.indexOf('--');
  const { values, positionals } = parseFleetArgs(at < 0 ? args : args.slice(0, at));
  const paths = fleetPaths(resolve(cwd, values['state-dir'] ?? '.cloister-fleet'));
  return { values, positionals, paths, cwd, serveOptions: at < 0 ? undefined : args.slice(at + 1) };
}

/** Runs `work` while no other command changes the fleet. @throws {ServerError} ERR_START if one does */
export async function locked<Result>(paths: FleetPaths, work: () => Promise<Result>): Promise<Result> {
  const lock = lockFleet(paths);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** @param last the release that the fleet runs, whose facts are kept where the command names no others */
export function releaseOf({ values, serveOptions, cwd }: FleetCall, last: Release | undefined): Release {
  const policy = values.policy === undefined ? (last?.policy ?? simulationPolicy()) : readPolicy(values.policy, cwd);
  return {
    number: (last?.number ?? 0) + 1,
    program: values.program === undefined ? (last?.program ?? program) : resolve(cwd, values.program),
    options: serveOptions ?? last?.options ?? [],
    cwd: serveOptions === undefined ? (last?.cwd ?? cwd) : cwd,
    policy,
  };
}

/** @returns the text · @throws {AttestationError} ERR_POLICY_MALFORMED · @throws {ServerError} ERR_USAGE */
export function readPolicy(path: string, cwd: string): string {
  let policy: string;
  try {
    policy = readFileSync(resolve(cwd, path), 'utf8');
  } catch (error) {
    throw usageError(`--policy: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, 'fleet');
  }
  parseEvidencePolicy(policy);
  return policy;
}

export function noArgument({ positionals }: FleetCall, name: string): void {
  if (positionals.length > 0) throw usageError(`${name} takes no argument, got ${positionals[0]}`, 'fleet');
}

/** The one argument of a command, a number from 1. @param takes message of the refusal · @throws {ServerError} ERR_USAGE */
export function onlyNumber({ positionals }: FleetCall, { takes, max }: { takes: string; max: number }): number {
  const [word = '', ...more] = positionals;
  const number = Number(word);
  if (!/^\d+$/.test(word) || more.length > 0 || number < 1 || number > max) throw usageError(takes, 'fleet');
  return number;
}

interface Limits {
  readonly fallback: number;
  readonly max: number;
}

/** @throws {ServerError} ERR_USAGE */
export function wholeNumber(values: FleetValues, name: keyof FleetValues, limits: Limits): number {
  return numberOf(values, name, { ...limits, min: 1, shape: /^\d+$/, kind: 'a whole number' });
}

/** @throws {ServerError} ERR_USAGE */
export function secondsOf(values: FleetValues, name: keyof FleetValues, limits: Limits): number {
  return numberOf(values, name, { ...limits, min: 0, shape: /^\d+(\.\d+)?$/, kind: 'a number of seconds' });
}

function numberOf(
  values: FleetValues,
  name: keyof FleetValues,
  { fallback, min, max, shape, kind }: Limits & { min: number; shape: RegExp; kind: string },
): number {
  const word = String(values[name] ?? fallback);
  const number = Number(word);
  if (shape.test(word) && number >= min && number <= max) return number;
  throw usageError(`--${name} must be ${kind} from ${min} to ${max}, got ${word}`, 'fleet');
}
