/**
 * Removes network access from threads that parse models. They import it first, since libraries start threads while they load,
 * which must not have network access either.
 */
import { closeModelThread } from './process-guard.ts';

closeModelThread();
