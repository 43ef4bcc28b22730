/**
 * Unicode categories for BERT's normalizer and word splitter. The reference implementation uses the Unicode tables of 2015.
 * Models were trained with these, so marks, punctuation and format characters that Unicode added or moved later are excluded.
 * Determined by comparing every code point with the `tokenizers` package 0.23; a test checks it.
 */

/** Later characters, for use in a character class. */
const later = [
  '\\u{61d}\\u{7fd}\\u{890}-\\u{891}\\u{897}-\\u{89f}\\u{8ca}-\\u{8e2}\\u{9fd}-\\u{9fe}\\u{a76}',
  '\\u{afa}-\\u{aff}\\u{b55}\\u{c04}\\u{c3c}\\u{c77}\\u{c84}\\u{d00}\\u{d3b}-\\u{d3c}\\u{d81}\\u{eba}\\u{ece}',
  '\\u{180f}\\u{1885}-\\u{1886}\\u{1abf}-\\u{1add}\\u{1ae0}-\\u{1aeb}\\u{1b4e}-\\u{1b4f}\\u{1b7d}-\\u{1b7f}',
  '\\u{1df6}-\\u{1dfb}\\u{2e43}-\\u{2e4f}\\u{2e52}-\\u{2e5d}\\u{a82c}\\u{a8c5}\\u{a8ff}\\u{a9bd}',
  '\\u{10d24}-\\u{10d27}\\u{10d69}-\\u{10d6e}\\u{10eab}-\\u{10ead}\\u{10ed0}\\u{10efa}-\\u{10eff}',
  '\\u{10f46}-\\u{10f50}\\u{10f55}-\\u{10f59}\\u{10f82}-\\u{10f89}\\u{11070}\\u{11073}-\\u{11074}\\u{110c2}',
  '\\u{110cd}\\u{111c9}\\u{111cf}\\u{1123e}\\u{11241}\\u{1133b}\\u{113bb}-\\u{113c0}\\u{113ce}\\u{113d0}',
  '\\u{113d2}\\u{113d4}-\\u{113d5}\\u{113d7}-\\u{113d8}\\u{113e1}-\\u{113e2}\\u{11438}-\\u{1143f}',
  '\\u{11442}-\\u{11444}\\u{11446}\\u{1144b}-\\u{1144f}\\u{1145a}-\\u{1145b}\\u{1145d}-\\u{1145e}',
  '\\u{11660}-\\u{1166c}\\u{116b9}\\u{1171e}\\u{1182f}-\\u{11837}\\u{11839}-\\u{1183b}\\u{1193b}-\\u{1193c}',
  '\\u{1193e}\\u{11943}-\\u{11946}\\u{119d4}-\\u{119d7}\\u{119da}-\\u{119db}\\u{119e0}\\u{119e2}',
  '\\u{11a01}-\\u{11a0a}\\u{11a33}-\\u{11a38}\\u{11a3b}-\\u{11a47}\\u{11a51}-\\u{11a56}\\u{11a59}-\\u{11a5b}',
  '\\u{11a8a}-\\u{11a96}\\u{11a98}-\\u{11a9c}\\u{11a9e}-\\u{11aa2}\\u{11b00}-\\u{11b09}\\u{11b60}',
  '\\u{11b62}-\\u{11b64}\\u{11b66}\\u{11be1}\\u{11c30}-\\u{11c36}\\u{11c38}-\\u{11c3d}\\u{11c3f}',
  '\\u{11c41}-\\u{11c45}\\u{11c70}-\\u{11c71}\\u{11c92}-\\u{11ca7}\\u{11caa}-\\u{11cb0}\\u{11cb2}-\\u{11cb3}',
  '\\u{11cb5}-\\u{11cb6}\\u{11d31}-\\u{11d36}\\u{11d3a}\\u{11d3c}-\\u{11d3d}\\u{11d3f}-\\u{11d45}\\u{11d47}',
  '\\u{11d90}-\\u{11d91}\\u{11d95}\\u{11d97}\\u{11ef3}-\\u{11ef4}\\u{11ef7}-\\u{11ef8}\\u{11f00}-\\u{11f01}',
  '\\u{11f36}-\\u{11f3a}\\u{11f40}\\u{11f42}-\\u{11f4f}\\u{11f5a}\\u{11fff}\\u{12ff1}-\\u{12ff2}',
  '\\u{13430}-\\u{13440}\\u{13447}-\\u{13455}\\u{1611e}-\\u{16129}\\u{1612d}-\\u{1612f}\\u{16d6d}-\\u{16d6f}',
  '\\u{16e97}-\\u{16e9a}\\u{16f4f}\\u{16fe2}\\u{16fe4}\\u{1cf00}-\\u{1cf2d}\\u{1cf30}-\\u{1cf46}',
  '\\u{1e000}-\\u{1e006}\\u{1e008}-\\u{1e018}\\u{1e01b}-\\u{1e021}\\u{1e023}-\\u{1e024}\\u{1e026}-\\u{1e02a}',
  '\\u{1e08f}\\u{1e130}-\\u{1e136}\\u{1e2ae}\\u{1e2ec}-\\u{1e2ef}\\u{1e4ec}-\\u{1e4ef}\\u{1e5ee}-\\u{1e5ef}',
  '\\u{1e5ff}\\u{1e6e3}\\u{1e6e6}\\u{1e6ee}-\\u{1e6ef}\\u{1e6f5}\\u{1e944}-\\u{1e94a}\\u{1e95e}-\\u{1e95f}',
].join('');

/** Nonspacing marks; in 2015 these included U+1734 and U+1171E. */
export const mark = `(?:[\\p{Mn}--[${later}]]|[\\u1734\\u{1171e}])`;

/** Punctuation, including ASCII symbols; in 2015 also U+166D and U+111C9. */
export const punctuation = `[[[\\p{P}!-\\/:-@\\[-\`\\{-~]--[${later}]]\\u166d\\u{111c9}]`;

/** Control, format, private use and surrogate characters, which are removed from texts. */
export const other = `[[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}]--[${later}]]`;
