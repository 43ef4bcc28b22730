/** Parses memory sizes in QEMU's notation. Pure. */

const units: Readonly<Record<string, number>> = { M: 1024 ** 2, G: 1024 ** 3, T: 1024 ** 4 };

/** @param text for example `512M` or `64G` · @returns bytes, or undefined for another format */
export function parseMemory(text: string): number | undefined {
  const match = /^([1-9]\d{0,6})([MGT])$/.exec(text);
  return match === null ? undefined : Number(match[1]) * units[match[2]!]!;
}
