/** Checks that a receipt was signed by the server in verified evidence, for these request and response bytes. Pure. */
import { sha256Digest } from '../aci/digest.ts';
import { findEvent, parseReceipt, receiptEvent, type SignedReceipt, verifyReceipt } from '../aci/receipt.ts';
import { CheckList, type CheckText, refuse, type Step } from '../verify/checks.ts';
import { blockingCheck, type EvidenceCheck, type EvidenceVerification } from './verification.ts';

const distrust = 'Do not rely on this response: the receipt was changed, or belongs to another response or server.';

export const receiptChecks = {
  'receipt-format': { title: 'The receipt is an ACI receipt, version aci/1', action: 'Fetch the receipt again.' },
  'receipt-evidence': {
    title: 'The evidence of the signing server is verified',
    action: 'Run `cloister verify --offline <bundle>` to see every check of the evidence.',
  },
  'receipt-keyset': { title: 'The receipt names the keyset in the evidence', action: distrust },
  'receipt-signature': { title: 'The receipt is signed by a key of that keyset', action: distrust },
  'receipt-time': { title: 'The receipt was signed before the keyset expired', action: distrust },
  'receipt-request': { title: 'The receipt is for the request that was sent', action: distrust },
  'receipt-response': { title: 'The receipt is for the response that was received', action: distrust },
} as const satisfies Record<string, CheckText>;

export interface ReceiptInput {
  /** The receipt's JSON text. */
  readonly receipt: string | Uint8Array;
  /** Without evidence, the signature's key is unknown and the receipt could not be checked. */
  readonly evidence: EvidenceVerification | undefined;
  /** The exact request body before sealing and the exact response body after opening; a missing body is not compared. */
  readonly request?: Uint8Array | undefined;
  readonly response?: Uint8Array | undefined;
}

type ReceiptChecks = CheckList<keyof typeof receiptChecks>;

/** Runs every check. Never throws for invalid receipts or evidence. */
export async function checkReceipt(
  input: ReceiptInput,
): Promise<{ checks: readonly EvidenceCheck[]; receipt: SignedReceipt | undefined }> {
  const list = new CheckList(receiptChecks);
  const receipt = await list.run('receipt-format', [], () => parseReceipt(input.receipt));
  const keys = await checkEvidence(list, input.evidence);
  const same = await list.run('receipt-keyset', [receipt, keys], ({ keysetDigest }, established) => {
    if (keysetDigest !== established.keysetDigest) {
      refuse(`the receipt names ${keysetDigest}, but the evidence has ${established.keysetDigest}`);
    }
  });
  const signed = await list.run('receipt-signature', [receipt, keys, same], async (parsed, established) => {
    await verifyReceipt(parsed, established);
    return parsed;
  });
  await list.run('receipt-time', [signed, keys], ({ servedAt }, { keyset }) => {
    if (servedAt >= keyset.notAfter)
      refuse(`the receipt was signed at ${servedAt}, but the keyset expired at ${keyset.notAfter}`);
  });
  await checkBody(list, 'receipt-request', signed, input.request);
  await checkBody(list, 'receipt-response', signed, input.response);
  const isGiven = { 'receipt-request': input.request !== undefined, 'receipt-response': input.response !== undefined };
  const checks = list.all().map((check) => ({ ...check, required: isGiven[check.id as keyof typeof isGiven] ?? true }));
  return { checks, receipt: receipt.value };
}

type Established = Parameters<typeof verifyReceipt>[1];

/** Keys are established only by verified evidence. */
async function checkEvidence(
  list: ReceiptChecks,
  evidence: EvidenceVerification | undefined,
): Promise<Step<Established>> {
  const id = 'receipt-evidence';
  if (evidence === undefined) {
    list.skip(id, 'no evidence was given, so the signing key is unknown');
    return { id };
  }
  const { verdict, keyset, keysetDigest } = evidence;
  const why = blockingCheck(evidence.checks);
  if (verdict === 'could-not-check') {
    list.skip(id, `${why?.title}: ${why?.reason}`);
    return { id };
  }
  return list.run(id, [], () => {
    if (verdict !== 'verified') return refuse(`${why?.title}: ${why?.reason}`);
    return { keyset: keyset!, keysetDigest: keysetDigest! };
  });
}

async function checkBody(
  list: ReceiptChecks,
  id: 'receipt-request' | 'receipt-response',
  signed: Step<SignedReceipt>,
  body: Uint8Array | undefined,
): Promise<void> {
  if (body === undefined) {
    list.skip(id, 'the body was not given');
    return;
  }
  const type = id === 'receipt-request' ? receiptEvent.received : receiptEvent.returned;
  await list.run(id, [signed], async (receipt) => {
    const digest = await sha256Digest(new Uint8Array(body));
    const named = findEvent(receipt, type)?.body_hash;
    if (named !== digest) refuse(`the receipt names ${named}, but the body has ${digest}`);
  });
}
