/** The secrets that the measured configuration requires: their operator's key and their names. Pure. */
import { hexOf, listOf, objectOf, parseStrictJson, textOf } from '@cloister/attestation/aci/strict-json';
import { fromHex } from '@cloister/attestation/base/bytes';
import { AttestationError } from '@cloister/attestation/base/errors';
import { type SecretName, secretNames } from '@cloister/attestation/provision/provision';

/** The file's name on the configuration disk. */
export const provisionFile = 'provision.json';

export interface ProvisionRequest {
  /** Ed25519, 32 bytes. */
  readonly operatorKey: Uint8Array;
  /** At least one, without duplicates. */
  readonly secrets: readonly SecretName[];
}

export function formatProvisionRequest({ operatorKey, secrets }: ProvisionRequest): string {
  return `${JSON.stringify({ operatorKey: Buffer.from(operatorKey).toString('hex'), secrets })}\n`;
}

/** @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export function parseProvisionRequest(text: string): ProvisionRequest {
  const json = parseStrictJson(text, { what: provisionFile, charactersMax: 4096 });
  const request = objectOf(json, provisionFile, { required: ['operatorKey', 'secrets'], optional: [] });
  const named = listOf(request.secrets, 'secrets', secretNames.length).map((one) => textOf(one, 'secrets'));
  const secrets = secretNames.filter((name) => named.includes(name));
  const hasPair = secrets.includes('tlsCert') === secrets.includes('tlsKey');
  if (secrets.length === 0 || secrets.length !== named.length || !hasPair) {
    const message = `secrets must be some of ${secretNames.join(', ')}, tlsCert and tlsKey together`;
    throw new AttestationError('ERR_EVIDENCE_MALFORMED', message);
  }
  return { operatorKey: fromHex(hexOf(request.operatorKey, 'operatorKey', 32))!, secrets };
}
