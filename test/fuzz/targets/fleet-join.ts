/** The messages of a node that joins a fleet, and the secrets that it gets. */
import { AttestationError } from '../../../attestation/base/errors.ts';
import { parseJoinChallenge, parseJoinRequest, parseSealedSecrets } from '../../../attestation/fleet/join.ts';
import { parseSharedSecrets } from '../../../server/fleet/shared-secrets.ts';
import { bytesOf, type FuzzTarget, refusalsOf } from '../target.ts';

const isRefusal = refusalsOf(AttestationError, 'ERR_EVIDENCE_MALFORMED');

export const targets: readonly FuzzTarget[] = [
  {
    name: 'fleet-join',
    summary: 'messages between a starting and a running node of a fleet, each read by all three parsers',
    words: ['"version":"cloister.join.v1"', '"recipient_key":"', '"quote":""', '"report":"{}"', '"sealed":""'].map(
      bytesOf,
    ),
    open: () => ({
      isRefusal,
      run(input) {
        const errors: unknown[] = [];
        for (const parse of [parseJoinChallenge, parseJoinRequest, parseSealedSecrets]) {
          try {
            parse(input);
          } catch (error) {
            if (!isRefusal(error)) throw error;
            errors.push(error);
          }
        }
        if (errors.length < 2) throw new Error('one text is two kinds of message');
        if (errors.length === 3) throw errors[0];
      },
    }),
  },
  {
    name: 'fleet-secrets',
    summary: 'the secrets of a fleet: what is parsed has the same bytes when it is written again',
    words: [bytesOf('cloister.secrets.v1\n'), Uint8Array.of(0, 0, 0, 0, 1), Uint8Array.of(1, 0xff, 0xff, 0xff, 0xff)],
    open: () => ({
      isRefusal,
      run(input) {
        const message = Buffer.from(input);
        if (!parseSharedSecrets(message).encode().equals(message)) throw new Error('the secrets have two forms');
      },
    }),
  },
];
