/** Finds credentials. Reports kind, position and entropy, and at most the first four characters of a secret. */
import type { AgentTool } from '../../agent/agent.ts';
import { boundedBytes, place, toFindings } from '../findings.ts';
import { type Range, spanOf } from '../text/span.ts';
import { entropyBitsPerCharacter } from './entropy.ts';
import { type SecretShape, secretShapes } from './secret-shapes.ts';

export interface SecretFinding extends Range {
  readonly kind: string;
  readonly severity: 'critical' | 'high' | 'medium';
  /** First characters, at most four. Absent for passwords, which are not shown at all. */
  readonly prefix?: string;
  readonly characters: number;
  /** Rounded to one decimal. */
  readonly entropyBitsPerCharacter: number;
}

export const secretDetection: AgentTool = {
  name: 'secret_detection',
  version: '2',
  purpose: 'Finds credentials without repeating them. Text: code, configuration, logs.',
  run(documents) {
    const all = documents.flatMap(({ message, text }) =>
      findSecrets(text).map(({ start, end, ...finding }) => ({ ...finding, span: spanOf(message, { start, end }) })),
    );
    const byKind = [...new Set(all.map(({ kind }) => kind))].sort().map((kind) => ({
      kind,
      count: all.filter((finding) => finding.kind === kind).length,
    }));
    const digest = all.map(
      ({ kind, severity, prefix, characters, span }) =>
        `SECRET ${kind} (${severity}), ${characters} characters${prefix === undefined ? '' : ` beginning ${prefix}`} ${place(span)}: revoke and rotate`,
    );
    return toFindings({ total: all.length, byKind, secrets: boundedBytes(all, 50_000) }, digest, 20);
  },
};

/** Ordered by position in the text, at most one per position: the more specific pattern wins. */
export function findSecrets(text: string): SecretFinding[] {
  const taken = new Uint8Array(text.length);
  const found: SecretFinding[] = [];
  for (const shape of secretShapes) {
    for (const match of text.matchAll(shape.pattern)) {
      const range = secretRange(match);
      if (taken[range.start] === 1 || taken[range.end - 1] === 1) continue;
      const secret = text.slice(range.start, range.end);
      const entropy = entropyBitsPerCharacter(secret.slice(0, 512));
      if (entropy < shape.entropyMin || isPlaceholder(secret) || isExample(secret)) continue;
      if (secret.endsWith('PRIVATE KEY-----') && !hasBody(text, range.end)) continue;
      if (shape.kind === 'password' && isOfTests(text, range.start)) continue;
      taken.fill(1, range.start, range.end);
      found.push(describe(shape, secret, range, entropy));
    }
  }
  return found.sort((one, other) => one.start - other.start);
}

function describe(shape: SecretShape, secret: string, range: Range, entropy: number): SecretFinding {
  return {
    kind: shape.kind,
    severity: shape.severity,
    ...(shape.hidden === true ? {} : { prefix: secret.slice(0, 4) }),
    characters: secret.length,
    entropyBitsPerCharacter: Math.round(entropy * 10) / 10,
    ...range,
  };
}

/** The name of the format alone, as prose gives it, is no key. */
function hasBody(text: string, end: number): boolean {
  return /^[ \t"'+,]{0,8}(?:\r?\n|\\[nr]|[A-Za-z0-9+/=]{16})/.test(text.slice(end, end + 40));
}

/** Maximum distance of a value from the path of its file. */
const fileCharactersMax = 4000;
const fileHeader =
  /(?:^|\n)[ \t]{0,24}(?:={3,}|-{3,}|\+{3}|#{1,4}|\/\/|diff --git|File:|Datei:|Fichier ?:|\*{2,3})\s{0,3}(?:[ab]\/)?([\w@.-]{1,60}(?:\/[\w@.-]{1,60}){1,8}|[\w-]{1,40}\.(?:env|ya?ml|json|toml|ini|py|js|ts|sh|rb|java|go|conf|properties|md)(?:\.\w{2,10})?)(?=[\s=:*-]|$)/g;

/** Passwords of fixtures and samples are made up for tests. */
function isOfTests(text: string, start: number): boolean {
  const path = [...text.slice(Math.max(0, start - fileCharactersMax), start).matchAll(fileHeader)].at(-1)?.[1];
  return (
    path !== undefined &&
    /(?:^|[/._-])(?:tests?|specs?|fixtures?|mocks?|samples?|examples?|testdata)(?:[/._-]|$)/i.test(path)
  );
}

/** The group named `secret`, or the whole match. */
function secretRange(match: RegExpMatchArray): Range {
  const secret = match.groups?.secret;
  if (secret === undefined) return { start: match.index!, end: match.index! + match[0].length };
  const start = match.index! + match[0].lastIndexOf(secret);
  return { start, end: start + secret.length };
}

/** Keys printed in manuals (AWS's end with EXAMPLE), placeholder tokens, and one repeated character. */
function isExample(secret: string): boolean {
  const body = secret.replace(/^["']|["']$/g, '').slice(0, 200);
  return (
    /EXAMPLE(?:KEY)?$/.test(body) ||
    // A web token without a signature.
    /^eyJ[\w-]{4,400}\.[\w-]{0,400}\.?$/.test(body) ||
    /(?:^|[-_])(?:your|my|insert|replace|enter|put)[-_](?:[a-z]{1,12}[-_]){0,4}(?:token|key|secret|password|here|id|me)s?(?![a-z])/i.test(
      body,
    ) ||
    /^(?:password|passwd|pass|secret|changeme|change[-_]me|hunter2|example|placeholder|token|user|test|dummy|foobar|redacted)$/i.test(
      body,
    ) ||
    /([xX*0])\1{7,}/.test(body)
  );
}

/** Placeholders in manuals (`<password>`, `${TOKEN}`, `xxxx`, `****`), and names from which programs read a secret. */
function isPlaceholder(secret: string): boolean {
  const start = secret.slice(0, 200).replace(/^["']|["']$/g, '');
  return (
    /^(?:<.*>|\$\{.*|\$\(.*|\{\{.*\}\}|%.*%|\[.*\]|[x*.•-]+|(?:your|my|the|some)[-_ ].*)$/is.test(start) ||
    /^(?:!(?:vault|secret|env|env_var|ENV|Ref|Sub|GetAtt|ImportValue|include)\b|(?:ref\+)?(?:vault|op|awssm|gcpsm|azurekeyvault|keyvault|ssm|sops|doppler|bitwarden):|@Microsoft\.KeyVault|arn:aws:(?:secretsmanager|ssm):|ENC\[|AQICAH|projects\/[^/]+\/secrets)/.test(
      start,
    ) ||
    /^(?:null|none|true|false|undefined|redacted|example|placeholder|changeme)\W*$/i.test(start) ||
    /^(?:process\.env|import\.meta|os\.(?:environ|getenv)|getenv|System\.getenv|env|config|settings|secrets|vars|options|this|self)\b[.([]/.test(
      start,
    )
  );
}
