/** The compute API, as `/api/{svc}/openapi.json` describes it. The path of the page names the service. */
import type { Session } from '../api/answers.ts';
import { call } from '../api/request.ts';
import type { Secret, SessionRoutes } from '../api/session.ts';

const [, service = 'svc'] = location.pathname.split('/');

/** The address of this page. */
export const home = `/${service}/console`;

/** @param path below the service's base, such as `pods` */
export function api(path: string): string {
  return `/api/${service}/${path}`;
}

export const sessionRoutes: SessionRoutes = {
  read: () => call<Session>(api('account')),
  async open(secret: Secret) {
    const body = 'link' in secret ? { token: secret.link } : secret;
    await call(api('session'), { method: 'POST', body });
    return await call<Session>(api('account'));
  },
  end: () => call(api('session'), { method: 'DELETE' }),
  command: 'npx cloister accounts login --compute',
};

/** Without its password, which the service never returns. */
export interface RegistryCredential {
  readonly id: string;
  readonly name: string;
  readonly registry: string;
  readonly username: string;
  readonly created_at: string;
}

export interface Pod {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly provider_status: string;
  readonly resource_name: string;
  readonly gpu_type: string;
  readonly gpu_count: number;
  /** US dollars. */
  readonly hourly_price: number;
  readonly billed: number;
  readonly held: number;
  readonly created_at: string;
  readonly ssh_banner: boolean;
  readonly ssh_command: string | null;
  readonly provider: 'confidential' | 'standard';
  readonly confidential_compute: boolean;
  readonly warning?: string;
}

export interface PodDetails extends Pod {
  readonly image?: string;
  readonly ssh_host_key: string | null;
  readonly ports: readonly {
    readonly port: number;
    readonly protocol: string;
    readonly host: string;
    readonly host_port: number;
  }[];
  readonly hard_stop_at: string | null;
}

/** A tier of confidential machines, or one standard machine. */
export interface Machine {
  readonly name: string;
  readonly provider: 'confidential' | 'standard';
  readonly confidential_compute: boolean;
  readonly warning?: string;
  readonly gpu_type: string;
  readonly gpu_count: number;
  /** US dollars an hour. */
  readonly price: number;
  readonly available: number | boolean;
  /** Of a tier. */
  readonly resource_name?: string;
  readonly vcpu?: number;
  readonly memory?: number;
  /** Of a standard machine. */
  readonly machine_id?: string;
  readonly cpu_cores?: number;
  readonly ram_gb?: number;
  readonly disk_gb?: number;
  readonly location?: { readonly city: string; readonly country: string };
}

export interface Template {
  /** Of a standard template. */
  readonly id?: string;
  /** Of a confidential template. */
  readonly uid?: string;
  readonly name: string;
  readonly description: string;
  readonly category?: string;
  readonly image?: string;
  readonly resource_name?: string;
  readonly default?: boolean;
}

export interface TemplateList {
  readonly items: readonly Template[];
}

export interface SshKey {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly createdAt: string;
}

export interface ComputeKey {
  readonly id: string;
  readonly name: string;
  readonly keyPreview: string;
  readonly createdAt: string;
}

export interface ComputeBalance {
  readonly balance: number;
  readonly active_pods: number;
  readonly top_up_url: string | null;
}

export interface Charge {
  readonly pod_id: string;
  readonly name: string;
  readonly provider: string;
  readonly resource_name: string;
  readonly status: string;
  readonly hourly_price: number;
  readonly billed: number;
  readonly held: number;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly reason: string | null;
}

export interface FeedEvent {
  readonly id: string;
  readonly sequence: number;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, string | number | null>>;
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly created_at: string;
}

export interface DeadLetter {
  readonly event_id: string;
  readonly attempts: number;
  readonly reason: string;
  readonly at: string;
}

/** What identifies a machine in a list. */
export function machineKey({ machine_id: id, resource_name: tier = '' }: Machine): string {
  return id ?? tier;
}

export function isFree({ available }: Machine): boolean {
  return available === true || Number(available) > 0;
}
