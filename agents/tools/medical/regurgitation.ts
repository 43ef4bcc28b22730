/** "MR" in a record of the heart or of a medicine, where it does not mean magnetic resonance. */

const valveDefect = '(?:[AMPT][RS]|AI|TI|MI|PI|MVP|LVH)';
const grade = String.raw`(?:(?:grade |grad )?[I1-4]{1,3}(?:°|\+)|grade? [I1-4]{1,3}|no|nil|trace|trivial|tr|mild|mod|moderate|severe|significant|torrential|functional|ischa?emic|primary|secondary|degenerative|eccentric|central|residual|paravalvular|severity of|leicht\p{L}*|mittel\p{L}*|hoch\p{L}*|schwer\p{L}*|gering\p{L}*|minimal\p{L}*|lätt|måttlig\p{L}?|uttalad|let|moderat|betydelig|valvular)`;
const gradeBefore = new RegExp(
  String.raw`(?<!\p{L})(?:${grade}[- /]{1,3}(?:to |and |or |bis |til )?|${valveDefect}(?: ?[,/&+] ?| and | or | und ))$`,
  'iu',
);
const gradeAfter = new RegExp(
  String.raw`^(?: (?:jet|grade|severity|fraction|vena contracta|murmur|is (?:mild|moderate|severe|trivial)|was (?:mild|moderate|severe|trivial)|(?:mild|moderate|severe|trivial|trace)(?!\p{L})|I{1,3}(?:°|\b)|Grad)| ?\(?(?:\d\+|[1-4]\/4)| ?(?:[,/&+]|and|or|und) ?(?:(?:no|mild|moderate|severe|trace|trivial|leichte?)[ -])?${valveDefect}(?!\p{L}))`,
  'iu',
);

const releasedSlowly = /(?<!\p{L})(?:\p{L}{3,}(?:ide|ine|formin|zem|trate|afil|osin|udin|pamil|pine|ril|olol)) $/iu;

/** "Moderate MR, trace TR" of an echocardiogram is mitral regurgitation, and "gliclazide MR" releases slowly: no magnetic resonance. */
export function isRegurgitation(text: string, start: number, end: number): boolean {
  if (text.slice(start, end) !== 'MR') return false;
  const before = text.slice(Math.max(0, start - 30), start);
  const after = text.slice(end, end + 40);
  return (
    gradeBefore.test(before) ||
    gradeAfter.test(after) ||
    /^[ ]\d|^ ?(?:#|no\.|tab|cap)/iu.test(after) ||
    releasedSlowly.test(before)
  );
}
