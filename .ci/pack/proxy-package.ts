/** Builds the folder of `@cloister/proxy`: `cloister proxy` alone, as one command without dependencies. */
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Packed, packageFields, readRootManifest, writeManifest } from './manifest.ts';
import { writeSbom } from './sbom.ts';

const readme = `# @cloister/proxy

Serves plain HTTP on this machine and forwards every request to a confidential inference server, after it has verified the server's
evidence. Request and answer bodies are encrypted to the attested key, and receipts are checked and kept. Any program that speaks an
API of OpenAI or Anthropic can use the printed address as its base URL.

\`\`\`sh
npx @cloister/proxy https://tee.example.com --policy policy.json
npx @cloister/proxy --help
\`\`\`

A server that does not satisfy the policy receives nothing, and the program gets status 502 with the reason. Node 22.18 or later; no
dependencies. [@cloister/attestation](https://www.npmjs.com/package/@cloister/attestation) has the same proxy as
\`cloister-verify proxy\`, the verification as a library, and the description of policies.
`;

const command = `#!/usr/bin/env node
import { runProxy } from './cli.js';

const { stdout, stderr } = process;
process.exitCode = await runProxy(process.argv.slice(2), { stdout, stderr, cwd: process.cwd() }, { name: 'cloister-proxy' });
`;

/** @param folder emptied first · @param attestation folder of the built package \`@cloister/attestation\` */
export function buildProxyPackage(
  folder: string,
  { root, repository }: Packed,
  { attestation }: { attestation: string },
): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(attestation, 'cli.js'), join(folder, 'cli.js'));
  writeFileSync(join(folder, 'cloister-proxy.js'), command);
  chmodSync(join(folder, 'cloister-proxy.js'), 0o755);
  writeFileSync(join(folder, 'README.md'), readme);
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const name = '@cloister/proxy';
  writeManifest(folder, {
    name,
    ...packageFields(root, { repository }),
    description: 'A local proxy that verifies a confidential inference server before it forwards a request.',
    engines: { node: '>=22.18' },
    bin: { 'cloister-proxy': './cloister-proxy.js' },
    exports: { './package.json': './package.json' },
  });
  writeSbom(folder, { name, version: readRootManifest(root).version, components: [] });
}
