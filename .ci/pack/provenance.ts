/**
 * An unsigned statement of how the packages were built, in the format of SLSA provenance. `npm publish --provenance` in CI makes the
 * signed one, which names the CI's run.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Packed } from './manifest.ts';

/** @see https://slsa.dev/spec/v1.0/provenance */
export function provenanceOf(
  { root, repository }: Packed,
  subjects: readonly { name: string; sha256: string }[],
): object {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const lock = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run pack',
        externalParameters: { repository: repository ?? null, isClean: git('status', '--porcelain') === '' },
        internalParameters: { node: process.version, gcc: gccVersion() },
        resolvedDependencies: [
          { ...(repository === undefined ? {} : { uri: repository }), digest: { gitCommit: git('rev-parse', 'HEAD') } },
          { name: 'package-lock.json', digest: { sha256: lock.digest('hex') } },
        ],
      },
      runDetails: { builder: { id: 'npm run pack' } },
    },
  };
}

/** The compiler of the addon; null where there is none, so that the addon came from elsewhere. */
function gccVersion(): string | null {
  try {
    return execFileSync('g++', ['-dumpfullversion'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
