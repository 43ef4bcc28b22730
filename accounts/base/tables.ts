/** The tables as kysely sees them; `migrations.ts` makes them. Times are milliseconds since 1970 unless named otherwise. */

export type DatabaseKind = 'sqlite' | 'postgres';

export interface Tables {
  accounts: { id: string; name: string; plan_id: string; created_at: number; closed_at: number | null };
  keys: {
    id: string;
    account_id: string;
    name: string;
    /** SHA-256, 32 bytes. */
    digest: Uint8Array;
    preview: string;
    /** Names separated by commas. */
    scopes: string;
    created_at: number;
    expires_at: number | null;
    /** Days since 1970: no finer, so that a key does not tell when its owner works. */
    last_used_day: number | null;
    revoked_at: number | null;
  };
  plans: {
    id: string;
    title: string;
    description: string;
    /** JSON: surface → ids of models. */
    models: string;
    context_tokens_max: number | null;
    requests_per_minute: number | null;
    requests_per_day: number | null;
    tokens_per_month: number | null;
    concurrent_requests_max: number | null;
    /** Share of the models' prices that is charged. */
    price_percent: number;
    /** Micro-dollars. */
    monthly_price: number | null;
    priority: number;
    updated_at: number;
  };
  /**
   * One row per account, and the lock for everything that moves in it.
   * funding + available + held + spent = 0 is a CHECK of the table: no committed state can break it.
   */
  meters: {
    account_id: string;
    /** Micro-dollars that came from outside, as the other side sees them: zero or negative. */
    funding: number;
    available: number;
    /** Set aside for requests that are running, and for the prepaid hours of pods. */
    held: number;
    spent: number;
    /** Requests that are running. */
    running: number;
    /** Tokens set aside for them. */
    tokens_held: number;
    /** Those of the last minute: see `request-window.ts`. Empty where the plan has no such limit. */
    recent_requests: string;
    /** Days since 1970, and the requests admitted on it. */
    day: number;
    day_requests: number;
    /** Months since year 0, and the tokens used in it. */
    month: number;
    month_tokens: number;
  };
  /** Requests that are running. */
  reservations: {
    id: string;
    account_id: string;
    key_id: string;
    request_id: string;
    model: string;
    /** The process that admitted it. */
    instance_id: string;
    price: number;
    tokens: number;
    created_at: number;
    deadline: number;
  };
  /** Processes that admit requests, so that nobody settles what a living one still serves. */
  instances: {
    id: string;
    /** Names the state folder that it runs on: what starts there next takes its place. Empty where nothing does. */
    node_id: string;
    /** By the database's clock, where there is one for all. */
    lease_until: number;
  };
  /** Append-only: what each answer used. Never a prompt, never an answer. */
  usage: {
    id: string;
    account_id: string;
    key_id: string;
    request_id: string;
    model: string;
    /** Unix seconds. */
    at: number;
    prompt_tokens: number;
    completion_tokens: number;
    images: number;
    steps: number;
    price: number;
    finish_reason: string;
  };
  /** Append-only journal of money that changed hands; each row takes from one side what it gives to the other. */
  movements: {
    /** What it is for; unique, so nothing is booked twice. */
    id: string;
    account_id: string;
    kind: MovementKind;
    from_side: LedgerSide;
    to_side: LedgerSide;
    micro_dollars: number;
    at: number;
  };
}

/** `hold`, `unhold` and `rent` are those of pods: an hour set aside, what of it is given back, and what was used. */
export type MovementKind = 'credit' | 'charge' | 'refund' | 'hold' | 'unhold' | 'rent';
export type LedgerSide = 'funding' | 'available' | 'held' | 'spent';
