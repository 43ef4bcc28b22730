/** The files that deploy a fleet are valid for Docker, kubectl and the schemas of Kubernetes. None of it is deployed. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { parseEvidencePolicy } from '../../attestation/policy/evidence-policy.ts';
import { settings, variableName } from '../../server/program/settings.ts';

const folder = join(import.meta.dirname, '../../deploy');
/** The longest announcement of a draining node, in seconds: until its entry is seen, and until clients have read it. */
const announceS = 12;

function skippedWithout(program: string, args: readonly string[]): string | undefined {
  const works = spawnSync(program, args).status === 0;
  if (!works) console.warn(`the files for ${program} are not checked: ${program} ${args.join(' ')} does not run here`);
  return works ? undefined : ` (${program} is not installed)`;
}

function output(program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const { status, stdout, stderr } = spawnSync(program, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

const unknownVariables = (names: readonly string[]) => {
  const known = new Set(['CLOISTER_CONFIG', ...Object.keys(settings).map(variableName)]);
  return names.filter((name) => name.startsWith('CLOISTER_') && !known.has(name));
};

const noDocker = skippedWithout('docker', ['stack', 'config', '--help']);
describe.skipIf(noDocker !== undefined)(`deploy/swarm/stack.yaml${noDocker ?? ''}`, () => {
  const read = () =>
    parse(output('docker', ['stack', 'config', '-c', join(folder, 'swarm/stack.yaml')], { FLEET_NAME: 'api.example' }));

  it('is read by docker stack config, with settings that exist', () => {
    const { enclave, haproxy } = read().services;
    expect(unknownVariables(Object.keys(enclave.environment))).toEqual([]);
    expect(enclave.environment.CLOISTER_PUBLIC_URL).toBe('https://api.example:8443/v1');
    expect(haproxy.environment.FLEET_NODES).toBe('tasks.enclave');
    const variables = [...readFileSync(join(folder, 'haproxy/haproxy.cfg'), 'utf8').matchAll(/\$\{([A-Z_]+)\}/g)];
    expect(new Set(variables.map(([, name]) => name))).toEqual(new Set(Object.keys(haproxy.environment)));
  });

  it('replaces one node at a time, the new one first, and leaves time to drain', () => {
    const { enclave } = read().services;
    expect(enclave.deploy.update_config).toMatchObject({
      ...{ parallelism: 1, order: 'start-first', failure_action: 'rollback' },
    });
    expect(enclave.stop_grace_period).toBe('1m30s');
    expect(Number(enclave.environment.CLOISTER_DRAIN_TIMEOUT_S) + announceS).toBeLessThan(90);
  });

  it('has three servers of Patroni and three members of etcd, and leads to the leader by the name of the database', () => {
    const { services } = read();
    const { postgres, database } = services;
    const variables = [...readFileSync(join(folder, 'haproxy/postgres.cfg'), 'utf8').matchAll(/\$\{([A-Z_]+)\}/g)];
    expect(new Set(variables.map(([, name]) => name))).toEqual(new Set(Object.keys(postgres.environment)));
    expect(postgres.environment.DATABASE_NODES).toBe('tasks.database');
    expect(database.deploy.mode).toBe('global');
    expect(database.environment.RES_OPTIONS).toMatch(/timeout:1 attempts:1/);
    const members = ['etcd1', 'etcd2', 'etcd3'];
    expect(database.environment.PATRONI_ETCD3_HOSTS).toBe(members.map((name) => `${name}:2379`).join(','));
    const cluster = members.map((name) => `${name}=http://${name}:2380`).join(',');
    for (const [index, name] of members.entries()) {
      const { command, deploy, image } = services[name];
      expect(image).toBe(database.image);
      expect(command).toContain(`--name=${name}`);
      expect(command).toContain(`--initial-cluster=${cluster}`);
      expect(deploy.placement.constraints).toEqual([`node.labels.cloister.etcd == ${index + 1}`]);
    }
    // serve.sh reads every secret, and sets or gets every variable that Patroni needs on a server.
    const script = readFileSync(join(folder, 'patroni/serve.sh'), 'utf8');
    const secrets = [...script.matchAll(/\$\(secret (\w+)\)/g)].map(([, name]) => `cloister_${name}_password`);
    const given = database.secrets.map(({ source }: { source: string }) => source);
    expect(new Set(secrets)).toEqual(new Set(given));
    const { RES_OPTIONS: _, ...settings } = database.environment;
    expect(Object.keys(settings).sort()).toEqual(['NODE_ADDRESS', 'PATRONI_ETCD3_HOSTS', 'PATRONI_NAME']);
    expect(script).toContain('"$NODE_ADDRESS:8008"');
  });

  it('builds the image of the database from files that exist', () => {
    const dockerfile = readFileSync(join(folder, 'patroni/Dockerfile'), 'utf8');
    const copied = [...dockerfile.matchAll(/^COPY --chmod=\d+ (.*) \S+$/gm)].flatMap(([, names]) => names!.split(' '));
    expect(copied.sort()).toEqual(['create-database.sh', 'hand_over.py', 'patroni.yml', 'serve.sh']);
    for (const name of copied) readFileSync(join(folder, 'patroni', name));
    expect(dockerfile).toMatch(/^USER 10002:10002$/m);
  });

  it('has no password of its own', () => {
    const text = readFileSync(join(folder, 'swarm/stack.yaml'), 'utf8');
    expect(text).not.toMatch(/^[^#]*PASSWORD: /m);
    expect(read().secrets.cloister_settings).toMatchObject({ external: true });
  });
});

interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  // biome-ignore lint/suspicious/noExplicitAny: the schemas of Kubernetes check the types.
  readonly [member: string]: any;
}

const noKubectl = skippedWithout('kubectl', ['kustomize', '--help']);
describe.skipIf(noKubectl !== undefined)(`deploy/kubernetes${noKubectl ?? ''}`, () => {
  const resources = (name: string): readonly Resource[] =>
    parseAllDocuments(output('kubectl', ['kustomize', join(folder, 'kubernetes', name)])).map((one) => one.toJS());
  const find = (kind: string, { among, name = 'enclave' }: { among: readonly Resource[]; name?: string }) =>
    among.find((one) => one.kind === kind && one.metadata.name === name)!;
  const base = noKubectl === undefined ? resources('base') : [];

  it.each(['base', 'keda', 'monitoring'])('%s conforms to the schemas of Kubernetes', async (name) => {
    const withoutSchema: string[] = [];
    for (const resource of resources(name)) {
      // Types that operators add have no schema in this package.
      if (/\.(sh|com)\//.test(resource.apiVersion)) withoutSchema.push(resource.kind);
      else await validate(resource);
    }
    expect(withoutSchema).toEqual({ base: [], keda: ['ScaledObject'], monitoring: ['ServiceMonitor'] }[name]);
  });

  // The schemas permit members that they do not know, so a misspelled optional member is not found.
  it('would not pass without a required member or with one of the wrong type', async () => {
    const set = find('StatefulSet', { among: base });
    await expect(validate({ ...set, spec: { ...set.spec, selector: undefined } })).rejects.toThrow('selector');
    await expect(validate({ ...set, spec: { ...set.spec, replicas: 'three' } })).rejects.toThrow('replicas');
  });

  it('selects the pods of the nodes by one label, and names ports that they have', () => {
    const { spec } = find('StatefulSet', { among: base });
    const labels = spec.template.metadata.labels;
    expect(labels).toEqual(spec.selector.matchLabels);
    expect(find('PodDisruptionBudget', { among: base }).spec.selector.matchLabels).toEqual(labels);
    expect(find('NetworkPolicy', { among: base }).spec.podSelector.matchLabels).toEqual(labels);
    const ports = spec.template.spec.containers[0].ports.map(({ name }: { name: string }) => name);
    for (const name of ['nodes', 'fleet', 'metrics']) {
      const service = find('Service', { among: base, name });
      expect(service.spec.selector).toEqual(labels);
      for (const { targetPort } of service.spec.ports) expect(ports).toContain(targetPort);
    }
    expect(spec.serviceName).toBe('nodes');
  });

  it('leaves time to drain, and has settings that exist and a policy that is read', () => {
    const { spec } = find('StatefulSet', { among: base }).spec.template;
    const variables: { name: string; value?: string }[] = spec.containers[0].env;
    expect(unknownVariables(variables.map(({ name }) => name))).toEqual([]);
    const drainS = Number(variables.find(({ name }) => name === 'CLOISTER_DRAIN_TIMEOUT_S')!.value);
    expect(drainS + announceS).toBeLessThan(spec.terminationGracePeriodSeconds);
    const policy = base.find(({ kind }) => kind === 'ConfigMap')!.data['fleet-policy.json'];
    expect(parseEvidencePolicy(policy).measurements).toHaveLength(1);
    expect(parseEvidencePolicy(readFileSync(join(folder, 'swarm/fleet-policy.json'), 'utf8'))).toEqual(
      parseEvidencePolicy(policy),
    );
  });

  it('scales by one autoscaler at a time, with KEDA by a metric that is documented', () => {
    const keda = resources('keda');
    expect(find('HorizontalPodAutoscaler', { among: base })).toBeDefined();
    expect(find('HorizontalPodAutoscaler', { among: keda })).toBeUndefined();
    const [{ metadata }] = find('ScaledObject', { among: keda }).spec.triggers;
    const [name] = /cloister_\w+(?=_bucket)/.exec(metadata.query)!;
    expect(readFileSync(join(folder, '../docs/reference/health-and-metrics.md'), 'utf8')).toContain(`\`${name}\``);
  });
});

/** @throws an error that names the wrong member */
async function validate(resource: Resource): Promise<void> {
  const path = `kubernetes-models/${resource.apiVersion}/${resource.kind}`;
  const { [resource.kind]: Model } = await import(/* @vite-ignore */ path);
  new Model(resource).validate();
}
