/** How a defence of docs/audit/README.md is removed: a text that occurs once in a file, and what takes its place. */
export interface Mutation {
  /** An id of the table. */
  readonly row: string;
  readonly file: string;
  readonly source: string;
  readonly replacement: string;
}
