/**
 * Rents a standard pod, runs a command in it over SSH, releases it and shows what of the hour came back.
 *
 *     sh compute/ssh-kit/build.sh examples/ssh-kit.tar    # once; needs dropbear-bin, busybox-static and patchelf
 *     npx cloister compute serve examples/compute.json           # needs podman's socket; prints URL, key and certificate
 *     BASE_URL=https://localhost:8444 API_KEY=clst_… CERTIFICATE=.cloister/compute-certificate.pem \
 *       node examples/06-rent-a-pod.ts
 */
import { hash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import ssh2 from 'ssh2';

const { BASE_URL = 'https://localhost:8444', API_KEY, CERTIFICATE = '.cloister/compute-certificate.pem' } = process.env;
if (API_KEY === undefined) throw new Error('set API_KEY to the key that `cloister compute serve` prints');

// The certificate of the development authority that issues the server's: trust it as `curl --cacert` does.
setDefaultCACertificates([...getCACertificates(), readFileSync(CERTIFICATE, 'utf8')]);

interface Machine {
  readonly machine_id: string;
  readonly name: string;
  readonly price_per_hour: number;
}

interface Details {
  readonly status: string;
  readonly reason: string | null;
  readonly ssh_command: string | null;
  /** Whether the pod's SSH server has introduced itself: the command is known as soon as there is an address. */
  readonly ssh_banner: boolean;
  readonly ssh_host_key: string | null;
}

const retriesMax = 5;
const retryable = [429, 500, 502, 503];

/**
 * Sends a request, again with backoff where that can help. It carries a key, so that repeating it is harmless; where the hour
 * is held, only the list of pods can tell what became of it.
 */
async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { 'X-API-Key': API_KEY!, 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  for (let retry = 0; ; retry++) {
    const response = await fetch(`${BASE_URL}/api/svc/${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Answer & { error?: string; charged?: boolean };
    if (response.ok) return answer;
    if (retry === retriesMax || !retryable.includes(response.status) || answer.charged === true) {
      throw new Error(`${method} ${path}: ${response.status} ${answer.error}`);
    }
    await pause(Math.max(1_000 * 2 ** retry, 1_000 * Number(response.headers.get('retry-after') ?? 0)));
  }
}

interface Login {
  readonly host: string;
  readonly port: number;
  readonly privateKey: string;
  /** The key that the service read inside the pod; a machine with another key is not the pod. */
  readonly hostKey: string;
}

/** Runs one command as an SSH client would. */
async function run({ host, port, privateKey, hostKey }: Login, command: string): Promise<string> {
  const client = new ssh2.Client();
  const output = Promise.withResolvers<string>();
  client.on('error', output.reject).on('ready', () =>
    client.exec(command, (error, stream) => {
      if (error !== undefined && error !== null) return output.reject(error);
      let text = '';
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      stream.stderr.resume();
      stream.on('close', () => output.resolve(text));
    }),
  );
  const hostVerifier = (key: Buffer): boolean => {
    const digest = hash('sha256', key, 'buffer').toString('base64').replace(/=+$/, '');
    return hostKey === `SHA256:${digest}`;
  };
  client.connect({ host, port, username: 'root', privateKey, hostVerifier });
  try {
    return await output.promise;
  } finally {
    client.end();
  }
}

const keys = ssh2.utils.generateKeyPairSync('ed25519');
const key = await call<{ id: string }>('POST', 'ssh-keys', { name: 'example', public_key: keys.public });
console.log(`registered the SSH key ${key.id}`);

const machines = await call<Machine[]>('GET', 'machines?provider=standard');
const machine = machines.toSorted((a, b) => a.price_per_hour - b.price_per_hour)[0];
if (machine === undefined) throw new Error('no machine is free');
console.log(`renting ${machine.name} for ${machine.price_per_hour} USD per hour`);

const { pod } = await call<{ pod: { id: string } }>('POST', 'pods', {
  provider: 'standard',
  name: 'example',
  machine_id: machine.machine_id,
  ssh_key_id: key.id,
  auto_terminate_hours: 1,
});

let details: Details;
do {
  await pause(2_000);
  details = await call<Details>('GET', `pods/${pod.id}`);
  if (details.reason !== null) throw new Error(`the pod ended: ${details.reason}`);
} while (!details.ssh_banner);
const { ssh_command: sshCommand, ssh_host_key: hostKey } = details;
if (sshCommand === null || hostKey === null)
  throw new Error('the service cannot tell which key the pod shows: use an engine with an SSH kit');
console.log(`${sshCommand}   # ${hostKey}`);

const [, host = '', port] = /^ssh root@(\S+) -p (\d+)$/.exec(sshCommand) ?? [];
const login = { host, port: Number(port), privateKey: keys.private, hostKey };
console.log(`inside: ${(await run(login, 'id -un')).trim()}`);

const { prepaidRefund } = await call<{ prepaidRefund: number }>('DELETE', `pods/${pod.id}`);
const { balance } = await call<{ balance: number }>('GET', 'balance');
console.log(`released; ${prepaidRefund.toFixed(6)} USD of the hour came back, ${balance} USD are left`);
await call('DELETE', `ssh-keys/${key.id}`);
