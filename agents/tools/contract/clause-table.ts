/**
 * The 23 clauses of the checklist, as data: their headings, their operative wording, and the wording that they must contain.
 * Phrases are in the syntax of `compilePhrases`. The table assumes a commercial contract in English; it follows the usual
 * contents of service and supply contracts and Article 28(3) GDPR for data protection.
 */
import type { ClauseSpec } from './clause-spec.ts';
import { criticalClauses } from './critical-clauses.ts';
import { highClauses, mediumClauses } from './other-clauses.ts';

/** Ordered by weight. Exactly 23: row I-053. */
export const clauses: readonly ClauseSpec[] = [...criticalClauses, ...highClauses, ...mediumClauses];
