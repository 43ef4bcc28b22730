/** A mutation removes a defence of docs/audit/README.md: it replaces a text that occurs once in a file. */
export interface Mutation {
  /** An id of the table. */
  readonly row: string;
  readonly file: string;
  readonly source: string;
  readonly replacement: string;
}
