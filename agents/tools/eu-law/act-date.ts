/** From when an act is in force, applies or is to be transposed. */
import type { Range } from '../text/span.ts';
import type { Delay } from './delays.ts';
import type { ResolvedArticle } from './resolve-act.ts';

export interface ActDate extends Range {
  readonly kind: 'entry into force' | 'application' | 'transposition';
  /** CELEX number; absent for national laws. */
  readonly act?: string;
  /** ISO; absent if the text counts from a publication that it does not date. */
  readonly date?: string;
  readonly delay?: Delay;
  /** Of an application: the whole act, or a part of it before or after the rest. */
  readonly scope?: 'whole' | 'earlier' | 'later';
  /** Of a part of an act. */
  readonly article?: Pick<ResolvedArticle, 'number' | 'until' | 'paragraph' | 'normalised'>;
  /** Of a transposition: `transpose` until the date, `apply` from it. */
  readonly step?: 'transpose' | 'apply';
}
