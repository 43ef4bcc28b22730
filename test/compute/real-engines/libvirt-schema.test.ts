/** Validates our XML against the schema of the installed libvirt; a version without trust domains validates the rest. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { onPath } from '../../support/compute/podman.ts';

const golden = join(import.meta.dirname, '../engines/golden');
const schema = '/usr/share/libvirt/schemas/domaincommon.rng';
const able = onPath('virt-xml-validate') && onPath('xmllint') && existsSync(schema);
if (!able) console.warn('skipped: the schema of libvirt: virt-xml-validate and xmllint are not installed');

describe.skipIf(!able)("libvirt's schema", () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-schema-'));

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** @throws the validation errors of the schema */
  const validate = (xml: string, kind: string): void => {
    const path = join(folder, 'document.xml');
    writeFileSync(path, xml);
    execFileSync('virt-xml-validate', [path, kind], { encoding: 'utf8', stdio: 'pipe' });
  };

  it('rejects unknown elements', () => {
    expect(() => validate('<domain><nonsense/></domain>', 'domain')).toThrow();
  });

  it('accepts the plain machine', () => {
    validate(readFileSync(join(golden, 'plain-domain.xml'), 'utf8'), 'domain');
  });

  it('accepts the disk', () => {
    validate(readFileSync(join(golden, 'overlay.xml'), 'utf8'), 'storagevol');
  });

  it('accepts the trust domain', () => {
    const xml = readFileSync(join(golden, 'tdx-domain.xml'), 'utf8');
    const knowsTdx = readFileSync(schema, 'utf8').includes('tdx');
    if (!knowsTdx) console.warn('this libvirt does not know trust domains: everything but launchSecurity is checked');
    const known = knowsTdx ? xml : xml.replace(/\s*<launchSecurity[\s\S]*<\/launchSecurity>/, '');
    validate(known, 'domain');
  });
});
