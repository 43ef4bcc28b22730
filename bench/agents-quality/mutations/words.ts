/** Random choices that a seed determines, and words for mutations. */

export interface Random {
  /** @returns an integer from 0 to `count` - 1 */
  below(count: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return { below, pick: (items) => items[below(items.length)]! };
}

/**
 * Words that change what a number means, or whether a statement holds: a reader who does not know one of them misreads the
 * text, so mutations keep them. Month names, names of weekdays, number words, scales, negations and words of a condition.
 */
const kept = new Set(
  `not without never neither nor none unless except provided nicht kein keine keinen keiner keinem ohne weder sofern außer
   pas sans aucun aucune jamais sauf non senza nessun nessuna salvo mai sin ningún ninguna nunca salvo geen niet zonder tenzij
   bez żaden żadna nigdy chyba
   thousand thousands million millions billion hundred tausend million millionen milliarden mille milliers millones millions miles
   miljoen miljard duizend tysięcy tysiąc milionów migliaia milioni
   half quarter halb halbe moitié demi medio half kwart pół
   deny denies denied denying negative absent declined refused withdrawn repealed cancelled`.split(/\s+/),
);

for (const language of ['en', 'de', 'fr', 'it', 'es', 'nl', 'pl']) {
  for (const width of ['long', 'short'] as const) {
    const month = new Intl.DateTimeFormat(language, { month: width, day: 'numeric', timeZone: 'UTC' });
    const weekday = new Intl.DateTimeFormat(language, { weekday: width, timeZone: 'UTC' });
    for (let index = 0; index < 12; index += 1) {
      const day = new Date(Date.UTC(2024, index, 1 + index));
      for (const word of `${month.format(day)} ${weekday.format(day)}`.toLowerCase().match(/\p{L}+/gu) ?? [])
        kept.add(word);
    }
  }
}

const numberWord =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fif|twenty|thirty|forty|fifty|sixty|ninety|eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|un|deux|trois|quatre|cinq|sept|huit|neuf|dix|quinze|trente|uno|due|tre|quattro|cinque|sei|dieci|trenta|dos|tres|cuatro|cinco|diez|treinta|een|twee|drie|vijf|zes|zeven|negen|tien|dertig|jeden|dwa|trzy|cztery|pięć|dziesięć|fourteen|thirteen|sixteen|eighteen)/;

/** Words of at least four letters that mutations may replace, each once, as written. */
export function replaceableWords(text: string): string[] {
  const found = text.match(/(?<![\p{L}\p{N}&<=/.@_-])\p{L}{4,}(?![\p{L}\p{N};=@_-]|\.\p{L})/gu) ?? [];
  return [...new Set(found)].filter((word) => !kept.has(word.toLowerCase()) && !numberWord.test(word.toLowerCase()));
}

const syllables = ['bra', 'vel', 'kos', 'tin', 'mur', 'zad', 'pol', 'rez', 'gan', 'lif'];

/** A word of no language in the same case. */
export function unknownWord(word: string, random: Random): string {
  let made = '';
  while (made.length < word.length) made += random.pick(syllables);
  if (word === word.toUpperCase()) return made.toUpperCase();
  return /^\p{Lu}/u.test(word) ? made[0]!.toUpperCase() + made.slice(1) : made;
}
