/** In which language a document is written, by the commonest short words of nine languages. */

export type Language = 'en' | 'de' | 'fr' | 'it' | 'es' | 'nl' | 'pt' | 'pl' | 'sv';

/** Words that are common in one of the languages and no words of the others. */
const common: Readonly<Record<Language, string>> = {
  en: 'the of and is are for with by which this that be shall has have not from within every',
  de: 'der das und ist sind für mit durch wird werden nicht von dem den eine einer zur im bei nach',
  fr: 'le les des du et est sont pour avec dans par une sur aux ne pas ce cette au en',
  it: 'il lo gli della delle dei di è sono per con nel alla che non una sul entro',
  es: 'el los las del y es son para con por una en se al que cada su no',
  pt: 'o os do da dos das e é são não para com por uma um em na no ao que pelo pela às após ou se',
  pl: 'i w z na do się nie jest są przez od oraz dla że po co przed przy ze lub za raz jako',
  sv: 'och i att det som är för av till inom på ska den ett har inte från vid eller om alla',
  nl: 'het een van en zijn voor met door wordt worden niet de aan bij dat deze op te',
};

const languagesOf = new Map<string, Language[]>();
for (const [language, words] of Object.entries(common) as [Language, string][]) {
  for (const word of words.split(' ')) languagesOf.set(word, [...(languagesOf.get(word) ?? []), language]);
}

/** Characters that decide. */
const sampleMax = 20_000;

/** English if nothing decides. */
export function languageOf(text: string): Language {
  const counts: Record<Language, number> = { en: 0, de: 0, fr: 0, it: 0, es: 0, nl: 0, pt: 0, pl: 0, sv: 0 };
  for (const [word] of text
    .slice(0, sampleMax)
    .toLowerCase()
    .matchAll(/\p{L}{1,12}/gu)) {
    for (const language of languagesOf.get(word) ?? []) counts[language] += 1;
  }
  const [best] = (Object.entries(counts) as [Language, number][]).sort((a, b) => b[1] - a[1]);
  return best !== undefined && best[1] > counts.en ? best[0] : 'en';
}
