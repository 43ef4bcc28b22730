/**
 * Confidential machines on one host, through `virsh`. Machines are transient: the host stores no definition of them.
 * Support for trust domains is checked before every create; there is no fallback to an unprotected machine.
 */
import { afterFailure, answered, Refusal } from '../answers.ts';
import { requireImageName, requireKind, requirePodSpec } from '../check-spec.ts';
import type {
  CallOptions,
  Engine,
  EngineEvent,
  EnginePod,
  ImageSpec,
  MachineFacts,
  PodSpec,
  PreparedImage,
} from '../engine.ts';
import { EngineCalls, type EngineCallTimes } from '../engine-call.ts';
import { refused } from '../errors.ts';
import { parsePodName, podName, requireInstance } from '../pod-name.ts';
import { reconnecting } from '../waiting.ts';
import { supportsTdx } from './capabilities.ts';
import { domainEvents } from './domain-events.ts';
import { diskOnlyPod, parseAddress, parseDomain, toEnginePod } from './domain-pod.ts';
import { domainXml, nameOfDisk } from './domain-xml.ts';
import { type LibvirtHost, requireHost } from './libvirt-host.ts';
import { removeAbandonedFiles, withFiles } from './private-files.ts';
import { hostRefusal, ignoreNoDomain } from './refusals.ts';
import { Storage } from './storage.ts';
import { type Virsh, virshAt } from './virsh.ts';

export interface LibvirtEngineOptions {
  readonly name: string;
  readonly host: LibvirtHost;
  readonly instance: string;
  /** @returns milliseconds since 1970 */
  readonly now: () => number;
  /** Path of `virsh`. */
  readonly program?: string;
  readonly timeouts?: Partial<EngineCallTimes>;
  /** Folder of the temporary files for virsh; by default the system's. */
  readonly temporaryFolder?: string;
}

/** The first request to a host waits until libvirt has probed its QEMU, which takes up to a minute. */
const timesDefault: EngineCallTimes = { readMs: 90_000, changeMs: 120_000 };
/** Time limit of the cleanup after a failure. */
const cleanUpMs = 60_000;

export class LibvirtEngine implements Engine {
  readonly type = 'libvirt';
  readonly name: string;
  readonly #options: LibvirtEngineOptions;
  readonly #host: LibvirtHost;
  readonly #virsh: Virsh;
  readonly #storage: Storage;
  readonly #calls: EngineCalls;

  constructor(options: LibvirtEngineOptions) {
    requireInstance(options.instance);
    this.name = options.name;
    this.#options = options;
    this.#host = requireHost(options.host);
    this.#virsh = virshAt(this.#host.uri, options.program);
    const { instance, temporaryFolder } = options;
    this.#storage = new Storage(this.#virsh, { host: this.#host, instance, temporaryFolder });
    this.#calls = new EngineCalls({ ...timesDefault, ...options.timeouts });
  }

