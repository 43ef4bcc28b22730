/** A tenant of a running compute service: rents pods, waits for them, reads the balance, releases them. */
import { expect } from 'vitest';
import type { SshAddress } from '../../../compute/engines/engine.ts';
import type { ComputeAnswer, ComputeServer } from './compute-server.ts';

/** The database rows of a pod; money in millionths of a dollar. */
export interface PodBooks {
  readonly state: string;
  readonly reason: string | null;
  readonly price: number;
  readonly billed: number;
  readonly hold: number;
  readonly running_at: number;
  readonly ended_at: number;
  readonly hard_stop_at: number;
}

const pollMs = 250;

export class ComputeTenant {
  readonly #server: ComputeServer;
  readonly #account: string;
  readonly #key: string | undefined;

  /** @param account the tenant's account and key; default: those that the server created at its start */
  constructor(server: ComputeServer, { account = 'default', key }: { account?: string; key?: string } = {}) {
    this.#server = server;
    this.#account = account;
    this.#key = key;
  }

  call(method: string, path: string, body?: unknown): Promise<ComputeAnswer> {
    return this.#server.call(method, `/api/svc/${path}`, body, this.#key === undefined ? {} : { key: this.#key });
  }

  /** Registers a public key under which pods are reached. */
  async register(publicKey: string): Promise<void> {
    const { status } = await this.call('POST', 'ssh-keys', { name: 'test', public_key: publicKey });
    expect(status).toBe(201);
  }

  /** @returns the id of the rented pod */
  async deploy(body: object): Promise<string> {
    const answer = await this.call('POST', 'pods', body);
    expect(answer.status, JSON.stringify(answer.body)).toBeOneOf([200, 201]);
    return answer.body.pod?.id ?? answer.body.podId;
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests inspect arbitrary responses
  async details(id: string): Promise<any> {
    return (await this.call('GET', `pods/${id}`)).body;
  }

  /** Waits until the pod's SSH server has introduced itself. @returns where the SSH command leads */
  async reached(id: string, { timeoutMs = 60_000 }: { timeoutMs?: number } = {}): Promise<SshAddress> {
    const hasBanner = async () => (await this.details(id)).ssh_banner;
    await expect.poll(hasBanner, { timeout: timeoutMs, interval: pollMs }).toBe(true);
    const command = (await this.details(id)).ssh_command as string;
    const [, user = '', host = ''] = /(\w+)@(\S+)/.exec(command) ?? [];
    return { user: user as SshAddress['user'], host, port: Number(/-p (\d+)/.exec(command)?.[1]) };
  }

  /** Waits until the pod has ended and been destroyed. @returns the reason */
  async gone(id: string, { timeoutMs = 60_000 }: { timeoutMs?: number } = {}): Promise<string> {
    const status = async () => (await this.details(id)).status;
    await expect.poll(status, { timeout: timeoutMs, interval: pollMs }).toBeOneOf(['STOPPED', 'FAILED']);
    return (await this.details(id)).reason;
  }

  /** @returns the refund of the prepaid hour, dollars */
  async release(id: string): Promise<number> {
    const { status, body } = await this.call('DELETE', `pods/${id}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.prepaidRefund;
  }

  /** The exact balance in millionths of a dollar; the API returns a rounded one. */
  available(): number {
    const query = 'select available from meters join accounts on accounts.id = account_id where name = ?';
    return this.#server.rows(query, this.#account)[0].available;
  }

  /** Pods that are paid for. */
  async activePods(): Promise<number> {
    return (await this.call('GET', 'balance')).body.active_pods;
  }

  books(id: string): PodBooks {
    const [row] = this.#server.rows('select * from compute_pods where id = ?', id);
    return row;
  }
}

/** Every started second of a pod's life, at its price, in millionths of a dollar, rounded up once (C-143). */
export function rentOf({ price, running_at, ended_at }: PodBooks): number {
  return Math.ceil((price * Math.ceil((ended_at - running_at) / 1000)) / 3600);
}
