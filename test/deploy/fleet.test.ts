/** The files that deploy a fleet are valid for Docker, kubectl, and the schemas of Kubernetes and of operators. None of it is deployed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { parseEvidencePolicy } from '../../attestation/policy/evidence-policy.ts';
import { settings, variableName } from '../../server/program/settings.ts';
import { isOperatorType, validateOperatorType } from '../support/deploy/operator-types.ts';
import { readDashboards } from '../support/server/monitoring-files.ts';

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

  it('has a Grafana with all dashboards, which only its users can read', () => {
    const { services, secrets, configs } = read();
    const { environment, configs: files } = services.grafana;
    expect(environment.GF_AUTH_ANONYMOUS_ENABLED).toBe('false');
    expect(environment.GF_SECURITY_ADMIN_PASSWORD__FILE).toBe('/run/secrets/cloister_grafana_password');
    expect(secrets.cloister_grafana_password).toMatchObject({ external: true });
    const contents = new Map<string, string>(
      files.map(({ source, target }: { source: string; target: string }) => [
        target,
        readFileSync(configs[source].file, 'utf8'),
      ]),
    );
    const provisioning = '/etc/grafana/provisioning';
    const [provider] = parse(contents.get(`${provisioning}/dashboards/cloister.yml`)!).providers;
    const [source] = parse(contents.get(`${provisioning}/datasources/prometheus.yml`)!).datasources;
    expect([source.type, source.url]).toEqual(['prometheus', 'http://prometheus:9090']);
    for (const { file, uid } of readDashboards()) {
      expect(JSON.parse(contents.get(`${provider.options.path}/${file}`)!).uid).toBe(uid);
    }
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
  const build = (path: string): readonly Resource[] =>
    parseAllDocuments(output('kubectl', ['kustomize', path])).map((one) => one.toJS());
  const resources = (name: string) => build(join(folder, 'kubernetes', name));
  /** The base with components, as an overlay outside of the folder. */
  function withComponents(...components: readonly string[]): readonly Resource[] {
    const overlay = mkdtempSync(join(tmpdir(), 'cloister-overlay-'));
    try {
      const path = (name: string) => relative(realpathSync(overlay), join(folder, 'kubernetes', name));
      const kustomization = { namespace: 'cloister', resources: [path('base')], components: components.map(path) };
      writeFileSync(join(overlay, 'kustomization.yaml'), stringify(kustomization));
      return build(overlay);
    } finally {
      rmSync(overlay, { recursive: true });
    }
  }
  const find = (kind: string, { among, name = 'enclave' }: { among: readonly Resource[]; name?: string }) =>
    among.find((one) => one.kind === kind && one.metadata.name === name)!;
  const base = noKubectl === undefined ? resources('base') : [];

  it('base conforms to the schemas of Kubernetes', async () => {
    for (const resource of base) await validate(resource);
  });

  it.each([
    ['keda', ['ScaledObject']],
    ['monitoring', ['ServiceMonitor']],
    ['postgres', ['Cluster']],
    ['prometheus-adapter', []],
    ['tdx', []],
  ])(
    'base with the component %s conforms to the schemas of Kubernetes and of operators',
    async (name, operatorTypes) => {
      const all = withComponents(name);
      expect(all.filter(isOperatorType).map(({ kind }) => kind)).toEqual(operatorTypes);
      for (const resource of all) await validate(resource);
    },
  );

  it('example conforms to the schemas, and replaces image, policy and a variable', async () => {
    const all = resources('example');
    for (const resource of all) await validate(resource);
    expect(
      all
        .filter(isOperatorType)
        .map(({ kind }) => kind)
        .sort(),
    ).toEqual(['Cluster', 'ScaledObject', 'ServiceMonitor']);
    const { spec } = find('StatefulSet', { among: all }).spec.template;
    expect(spec.containers[0].image).toBe('registry.example.com/cloister:0.2.0');
    expect(unknownVariables(spec.containers[0].env.map(({ name }: { name: string }) => name))).toEqual([]);
    const policies = all.filter(({ kind }) => kind === 'ConfigMap');
    expect(policies).toHaveLength(1);
    expect(parseEvidencePolicy(policies[0]!.data['fleet-policy.json']).measurements).toHaveLength(1);
    expect(spec.volumes).toContainEqual({ name: 'policy', configMap: { name: policies[0]!.metadata.name } });
  });

  // The schemas of Kubernetes permit members that they do not know, so a misspelled optional member is not found there.
  it('would not pass without a required member or with one of the wrong type', async () => {
    const set = find('StatefulSet', { among: base });
    await expect(validate({ ...set, spec: { ...set.spec, selector: undefined } })).rejects.toThrow('selector');
    await expect(validate({ ...set, spec: { ...set.spec, replicas: 'three' } })).rejects.toThrow('replicas');
  });

  it('would not pass with a member that an operator does not know', async () => {
    const all = resources('example');
    for (const kind of ['ScaledObject', 'ServiceMonitor', 'Cluster']) {
      const resource = all.find((one) => one.kind === kind)!;
      const misspelled = { ...resource, spec: { ...resource.spec, replica: 3 } };
      await expect(validate(misspelled)).rejects.toThrow('/spec/replica ');
    }
  });

  it('permits the database whose pods the component postgres labels', () => {
    const all = withComponents('postgres');
    const { egress } = find('NetworkPolicy', { among: all }).spec;
    const { labels } = find('Cluster', { among: all, name: 'postgres' }).spec.inheritedMetadata;
    const selectors = egress.flatMap(({ to, ports }: { to: Resource[]; ports: Resource[] }) =>
      ports.some(({ port }) => port === 5432) ? to.map(({ podSelector }) => podSelector.matchLabels) : [],
    );
    expect(selectors).toEqual([labels]);
  });

  it('with the component tdx, runs nodes as TDX guests of the size of their limits, without a simulation', () => {
    const { spec } = find('StatefulSet', { among: withComponents('tdx') }).spec.template;
    expect(spec.runtimeClassName).toBe('kata-qemu-tdx');
    expect(spec.nodeSelector).toEqual({ 'feature.node.kubernetes.io/cpu-security.tdx.enabled': 'true' });
    const [{ args, resources: given }] = spec.containers;
    expect(args).toEqual(['serve']);
    expect(given.limits).toEqual(given.requests);
    expect(Object.keys(given.limits).sort()).toEqual(['cpu', 'memory']);
    expect(find('StatefulSet', { among: base }).spec.template.spec.containers[0].args).toContain('--simulate-tdx');
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

  it.each([
    ['keda', 'ScaledObject'],
    ['prometheus-adapter', 'HorizontalPodAutoscaler'],
  ])('with the component %s, scales by the queue time, with limits on both directions', (name, kind) => {
    const all = withComponents(name);
    const scalers = all.filter((one) => ['ScaledObject', 'HorizontalPodAutoscaler'].includes(one.kind));
    expect(scalers.map((one) => one.kind)).toEqual([kind]);
    const [{ spec }] = scalers as [Resource];
    expect(spec.scaleTargetRef).toMatchObject({ kind: 'StatefulSet', name: 'enclave' });
    // Otherwise each `kubectl apply` would set the number of nodes back.
    expect(find('StatefulSet', { among: all }).spec.replicas).toBeUndefined();
    const behavior = spec.behavior ?? spec.advanced.horizontalPodAutoscalerConfig.behavior;
    expect(Object.keys(behavior).sort()).toEqual(['scaleDown', 'scaleUp']);
  });

  it('has no autoscaler without a component', () => {
    expect(find('HorizontalPodAutoscaler', { among: base })).toBeUndefined();
    expect(find('StatefulSet', { among: base }).spec.replicas).toBe(3);
  });

  it('asks Prometheus for metrics that are documented, in the same way with KEDA and with prometheus-adapter', () => {
    const [trigger] = find('ScaledObject', { among: withComponents('keda') }).spec.triggers;
    const [rule] = parse(readFileSync(join(folder, 'kubernetes/prometheus-adapter/rules.yaml'), 'utf8')).externalRules;
    const [series] = /^cloister_\w+/.exec(rule.seriesQuery)!;
    const query = rule.metricsQuery
      .replace('<<.Series>>', series)
      .replace('<<.LabelMatchers>>', 'namespace="cloister"');
    expect(query).toBe(trigger.metadata.query);
    const reference = readFileSync(join(folder, '../docs/reference/health-and-metrics.md'), 'utf8');
    expect(reference).toContain(`\`${series.replace('_bucket', '')}\``);
    const { metric, target } = find('HorizontalPodAutoscaler', { among: withComponents('prometheus-adapter') }).spec
      .metrics[0].external;
    expect(metric.name).toBe(rule.name.as);
    expect(Number(target.value.replace(/m$/, '')) / 1000).toBe(Number(trigger.metadata.threshold));
  });
});

/** @throws an error that names the wrong member */
async function validate(resource: Resource): Promise<void> {
  if (isOperatorType(resource)) return validateOperatorType(resource);
  const path = `kubernetes-models/${resource.apiVersion}/${resource.kind}`;
  const { [resource.kind]: Model } = await import(/* @vite-ignore */ path);
  new Model(resource).validate();
}
