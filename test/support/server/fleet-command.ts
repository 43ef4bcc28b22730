/** `cloister fleet` as an operator runs it, and clients that keep the fleet busy. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { expect } from 'vitest';
import { type AttestedFetch, attestedFetch } from '../../../attestation/client/attested-fetch.ts';
import type { EvidencePolicy } from '../../../attestation/policy/evidence-policy.ts';
import { parsePemChain } from '../../../attestation/x509/pem.ts';
import { findHaproxy } from '../../../cli/fleet/balancer.ts';
import { findPostgres } from '../../../cli/fleet/database.ts';
import type { FleetState } from '../../../cli/fleet/state.ts';
import type { Printed } from '../cloister.ts';
import { reachablePort } from '../compute/reachable-port.ts';

/** Why no fleet can run here; undefined if it can. */
export const fleetMissing = reasonToSkip();
if (fleetMissing !== undefined) console.warn(`the fleet command is skipped: ${fleetMissing}`);
export const fleetTitle = `cloister fleet${fleetMissing === undefined ? '' : ` (${fleetMissing})`}`;

export const root = join(import.meta.dirname, '../../..');
export const model = 'cloister-demo-TEE';

export interface Load {
  readonly failures: readonly string[];
  /** Nodes that answered. */
  readonly nodes: ReadonlySet<string>;
  readonly answers: number;
}

export class FleetCommand {
  readonly work = mkdtempSync(join(tmpdir(), 'cloister-fleet-command-'));
  readonly folder = join(this.work, 'fleet');
  /** Of verified clients. */
  readonly policyPath = join(this.work, 'policy.json');
  origin!: string;
  port!: number;

  get state(): FleetState {
    return JSON.parse(this.file('fleet.json'));
  }

  file(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  writePolicy(policy: EvidencePolicy): void {
    writeFileSync(this.policyPath, JSON.stringify(policy));
  }

  /** @param line of `cloister fleet up`, without the port */
  async up(line: string): Promise<Printed> {
    this.port = await reachablePort();
    this.origin = `https://localhost:${this.port}`;
    const [own, options] = line.split(' -- ');
    const up = await this.run(`up --port ${this.port} ${own} -- ${options}`);
    expect(up.code, up.stderr).toBe(0);
    tls.setDefaultCACertificates([...tls.getCACertificates('default'), this.file('certificate.pem')]);
    return up;
  }

  /** @param line words after `cloister fleet`; those after `--` are options of serve */
  async run(line: string): Promise<Printed> {
    const [own = '', options] = line.split(' -- ');
    const serve = options === undefined ? [] : ['--', ...options.split(' ')];
    const child = start(['cli/cloister.mjs', 'fleet', ...own.split(' '), '--state-dir', this.folder, ...serve]);
    let [stdout, stderr] = ['', ''];
    child.stdout!.on('data', (piece) => (stdout += String(piece)));
    child.stderr!.on('data', (piece) => (stderr += String(piece)));
    const [code] = await once(child, 'close');
    return { code, stdout, stderr };
  }

  /** The roots of the simulated machines, a list that grows: each new node has a root of its own. */
  roots(): { readonly list: Uint8Array[]; read(): void } {
    const list: Uint8Array[] = [];
    const read = () => void list.splice(0, Infinity, ...parsePemChain(this.file('simulation-roots.pem'), 'roots'));
    read();
    return { list, read };
  }

  post(body: object): RequestInit {
    return {
      method: 'POST',
      headers: { authorization: `Bearer ${this.file('api-key').trim()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, max_tokens: 8, ...body }),
      signal: AbortSignal.timeout(60_000),
    };
  }

  /**
   * Clients of both kinds keep this many requests running until `work` ends.
   * @param nodesBefore nodes that must have answered before `work` begins · @param nodesAfter and before the load ends
   */
  async underLoad(clients: number, work: () => Promise<void>, { nodesBefore = 0, nodesAfter = 1 } = {}): Promise<Load> {
    const failures: string[] = [];
    const nodes = new Set<string>();
    const roots = this.roots();
    const policy = JSON.parse(readFileSync(this.policyPath, 'utf8'));
    const verified = attestedFetch(policy, { roots: roots.list, seal: true, fleet: 'announced' });
    let isOver = false;
    let answers = 0;
    const client = async (number: number) => {
      const kind = number % 2 === 0 ? 'verified' : 'plain';
      const send: AttestedFetch = kind === 'verified' ? verified : (input, init) => fetch(input, init);
      while (!isOver) {
        roots.read();
        try {
          // Another conversation each time: one stays on its node, and a node may have been chosen for none of a few.
          const messages = [{ role: 'user', content: `client ${number}, request ${answers}` }];
          const answer = await send(`${this.origin}/v1/chat/completions`, this.post({ messages }));
          const text = await answer.text();
          if (answer.status !== 200) failures.push(`${kind}: ${answer.status} ${text}`);
          nodes.add(answer.headers.get('x-receipt-id')?.split('-')[1] ?? 'none');
          answers += 1;
        } catch (error) {
          failures.push(`${kind}: ${error} ${String((error as Error).cause)}`);
        }
      }
    };
    const running = Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
    try {
      // An old node that has not been chosen yet would be replaced, and the last new node may not have been chosen.
      await expect.poll(() => nodes.size, { timeout: 60_000 }).toBeGreaterThanOrEqual(nodesBefore);
      await work();
      await expect.poll(() => nodes.size, { timeout: 60_000 }).toBeGreaterThanOrEqual(nodesAfter);
    } finally {
      isOver = true;
      await running;
    }
    return { failures, nodes, answers };
  }

  async remove(): Promise<void> {
    await this.run('down');
    rmSync(this.work, { recursive: true, force: true });
  }
}

/** Starts Node in the repository. */
export function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function reasonToSkip(): string | undefined {
  try {
    findPostgres(process.env.PATH ?? '');
    findHaproxy(process.env.PATH ?? '');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
