/** Whether a receipt is this server's, for this exchange: one list of checks on top of verified evidence. Pure. */
import { sha256Digest } from '../aci/digest.ts';
import { findEvent, parseReceipt, receiptEvent, type SignedReceipt, verifyReceipt } from '../aci/receipt.ts';
import { CheckList, type CheckText, refuse, type Step } from '../verify/checks.ts';
import { type EvidenceCheck, type EvidenceVerification, whyNotVerified } from './verification.ts';

const distrust = 'Do not rely on this answer: the receipt was changed, or is of another answer or server.';

export const receiptChecks = {
  'receipt-format': { title: 'The receipt is one of ACI, version aci/1', action: 'Fetch the receipt again.' },
  'receipt-evidence': {
    title: 'The evidence of the server that signed is verified',
    action: 'Verify the evidence by itself to see every check: `cloister verify --offline <bundle>`.',
  },
  'receipt-keyset': { title: 'The receipt is of the keyset in the evidence', action: distrust },
  'receipt-signature': { title: 'The receipt is signed by a key of that keyset', action: distrust },
  'receipt-time': { title: 'It was signed before the keyset expired', action: distrust },
  'receipt-request': { title: 'It is for the request that was sent', action: distrust },
  'receipt-response': { title: 'It is for the answer that came', action: distrust },
} as const satisfies Record<string, CheckText>;

export interface ReceiptInput {
  /** The text of the receipt. */
  readonly receipt: string | Uint8Array;
  /** Undefined where there is none: then nothing says whose signature it is. */
  readonly evidence: EvidenceVerification | undefined;
  /** The exact body that was sent, before sealing, and the one that came, after opening; undefined: not at hand. */
  readonly request?: Uint8Array | undefined;
  readonly response?: Uint8Array | undefined;
}

type ReceiptChecks = CheckList<keyof typeof receiptChecks>;

/** Never throws for what the receipt or the evidence hold. */
export async function checkReceipt(
  input: ReceiptInput,
): Promise<{ checks: readonly EvidenceCheck[]; receipt: SignedReceipt | undefined }> {
  const list = new CheckList(receiptChecks);
  const receipt = await list.run('receipt-format', [], () => parseReceipt(input.receipt));
  const keys = await checkEvidence(list, input.evidence);
  const same = await list.run('receipt-keyset', [receipt, keys], ({ keysetDigest }, established) => {
    if (keysetDigest !== established.keysetDigest) {
      refuse(`the receipt is of ${keysetDigest}, the evidence of ${established.keysetDigest}`);
    }
  });
  const signed = await list.run('receipt-signature', [receipt, keys, same], async (parsed, established) => {
    await verifyReceipt(parsed, established);
    return parsed;
  });
  await list.run('receipt-time', [signed, keys], ({ servedAt }, { keyset }) => {
    if (servedAt >= keyset.notAfter) refuse(`it was signed at ${servedAt}, the keyset expired at ${keyset.notAfter}`);
  });
  await checkBody(list, 'receipt-request', signed, input.request);
  await checkBody(list, 'receipt-response', signed, input.response);
  const isGiven = { 'receipt-request': input.request !== undefined, 'receipt-response': input.response !== undefined };
  const checks = list.all().map((check) => ({ ...check, required: isGiven[check.id as keyof typeof isGiven] ?? true }));
  return { checks, receipt: receipt.value };
}

type Established = Parameters<typeof verifyReceipt>[1];

/** Keys of evidence that is not verified are nobody's. */
async function checkEvidence(
  list: ReceiptChecks,
  evidence: EvidenceVerification | undefined,
): Promise<Step<Established>> {
  const id = 'receipt-evidence';
  if (evidence === undefined) {
    list.skip(id, 'no evidence was given: nothing says whose signature it is');
    return { id };
  }
  const { verdict, keyset, keysetDigest } = evidence;
  const why = whyNotVerified(evidence.checks);
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
    if (named !== digest) refuse(`the receipt names ${named}, the body has ${digest}`);
  });
}
