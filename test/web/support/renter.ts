/** The compute service on a port of its own, with a browser. Its pods are those of the engine in memory. */
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type ComputeApp, startComputeApp } from '../../support/compute/compute-app.ts';
import { templatesFile } from '../../support/compute/compute-fixtures.ts';
import { openWorld } from '../../support/compute/compute-world.ts';
import { type Look, type OpenPage, Windows } from './browser.ts';

/** Descriptions as an operator writes them. */
const templates = {
  ...templatesFile,
  standard: templatesFile.standard.map((one) => ({
    ...one,
    description: one.id === 'torch' ? 'PyTorch 2 with CUDA' : 'Debian with SSH, nothing else',
  })),
};

export class Renter extends Windows {
  compute!: ComputeApp;
  accountId = '';
  key = '';
  origin = '';

  async open(): Promise<void> {
    const time = { now: Date.now() };
    // Jobs and prices follow the real time.
    Object.defineProperty(time, 'now', { get: () => Date.now() });
    const makeWorld = ({ machines }: { machines: readonly string[] }) =>
      openWorld({ kind: 'sqlite', path: ':memory:' }, { time, machines });
    this.compute = await startComputeApp(makeWorld, { loadTemplates: async () => templates });
    const { accountId, key } = await this.compute.tenant('acme', { micro: 25_000_000 });
    Object.assign(this, { accountId, key });
    await this.compute.app.listen({ host: '127.0.0.1', port: 0 });
    this.origin = `https://localhost:${(this.compute.app.server.address() as AddressInfo).port}`;
    await this.launch();
  }

  async close(): Promise<void> {
    await this.quit();
    await this.compute?.app.close();
    await this.compute?.world.accounts.close();
  }

  /** Lets the service do what is due, such as finding the address of a pod. */
  async work(): Promise<void> {
    await this.compute.world.runDue();
  }

  /** Opens the console, signed in with a new link. */
  async signedIn(look?: Look): Promise<OpenPage> {
    const window = await this.window(look);
    const { secret } = await this.compute.world.accounts.makeLoginLink({ accountId: this.accountId, now: Date.now() });
    await window.page.goto(`${this.origin}/svc/console#${secret}`);
    await window.page.getByRole('heading', { name: 'Pods', exact: true }).waitFor();
    return window;
  }
}

/** A compute service for the tests of a file. */
export function rent(): Renter {
  const one = new Renter();
  beforeAll(() => one.open());
  afterEach(() => one.forget());
  afterAll(() => one.close());
  return one;
}