  async probe({ signal }: CallOptions): Promise<readonly MachineFacts[]> {
    const call = this.#calls.reading(signal);
    return this.#answered(async () => {
      const refusal = await this.#tdxRefusal(signal);
      const node = await this.#virsh(call, ['nodeinfo']);
      const version = await this.#virsh(call, ['version']);
      const number = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(node)?.[1]);
      const names = await this.#names(signal);
      const facts: MachineFacts = {
        machine: this.#host.machine,
        offers: refusal === undefined ? ['confidential'] : [],
        protection: this.#host.profile.kind === 'tdx' ? 'tdx' : 'plain-vm-test',
        refusals: refusal === undefined ? [] : [refusal],
        engineVersion: /Running hypervisor: (.+)/.exec(version)?.[1] ?? 'unknown',
        cpus: number('CPU\\(s\\)'),
        memoryBytes: number('Memory size') * 1024,
        diskFreeBytes: await this.#storage.freeBytes(call),
        gpuCount: this.#host.gpus.length,
        podCount: names.length,
      };
      return [facts];
    });
  }

  async prepare(image: ImageSpec, { signal }: CallOptions): Promise<PreparedImage> {
    requireKind(image, 'confidential');
    requireImageName(image.image);
    return this.#answered(async () => {
      await this.#storage.findImage(image.image, this.#calls.reading(signal));
      return { reference: image.image };
    });
  }

  async create(spec: PodSpec, { signal }: CallOptions): Promise<EnginePod> {
    requireKind(spec, 'confidential');
    requirePodSpec(spec);
    if (spec.gpuCount !== this.#host.gpus.length) {
      throw refused('devices_missing', `the pod must have all ${this.#host.gpus.length} GPUs of the machine`);
    }
    return this.#answered(async () => {
      const refusal = await this.#tdxRefusal(signal);
      if (refusal !== undefined) throw refused('not_confidential', refusal);
      const running = await this.#domain(podName(this.#options.instance, spec.podId), signal);
      if (running !== undefined) return running;
      const remains = await this.inspect(spec.podId, { signal });
      if (remains?.state === 'dead') await this.destroy(spec.podId, { signal });
      await this.#storage.begin(spec.podId, this.#calls.changing(signal));
      try {
        await this.#start(spec, signal);
        const pod = await this.#requireAsAsked(spec, signal);
        await this.#storage.end(spec.podId, this.#calls.changing(signal));
        return pod;
      } catch (error) {
        const remove = (signal: AbortSignal) => this.destroy(spec.podId, { signal });
        throw await afterFailure(error, remove, { timeoutMs: cleanUpMs });
      }
    });
  }

  async inspect(podId: string, { signal }: CallOptions): Promise<EnginePod | undefined> {
    const name = podName(this.#options.instance, podId);
    return this.#answered(async () => {
      const running = await this.#domain(name, signal);
      if (running !== undefined) return running;
      const volumes = await this.#storage.list(this.#calls.reading(signal));
      return volumes.some((volume) => nameOfDisk(volume) === name) ? this.#diskOnly(podId, signal) : undefined;
    });
  }

  async list({ signal }: CallOptions): Promise<readonly EnginePod[]> {
    const { now, temporaryFolder: parent } = this.#options;
    // Runs with every reconciliation, and so soon after a start. A failure must not stop the reconciliation.
    await removeAbandonedFiles({ usedMs: this.#abandonedMs, now: now(), parent }).catch(() => 0);
    return this.#answered(async () => {
      const pods = new Map<string, EnginePod>();
      // Disks are listed before machines: a machine that starts in between then overrides its disk-only entry.
      for (const volume of await this.#storage.list(this.#calls.reading(signal))) {
        const podId = parsePodName(this.#options.instance, nameOfDisk(volume) ?? '');
        if (podId !== undefined && !pods.has(podId)) pods.set(podId, await this.#diskOnly(podId, signal));
      }
      for (const name of await this.#names(signal)) {
        const pod = await this.#domain(name, signal);
        if (pod !== undefined) pods.set(pod.podId, pod);
      }
      return [...pods.values()];
    });
  }

  /** The host key is generated inside the machine, which the host cannot inspect. */
  async hostKey(): Promise<undefined> {
    return undefined;
  }

  /** The console of a confidential machine belongs to the tenant. */
  async logs(): Promise<undefined> {
    return undefined;
  }

  async destroy(podId: string, { signal }: CallOptions): Promise<void> {
    const name = podName(this.#options.instance, podId);
    await this.#answered(async () => {
      // `destroy` kills the machine without a guest shutdown; `undefine` removes the definition of one that is not transient.
      for (const command of ['destroy', 'undefine']) {
        await this.#virsh(this.#calls.changing(signal), [command, name]).catch(ignoreNoDomain);
      }
      await this.#storage.erase(podId, this.#calls.changing(signal));
    });
  }

  events({ signal }: CallOptions): AsyncIterable<EngineEvent> {
    const { instance, program } = this.#options;
    const { uri } = this.#host;
    const open = (until: AbortSignal) =>
      domainEvents(this.#virsh, { uri, instance, call: this.#calls.reading(until), program });
    return reconnecting(open, { signal });
  }

  /** Machines have no templates: their start settings are in their own seed disks. */
  async dropIdleTemplates(): Promise<number> {
    return 0;
  }

  async #tdxRefusal(signal: AbortSignal): Promise<string | undefined> {
    if (this.#host.profile.kind !== 'tdx') return undefined;
    const args = ['domcapabilities', '--virttype', 'kvm', '--machine', 'q35', '--arch', 'x86_64'];
    const xml = await this.#virsh(this.#calls.reading(signal), args).catch((error: unknown) => {
      // Without KVM, or with a libvirt that lacks the machine type, the command is refused.
      if (error instanceof Refusal) return undefined;
      throw error;
    });
    const able = xml !== undefined && supportsTdx(xml);
    return able ? undefined : 'the host cannot run trust domains: domcapabilities does not report tdx';
  }

  async #start(spec: PodSpec, signal: AbortSignal): Promise<void> {
    const { instance, now } = this.#options;
    await this.#storage.create(spec, spec.image.reference, this.#calls.changing(signal));
    const xml = domainXml(spec, { host: this.#host, instance, createdAt: new Date(now()) });
    // Without --validate, libvirt silently drops elements that it does not know.
    const use = (path: (name: string) => string): Promise<string> =>
      this.#virsh(this.#calls.changing(signal), ['create', '--validate', path('domain.xml')]);
    await withFiles({ 'domain.xml': xml }, use, { parent: this.#options.temporaryFolder });
  }

  /** Longer than any create takes: its process has ended by then. */
  get #abandonedMs(): number {
    return 4 * this.#calls.times.changeMs;
  }

  async #requireAsAsked(spec: PodSpec, signal: AbortSignal): Promise<EnginePod> {
    const pod = await this.#domain(podName(this.#options.instance, spec.podId), signal);
    if (pod === undefined) throw refused('engine_refused', 'the machine ended right after its start');
    const expected = this.#host.profile.kind === 'tdx' ? 'tdx' : 'plain-vm-test';
    if (pod.protection !== expected) throw refused('not_confidential', 'the machine did not become a trust domain');
    if (pod.gpuCount !== spec.gpuCount) {
      throw refused('devices_missing', `the machine must have ${spec.gpuCount} GPUs, got ${pod.gpuCount}`);
    }
    return pod;
  }

  /** @returns undefined if no such machine runs */
  async #domain(name: string, signal: AbortSignal): Promise<EnginePod | undefined> {
    const call = this.#calls.reading(signal);
    const xml = await this.#virsh(call, ['dumpxml', name]).catch(ignoreNoDomain);
    const domain = xml === undefined ? undefined : parseDomain(xml);
    if (domain === undefined || domain.instance !== this.#options.instance) return undefined;
    const routed = this.#host.network.kind === 'routed';
    // Uses DHCP leases: newer kernels do not let libvirt read the neighbour table, and a guest agent is not trustworthy.
    const addresses = routed ? await this.#virsh(call, ['domifaddr', name]).catch(ignoreNoDomain) : undefined;
    return toEnginePod(domain, this.#host, parseAddress(addresses ?? ''));
  }

  async #diskOnly(podId: string, signal: AbortSignal): Promise<EnginePod> {
    const begunAt = await this.#storage.begunAt(podId, this.#calls.reading(signal));
    const abandoned = begunAt === undefined || this.#options.now() - begunAt > this.#abandonedMs;
    return diskOnlyPod(podId, this.#host, abandoned ? 'dead' : 'starting');
  }

  async #names(signal: AbortSignal): Promise<readonly string[]> {
    const text = await this.#virsh(this.#calls.reading(signal), ['list', '--name']);
    const names = text.split('\n').map((name) => name.trim());
    return names.filter((name) => parsePodName(this.#options.instance, name) !== undefined);
  }

  #answered<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    return answered(work, hostRefusal);
  }
}
