/** Tenant input of the compute service: bodies of all endpoints, SSH keys, image names, start commands. */
import { ComputeError } from '../../../compute/base/errors.ts';
import { parseSshPublicKey } from '../../../compute/base/ssh-key.ts';
import { requireContainerSettings, requirePodSpec } from '../../../compute/engines/check-spec.ts';
import { EngineError } from '../../../compute/engines/errors.ts';
import { parseImageReference, requireAllowedRegistry } from '../../../compute/engines/image-reference.ts';
import { parseSimpleCommand } from '../../../compute/engines/simple-command.ts';
import { operationsOf } from '../../../compute/routes/operations.ts';
import { errorSchema } from '../../../compute/schemas/basics.ts';
import { startComputeApp } from '../../support/compute/compute-app.ts';
import { findMismatch } from '../../support/compute/compute-schemas.ts';
import { openWorld, type World } from '../../support/compute/compute-world.ts';
import { jsonGenerator } from '../mutation/json.ts';
import { bytesOf, canary, type FuzzTarget, refusalsOf, textOf, withoutEcho } from '../target.ts';

const unlimited = { limit: 1_000_000_000, windowMs: 1_000 };
const operations = operationsOf({ svc: 'svc' }).filter(({ body }) => body !== undefined);

export const targets: readonly FuzzTarget[] = [computeBodies(), sshKeys(), imageReferences(), startCommands()];

/** Runs the service on an in-memory database and sends every body to every endpoint with a body. */
function computeBodies(): FuzzTarget {
  return {
    name: 'compute-bodies',
    summary: 'bodies of all endpoints of the compute service, through its application',
    generate: jsonGenerator({
      strings: [
        ...['provider', 'standard', 'confidential', 'name', 'machine_id', 'm-1', 'base', 'image', 'env', 'ports'],
        ...['public_key', 'registry', 'https://hooks.example/'],
      ],
      // Not used as a field name, since the error names an unknown field.
      values: [canary],
    }),
    async open() {
      const limits = { perEndpoint: unlimited, perAccount: unlimited, keyless: unlimited, creations: unlimited };
      const memory = { kind: 'sqlite', path: ':memory:' } as const;
      const running = await startComputeApp((options) => openWorld(memory, options), { limits });
      // No name resolves, so the fuzzer needs no network.
      Object.assign(running.service, { guard: { allowPrivate: false, resolveName: async () => [] } });
      const { secret } = await tenantWithoutMoney(running.world);
      return {
        isRefusal: () => false,
        async run(input) {
          for (const { method, path: url } of operations) {
            const { statusCode, body } = await running.app.inject({
              ...{ method, url, payload: Buffer.from(input) },
              headers: { 'x-api-key': secret, 'content-type': 'application/json' },
            });
            requireAnswer(`${method} ${url}`, statusCode, body);
          }
        },
        async close() {
          await running.app.close();
          await running.world.accounts.close();
        },
      };
    },
  };
}

/** A tenant without a balance: a deploy with a valid body is rejected before a machine is rented. */
async function tenantWithoutMoney({ accounts, now }: World) {
  await accounts.createAccount({ name: 'tenant', plan: 'operator', now });
  return accounts.createKey({ account: 'tenant', name: 'key', now });
}

function requireAnswer(what: string, status: number, body: string): void {
  if (status < 400) return;
  if (status >= 500) throw new Error(`${what} responded with ${status}: ${body}`);
  if (body.includes(canary)) throw new Error(`${what}: the error repeats the caller's text`);
  const mismatch = findMismatch(errorSchema, JSON.parse(body));
  if (mismatch !== undefined)
    throw new Error(`${what} responded with ${status} in an undocumented format: ${mismatch}`);
}

function sshKeys(): FuzzTarget {
  return {
    name: 'ssh-keys',
    summary: 'public SSH keys; what is accepted must also pass the check before an engine is called',
    words: [' ', '\n', '\0', '=', 'ssh-rsa', 'ssh-ed25519', 'AAAA', 'no-pty ', 'PRIVATE KEY', canary].map(bytesOf),
    open: () => ({
      isRefusal: refusalsOf(ComputeError, 'INVALID_REQUEST'),
      run: (input) =>
        withoutEcho(() => {
          const { line, fingerprint } = parseSshPublicKey(textOf(input));
          if (!/^SHA256:[A-Za-z0-9+/]{43}$/.test(fingerprint)) throw new Error(`fingerprint ${fingerprint}`);
          requireAcceptedByEngines(line);
        }),
    }),
  };
}

function requireAcceptedByEngines(line: string): void {
  try {
    requirePodSpec({
      podId: 'pod',
      hostname: 'pod',
      image: { reference: 'registry.example/base:1' },
      sshKeys: [line],
      ports: [],
      sparePorts: 0,
      gpuCount: 1,
      limits: { cpus: 1, memoryBytes: 2 ** 30 },
    } as unknown as Parameters<typeof requirePodSpec>[0]);
  } catch (cause) {
    throw new Error(`an accepted key does not pass requirePodSpec: ${String(cause)}`, { cause });
  }
}

function imageReferences(): FuzzTarget {
  return {
    name: 'image-references',
    summary: 'names of container images; the full name of an accepted one must mean the same',
    words: ['/', ':', '@', '.', '-', '__', 'localhost', 'docker.io', '@sha256:', '127.0.0.1', canary].map(bytesOf),
    open: () => ({
      isRefusal: refusalsOf(EngineError, 'ERR_IMAGE_UNAVAILABLE'),
      run: (input) =>
        withoutEcho(() => {
          const reference = parseImageReference(textOf(input));
          const again = parseImageReference(reference.full);
          if (JSON.stringify(again) !== JSON.stringify(reference))
            throw new Error('the full name refers to another image');
          requireAllowedRegistry(reference, {});
          const url = new URL(`https://${reference.registry}/`);
          if (url.host !== reference.registry) throw new Error('the registry differs from the host of its URL');
        }),
    }),
  };
}

function startCommands(): FuzzTarget {
  return {
    name: 'start-commands',
    summary: 'start commands of pods, split into words',
    words: ["'", '"', '\\', ' ', '\t', '\n', '$', '`', ';', '=', '\0', canary].map(bytesOf),
    open: () => ({
      isRefusal: refusalsOf(EngineError, 'ERR_ENGINE_REFUSED'),
      run: (input) =>
        withoutEcho(() => {
          const command = parseSimpleCommand(textOf(input));
          requireContainerSettings({ kind: 'container', reference: '', command } as never);
        }),
    }),
  };
}
