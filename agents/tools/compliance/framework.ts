/** The notation of frameworks: one control per line, `id|title|themes`. */
import { allThemes } from './themes.ts';

export interface Control {
  /** The framework's own number: "A.8.13", "Art. 32", "CC6.1". */
  readonly id: string;
  readonly title: string;
  /** Ids of the themes on which it depends; one that a document addresses is enough. */
  readonly themes: readonly string[];
}

export interface Framework {
  readonly id: string;
  /** With edition or number. */
  readonly name: string;
  readonly controls: readonly Control[];
}

const known = new Set(allThemes.map(({ id }) => id));

/** @throws {TypeError} if a line is malformed or names an unknown theme, which is a programming error detected at import */
export function parseControls(table: string): Control[] {
  return table
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [id, title, themes, ...rest] = line.split('|').map((part) => part.trim());
      const list = themes?.split(' ') ?? [];
      if (id === undefined || title === undefined || rest.length > 0 || !list.every((each) => known.has(each))) {
        throw new TypeError(`control "${line}" must be id|title|known themes`);
      }
      return { id, title, themes: list };
    });
}
