/**
 * Lets a prompt wait while another prompt of the same account is fed that begins alike, so that their common prefix is computed
 * once and then copied. Pure.
 */
import type { Answer, Job } from './answer.ts';
import { commonLength } from './block-tree.ts';

/** A prompt that would save fewer tokens does not wait: copying a state takes as long as feeding some tens of tokens. */
const sharedTokensMin = 64;

interface Lead<J extends Job> {
  readonly leader: Answer<J>;
  /** Length of the prefix that both prompts have in common. */
  readonly length: number;
}

export class SharedPrefill<J extends Job> {
  readonly #leads = new Map<Answer<J>, Lead<J>>();
  readonly #extend: (answer: Answer<J>) => void;

  /** @param extend fills the sequence of an answer with the longest prefix of its prompt that is cached now */
  constructor(extend: (answer: Answer<J>) => void) {
    this.#extend = extend;
  }

  /** Decides which answers wait for a new one, and for which one it waits. The prompt with fewer tokens left is fed first. */
  begin(answer: Answer<J>, others: readonly Answer<J>[]): void {
    for (const other of others) {
      if (other.phase !== 'prefill' || other.job === answer.job || other.job.salt !== answer.job.salt) continue;
      const [leader, follower] = leftOf(other) <= leftOf(answer) ? [other, answer] : [answer, other];
      if (this.#follows(leader, follower)) continue;
      const length = Math.min(commonLength(leader.job.prompt, follower.job.prompt), follower.job.prompt.length - 1);
      const isLonger = length > (this.#leads.get(follower)?.length ?? 0);
      if (isLonger && length - follower.position >= sharedTokensMin) this.#leads.set(follower, { leader, length });
    }
  }

  /**
   * The answers whose prompts are to be fed. The first one is the oldest, or the one for which the oldest waits.
   * @param prefilling oldest first
   */
  fed(prefilling: readonly Answer<J>[]): Answer<J>[] {
    const fed = prefilling.filter((answer) => !this.#waits(answer, prefilling));
    let first = prefilling[0];
    for (let lead = first && this.#leads.get(first); lead !== undefined; lead = this.#leads.get(first)) {
      first = lead.leader;
    }
    return first === undefined || !fed.includes(first) ? fed : [first, ...fed.filter((answer) => answer !== first)];
  }

  /** Once the common prefix is computed, extends the answer by it. */
  #waits(answer: Answer<J>, prefilling: readonly Answer<J>[]): boolean {
    const lead = this.#leads.get(answer);
    if (lead === undefined) return false;
    if (isComputing(lead)) return true;
    this.#leads.delete(answer);
    this.#extend(answer);
    this.begin(answer, prefilling);
    const next = this.#leads.get(answer);
    return next !== undefined && isComputing(next);
  }

  /** Removes an answer as a follower. */
  forget(answer: Answer<J>): void {
    this.#leads.delete(answer);
  }

  /** Whether an answer waits for another one, perhaps through others. */
  #follows(answer: Answer<J>, leader: Answer<J>): boolean {
    for (let next = this.#leads.get(answer); next !== undefined; next = this.#leads.get(next.leader)) {
      if (next.leader === leader) return true;
    }
    return false;
  }
}

function isComputing<J extends Job>({ leader, length }: Lead<J>): boolean {
  return leader.phase === 'prefill' && leader.position < length;
}

function leftOf({ job, position }: Answer): number {
  return job.prompt.length - position;
}
