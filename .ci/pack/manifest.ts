/** The fields that every package has. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a package is built from. */
export interface Packed {
  /** Root of the checkout. */
  readonly root: string;
  /** Git address of the repository; undefined if unknown, and then no package names one. */
  readonly repository: string | undefined;
}

export interface RootManifest {
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

export function readRootManifest(root: string): RootManifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as RootManifest;
}

/** The fields that come from the root's package.json, which declares the version and the licence of all packages. */
export function packageFields(root: string, { repository }: Pick<Packed, 'repository'>): object {
  const { version, license } = readRootManifest(root);
  return {
    version,
    license,
    ...(repository === undefined ? {} : { repository: { type: 'git', url: repository } }),
    type: 'module',
  };
}

export function writeManifest(folder: string, manifest: object): void {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
