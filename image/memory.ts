/** Sizes as QEMU and people write them. Pure. */

const units: Readonly<Record<string, number>> = { M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** @param text like `512M` or `64G` · @returns bytes; undefined where it is not of this form */
export function parseMemory(text: string): number | undefined {
  const match = /^([1-9]\d{0,6})([MGT])$/.exec(text);
  return match === null ? undefined : Number(match[1]) * units[match[2]!]!;
}
