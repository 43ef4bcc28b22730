/** Whether a document is about employment in the United States, where dates begin with the month and no law grants paid leave. */

const american =
  /\b(?:at[- ]will|FLSA|FMLA|401\(k\)|403\(b\)|W-[24]\b|I-9\b|EEOC|OSHA|United States|U\.S\.|Inc\.|LLC|[Ss]tate of [A-Z]|\p{Lu}[\p{L}.]+, (?:A[LKZR]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])\b)/u;

/** @param text of the document */
export function isAmerican(text: string): boolean {
  return american.test(text) && !/£|€|\bEUR\b|\bGBP\b/u.test(text);
}
