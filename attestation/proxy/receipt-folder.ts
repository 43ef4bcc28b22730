/**
 * Keeps the receipts of forwarded answers in a folder, each checked, with the evidence that its key comes from: enough to prove
 * later, without a network, which code and which weights answered. Bodies are not kept, only their digests in the receipt.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AttestedServer } from '../client/attest-server.ts';
import type { AttestedFetch } from '../client/attested-fetch.ts';
import { formatBundle } from '../client/bundle.ts';
import { checkReceipt } from '../client/check-receipt.ts';
import type { EvidenceVerification } from '../client/verification.ts';
import { verdictOf } from '../verify/checks.ts';
import type { Exchange } from './local-proxy.ts';

export interface ReceiptFolderOptions {
  readonly folder: string;
  readonly origin: string;
  readonly fetch: AttestedFetch;
  /** Called for each receipt. @param problem why it is missing or wrong; undefined if it proves the answer */
  readonly onReceipt: (id: string, problem: string | undefined) => void;
}

export class ReceiptFolder {
  readonly #options: ReceiptFolderOptions;
  /** By the digest of the keyset that signs receipts. */
  readonly #evidence = new Map<string, EvidenceVerification>();

  constructor(options: ReceiptFolderOptions) {
    this.#options = options;
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  }

  /** Saves the evidence of a verified server as a bundle named by the digest of its keyset. */
  keepEvidence(server: AttestedServer): void {
    const { keysetDigest } = server.verification;
    if (keysetDigest === undefined || server.verification.verdict !== 'verified') return;
    this.#evidence.set(keysetDigest, server.verification);
    const { nonce, observed, collateral, gpuReference, takenAtMs } = server;
    const report = new TextDecoder().decode(server.report);
    const source = this.#options.origin;
    this.#write(
      `evidence-${fileName(keysetDigest)}.json`,
      formatBundle({ nonce, observed, collateral, gpuReference, takenAtMs, report, source }),
    );
  }

  /** Fetches, checks and saves the receipt of an answer that has one. Never throws. */
  async keepReceipt({ headers, authorization, request, response }: Exchange): Promise<void> {
    const id = headers.get('x-receipt-id');
    if (id === null || !/^[A-Za-z0-9_-]{1,128}$/.test(id)) return;
    const { origin, fetch: send, onReceipt } = this.#options;
    try {
      const answer = await send(`${origin}/v1/aci/receipts/${id}`, { headers: authorization });
      const receipt = await answer.text();
      if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
      this.#write(`receipt-${id}.json`, receipt);
      const evidence = this.#evidence.get(headers.get('x-aci-keyset-digest') ?? '');
      const { checks } = await checkReceipt({ receipt, evidence, request, response });
      const failed = checks.find(({ outcome, required }) => required && outcome !== 'pass');
      onReceipt(id, verdictOf(checks) === 'verified' ? undefined : `${failed?.title}: ${failed?.reason}`);
    } catch (error) {
      onReceipt(id, `the receipt cannot be stored: ${(error as Error).message}`);
    }
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.#options.folder, name), text, { mode: 0o600 });
  }
}

function fileName(digest: string): string {
  return digest.replace(/[^A-Za-z0-9]/g, '-');
}
