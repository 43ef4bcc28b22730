/** The dependencies of the routes. */
import type { Accounts } from '@cloister/accounts/store';
import type { SecretBox } from '../base/secrets.ts';
import type { Control } from '../control/control.ts';
import type { Stock } from '../inventory/stock.ts';
import type { Templates } from '../inventory/templates.ts';
import type { GuardOptions } from '../webhooks/guard.ts';

export interface ComputeService {
  readonly control: Control;
  readonly accounts: Accounts;
  readonly stock: Stock;
  readonly templates: Templates;
  readonly secrets: SecretBox;
  readonly guard: GuardOptions;
  readonly options: ComputeOptions;
  /** Tells the workers to look for new jobs at once. */
  readonly wake: () => void;
  /** Faults found by the last audit of the books; deploys return 503 until there are none. */
  readonly faults: () => readonly string[];
}

export interface ComputeOptions {
  /** The service's path segment: `/api/{svc}`. */
  readonly svc: string;
  /** Address of the operator's payment page; null if not configured. */
  readonly topUpUrl: string | null;
  /** Address under which tenants reach the service; prefix of the `index` of attestation blocks. */
  readonly baseUrl: string;
  /** Origins whose pages may change API keys, in addition to the server's own. */
  readonly webOrigins: readonly string[];
  /** A public key that standard pods authorize in addition to the tenant's, for the web terminal (C-127). */
  readonly serviceSshKey: string | undefined;
}
