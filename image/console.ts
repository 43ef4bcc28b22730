/** Splits a guest's serial console into plain lines, without the firmware's escape sequences. Pure. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters to remove them
const escapeSequences = /\x1b\[[0-9;=?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>c78]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g;
const lineCharactersMax = 16_384;

export class ConsoleLines {
  #pending = '';

  /** @param text the next part of the output · @returns the lines completed by it, without escape sequences */
  add(text: string): string[] {
    const lines = (this.#pending + text).split(/\r*\n/);
    this.#pending = lines.pop()!;
    if (this.#pending.length > lineCharactersMax) {
      lines.push(this.#pending);
      this.#pending = '';
    }
    return lines.map(clean).filter((line) => line !== '');
  }

  /** @returns the remaining text without a line ending */
  end(): string[] {
    const rest = clean(this.#pending);
    this.#pending = '';
    return rest === '' ? [] : [rest];
  }
}

function clean(line: string): string {
  return line.replace(escapeSequences, '').replaceAll('\r', '').trimEnd();
}
