/** The services that are created in a Swarm, and the pod state derived from its reports. */
import { describe, expect, it } from 'vitest';
import type { PodSpec } from '../../../compute/engines/engine.ts';
import { type ServiceOptions, serviceBody } from '../../../compute/engines/swarm/service-body.ts';
import { nodeFacts, type SwarmNode } from '../../../compute/engines/swarm/swarm-nodes.ts';
import { newest, type Service, type Task, toEnginePod } from '../../../compute/engines/swarm/task-pod.ts';

const spec: PodSpec = {
  podId: 'p-1',
  kind: 'standard',
  machine: 'node-3',
  image: { reference: 'cloister-test-template-abc' },
  hostname: 'my-pod-',
  sshKeys: [`ssh-ed25519 ${'A'.repeat(68)}`],
  ports: [{ port: 8080, protocol: 'tcp' }],
  gpuCount: 8,
  limits: { cpus: 2, memoryBytes: 2 ** 30 },
};
const options: ServiceOptions = {
  instance: 'test',
  processesMax: 1000,
  gpuResource: 'gpu',
  kitFolder: '/opt/cloister/kit',
};
const start = { image: 'ghcr.io/a/b@sha256:0', command: ['run', 'a b; $(c)'], env: { A: 'x y' } };
const keys = { id: 'id-1', name: 'cloister_test_p-1' };

describe('the body of a service', () => {
  const body = serviceBody(spec, start, keys, options);

  it('is one task on the rented machine, never restarted, published on that machine', () => {
    expect(body).toMatchObject({
      Name: 'cloister_test_p-1',
      Labels: { 'cloister.pod': 'p-1', 'cloister.instance': 'test' },
      TaskTemplate: {
        RestartPolicy: { Condition: 'none' },
        Placement: { Constraints: ['node.hostname==node-3'] },
        LogDriver: { Name: 'none' },
        Resources: {
          Limits: { NanoCPUs: 2e9, MemoryBytes: 2 ** 30, Pids: 1000 },
          Reservations: { GenericResources: [{ DiscreteResourceSpec: { Kind: 'gpu', Value: 8 } }] },
        },
      },
      Mode: { Replicated: { Replicas: 1 } },
      EndpointSpec: {
        Ports: [
          { Protocol: 'tcp', TargetPort: 22, PublishMode: 'host' },
          { Protocol: 'tcp', TargetPort: 8080, PublishMode: 'host' },
        ],
      },
    });
  });

  it('gives the container few capabilities, its command verbatim, and no writable part of the host', () => {
    expect(body).toMatchObject({
      TaskTemplate: {
        ContainerSpec: {
          Command: ['/.cloister/start'],
          Args: ['run', 'a b; $(c)'],
          Env: ['A=x y'],
          Hostname: 'my-pod',
          CapabilityDrop: ['ALL'],
          Privileges: { NoNewPrivileges: true },
          Mounts: [
            { Type: 'bind', Source: '/opt/cloister/kit', Target: '/.cloister', ReadOnly: true },
            { Type: 'tmpfs', Target: '/.cloister/host-keys' },
          ],
        },
      },
    });
  });

  it('mounts nothing and starts what the image starts if there is no SSH kit', () => {
    const bare = JSON.stringify(
      serviceBody(spec, { ...start, command: undefined }, keys, { ...options, kitFolder: undefined }),
    );
    expect(bare).not.toMatch(/Mounts|"Command"|"Args"/);
  });
});

describe("a service's state", () => {
  const service: Service = {
    ID: 's-1',
    CreatedAt: '2026-11-21T08:00:00Z',
    Spec: {
      Name: 'cloister_test_p-1',
      Labels: { 'cloister.pod': 'p-1', 'cloister.instance': 'test' },
      TaskTemplate: {
        Placement: { Constraints: ['node.hostname==node-3'] },
        Resources: { Reservations: { GenericResources: [{ DiscreteResourceSpec: { Value: 8 } }] } },
      },
    },
  };
  const port = { Protocol: 'tcp', TargetPort: 22, PublishedPort: 32_768 };
  const task = (state: string, desired = 'running'): Task => ({
    ServiceID: 's-1',
    CreatedAt: '2026-11-21T08:00:01Z',
    DesiredState: desired,
    // Docker 20.10 reports every port twice.
    Status: { Timestamp: '2026-11-21T09:00:00Z', State: state, PortStatus: { Ports: [port, port] } },
  });
  const read = (of: Task | undefined, instance = 'test') =>
    toEnginePod(service, of, instance, { 'node-3': '203.0.113.7' });

  it('is running if its task runs', () => {
    expect(read(task('running'))).toMatchObject({
      podId: 'p-1',
      machine: 'node-3',
      state: 'running',
      ssh: { host: '203.0.113.7', port: 32_768, user: 'root' },
      ports: [],
      gpuCount: 8,
    });
  });

  it.each([
    ['nothing yet', undefined],
    ['a task that is being prepared', task('preparing')],
  ])('is starting with %s', (_, of) => {
    expect(read(of)).toMatchObject({ state: 'starting', ssh: undefined, gpuCount: 0 });
  });

  it.each([
    ['failed', task('failed', 'shutdown')],
    ['was refused', task('rejected', 'shutdown')],
    ['is on a node that went away', task('running', 'shutdown')],
  ])('is dead if its task %s', (_, of) => {
    expect(read(of)).toMatchObject({ state: 'dead', ssh: undefined, endedAt: new Date('2026-11-21T09:00:00Z') });
  });

  it("is foreign under another control plane's name", () => {
    expect(read(task('running'), 'other')).toBeUndefined();
  });

  it('has the state of its newest task', () => {
    const older = { ...task('failed'), CreatedAt: '2026-11-21T07:00:00Z' };
    expect(newest([older, task('running')])?.Status.State).toBe('running');
    expect(newest([])).toBeUndefined();
  });
});

describe('a node', () => {
  const node = (fields: Partial<SwarmNode>): SwarmNode => ({
    Spec: { Availability: 'active' },
    Description: {
      Hostname: 'node-3',
      Resources: {
        NanoCPUs: 4e9,
        MemoryBytes: 2 ** 34,
        GenericResources: [{ NamedResourceSpec: { Kind: 'gpu' } }, { NamedResourceSpec: { Kind: 'gpu' } }],
      },
      Engine: { EngineVersion: '20.10.24' },
    },
    Status: { State: 'ready' },
    ...fields,
  });

  it('offers pods if it is ready and active', () => {
    const facts = nodeFacts(node({}), [], 'gpu');
    expect(facts).toMatchObject({ machine: 'node-3', offers: ['standard'], cpus: 4, gpuCount: 2, refusals: [] });
  });

  it.each([
    [{ Status: { State: 'down' } }, 'the node is down'],
    [{ Spec: { Availability: 'drain' } }, 'the node is set to drain'],
  ])('offers no pods otherwise and states the reason: %j', (fields, refusal) => {
    expect(nodeFacts(node(fields), [], 'gpu')).toMatchObject({ offers: [], refusals: [refusal] });
  });
});
