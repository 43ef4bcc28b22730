import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { merkleProof, merkleRoot, rootFromProof } from '../../accounts/ledger/merkle.ts';

/** Inputs and roots of the tests of Google's certificate-transparency, for RFC 6962. */
const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  (hex) => Buffer.from(hex, 'hex'),
);
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

describe('the hash tree', () => {
  it.each(roots.map((root, size) => [size, root]))('of %i entries has the reference root', (size, root) => {
    expect(merkleRoot(inputs.slice(0, Number(size))).toString('hex')).toBe(root);
  });

  it('proves each entry, and rejects another entry at its index', () => {
    const entries = fc.array(fc.uint8Array({ maxLength: 8 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(entries, fc.nat(), (list, at) => {
        const index = at % list.length;
        const [root, proof] = [merkleRoot(list), merkleProof(list, index)];
        const claim = { index, size: list.length, proof };
        expect(rootFromProof(list[index]!, claim)).toEqual(root);
        expect(rootFromProof(Buffer.concat([list[index]!, Buffer.of(1)]), claim)).not.toEqual(root);
      }),
    );
  });

  it('rejects a proof of the wrong length or index', () => {
    const proof = merkleProof(inputs, 3);
    expect(() => rootFromProof(inputs[3]!, { index: 3, size: 8, proof: proof.slice(1) })).toThrow('too short');
    expect(() => rootFromProof(inputs[3]!, { index: 3, size: 8, proof: [...proof, proof[0]!] })).toThrow('too long');
    expect(() => rootFromProof(inputs[3]!, { index: 8, size: 8, proof })).toThrow(RangeError);
    expect(() => merkleProof(inputs, 8)).toThrow(RangeError);
  });
});
