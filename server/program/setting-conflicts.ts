/** Rules that concern several settings at once. */
import { type Config, flagName } from './settings.ts';

/** One message for each rule that the configuration breaks; it says what to set. */
export function settingConflicts(config: Config): readonly string[] {
  return [...tlsConflicts(config), ...computeConflicts(config)];
}

function tlsConflicts({ tlsCert, tlsKey, tlsChain }: Config): string[] {
  const problems: string[] = [];
  if (tlsChain !== undefined && tlsKey !== undefined) {
    problems.push('--tls-chain applies to the key of this run, --tls-key replaces that key: set only one of them');
  }
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    const missing = tlsCert === undefined ? 'tlsCert' : 'tlsKey';
    problems.push(`--${flagName(missing)} is missing: set a certificate and its key together`);
  }
  return problems;
}

function computeConflicts({ computeUrl, computeCa }: Config): string[] {
  const isAlone = computeCa !== undefined && computeUrl === undefined;
  return isAlone ? ['--compute-url is missing: --compute-ca applies to its certificate'] : [];
}
