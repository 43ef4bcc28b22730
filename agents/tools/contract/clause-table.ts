/**
 * The 23 clauses of the checklist, as data: what heads each, which wording makes it, what it must say to be sound. Phrases are
 * those of `compilePhrases`. A commercial contract in English is assumed; the list follows the usual contents of service and
 * supply contracts and Article 28(3) GDPR for data protection.
 */
import type { ClauseSpec } from './clause-spec.ts';
import { criticalClauses } from './critical-clauses.ts';
import { highClauses, mediumClauses } from './other-clauses.ts';

/** In the order of their weight. Exactly 23: row I-053. */
export const clauses: readonly ClauseSpec[] = [...criticalClauses, ...highClauses, ...mediumClauses];
