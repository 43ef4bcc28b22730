/** The parsers of evidence, and verdicts on mutated evidence compared with @phala/dcap-qvl. */
import { AttestationError } from '../../../attestation/base/errors.ts';
import {
  buildJudged,
  changeQuoteStructure,
  changeSignedDocument,
  changeVersions,
  flipOneBit,
} from '../../support/attestation/evidence-mutations.ts';
import { compare } from '../../support/attestation/oracle.ts';
import { Random } from '../../support/random.ts';
import type { EvidenceParser } from '../evidence/parser.ts';
import { buildEvidenceParsers } from '../evidence/parsers.ts';
import { bytesOf, type FuzzTarget, refusalsOf, textOf } from '../target.ts';

/** One in this many inputs is also verified, since verification takes a hundred times as long as parsing. */
const verifiedEvery = 16;

export const targets: readonly FuzzTarget[] = [...(await buildEvidenceParsers()).map(targetOf), oracleTarget()];

/** The seeds are generated in each process and signed by temporary keys. */
function targetOf({ name, good, words, parse, accepts }: EvidenceParser): FuzzTarget {
  const isRefusal = refusalsOf(AttestationError);
  return {
    name: `evidence-${name}`,
    summary: `${name} of evidence: parsed, and verified where it is signed`,
    hasOwnTest: true,
    words,
    open: () => ({
      seeds: [good],
      isRefusal,
      async run(input) {
        parse(input);
        if (accepts === undefined || input.reduce((sum, byte) => sum + byte, 0) % verifiedEvery > 0) return;
        const meaning = await accepts(input);
        if (meaning === undefined || meaning === (await accepts(good))) return;
        throw new Error('accepted with another meaning');
      },
    }),
  };
}

/** An input is a decimal number that selects the mutation and the evidence. */
function oracleTarget(): FuzzTarget {
  return {
    name: 'evidence-oracle',
    summary: 'verdicts on changed quotes and collateral, compared with @phala/dcap-qvl',
    hasOwnTest: true,
    generate: ({ random }) => bytesOf(String(random.below(2 ** 31))),
    async open() {
      const evidence = [await buildJudged(), await buildJudged({ form: { version: 5, body: '1.5' } })];
      return {
        seeds: [bytesOf('1')],
        isRefusal: () => false,
        async run(input) {
          const random = new Random(Number(textOf(input)));
          const one = random.pick(evidence);
          const { what, evidence: changed } = await random.pick([
            () => flipOneBit(one, random),
            () => flipOneBit(one, random),
            () => changeQuoteStructure(one, random),
            () => changeSignedDocument(random),
            () => changeVersions(random),
          ])();
          const { wrong } = await compare(changed);
          if (wrong === undefined) return;
          throw new Error(`${what}: ${wrong}\n  quote: ${Buffer.from(changed.quote).toString('base64')}`);
        },
      };
    },
  };
}
