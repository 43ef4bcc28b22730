/** What a quote measured, as entries of a list of facts: firmware, kernel, command line and start log. */
import type { EvidenceVerification } from '@cloister/attestation/browser';

export function Measurements({ verification }: { readonly verification: EvidenceVerification }) {
  const { keysetDigest, measurements } = verification;
  const digests = Object.entries({ Keys: keysetDigest ?? 'unknown', ...measurements });
  return (
    <>
      {digests.map(([name, value]) => [
        <dt key={name}>{name}</dt>,
        <dd key={`${name} value`} class="digest">
          {value}
        </dd>,
      ])}
    </>
  );
}
