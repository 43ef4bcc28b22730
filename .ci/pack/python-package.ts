/** Packs the Python verifier as a source archive, which pip installs. The same sources give the same bytes. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const members = ['README.md', 'pyproject.toml', 'cloister_verify'];

/** @param root of the checkout · @param destination folder of the archive · @returns its path */
export function packPython(root: string, destination: string): string {
  const source = join(root, 'clients/python');
  const version = /^version = "(.*)"$/m.exec(readFileSync(join(source, 'pyproject.toml'), 'utf8'))![1]!;
  const name = `cloister_verify-${version}`;
  const work = mkdtempSync(join(tmpdir(), 'cloister-python-'));
  for (const member of members) {
    const filter = (path: string) => !path.includes('__pycache__');
    cpSync(join(source, member), join(work, name, member), { recursive: true, filter });
  }
  cpSync(join(root, 'LICENSE'), join(work, name, 'LICENSE'));
  const flags = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=go=rX,u+rw'];
  const tar = execFileSync('tar', [...flags, '-cf', '-', name], { cwd: work, maxBuffer: 1 << 26 });
  rmSync(work, { recursive: true });
  const archive = join(destination, `${name}.tar.gz`);
  writeFileSync(archive, gzipSync(tar, { level: 9 }));
  return archive;
}
