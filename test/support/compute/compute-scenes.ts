/** Scenes in which requests to the compute service are rejected: the account, the pod, the engine's behaviour. */
import { expect } from 'vitest';
import type { Answered, ComputeApp } from './compute-app.ts';

export const svc = '/api/svc';
export const pods = `${svc}/pods`;
export const standard = { provider: 'standard', name: 'pod', machine_id: 'm-1' };
export const confidential = { provider: 'confidential', name: 'vm', resource_name: 'h100-tdx' };

export interface Scene {
  readonly app: ComputeApp;
  readonly key: string;
}

/** Sets up a scene and sends the request. */
export type Ask = (scene: Scene) => Promise<Answered>;

export function ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string): Ask {
  return ({ app, key }) => app.call(method, `${svc}/${path}`, { key, ...(method === 'GET' ? {} : { body: {} }) });
}

/** @param change of the body, which by default requests a standard pod */
export function deploy(change: object = {}, body: object = standard): Ask {
  return ({ app, key }) => app.call('POST', pods, { key, body: { ...body, ...change } });
}

/** A deploy without an API key. */
export const keyless: Ask = ({ app }) => app.call('POST', pods, { body: standard });

/** The account already rents the machine. */
export function afterDeploy(then: Ask): Ask {
  return async (scene) => {
    expect((await deploy()(scene)).status).toBe(201);
    return await then(scene);
  };
}

/** About a standard pod that runs. @param suffix after its id in the path */
export function ofPod(method: 'POST' | 'DELETE' | 'PUT', suffix: string): Ask {
  return async ({ app, key }) => {
    const { pod } = (await app.call('POST', pods, { key, body: standard })).body;
    await app.world.pass(1_000);
    return await app.call(method, `${pods}/${pod.id}${suffix}`, { key, body: {} });
  };
}

/** Each `call` to the engine has this outcome. */
export function withFate(call: string, fate: 'refused' | 'unreachable' | 'lost', then: Ask): Ask {
  return (scene) => {
    scene.app.world.engine.fateOf = (name) => (name === call ? fate : 'done');
    return then(scene);
  };
}

/** A request of another account. @param options of money, scopes and keys */
export function as(name: string, options: Parameters<ComputeApp['tenant']>[1], then: Ask): Ask {
  return async ({ app }) => then({ app, key: (await app.tenant(name, options)).key });
}

/** An account with less than any machine costs. */
export function poor(then: Ask): Ask {
  return as('poor', { micro: 50_000 }, then);
}

/** An account without an SSH key. */
export function keylessAccount(then: Ask): Ask {
  return as('bare', { sshKey: false }, then);
}
