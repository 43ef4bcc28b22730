/** Records the day on which each key was last used, and stores it in batches, so that no request waits for the write. */
import type { Database } from '../database/database.ts';
import { type Caller, dayOf, noteLastUse } from './key-store.ts';

/** Buffers key uses until `flush`. */
export class KeyUses {
  readonly #database: Database;
  readonly #clock: () => number;
  readonly #written = new Map<string, number>();
  #pending = new Map<string, number>();

  constructor(database: Database, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
  }

  note<Found extends Caller | undefined | Promise<Caller | undefined>>(found: Found): Found {
    if (found instanceof Promise) {
      return found.then((caller) => this.note(caller)) as Found;
    }
    if (found !== undefined) {
      const { keyId } = found as Caller;
      const day = dayOf(this.#clock());
      if (this.#written.get(keyId) !== day) this.#pending.set(keyId, day);
    }
    return found;
  }

  async flush(): Promise<void> {
    if (this.#pending.size === 0) return;
    const uses = this.#pending;
    this.#pending = new Map();
    try {
      await noteLastUse(this.#database, uses);
    } catch (error) {
      this.#pending = new Map([...uses, ...this.#pending]);
      throw error;
    }
    for (const [id, day] of uses) this.#written.set(id, day);
  }
}
