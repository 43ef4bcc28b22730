/** Counts the prompt tokens that no completed step has computed. Pure. */
import type { Answer, Feed, Job } from './answer.ts';

export class PromptBacklog {
  #queued = 0;
  #fed = 0;

  join({ prompt }: Job): void {
    this.#queued += prompt.length;
  }

  /** The job gets a sequence or is cancelled. */
  leave({ prompt }: Job): void {
    this.#queued -= prompt.length;
  }

  /** The next step computes these rows. */
  feed<J extends Job>(rows: readonly Feed<J>[]): void {
    for (const { answer, row } of rows) if (answer !== undefined) this.#fed += row.tokens.length;
  }

  /** The step is complete, or has failed. */
  endStep(): void {
    this.#fed = 0;
  }

  /** With the prompts of running answers. Those of a queued job count in full: the cache is searched when it gets a sequence. */
  tokens(running: readonly Answer[]): number {
    let tokens = this.#queued + this.#fed;
    for (const { phase, job, position } of running) if (phase === 'prefill') tokens += job.prompt.length - position;
    return tokens;
  }
}
