/** Every mutation of the audit, in the order of its table. */
import { factorMutations } from './factors.ts';
import type { Mutation } from './mutation.ts';
import { ownMutations } from './own.ts';
import { reviewMutations } from './review.ts';

export type { Mutation };

export const mutations: readonly Mutation[] = [...reviewMutations, ...factorMutations, ...ownMutations];
