/**
 * Imported for its effect by threads that parse models, before anything else: libraries start threads of their own as they
 * load, and those shall have no network either.
 */
import { closeModelThread } from './process-guard.ts';

closeModelThread();
