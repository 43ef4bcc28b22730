/** Rules that concern several settings at once. */
import { isLoopback } from '../http/own-host.ts';
import { type Config, flagName } from './settings.ts';

/** One message for each rule that the configuration breaks; it says what to set. */
export function settingConflicts(config: Config): readonly string[] {
  const rules = [tlsConflicts, adminConflicts, computeConflicts, fleetConflicts, tracingConflicts];
  return rules.flatMap((conflicts) => conflicts(config));
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

/** Whether the admin API listens on a port of its own; otherwise it shares the port of the metrics. */
export function isOwnAdminPort({ metricsHost, adminHost, adminPort, adminCert }: Config): boolean {
  if (adminPort !== 'auto') return adminPort !== 'off';
  return adminCert !== undefined || !isLoopback(adminHost) || adminHost !== metricsHost;
}

function adminConflicts(config: Config): string[] {
  const { adminHost, adminPort, adminCa, adminCert, adminKey, adminTokenFile } = config;
  const problems: string[] = [];
  if ((adminCert === undefined) !== (adminKey === undefined)) {
    const missing = adminCert === undefined ? 'adminCert' : 'adminKey';
    problems.push(`--${flagName(missing)} is missing: set the certificate of the admin API and its key together`);
  }
  if (adminCa !== undefined && adminCert === undefined && adminKey === undefined) {
    problems.push('--admin-cert and --admin-key are missing: --admin-ca needs them for mutual TLS');
  }
  const isOpen = adminPort !== 'off' && !isLoopback(adminHost);
  if (isOpen && adminCa === undefined && adminTokenFile === undefined) {
    problems.push(
      '--admin-host is not a loopback address: set --admin-ca, --admin-cert and --admin-key for mutual TLS, or ' +
        '--admin-token-file, or --admin-port off',
    );
  }
  return problems;
}

function fleetConflicts(config: Config): string[] {
  const { fleetAddress, fleetPolicy, fleetTlsCert, fleetTlsKey } = config;
  const problems: string[] = [];
  if (fleetPolicy !== undefined && fleetAddress === undefined) {
    problems.push('--fleet-address is missing: --fleet-policy applies to the other nodes of its fleet');
  }
  if ((fleetTlsCert === undefined) !== (fleetTlsKey === undefined)) {
    const missing = fleetTlsCert === undefined ? 'fleetTlsCert' : 'fleetTlsKey';
    problems.push(`--${flagName(missing)} is missing: set the certificate of the shared name and its key together`);
  } else if (fleetTlsCert !== undefined && fleetAddress === undefined) {
    problems.push('--fleet-address is missing: --fleet-tls-cert is for the name that the nodes of a fleet share');
  }
  return [...problems, ...givingConflicts(config), ...joinConflicts(config)];
}

function givingConflicts({ fleetSecrets, fleetPolicy, tlsKey }: Config): string[] {
  if (!fleetSecrets) return [];
  const problems: string[] = [];
  if (fleetPolicy === undefined)
    problems.push('--fleet-policy is missing: --fleet-secrets gives to nodes that satisfy it');
  if (tlsKey !== undefined) {
    problems.push(
      '--tls-key is not in the evidence, so no node would take secrets: use --fleet-tls-key with --fleet-secrets',
    );
  }
  return problems;
}

function joinConflicts({ join, fleetPolicy, databaseUrl, fleetTlsCert }: Config): string[] {
  if (join === undefined) return [];
  const problems: string[] = [];
  if (fleetPolicy === undefined)
    problems.push('--fleet-policy is missing: --join takes secrets from nodes that satisfy it');
  const given = { databaseUrl, fleetTlsCert };
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) problems.push(`--${flagName(name)} comes from the node at --join: set only one of them`);
  }
  return problems;
}

function computeConflicts({ computeUrl, computeCa }: Config): string[] {
  const isAlone = computeCa !== undefined && computeUrl === undefined;
  return isAlone ? ['--compute-url is missing: --compute-ca applies to its certificate'] : [];
}

function tracingConflicts({ otlpEndpoint, otlpHeadersFile, otlpCa }: Config): string[] {
  if (otlpEndpoint !== undefined) return [];
  const alone = { otlpHeadersFile, otlpCa };
  return Object.entries(alone).flatMap(([name, value]) =>
    value === undefined ? [] : [`--otlp-endpoint is missing: --${flagName(name)} applies to it`],
  );
}
