/** Column types of the tables for kysely; `migrations.ts` creates them. Times are milliseconds since 1970 unless noted. */

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
    /** Days since 1970. A finer time would reveal when the key's user is active. */
    last_used_day: number | null;
    revoked_at: number | null;
  };
  /** Sign-in links and the sessions that they, or API keys, open. */
  sessions: {
    id: string;
    /** SHA-256 of the link or the cookie, hexadecimal. */
    digest: string;
    kind: 'link' | 'session';
    account_id: string;
    /** The key that opened the session; null if a link did. */
    key_id: string | null;
    /** Names separated by commas. */
    scopes: string;
    created_at: number;
    seen_at: number;
    expires_at: number;
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
    /** Percentage of the model's price that is charged. */
    price_percent: number;
    /** Micro-dollars. */
    monthly_price: number | null;
    priority: number;
    updated_at: number;
  };
  /**
   * One row per account, which is also the lock for every movement of the account.
   * A CHECK constraint enforces funding + available + held + spent = 0.
   */
  meters: {
    account_id: string;
    /** Micro-dollars paid in, with a negative sign: the counter-account of the other three. */
    funding: number;
    available: number;
    /** Reserved for requests in flight and for the prepaid hours of pods. */
    held: number;
    spent: number;
    /** Number of requests in flight. */
    running: number;
    /** Tokens reserved for the requests in flight. */
    tokens_held: number;
    /** Times of the last minute's requests, see `request-window.ts`. Empty if the plan has no such limit. */
    recent_requests: string;
    /** Days since 1970; `day_requests` counts the requests admitted on that day. */
    day: number;
    day_requests: number;
    /** Months since year 0; `month_tokens` counts the tokens used in that month. */
    month: number;
    month_tokens: number;
  };
  /** Requests in flight. */
  reservations: {
    id: string;
    account_id: string;
    key_id: string;
    request_id: string;
    model: string;
    /** The process that admitted the request. */
    instance_id: string;
    price: number;
    tokens: number;
    created_at: number;
    deadline: number;
  };
  /** Processes that admit requests, with their leases. A sweep releases only reservations of processes whose lease is over. */
  instances: {
    id: string;
    /** Id of the node, from its state folder: the next process of a node replaces the previous one. Empty without a node. */
    node_id: string;
    /** By the database's clock, which all processes share. */
    lease_until: number;
  };
  /** The directory of a fleet: one row per node that serves. */
  fleet_nodes: {
    /** 16 hexadecimal digits. */
    node: string;
    /** The signed entry, as JSON. */
    entry: string;
    /** PEM of the root of a simulated machine; null on a real one. */
    simulation_root: string | null;
    /** By the database's clock. */
    expires_at: number;
  };
  /** Append-only: the usage of each request. Prompts and completions are never stored. */
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
    /** Slug of the agent that answered; null if the model answered without one. Not part of statements. */
    agent: string | null;
  };
  /** Append-only journal of money; each row moves an amount from one side of the account to another. */
  movements: {
    /** Derived from the cause of the movement and unique, so that nothing is booked twice. */
    id: string;
    account_id: string;
    kind: MovementKind;
    from_side: LedgerSide;
    to_side: LedgerSide;
    micro_dollars: number;
    at: number;
  };
  /** Append-only: invoices, each with the hash of the one before. */
  invoices: {
    /** Account and month. */
    id: string;
    /** From 1, without gaps. */
    number: number;
    /** JSON. */
    document: string;
    /** SHA-256 of `document`, hexadecimal. */
    digest: string;
  };
}

/** `hold`, `unhold` and `rent` belong to pods: an hour reserved, the unused part released, and the used part charged. */
export type MovementKind = 'credit' | 'charge' | 'refund' | 'hold' | 'unhold' | 'rent';
export type LedgerSide = 'funding' | 'available' | 'held' | 'spent';
