/**
 * What a quote's 64 bytes of report data say: which keyset, for which nonce. The layout of ACI `aci/1`.
 * @see https://github.com/Dstack-TEE/private-ai-gateway spec/aci.md
 */

/** A nonce is 32 bytes as 64 lowercase hexadecimal digits; nothing else is one. */
export function isNonce(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}

/**
 * The exact text whose SHA-256 stands in the report data.
 * @param statement.keysetDigest 64 lowercase hexadecimal digits, the SHA-256 of the keyset's JCS form
 * @throws {TypeError} where either is anything else
 */
export function reportDataText(statement: { keysetDigest: string; nonce: string }): string {
  const { keysetDigest, nonce } = statement;
  if (!isNonce(nonce)) throw new TypeError('nonce must be 64 lowercase hexadecimal digits');
  if (!isNonce(keysetDigest)) throw new TypeError('keysetDigest must be 64 lowercase hexadecimal digits');
  return `{"keyset_digest":"sha256:${keysetDigest}","nonce":"${nonce}","purpose":"aci.report_data.v1"}`;
}

/** @returns 64 bytes: the digest of `reportDataText`, then zeros · @throws {TypeError} as `reportDataText` */
export async function reportDataOf(statement: { keysetDigest: string; nonce: string }): Promise<Uint8Array> {
  const text = new TextEncoder().encode(reportDataText(statement));
  const reportData = new Uint8Array(64);
  reportData.set(new Uint8Array(await crypto.subtle.digest('SHA-256', text)));
  return reportData;
}
