/**
 * Caches the compiled SQL of the queries on the path of every request, once per row count; kysely would build the same
 * text for each call. Row counts are rounded to powers of two, which bounds the number of texts.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Compilable, CompiledQuery, type Kysely } from 'kysely';
import type { Tables } from '../base/tables.ts';

type Row = Readonly<Record<string, string | number | null>>;

interface KnownQuery {
  readonly query: CompiledQuery;
  /** The prepared statement; undefined on PostgreSQL. */
  readonly statement: StatementSync | undefined;
}

/** The compiled queries of one database. */
export class CompiledQueries {
  readonly #known = new Map<string, KnownQuery>();
  readonly #columns = new Map<string, readonly string[]>();
  readonly #sqlite: DatabaseSync | undefined;

  /** @param sqlite the connection that `db` uses; queries that need not wait for it bypass kysely */
  constructor(sqlite?: DatabaseSync) {
    this.#sqlite = sqlite;
  }

  /** @param build builds a query whose parameters are the given ids, in order */
  async byIds<Found>(
    db: Kysely<Tables>,
    {
      name,
      ids,
      build,
    }: { name: string; ids: readonly string[]; build: (ids: readonly string[]) => Compilable<Found> },
  ): Promise<Found[]> {
    if (ids.length === 0) return [];
    const all = padded(ids);
    return await this.#run(db, `${name} ${all.length}`, { build: () => build(all), parameters: all });
  }

  /** @param build builds an insert of the given rows, which all have the same columns */
  async byRows<Given extends Row>(
    db: Kysely<Tables>,
    {
      name,
      rows,
      build,
    }: { name: string; rows: readonly Given[]; build: (rows: readonly Given[]) => Compilable<unknown> },
  ): Promise<void> {
    if (rows.length === 0) return;
    const columns = this.#columns.get(name) ?? Object.keys(rows[0]!);
    this.#columns.set(name, columns);
    for (const piece of inPieces(rows)) {
      const parameters = piece.flatMap((row) => columns.map((column) => row[column]));
      await this.#run(db, `${name} ${piece.length}`, { build: () => build(piece), parameters });
    }
  }

  async #run<Found>(
    db: Kysely<Tables>,
    text: string,
    { build, parameters }: { build: () => Compilable<Found>; parameters: readonly unknown[] },
  ): Promise<Found[]> {
    let known = this.#known.get(text);
    if (known === undefined) {
      const compiled = build().compile();
      requireOrder(compiled.parameters, parameters, text);
      // Drop the syntax tree, which references the first call's values.
      known = { query: CompiledQuery.raw(compiled.sql), statement: this.#sqlite?.prepare(compiled.sql) };
      this.#known.set(text, known);
    }
    const { query, statement } = known;
    // During another caller's transaction a direct read would see uncommitted rows.
    if (statement !== undefined && (db.isTransaction || !this.#sqlite!.isTransaction)) {
      return statement.all(...(parameters as SQLInputValue[])) as Found[];
    }
    return (await db.executeQuery<Found>({ ...query, parameters } as CompiledQuery<Found>)).rows;
  }
}

/** Repeats the last id until the length is a power of two. */
function padded(ids: readonly string[]): readonly string[] {
  if (ids.length === 1) return ids;
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, ids.length)));
  return Array.from({ length: size }, (_, index) => ids[Math.min(index, ids.length - 1)]!);
}

/** Splits rows into pieces whose lengths are powers of two, largest first. */
function* inPieces<Given>(rows: readonly Given[]): Generator<readonly Given[]> {
  let start = 0;
  while (start < rows.length) {
    const size = 2 ** Math.floor(Math.log2(rows.length - start));
    yield rows.slice(start, start + size);
    start += size;
  }
}

/** Only the text is cached, so its parameters must be in the order in which later calls pass their values. */
function requireOrder(compiled: readonly unknown[], given: readonly unknown[], text: string): void {
  const isSame = compiled.length === given.length && compiled.every((value, index) => value === given[index]);
  if (!isSame) throw new TypeError(`the parameters of the query ${text} are not in the order of its text`);
}
