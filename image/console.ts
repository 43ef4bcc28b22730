/** Makes a guest's serial console readable: firmware draws with escape sequences, and lines end as terminals want them. Pure. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const drawing = /\x1b\[[0-9;=?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>c78]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
const lineCharactersMax = 16_384;

export class ConsoleLines {
  #pending = '';

  /** @param text as it came · @returns the lines that are complete now, without what only draws */
  add(text: string): string[] {
    const lines = (this.#pending + text).split(/\r*\n/);
    this.#pending = lines.pop()!;
    if (this.#pending.length > lineCharactersMax) {
      lines.push(this.#pending);
      this.#pending = '';
    }
    return lines.map(clean).filter((line) => line !== '');
  }

  /** What came without an end of line. */
  end(): string[] {
    const rest = clean(this.#pending);
    this.#pending = '';
    return rest === '' ? [] : [rest];
  }
}

function clean(line: string): string {
  return line.replace(drawing, '').replaceAll('\r', '').trimEnd();
}
