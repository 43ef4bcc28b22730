/**
 * The interface between the compute service and the engines that run pods. An engine stores no state of its own: names and
 * labels derive from the pod's id, so a repeated `create` finds the existing pod, and a lost answer can be looked up.
 */

export type PodKind = 'standard' | 'confidential';

/** How a pod's memory is protected. `plain-vm-test` is an unprotected virtual machine, for tests only. */
export type Protection = 'none' | 'tdx' | 'plain-vm-test';

/**
 * One engine: a Docker or podman socket, a Swarm, a libvirt host. Every call takes a signal, has its own time limit,
 * and throws only {@link EngineError} or the signal's reason.
 */
export interface Engine {
  /** The configured name, for logs and metrics. */
  readonly name: string;
  readonly type: 'docker' | 'swarm' | 'libvirt';

  /**
   * @returns the current facts of each machine: one machine for Docker and libvirt, one per node for Swarm
   * @throws {EngineError} ERR_ENGINE_UNREACHABLE
   */
  probe(options: CallOptions): Promise<readonly MachineFacts[]>;

  /**
   * Fetches the image and stores the secret part of the start (command, variables) on the engine, as a private
   * template that identical deploys of one owner share. Idempotent.
   * @returns a reference that may be stored in a database: it reveals nothing about the command or the variables
   * @throws {EngineError} ERR_IMAGE_UNAVAILABLE, ERR_SPEC_INVALID, ERR_ENGINE_REFUSED, ERR_ENGINE_UNREACHABLE
   */
  prepare(image: ImageSpec, options: PrepareOptions): Promise<PreparedImage>;

  /**
   * Creates and starts the pod, and returns once its devices were verified inside it. An existing pod with this id is
   * returned unchanged. After every error except ERR_OUTCOME_UNKNOWN, no remains are left.
   */
  create(spec: PodSpec, options: CallOptions): Promise<EnginePod>;

  /** @returns undefined if the engine answers that the pod does not exist */
  inspect(podId: string, options: CallOptions): Promise<EnginePod | undefined>;

  /** @returns every pod of this service on this engine, including dead pods and remains (a disk without a machine) */
  list(options: CallOptions): Promise<readonly EnginePod[]>;

  /**
   * @returns the fingerprint (`SHA256:…`) of a running pod's SSH host key; undefined for confidential machines, which the
   * engine cannot inspect, and if the key could not be read
   */
  hostKey(podId: string, options: CallOptions): Promise<string | undefined>;

  /**
   * @returns the end of what a running pod has printed; undefined if it does not run, and for confidential machines, which the
   * engine cannot inspect
   */
  logs(podId: string, options: LogOptions): Promise<PodLogs | undefined>;

  /** Kills the pod and erases its disk. Succeeds if the pod does not exist. */
  destroy(podId: string, options: CallOptions): Promise<void>;

  /**
   * Yields the events of pods until the signal aborts. Never throws, and reconnects automatically; events may have been lost
   * before each `connected`, so the caller should list then. Events are hints: the reconciler decides.
   */
  events(options: CallOptions): AsyncIterable<EngineEvent>;

  /** Removes private templates unused for seven days. Call it about once an hour. @returns the number of removed templates */
  dropIdleTemplates(options: CallOptions): Promise<number>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
}

export interface LogOptions extends CallOptions {
  /** Lines from the end. */
  readonly linesMax: number;
}

/** Output of a pod, at most 64 KiB from its end. */
export interface PodLogs {
  readonly text: string;
  /** Whether the output of these lines was longer. */
  readonly isCut: boolean;
}

export interface PrepareOptions extends CallOptions {
  /** The node that will run the pod; used only by Swarm. */
  readonly machine: string;
}

/** The image of a pod. For a standard pod it contains all settings that must not reach the database. */
export type ImageSpec = ContainerImage | MachineImage;

export interface ContainerImage {
  readonly kind: 'standard';
  /** The account: templates and pulled private images are never shared between owners. */
  readonly owner: string;
  /** `registry/name:tag` or `…@sha256:…`. */
  readonly image: string;
  /** `operator`: a configured template's image, used if present; `tenant`: always fetched, subject to the registry policy. */
  readonly source: 'operator' | 'tenant';
  /** Start command as argv; by default the image's. Never run by a shell; see `parseSimpleCommand`. */
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Starts JupyterLab on the pod's loopback interface, reachable through SSH. */
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

/** May be stored in the database. */
export interface PreparedImage {
  readonly reference: string;
}

/** The other settings of a pod; the only secret is the password's hash. */
export interface PodSpec {
  /** `^[A-Za-z0-9][A-Za-z0-9_-]{0,35}$` */
  readonly podId: string;
  readonly kind: PodKind;
  /** The rented machine, as in {@link MachineFacts}. */
  readonly machine: string;
  readonly image: PreparedImage;
  /** Lower-case letters, digits, hyphens; at most 40; trailing hyphens are removed. */
  readonly hostname: string;
  /** One-line OpenSSH public keys: the tenant's and the service's. */
  readonly sshKeys: readonly string[];
  /** Requested ports, without SSH, which is always published. */
  readonly ports: readonly PodPort[];
  /** Number of additional published ports, from 20001 on inside the pod. */
  readonly sparePorts?: number;
  /** The exact number of GPUs that must be present in the pod before it counts as created. */
  readonly gpuCount: number;
  /** Standard only: `create` fails if the image has no JupyterLab. The image spec starts it. */
  readonly jupyter?: boolean;
  readonly limits: PodLimits;
  /** Confidential only: crypt(3) form, such as `$6$salt$hash`. */
  readonly sudoPasswordHash?: string;
}

export interface PodPort {
  readonly port: number;
  readonly protocol: 'tcp' | 'udp';
}

export interface PodLimits {
  readonly cpus: number;
  readonly memoryBytes: number;
  /** By default unlimited. A container host without disk quotas cannot enforce it and reports so in `probe`. */
  readonly diskBytes?: number;
}

/** `starting`: exists without an address; `running`: has an address; `dead`: ended by itself, or only remains are left. */
export type EnginePodState = 'starting' | 'running' | 'dead';

export interface EnginePod {
  readonly podId: string;
  readonly machine: string;
  readonly kind: PodKind;
  readonly protection: Protection;
  readonly state: EnginePodState;
  /** Address of SSH; set once running. `answersSsh` (`waiting.ts`) checks whether a server answers there. */
  readonly ssh: SshAddress | undefined;
  /** Published ports without SSH. */
  readonly ports: readonly PublishedPort[];
  readonly gpuCount: number;
  readonly createdAt: Date | undefined;
  /** When the pod died, if the engine reports it. */
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
  /** The configured name, or the Swarm node's hostname. */
  readonly machine: string;
  /** Kinds of pod that this machine can run now. A host without TDX never lists `confidential`. */
  readonly offers: readonly PodKind[];
  readonly protection: Protection;
  /** Why a configured kind is missing from `offers`, for the operator. */
  readonly refusals: readonly string[];
  readonly engineVersion: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  /** Undefined if the engine does not report it. */
  readonly diskFreeBytes: number | undefined;
  /** GPUs of the machine; undefined if the engine does not report them. */
  readonly gpuCount: number | undefined;
  /** Pods of this service on the machine now. */
  readonly podCount: number;
}

export type EngineEvent =
  | { readonly kind: 'connected' }
  | { readonly kind: 'disconnected'; readonly error: Error }
  | { readonly kind: 'started' | 'died' | 'removed'; readonly podId: string; readonly at: Date };
