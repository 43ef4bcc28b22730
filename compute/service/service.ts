/** Everything the routes work with. */
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
  /** Work was written down: whoever runs jobs looks for it. */
  readonly wake: () => void;
  /** What the last look at the books found wrong; while there is anything, nothing is let. */
  readonly faults: () => readonly string[];
}

export interface ComputeOptions {
  /** The service's own word in paths. */
  readonly svc: string;
  /** Where people pay in; null where the operator has configured no such page. */
  readonly topUpUrl: string | null;
  /** Where evidence is listed, for `index`. */
  readonly baseUrl: string;
  /** Origins from which people's browsers may change API keys; the server's own is always one. */
  readonly webOrigins: readonly string[];
  /** A public key that is added next to the tenant's in standard pods, for the web terminal (C-127). */
  readonly serviceSshKey: string | undefined;
}
