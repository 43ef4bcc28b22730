/** The definition of a clause of the checklist, as data. */

/** The points that a missing clause adds to the risk score: row I-053 of the contract. */
export const severityWeights = { critical: 25, high: 15, medium: 8 } as const;

export type Severity = keyof typeof severityWeights;

/** Evidence other than wording: a party, an amount of money, a share in percent, a duration, a date. */
export type Fact = 'two parties' | 'amount' | 'percent' | 'duration' | 'date';

export interface Need {
  /** The message if the clause is missing: completes "no …". */
  readonly what: string;
  /** Any one of these suffices. */
  readonly facts?: readonly Fact[];
  readonly phrases?: readonly string[];
  /** Wording that suffices anywhere in the text. */
  readonly elsewhere?: readonly string[];
}

export interface ClauseSpec {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  /**
   * Severity of its absence in a contract that needs it, if it differs from the clause's severity because statutory law fills
   * the gap.
   */
  readonly gap?: Severity;
  /** A heading with one of these phrases is the clause, if text follows it. */
  readonly headings: readonly string[];
  /** Operative wording that constitutes the clause without a heading. */
  readonly wording: readonly string[];
  /** If the text has this fact, the clause is present regardless of its heading. */
  readonly place?: Fact;
  /** Required wording: the clause is weak if any of it is missing. */
  readonly needs: readonly Need[];
  /** Wording that invalidates the clause and makes it weak, with the message about it. */
  readonly spoilers?: readonly { readonly what: string; readonly phrases: readonly string[] }[];
}
