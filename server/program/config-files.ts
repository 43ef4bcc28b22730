/** Checks the files that a configuration names, as the start would read them. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Setting } from './setting-kinds.ts';
import { type Config, flagName, type SettingName, settings } from './settings.ts';

/** The file of --tls-chain appears while the server runs. */
const appearLater: ReadonlySet<string> = new Set(['tlsChain'] satisfies SettingName[]);

/** One message for each file that cannot be read, and for each certificate without its key. */
export function fileProblems(config: Config): readonly string[] {
  const contents = new Map<string, Buffer>();
  const problems: string[] = [];
  for (const [key, { placeholder, isPath }] of Object.entries<Setting<unknown>>(settings)) {
    const path = config[key as SettingName];
    if (isPath !== true || placeholder !== 'file' || typeof path !== 'string' || appearLater.has(key)) continue;
    try {
      contents.set(key, readFileSync(path));
    } catch (error) {
      problems.push(`--${flagName(key)}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  const pairs = [['tlsCert', 'tlsKey'] as const, ['adminCert', 'adminKey'] as const];
  return [...problems, ...pairs.flatMap((pair) => pairProblems(contents, pair))];
}

function pairProblems(contents: ReadonlyMap<string, Buffer>, [cert, key]: readonly [SettingName, SettingName]) {
  const [certificate, privateKey] = [contents.get(cert), contents.get(key)];
  if (certificate === undefined || privateKey === undefined) return [];
  const parsedCertificate = attempt(() => new X509Certificate(certificate));
  const parsedKey = attempt(() => createPrivateKey(privateKey));
  if (parsedCertificate === undefined) return [`--${flagName(cert)} must be a certificate in PEM`];
  if (parsedKey === undefined) return [`--${flagName(key)} must be a private key in PEM, without a passphrase`];
  if (parsedCertificate.checkPrivateKey(parsedKey)) return [];
  return [`--${flagName(key)} is not the key of the certificate of --${flagName(cert)}`];
}

function attempt<Result>(parse: () => Result): Result | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
