/** The files of a model that may be opened: if its catalogue entry pins files, only these. */
import { existsSync, readFileSync } from 'node:fs';
import { ModelError } from '../interface/errors.ts';
import { parseJsonObject } from './json-fields.ts';

export class PinnedFiles {
  readonly #pinned: ReadonlySet<string> | undefined;

  /** @param pinned absolute paths; undefined: no file is pinned, and all files may be opened */
  constructor(pinned: readonly string[] | undefined) {
    this.#pinned = pinned && new Set(pinned);
  }

  has(path: string): boolean {
    return (this.#pinned === undefined || this.#pinned.has(path)) && existsSync(path);
  }

  /** @returns `path` · @throws {ModelError} ERR_FILE_MISSING */
  require(path: string): string {
    if (this.has(path)) return path;
    const reason = existsSync(path) ? 'is not pinned; add the model again' : 'is missing; pull the model again';
    throw new ModelError('ERR_FILE_MISSING', `${path} ${reason}`);
  }

  /** @throws {ModelError} ERR_FILE_MISSING */
  readText(path: string): string {
    return readFileSync(this.require(path), 'utf8');
  }

  /** @throws {ModelError} ERR_FILE_MISSING, ERR_MODEL_LOAD */
  readJson(path: string): Readonly<Record<string, unknown>> {
    return parseJsonObject(this.readText(path), path);
  }
}
