/**
 * The 64 bytes of report data in a quote, which name a keyset and a nonce. The layout of ACI `aci/1`.
 * @see https://github.com/Dstack-TEE/private-ai-gateway spec/aci.md
 */

/** Whether a text is a nonce: 32 bytes as 64 lowercase hexadecimal digits. */
export function isNonce(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/**
 * The exact text whose SHA-256 is in the report data.
 * @param statement.keysetDigest 64 lowercase hexadecimal digits, the SHA-256 of the keyset's JCS form
 * @param statement.nonce undefined for a report without a nonce, which proves no freshness
 * @throws {TypeError} if either is malformed
 */
export function reportDataText(statement: ReportDataStatement): string {
  const { keysetDigest, nonce } = statement;
  if (nonce !== undefined && !isNonce(nonce)) throw new TypeError('nonce must be 64 lowercase hexadecimal digits');
  if (!isNonce(keysetDigest)) throw new TypeError('keysetDigest must be 64 lowercase hexadecimal digits');
  const challenge = nonce === undefined ? 'null' : `"${nonce}"`;
  return `{"keyset_digest":"sha256:${keysetDigest}","nonce":${challenge},"purpose":"aci.report_data.v1"}`;
}

export interface ReportDataStatement {
  readonly keysetDigest: string;
  readonly nonce: string | undefined;
}

/** @returns 64 bytes: the digest of `reportDataText`, then zeros · @throws {TypeError} as `reportDataText` */
export async function reportDataOf(statement: ReportDataStatement): Promise<Uint8Array> {
  const text = new TextEncoder().encode(reportDataText(statement));
  const reportData = new Uint8Array(64);
  reportData.set(new Uint8Array(await crypto.subtle.digest('SHA-256', text)));
  return reportData;
}

/**
 * The nonce for GPU reports at the start: the same construction with another purpose, so that such a report can never be part of a
 * request's evidence. The keys are new at each start, so the nonce is too.
 * @param keysetDigest 64 lowercase hexadecimal digits · @returns 32 bytes · @throws {TypeError}
 */
export async function gpuStartNonceOf(keysetDigest: string): Promise<Uint8Array> {
  if (!isNonce(keysetDigest)) throw new TypeError('keysetDigest must be 64 lowercase hexadecimal digits');
  const text = `{"keyset_digest":"sha256:${keysetDigest}","nonce":null,"purpose":"cloister.gpu_start.v1"}`;
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
