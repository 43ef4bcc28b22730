/** Writes a CycloneDX bill of materials. The same inputs give the same bytes: no time and no random number. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { lockedPackages } from '../../image/package-set.ts';

/** @see https://cyclonedx.org/docs/1.6/json/ */
export interface Component {
  readonly type: 'library' | 'file' | 'machine-learning-model';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly hashes?: readonly { readonly alg: 'SHA-256' | 'SHA-512'; readonly content: string }[];
  readonly licenses?: readonly object[];
}

export const sbomFile = 'sbom.cdx.json';

/** Writes `sbom.cdx.json` into the folder of a package. */
export function writeSbom(
  folder: string,
  { name, version, components }: { name: string; version: string; components: readonly Component[] },
): void {
  const purl = purlOf(name, version);
  const content = {
    metadata: { component: { type: 'application', 'bom-ref': purl, name, version, purl } },
    components,
    dependencies: [{ ref: purl, dependsOn: components.map((component) => component['bom-ref']) }],
  };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  const bom = { bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: uuidOf(digest), version: 1, ...content };
  writeFileSync(join(folder, sbomFile), `${JSON.stringify(bom, null, 2)}\n`);
}

/** All packages that these names need on linux-x64, with the digests of the checkout's lock file. */
export function npmComponents(root: string, names: readonly string[]): Component[] {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(lockText) as { packages: Record<string, { license?: string }> };
  return lockedPackages(lockText, names).map(({ path, name, version, integrity }) => {
    const purl = purlOf(name, version);
    const license = packages[path]!.license ?? unlistedLicense(join(root, path));
    return {
      ...{
        type: 'library',
        'bom-ref': path === `node_modules/${name}` ? purl : `${purl}#${path}`,
        name,
        version,
        purl,
      },
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
      ...(license === undefined ? {} : { licenses: [licenseOf(license)] }),
    } as const;
  });
}

/** The weights of the demo models, as the catalogue pins them. */
export function modelComponents(root: string): Component[] {
  const { models } = JSON.parse(readFileSync(join(root, 'models/demo/catalogue.json'), 'utf8')) as {
    models: { id: string; files: { path: string; sha256: string }[] }[];
  };
  return models.flatMap(({ id, files }) =>
    files.map(({ path, sha256 }) => ({
      ...({ type: 'machine-learning-model', 'bom-ref': `${id}/${path}`, name: `${id}: ${path}` } as const),
      hashes: [{ alg: 'SHA-256', content: sha256 } as const],
      licenses: [licenseOf('Apache-2.0')],
    })),
  );
}

/** A file of the package. @param path from the root of the checkout */
export function fileComponent(root: string, path: string): Component {
  const content = createHash('sha256')
    .update(readFileSync(join(root, path)))
    .digest('hex');
  const name = basename(path);
  return {
    type: 'file',
    'bom-ref': name,
    name,
    hashes: [{ alg: 'SHA-256', content }],
    licenses: [licenseOf('Apache-2.0')],
  };
}

/** The lock file omits licences that a package declares in npm's old form, a list, or only in a file. */
function unlistedLicense(folder: string): string | undefined {
  const { licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    licenses?: { type?: string }[];
  };
  const file = join(folder, 'LICENSE');
  return licenses?.[0]?.type ?? (existsSync(file) ? titledLicense(readFileSync(file, 'utf8')) : undefined);
}

/** By the first line of the licence's text. */
function titledLicense(text: string): string | undefined {
  return /^(?:The )?MIT License\b/.test(text.trimStart()) ? 'MIT' : undefined;
}

function licenseOf(license: string): object {
  return /^[A-Za-z0-9.-]+$/.test(license) ? { license: { id: license } } : { expression: license };
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** A UUID of version 8 (RFC 9562), made from a digest. */
function uuidOf(digest: string): string {
  const hex = `${digest.slice(0, 12)}8${digest.slice(13, 16)}8${digest.slice(17, 32)}`;
  return `urn:uuid:${[hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')}`;
}
