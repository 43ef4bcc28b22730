/** The built pages of the room `web`, read at the first visit: a server that no browser visits does not hold them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { programFolder } from '../../enclave/build-facts.ts';

const compress = promisify(gzip);

/** Written by `web/build.ts`. */
export interface PageIndex {
  /** Path of the URL to the name of an HTML file. */
  readonly pages: Readonly<Record<string, string>>;
  /** Names of scripts and styles, which contain a digest of their contents. */
  readonly assets: readonly string[];
}

export interface PageFile {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

export class PageFiles {
  readonly #folder: string;
  readonly #read = new Map<string, Promise<PageFile>>();
  #index: Promise<PageIndex | undefined> | undefined;

  constructor(folder: string = join(programFolder, 'web', 'build')) {
    this.#folder = folder;
  }

  /** @returns undefined if the pages are not built */
  index(): Promise<PageIndex | undefined> {
    this.#index ??= readFile(join(this.#folder, 'pages.json'), 'utf8').then(
      (text) => JSON.parse(text) as PageIndex,
      () => undefined,
    );
    return this.#index;
  }

  /** @param name from the index */
  file(name: string): Promise<PageFile> {
    const known = this.#read.get(name) ?? this.#load(name);
    this.#read.set(name, known);
    return known;
  }

  async #load(name: string): Promise<PageFile> {
    const plain = await readFile(join(this.#folder, name));
    const type = types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    return { type, plain, gzipped: await compress(plain, { level: 9 }) };
  }
}
