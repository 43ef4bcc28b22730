/**
 * What the compute service asks of whatever runs pods, and all it knows about it. An engine keeps no books: names and
 * labels derive from the pod's id, so a repeated `create` finds the pod it made before, and a lost answer can be looked up.
 */

export type PodKind = 'standard' | 'confidential';

/** How a pod's memory is guarded. `plain-vm-test` is a virtual machine that guards nothing; only tests configure it. */
export type Protection = 'none' | 'tdx' | 'plain-vm-test';

/**
 * One engine: a Docker or podman socket, a Swarm, a libvirt host. Every call takes a signal, has a time limit of its own,
 * and throws nothing but {@link EngineError} (and the signal's reason).
 */
export interface Engine {
  /** As configured; for logs and metrics. */
  readonly name: string;
  readonly type: 'docker' | 'swarm' | 'libvirt';

  /**
   * @returns what each machine of this engine is and can do right now; one for Docker and libvirt, one per node for Swarm
   * @throws {EngineError} ERR_ENGINE_UNREACHABLE
   */
  probe(options: CallOptions): Promise<readonly MachineFacts[]>;

  /**
   * Fetches the image and stores what is secret about the start (command, variables) with the engine, as a private
   * template that identical deploys of one owner share. Repeating it is harmless.
   * @returns a reference that may be written to a database: it tells nothing about command or variables
   * @throws {EngineError} ERR_IMAGE_UNAVAILABLE, ERR_SPEC_INVALID, ERR_ENGINE_REFUSED, ERR_ENGINE_UNREACHABLE
   */
  prepare(image: ImageSpec, options: PrepareOptions): Promise<PreparedImage>;

  /**
   * Creates and starts the pod, and returns once its devices were seen in it. A pod of this id that exists already is
   * returned as it is. On every error but ERR_OUTCOME_UNKNOWN nothing is left behind.
   */
  create(spec: PodSpec, options: CallOptions): Promise<EnginePod>;

  /** @returns undefined where the engine answers that there is no such pod */
  inspect(podId: string, options: CallOptions): Promise<EnginePod | undefined>;

  /** @returns every pod of this service on this engine, dead ones and remains (a disk without a machine) included */
  list(options: CallOptions): Promise<readonly EnginePod[]>;

  /**
   * @returns the fingerprint (`SHA256:…`) of the SSH host key that was made in a running pod, where the engine can look
   * inside; undefined for machines that nobody can look into, and where it could not be found out
   */
  hostKey(podId: string, options: CallOptions): Promise<string | undefined>;

  /** Ends the pod at once and erases its disk. A pod that does not exist is no error. */
  destroy(podId: string, options: CallOptions): Promise<void>;

  /**
   * What happens to pods, until the signal aborts. Never throws and reconnects by itself; each `connected` means that
   * events may have been missed before it, so list then. Events are hints: the reconciler decides.
   */
  events(options: CallOptions): AsyncIterable<EngineEvent>;

  /** Removes private templates unused for seven days. To be called about once an hour. @returns how many went */
  dropIdleTemplates(options: CallOptions): Promise<number>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
}

export interface PrepareOptions extends CallOptions {
  /** The node that will run it; only Swarm looks at it. */
  readonly machine: string;
}

/** What a pod is made from. For a standard pod this holds all that must not reach the database. */
export type ImageSpec = ContainerImage | MachineImage;

export interface ContainerImage {
  readonly kind: 'standard';
  /** The account: templates and pulled private images are never shared between owners. */
  readonly owner: string;
  /** `registry/name:tag` or `…@sha256:…`. */
  readonly image: string;
  /** `operator`: from the configured templates, may be present already; `tenant`: always fetched, by the rules for strangers. */
  readonly source: 'operator' | 'tenant';
  /** Start command as argv; left out, the image's own. Never passes a shell; see `parseSimpleCommand`. */
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Starts JupyterLab inside, where only SSH leads to it. */
  readonly jupyter?: boolean;
  readonly credentials?: RegistryCredentials;
}

export interface MachineImage {
  readonly kind: 'confidential';
  /** A name from the host's configuration, not a path. */
  readonly image: string;
}

export interface RegistryCredentials {
  readonly registry: string;
  readonly username: string;
  readonly password: string;
}

/** May be stored. */
export interface PreparedImage {
  readonly reference: string;
}

/** Everything else about a pod; holds no secret but the password's hash. */
export interface PodSpec {
  /** `^[A-Za-z0-9][A-Za-z0-9_-]{0,35}$` */
  readonly podId: string;
  readonly kind: PodKind;
  /** The machine of {@link MachineFacts} that was rented. */
  readonly machine: string;
  readonly image: PreparedImage;
  /** Lower-case letters, digits, hyphens; at most 40; hyphens at its end are left out. */
  readonly hostname: string;
  /** One-line OpenSSH public keys: the tenant's and the service's. */
  readonly sshKeys: readonly string[];
  /** Besides SSH, which is always open. */
  readonly ports: readonly PodPort[];
  /** So many ports from 20001 on, inside the pod, are published on top, for a tenant to use as they like. */
  readonly sparePorts?: number;
  /** Exactly so many must be present in the pod before it counts as created. */
  readonly gpuCount: number;
  /** Standard only: JupyterLab must be there to be started; whether it is asked for is part of the image. */
  readonly jupyter?: boolean;
  readonly limits: PodLimits;
  /** Confidential only: crypt(3) form, such as `$6$salt$hash`. The password itself never comes here. */
  readonly sudoPasswordHash?: string;
}

export interface PodPort {
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
}

export interface PodLimits {
  readonly cpus: number;
  readonly memoryBytes: number;
  /** Left out: whatever the host's storage gives. A container host without quotas cannot keep it and says so in `probe`. */
  readonly diskBytes?: number;
}

/** `starting`: exists, not reachable yet; `running`: has an address; `dead`: ended by itself, or only remains are left. */
export type EnginePodState = 'starting' | 'running' | 'dead';

export interface EnginePod {
  readonly podId: string;
  readonly machine: string;
  readonly kind: PodKind;
  readonly protection: Protection;
  readonly state: EnginePodState;
  /** Where SSH will answer; known once running. Whether it answers yet is for `answersSsh` (`waiting.ts`) to tell. */
  readonly ssh: SshAddress | undefined;
  /** Without SSH. */
  readonly ports: readonly PublishedPort[];
  readonly gpuCount: number;
  readonly createdAt: Date | undefined;
  /** When it died, where the engine knows. */
  readonly endedAt: Date | undefined;
}

export interface SshAddress {
  readonly host: string;
  readonly port: number;
  readonly user: 'root' | 'ubuntu';
}

export interface PublishedPort extends PodPort {
  readonly host: string;
  readonly hostPort: number;
}

export interface MachineFacts {
  /** As configured, or the Swarm node's name. */
  readonly machine: string;
  /** Kinds of pod this machine can run right now. A host that cannot do TDX never lists `confidential`. */
  readonly offers: readonly PodKind[];
  readonly protection: Protection;
  /** Why a configured kind is missing from `offers`, for the operator. */
  readonly refusals: readonly string[];
  readonly engineVersion: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  /** Undefined where the engine does not tell. */
  readonly diskFreeBytes: number | undefined;
  /** GPUs the machine has, as far as the engine tells; undefined where it does not. */
  readonly gpuCount: number | undefined;
  /** Pods of this service on it now. */
  readonly podCount: number;
}

export type EngineEvent =
  | { readonly kind: 'connected' }
  | { readonly kind: 'disconnected'; readonly error: Error }
  | { readonly kind: 'started' | 'died' | 'removed'; readonly podId: string; readonly at: Date };
