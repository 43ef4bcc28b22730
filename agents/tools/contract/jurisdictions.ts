/** States and countries by the names in contracts, with one canonical name for each. */

const adjectives: readonly (readonly [string, string])[] = [
  ['English', 'England and Wales'],
  ['German', 'Germany'],
  ['Deutsches', 'Germany'],
  ['French', 'France'],
  ['Dutch', 'Netherlands'],
  ['Swiss', 'Switzerland'],
  ['Schweizer', 'Switzerland'],
  ['Schweizerisches', 'Switzerland'],
  ['Austrian', 'Austria'],
  ['Österreichisches', 'Austria'],
  ['Czech', 'Czech Republic'],
  ['Irish', 'Ireland'],
  ['Scots', 'Scotland'],
  ['Scottish', 'Scotland'],
  ['Belgian', 'Belgium'],
  ['Italian', 'Italy'],
  ['Spanish', 'Spain'],
  ['Polish', 'Poland'],
  ['Swedish', 'Sweden'],
  ['Danish', 'Denmark'],
  ['Finnish', 'Finland'],
  ['Norwegian', 'Norway'],
  ['Hungarian', 'Hungary'],
  ['Slovak', 'Slovakia'],
  ['Californian', 'California'],
  ['Bundesrepublik Deutschland', 'Germany'],
  ['Federal Republic of Germany', 'Germany'],
  ['Republik Österreich', 'Austria'],
  ['Deutschland', 'Germany'],
  ['Österreich', 'Austria'],
  ['Schweiz', 'Switzerland'],
  ['England', 'England and Wales'],
  ['England & Wales', 'England and Wales'],
  ['The Netherlands', 'Netherlands'],
  ['Swiss Confederation', 'Switzerland'],
  ['French Republic', 'France'],
  ['Portuguese', 'Portugal'],
  ['Luxembourgish', 'Luxembourg'],
  ['Greek', 'Greece'],
  ['Indian', 'India'],
  ['Japanese', 'Japan'],
  ['Australian', 'Australia'],
  ['Canadian', 'Canada'],
  ['Israeli', 'Israel'],
  ['Mexican', 'Mexico'],
  ['Brazilian', 'Brazil'],
  ['Romanian', 'Romania'],
  ['Estonian', 'Estonia'],
  ['Latvian', 'Latvia'],
  ['Lithuanian', 'Lithuania'],
  ['Icelandic', 'Iceland'],
  ['Maltese', 'Malta'],
  ['Cypriot', 'Cyprus'],
  ['Singaporean', 'Singapore'],
  ['Northern Irish', 'Northern Ireland'],
  ['français', 'France'],
  ['belge', 'Belgium'],
  ['nederlands', 'Netherlands'],
  ['belgisch', 'Belgium'],
  ['suisse', 'Switzerland'],
  ['luxembourgeois', 'Luxembourg'],
  ['anglais', 'England and Wales'],
  ['allemand', 'Germany'],
  ['español', 'Spain'],
  ['mexican', 'Mexico'],
  ['argentin', 'Argentina'],
  ['chilen', 'Chile'],
  ['colombian', 'Colombia'],
];
const byWord: ReadonlyMap<string, string> = new Map(adjectives.map(([word, name]) => [word.toLowerCase(), name]));

/** "State of New York, USA" → "New York", "German" → "Germany". */
export function jurisdictionOf(written: string): string {
  const bare = written
    .replace(/^(?:the |der |des )/i, '')
    .replace(/^(?:State|Commonwealth|Province|Canton|Republic|Kingdom) of (?:the )?/i, '')
    .replace(/,? (?:USA|U\.S\.A\.|United States(?: of America)?)$/i, '')
    .trim()
    .replace(/^[\p{Lu} ]{4,}$/u, titleCase);
  return byWord.get(bare.toLowerCase()) ?? byWord.get(written.toLowerCase()) ?? bare;
}

/** "NEW YORK" in a clause in capitals. */
function titleCase(name: string): string {
  return name.toLowerCase().replace(/(?<!\p{L})(?!(?:of|and|the)\b)\p{L}/gu, (letter) => letter.toUpperCase());
}

/** The jurisdiction that a lower-case German adjective names: "deutsches Recht". */
export function germanAdjective(word: string): string | undefined {
  if (/^deutsch/i.test(word)) return 'Germany';
  if (/^österreich/i.test(word)) return 'Austria';
  return /^schweizer/i.test(word) ? 'Switzerland' : undefined;
}
