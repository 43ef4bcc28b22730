/** Fetches collateral from Intel's PCS or a cache with its API. All downloads of verification data use `fetchBounded`. */
import { concatBytes, fromHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { type Collateral, splitSignedAnswer } from './collateral.ts';
import { type PlatformFamily, platformFamilyOfChain } from './platform-family.ts';

/** Version 4 of the API. */
export const intelPcsUrl = 'https://api.trustedservices.intel.com';
/** The URL of Intel's root revocation list. */
export const intelRootCrlUrl = 'https://certificates.trustedservices.intel.com/IntelSGXRootCA.der';

export interface CollateralSource {
  /** `https://host[:port]`, without a path; http on loopback only. Default: Intel's. A PCCS can be used as a mirror. */
  readonly url?: string;
  /** Default: Intel's URL; for a mirror, the path that a PCCS uses. */
  readonly rootCrlUrl?: string;
  /** Time limit of each of the four requests. Default 10,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const answerBytesMax = 512 * 1024;

/**
 * Fetches the collateral for a quote. Trusts none of it: the verifier checks every signature.
 * @param quote from `parseQuote`, whose certificates identify the platform family; or the family
 * @throws {AttestationError} ERR_COLLATERAL_UNAVAILABLE, ERR_COLLATERAL_REFUSED, ERR_COLLATERAL_MALFORMED, ERR_ABORTED,
 *   ERR_CERTIFICATE_MALFORMED
 */
export async function fetchCollateral(
  quote: { readonly pckChainPem: Uint8Array } | PlatformFamily,
  source: CollateralSource = {},
): Promise<Collateral> {
  const platform = 'pckChainPem' in quote ? platformFamilyOfChain(quote) : quote;
  if (!/^[0-9a-fA-F]{12}$/.test(platform.fmspc)) throw new TypeError('fmspc must be 12 hexadecimal digits');
  const base = `${source.url ?? intelPcsUrl}`.replace(/\/$/, '');
  const get = (url: string) => fetchBounded(url, source);
  const [tcbInfo, qeIdentity, pckCrl, rootCrl] = await Promise.all([
    get(`${base}/tdx/certification/v4/tcb?fmspc=${platform.fmspc}`),
    get(`${base}/tdx/certification/v4/qe/identity`),
    get(`${base}/sgx/certification/v4/pckcrl?ca=${platform.ca}&encoding=der`),
    get(source.rootCrlUrl ?? (source.url === undefined ? intelRootCrlUrl : `${base}/sgx/certification/v4/rootcacrl`)),
  ]);
  const tcb = splitSignedAnswer(text(tcbInfo), 'tcbInfo');
  const qe = splitSignedAnswer(text(qeIdentity), 'enclaveIdentity');
  return {
    pckCrlIssuerChain: chainHeader(pckCrl, ['SGX-PCK-CRL-Issuer-Chain']),
    rootCaCrl: derOf(rootCrl.body),
    pckCrl: pckCrl.body,
    // Intel renamed the header; caches send either name.
    tcbInfoIssuerChain: chainHeader(tcbInfo, ['TCB-Info-Issuer-Chain', 'SGX-TCB-Info-Issuer-Chain']),
    tcbInfo: tcb.body,
    tcbInfoSignature: tcb.signature,
    qeIdentityIssuerChain: chainHeader(qeIdentity, ['SGX-Enclave-Identity-Issuer-Chain']),
    qeIdentity: qe.body,
    qeIdentitySignature: qe.signature,
  };
}

export interface Answer {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/**
 * Fetches one response of at most 512 KiB.
 * @param question body of a POST request; without it, the request is a GET
 * @throws {AttestationError} ERR_COLLATERAL_UNAVAILABLE, ERR_COLLATERAL_REFUSED, ERR_COLLATERAL_MALFORMED, ERR_ABORTED
 */
export async function fetchBounded(
  address: string,
  { timeoutMs = 10_000, signal }: Pick<CollateralSource, 'timeoutMs' | 'signal'>,
  question?: { readonly type: string; readonly body: Uint8Array },
): Promise<Answer> {
  const url = requireSafeUrl(address);
  const deadline = AbortSignal.timeout(timeoutMs);
  const post = question && {
    method: 'POST',
    headers: { 'content-type': question.type },
    body: question.body as Uint8Array<ArrayBuffer>,
  };
  try {
    const signals = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
    const response = await fetch(url, { ...post, redirect: 'error', signal: signals });
    if (!response.ok) {
      await response.body?.cancel();
      const isTheirs = response.status >= 500 || response.status === 429;
      throw new AttestationError(
        isTheirs ? 'ERR_COLLATERAL_UNAVAILABLE' : 'ERR_COLLATERAL_REFUSED',
        `${url.host} answered ${response.status} for ${url.pathname}`,
      );
    }
    return { url: url.href, headers: response.headers, body: await readBounded(response) };
  } catch (cause) {
    if (cause instanceof AttestationError) throw cause;
    if (signal?.aborted === true)
      throw new AttestationError('ERR_ABORTED', 'fetching collateral was aborted', { cause });
    const why = deadline.aborted ? `did not answer within ${timeoutMs} ms` : 'could not be reached';
    throw new AttestationError('ERR_COLLATERAL_UNAVAILABLE', `${url.host} ${why}`, { cause });
  }
}

async function readBounded(response: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > answerBytesMax) {
      throw new AttestationError('ERR_COLLATERAL_MALFORMED', `an answer has over ${answerBytesMax} bytes`);
    }
    parts.push(part);
  }
  return concatBytes(...parts);
}

function requireSafeUrl(address: string): URL {
  const url = URL.parse(address);
  const isLoopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url?.hostname ?? '');
  if (url === null || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback))) {
    throw new TypeError('the address of a collateral source must be https, or http on loopback');
  }
  return url;
}

/** A PCCS sends the root revocation list in hexadecimal. In DER, its first byte is the tag of a sequence. */
function derOf(body: Uint8Array): Uint8Array {
  if (body[0] === 0x30) return body;
  return fromHex(new TextDecoder('latin1').decode(body).trim()) ?? body;
}

function text(answer: Answer): string {
  return new TextDecoder('utf-8', { fatal: false }).decode(answer.body);
}

function chainHeader(answer: Answer, names: readonly string[]): string {
  const value = names.map((name) => answer.headers.get(name)).find((header) => header !== null);
  if (value === undefined || value === null) {
    throw new AttestationError('ERR_COLLATERAL_MALFORMED', `${answer.url} has no ${names.join(' or ')} header`);
  }
  try {
    return decodeURIComponent(value);
  } catch (cause) {
    throw new AttestationError('ERR_COLLATERAL_MALFORMED', `${names[0]} is not percent-encoded`, { cause });
  }
}
