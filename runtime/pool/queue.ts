/** A queue ordered by priority, then fair between accounts. The caller limits its length. Pure: no clock. */

export interface Queued {
  readonly account: string;
  /** Higher goes first. */
  readonly priority: number;
}

interface Account<Item> {
  /** Virtual time: work charged to this account; at least the queue's floor when the account joins. */
  served: number;
  readonly waiting: Item[];
}

/**
 * Start-time fair queueing: of the waiting items with the highest priority, the item of the account that was served least
 * is taken first. An idle account joins at the floor, so it neither accumulates credit nor pays for earlier work.
 */
export class FairQueue<Item extends Queued> {
  readonly #accounts = new Map<string, Account<Item>>();
  #length = 0;
  #floor = 0;

  get length(): number {
    return this.#length;
  }

  push(item: Item): void {
    const account = this.#account(item.account);
    if (account.waiting.length === 0) account.served = Math.max(account.served, this.#floor);
    // First in, first out within one priority.
    const index = account.waiting.findIndex((other) => other.priority < item.priority);
    account.waiting.splice(index < 0 ? account.waiting.length : index, 0, item);
    this.#length += 1;
  }

  /** Number of waiting items of one account. */
  lengthOf(account: string): number {
    return this.#accounts.get(account)?.waiting.length ?? 0;
  }

  /**
   * @param isAllowed whether an account's first item may be taken now; default: always
   * @returns the next item, removed from the queue
   */
  take(isAllowed: (item: Item) => boolean = () => true): Item | undefined {
    let best: Account<Item> | undefined;
    for (const account of this.#accounts.values()) {
      const head = account.waiting[0];
      if (head === undefined || !isAllowed(head)) continue;
      if (best === undefined || goesBefore(account, best)) best = account;
    }
    if (best === undefined) return undefined;
    this.#floor = Math.max(this.#floor, best.served);
    this.#length -= 1;
    return best.waiting.shift();
  }

  /** Whether the queue would rather give its next item than this one, which does not wait in it. */
  hasBefore(item: Item): boolean {
    for (const { waiting } of this.#accounts.values()) {
      const [head] = waiting;
      if (head !== undefined && this.goesBefore(head, item)) return true;
    }
    return false;
  }

  /** Whether an item goes before another one; of two items of one account, neither does, unless its priority is higher. */
  goesBefore(item: Item, other: Item): boolean {
    if (item.priority !== other.priority) return item.priority > other.priority;
    return this.#servedOf(item.account) < this.#servedOf(other.account);
  }

  /** Notes that an item begins which did not wait in the queue. Accounts that join later start from there. */
  begin({ account }: Item): void {
    this.#floor = Math.max(this.#floor, this.#servedOf(account));
  }

  /** @returns false if the item is not in the queue */
  remove(item: Item): boolean {
    const waiting = this.#accounts.get(item.account)?.waiting ?? [];
    const index = waiting.indexOf(item);
    if (index < 0) return false;
    waiting.splice(index, 1);
    this.#length -= 1;
    return true;
  }

  /** Iterates over all waiting items, in no particular order. */
  *items(): Iterable<Item> {
    for (const account of this.#accounts.values()) yield* account.waiting;
  }

  /** Charges work to an account: tokens, or any other unit of the caller. */
  charge(account: string, work: number): void {
    this.#account(account).served += work;
  }

  #servedOf(account: string): number {
    return this.#accounts.get(account)?.served ?? this.#floor;
  }

  #account(name: string): Account<Item> {
    let account = this.#accounts.get(name);
    if (account === undefined) {
      this.#forgetIdleAccounts();
      account = { served: this.#floor, waiting: [] };
      this.#accounts.set(name, account);
    }
    return account;
  }

  /** Removes idle accounts at or below the floor, which equal unknown ones, so that memory is bounded by the busy accounts. */
  #forgetIdleAccounts(): void {
    for (const [name, account] of this.#accounts) {
      if (account.waiting.length === 0 && account.served <= this.#floor) this.#accounts.delete(name);
    }
  }
}

function goesBefore<Item extends Queued>(a: Account<Item>, b: Account<Item>): boolean {
  const priority = a.waiting[0]!.priority - b.waiting[0]!.priority;
  return priority === 0 ? a.served < b.served : priority > 0;
}
