/** What waits its turn: by priority, then fair between accounts. Its owner bounds it. Pure: no clock. */

export interface Queued {
  readonly account: string;
  /** Higher goes first. */
  readonly priority: number;
}

interface Account<Item> {
  /** Virtual time: work booked on this account, never less than the queue's floor when it joins. */
  served: number;
  readonly waiting: Item[];
}

/**
 * Start-time fair queueing: of the waiting items with the highest priority, the account that was served least goes
 * first. An account that was idle joins at the floor, so it can neither save up a claim nor be punished for old work.
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
    // Later arrivals of equal priority go behind earlier ones.
    const index = account.waiting.findIndex((other) => other.priority < item.priority);
    account.waiting.splice(index < 0 ? account.waiting.length : index, 0, item);
    this.#length += 1;
  }

  /** How many items of one account wait. */
  lengthOf(account: string): number {
    return this.#accounts.get(account)?.waiting.length ?? 0;
  }

  /**
   * @param mayGo whether an account's first item may go now; default: any may
   * @returns the item whose turn it is, removed from the queue
   */
  take(mayGo: (item: Item) => boolean = () => true): Item | undefined {
    let best: Account<Item> | undefined;
    for (const account of this.#accounts.values()) {
      const head = account.waiting[0];
      if (head === undefined || !mayGo(head)) continue;
      if (best === undefined || goesBefore(account, best)) best = account;
    }
    if (best === undefined) return undefined;
    this.#floor = Math.max(this.#floor, best.served);
    this.#length -= 1;
    return best.waiting.shift();
  }

  /** @returns false if the item does not wait here */
  remove(item: Item): boolean {
    const waiting = this.#accounts.get(item.account)?.waiting ?? [];
    const index = waiting.indexOf(item);
    if (index < 0) return false;
    waiting.splice(index, 1);
    this.#length -= 1;
    return true;
  }

  /** Every waiting item, in no particular order. */
  *items(): Iterable<Item> {
    for (const account of this.#accounts.values()) yield* account.waiting;
  }

  /** Books work on an account: tokens, weighted as the caller sees fit. */
  charge(account: string, work: number): void {
    this.#account(account).served += work;
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

  /** An idle account at or below the floor is the same as an unknown one, so memory stays bounded by busy accounts. */
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
