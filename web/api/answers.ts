/** The answers that the pages read, as `/v1/openapi.json` describes them. */

export interface Pricing {
  /** US dollars per million tokens. */
  readonly prompt?: number;
  readonly completion?: number;
  /** US dollars for each image, and for each of its steps. */
  readonly image?: number;
  readonly step?: number;
}

export interface Model {
  readonly id: string;
  readonly type?: 'agent' | 'model';
  readonly name?: string;
  readonly industry?: string | null;
  readonly description?: string;
  readonly status?: string;
  readonly requests_running?: number;
  readonly requests_waiting?: number;
  readonly context_length?: number;
  readonly native_sizes?: readonly string[];
  readonly dimensions?: number;
  readonly pricing?: Pricing;
  readonly capabilities?: Readonly<Record<string, boolean>>;
  readonly tools?: readonly { readonly name: string }[];
}

export interface List<Item> {
  readonly data: readonly Item[];
}

export interface Session {
  readonly account: string;
  readonly plan: string;
  readonly scopes: readonly string[];
  readonly can_manage_keys: boolean;
  readonly expires_at: string;
}

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly preview: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_on: string | null;
  readonly revoked_at: string | null;
}

export interface Balance {
  readonly balance: string;
  readonly held_micro_dollars: number;
  readonly spent_micro_dollars: number;
  readonly plan: {
    readonly title: string;
    readonly requests_per_minute: number | null;
    readonly requests_per_day: number | null;
    readonly tokens_per_month: number | null;
    readonly concurrent_requests: number | null;
  };
  readonly usage: {
    readonly running_requests: number;
    readonly requests_today: number;
    readonly tokens_this_month: number;
  };
}

export interface UsageSum {
  readonly day?: string;
  readonly model?: string;
  readonly key_id?: string;
  /** Null for requests that a model answered without an agent. */
  readonly agent?: string | null;
  readonly requests: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly images: number;
  readonly price_micro_dollars: number;
  readonly price: string;
}

export interface Usage extends List<UsageSum> {
  readonly from: string;
  readonly to: string;
}

export interface Tokens {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}
