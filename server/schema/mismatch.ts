/** Describes where a value differs from its schema, without strings of the value, which are the caller's secrets. */
export class Mismatch {
  /** As the caller would write it, for example `messages[2].role`; empty for the whole value. */
  readonly path: string;
  /** Completes the sentence "the field …": `must be a number from 0 to 2`. */
  readonly expected: string;
  /**
   * A number, `true`, `false` or `null` as sent; otherwise the kind of the value. `nothing` for an absent field; undefined
   * if only the name of a member is wrong.
   */
  readonly got: string | undefined;

  constructor(expected: string, got: string | undefined, path = '') {
    this.path = path;
    this.expected = expected;
    this.got = got;
  }

  /** The same mismatch as seen from the value that has this one as a member. @param name of the member, or `[index]` */
  under(name: string): Mismatch {
    return new Mismatch(this.expected, this.got, joinPath(name, this.path));
  }
}

/** The error message for the caller. @param whole name of the value if the path is empty */
export function mismatchText({ path, expected, got }: Mismatch, whole = 'the request body'): string {
  const subject = path === '' ? whole : `\`${path}\``;
  return `${subject} ${expected}${got === undefined ? '' : `, got ${got}`}`;
}

function joinPath(outer: string, inner: string): string {
  if (outer === '' || inner === '') return outer + inner;
  return inner.startsWith('[') ? outer + inner : `${outer}.${inner}`;
}

/** The part of a value that a message may repeat. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'string' ? 'a string' : 'an object';
}
