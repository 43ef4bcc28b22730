/** Countries by their names and adjectives in the languages of Europe. */
import { foldText } from './fold.ts';

const codes =
  'ae at au be bb bg bm br ca ch cn cy cz de dk ee es fi fr gb gr hk hr hu ie im in it je jp ky li lt lu lv mt mx nl no pl pt ro se sg si sk tr us vg za'.split(
    ' ',
  );

const adjectives: Readonly<Record<string, string>> = {
  at: 'austrian|osterreichisch*|autrichien*|austriac*',
  be: 'belgian|belgisch*|belge*|belga',
  ch: 'swiss|schweizer*|suisse*|svizzer*|zwitsers*|sveits*',
  cz: 'czech|tschechisch*|tcheque*|ceske*|cesky',
  de: 'german|deutsch*|allemand*|tedesc*|aleman*|duits*|niemieck*|tysk*',
  dk: 'danish|danisch*|danois*|dansk*',
  es: 'spanish|spanisch*|espagnol*|spagnol*|espanol*|spaans*',
  fr: 'french|franzosisch*|francais*|frances*|frans|franse',
  gb: 'uk|british|united kingdom|great britain|england|britisch*|britannique*|vereinigtes konigreich|grossbritannien|royaume uni|regno unito|reino unido|wielka brytania',
  ie: 'irish|irisch*|irlandais*|irlandes*',
  it: 'italian|italienisch*|italien*|italian*',
  lu: 'luxembourg|luxembourgish|luxemburgisch*|luxembourgeois*',
  nl: 'dutch|niederlandisch*|neerlandais*|olandes*|holandes*|nederlands*|netherlands|the netherlands|holland',
  no: 'norwegian|norwegisch*|norvegien*|norsk*',
  pl: 'polish|polnisch*|polonais*|polacc*|polsk*',
  pt: 'portuguese|portugiesisch*|portugais*|portugu*',
  ro: 'romanian|rumanisch*|roumain*',
  se: 'swedish|schwedisch*|suedois*|svensk*',
  us: 'us|u s|usa|american|united states|us amerikanisch*|etats unis|stati uniti|estados unidos|vereinigte staaten',
  ae: 'uae|emirates|emirati|vae',
  hk: 'hong kong',
};

interface Entry {
  readonly code: string;
  readonly shape: RegExp;
}

const table: readonly Entry[] = codes.map((code) => {
  const names = ['en', 'de', 'fr', 'it', 'es', 'nl', 'pl', 'nb', 'sv', 'da', 'cs'].map((language) =>
    foldText(new Intl.DisplayNames(language, { type: 'region' }).of(code.toUpperCase()) ?? '')
      .replace(/ \(.*\)/, '')
      .replace(/[^a-z ]/g, ' '),
  );
  const words = [...new Set([...names, ...(adjectives[code] ?? '').split('|')])].filter((name) => name.length > 1);
  const list = words.map((word) => word.trim().replaceAll('*', '[a-z]{0,6}').replaceAll(' ', '[ .-]{1,2}'));
  return { code, shape: new RegExp(`(?<![a-z])(?:${list.join('|')})(?![a-z])`, 'g') };
});

export interface FoundCountry {
  /** ISO 3166 alpha-2, lower case. */
  readonly code: string;
  readonly start: number;
  readonly end: number;
}

/** In text order. @param folded a line or a sentence */
export function countriesIn(folded: string): FoundCountry[] {
  if (folded.length > 2_000) return [];
  return table
    .flatMap(({ code, shape }) =>
      [...folded.matchAll(shape)].map(({ index, 0: name }) => ({ code, start: index, end: index + name.length })),
    )
    .sort((a, b) => a.start - b.start);
}

/** @param text a cell that consists of a country name or its code */
export function countryOf(text: string): string | undefined {
  const code = /^\(?([A-Z]{2})\)?$/.exec(text.trim())?.[1]?.toLowerCase();
  if (code !== undefined) return codes.includes(code) ? code : code === 'uk' ? 'gb' : undefined;
  return countriesIn(foldText(text.slice(0, 200)))[0]?.code;
}
