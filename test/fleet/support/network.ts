/**
 * A network of hosts on one machine: a network namespace per host, with an interface on each network that it joins. A network is
 * a bridge, on which this process has the first address. Cutting a cable loses packets silently, as a broken switch does. Bridges have
 * a namespace of their own, in which the machine's firewall does not apply: Docker's would drop their packets.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';

/** Two networks: clients, balancer and nodes; nodes and database. */
export const networkNames = ['front', 'data'] as const;
export type NetworkName = (typeof networkNames)[number];

export interface Host {
  readonly name: string;
  /** IPv4 addresses. */
  readonly address: Readonly<Partial<Record<NetworkName, string>>>;
  /** The command that runs another one on this host. */
  readonly enter: readonly string[];
}

/** Why hosts cannot be made here; undefined if they can. */
export function whyNoNetwork(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root';
  if (run('ip', ['-V']).status !== 0) return 'ip is not installed (apt-get install iproute2)';
  const name = `cl-probe-${process.pid}`;
  const made = ip(`netns add ${name}`).status === 0 && ip(`-n ${name} link add probe type bridge`).status === 0;
  ip(`netns del ${name}`);
  return made ? undefined : 'the kernel makes no network namespaces or bridges here';
}

export class Network {
  /** Interface names have at most 15 characters, and other processes may run the suite at the same time. */
  readonly #prefix = `cl${(process.pid % 46_656).toString(36)}`;
  /** The networks are 10.x.0.0/24 and 10.x.1.0/24. */
  readonly #second = 64 + (process.pid % 128);
  readonly #hosts = new Map<string, Host>();

  constructor() {
    require(`netns add ${this.#switch}`);
    for (const [index, name] of networkNames.entries()) {
      const [own, cable] = [`${this.#prefix}-${name}`, this.#cable(name, 1)];
      require(`-n ${this.#switch} link add ${name} type bridge`);
      require(`-n ${this.#switch} link set ${name} up`);
      require(`link add ${own} type veth peer name ${cable} netns ${this.#switch}`);
      require(`-n ${this.#switch} link set ${cable} master ${name} up`);
      require(`addr add ${this.#address(index, 1)}/24 dev ${own}`);
      require(`link set ${own} up`);
    }
  }

  addHost(name: string, networks: readonly NetworkName[]): Host {
    const number = this.#hosts.size + 2;
    const space = `${this.#prefix}-${name}`;
    require(`netns add ${space}`);
    require(`-n ${space} link set lo up`);
    const address: Partial<Record<NetworkName, string>> = {};
    for (const [index, network] of networkNames.entries()) {
      if (!networks.includes(network)) continue;
      const cable = this.#cable(network, number);
      require(`-n ${this.#switch} link add ${cable} type veth peer name ${network} netns ${space}`);
      require(`-n ${this.#switch} link set ${cable} master ${network} up`);
      address[network] = this.#address(index, number);
      require(`-n ${space} addr add ${address[network]}/24 dev ${network}`);
      require(`-n ${space} link set ${network} up`);
    }
    const host = { name, address, enter: ['ip', 'netns', 'exec', space] };
    this.#hosts.set(name, host);
    return host;
  }

  /** Loses every packet between the host and the network from now on. */
  cut({ name }: Host, network: NetworkName): void {
    require(`-n ${this.#switch} link set ${this.#cable(network, this.#number(name))} nomaster`);
  }

  heal({ name }: Host, network: NetworkName): void {
    require(`-n ${this.#switch} link set ${this.#cable(network, this.#number(name))} master ${network}`);
  }

  /** Removes every host and network. Processes on the hosts must have ended. */
  remove(): void {
    for (const { name } of this.#hosts.values()) ip(`netns del ${this.#prefix}-${name}`);
    ip(`netns del ${this.#switch}`);
  }

  /** The command that runs another one where the device with a network's name carries all traffic of this network. */
  get enter(): readonly string[] {
    return ['ip', 'netns', 'exec', this.#switch];
  }

  #number(name: string): number {
    return [...this.#hosts.keys()].indexOf(name) + 2;
  }

  get #switch(): string {
    return `${this.#prefix}-switch`;
  }

  #cable(network: NetworkName, number: number): string {
    return `${this.#prefix}-${network[0]}${number}`;
  }

  #address(network: number, host: number): string {
    return `10.${this.#second}.${network}.${host}`;
  }
}

function ip(words: string): SpawnSyncReturns<string> {
  return run('ip', words.split(' '));
}

function require(words: string): void {
  const { status, stderr } = ip(words);
  if (status !== 0) throw new Error(`ip ${words}: ${stderr}`);
}

function run(program: string, args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(program, args, { encoding: 'utf8' });
}
