/**
 * The words for acts of the Union, as alternatives of patterns, in English, German, French, Spanish, Italian, Dutch, Polish, Czech and
 * Portuguese. Source: the language versions of Article 288 TFEU and of the Interinstitutional Style Guide, parts 1 and 4.
 */

export type ActType = 'regulation' | 'directive' | 'decision' | 'recommendation' | 'framework decision' | 'treaty';

/** Nouns in every case and number. */
const actNouns: readonly (readonly [ActType, string])[] = [
  [
    'regulation',
    'regulations?|verordnung(?:en)?|règlements?|reglamentos?|regolament[oi]|verordening(?:en)?|rozporządzeni(?:e|a|u|em|ach|ami)|rozporządzeń|nařízení(?:mi?|ch)?|regulamentos?|förordning(?:en|ar|arna|ens)?|forordning(?:en|er|ens)?|regulament(?:ul|ului|e|ele)?|asetu(?:s|ksen|sta|ksessa|kset|ksella|kseen)|uredb(?:a|e|i|u|om)|nariadeni(?:e|a|u|im|ach)|κανονισμ(?:ός|ού|ό|οί|ών|ούς)|регламент(?:ът|а|и)?|määrus(?:e|ega|es|t)?|reglament(?:as|o|ą|e|ui|ai)|regul(?:a|as|u|ā)',
  ],
  [
    'directive',
    'directives?|richtlinien?|directivas?|direttiv[ae]|richtlijn(?:en)?|dyrektyw(?:a|y|ę|ie|ą|om|ach|ami)?|směrnic(?:e|i|í|emi|ím|ích)?|diretivas?|direktiv(?:et|en|er|ets|ens|a|e|i|o|u|om|as)?|directiv(?:ei|ele|elor)|direktiiv(?:i|in|iä|in|issä|it)?|direktiivi\\p{L}{0,4}|smernic(?:a|e|i|u|ou|iach)|smerníc|οδηγί(?:α|ας|ες)|директив(?:а|ата|и)|direktyv(?:a|os|ą|oje)|direktīv(?:a|as|u|ā)',
  ],
  [
    'decision',
    'decisions?|beschl(?:uss|usses|üsse|üssen)|entscheidung(?:en)?|décisions?|decisión|decisiones|decision[ei]|besluit(?:en)?|beschikking(?:en)?|decyzj(?:a|i|ę|e|ą|om|ach|ami)|decyzji|rozhodnutí(?:mi?|ch)?|decis(?:ão|ões)|beslut(?:et|en|s)?|afgørelsen?|decizi(?:a|ei|e|i|ile)|päätö(?:s|ksen|stä|ksessä)|odluk(?:a|e|u|om)|rozhodnuti(?:e|a|u)|sklep(?:a|om|u)?|αποφάσ(?:εις|εων)|απόφασ(?:η|ης)|решени(?:е|я|ето)',
  ],
  [
    'recommendation',
    'recommendations?|empfehlung(?:en)?|recommandations?|recomendaci(?:ón|ones)|raccomandazion[ei]|aanbeveling(?:en)?|zaleceni(?:e|a|u|em)|doporučení|recomendaç(?:ão|ões)|rekommendation(?:en|er)?|henstilling(?:en|er)?|recomandar(?:ea|e|ii)|suositu(?:s|ksen)',
  ],
];

export const actNoun = actNouns.map(([, nouns]) => nouns).join('|');

const nounShapes = actNouns.map(([type, nouns]) => [type, new RegExp(`^(?:${nouns})$`, 'iu')] as const);

/** @param noun without prefixes, in any case */
export function typeOfNoun(noun: string): ActType | undefined {
  return nounShapes.find(([, shape]) => shape.test(noun))?.[0];
}

/** Before the noun, each with a blank; and those that German and Dutch join with it. */
export const wordsBefore =
  '(?:(?:council|commission|joint|delegated|implementing|framework|delegierte[rnsm]?|gedelegeerde|prováděcí|rámcov[A-Za-zÀ-ž]{1,3}|delegerad|delegeret|delegerede|delegoitu|delegoidun|vykonávacie|vykonávacieho|delegované|delegovaného|delegirana|delegirane|provedbena|provedbene|izvedbena|izvedbene) ){0,3}(?:(?:durchführungs|uitvoerings|rahmen|kader|genomförande|gennemførelses|gennemførselsforordnings|täytäntöönpano|ram|ramme)|décision-cadre$)?';

/** Directly after the noun. */
export const wordsAfter =
  "(?:(?: |-)(?:délégu[A-Za-zÀ-ž]{1,3}|delegad[A-Za-zÀ-ž]{1,2}|delegat[A-Za-zÀ-ž]{1,2}|delegowan[A-Za-zÀ-ž]{1,4}|wykonawcz[A-Za-zÀ-ž]{1,4}|d'exécution|d'execution|de ejecución|di esecuzione|de execução|de punere în aplicare|v přenesené pravomoci|cadre|marco|quadro|ramow[A-Za-zÀ-ž]{1,3}))?";

/** Names of the institutions between noun and number, where a language puts them there: "dyrektywa Parlamentu Europejskiego i Rady (UE) …". */
export const institutions =
  "(?: (?:of|the|and|european|parliament|council|commission|du|de|la|et|des|le|parlement|européen|conseil|der|und|europäischen|parlaments|rates|kommission|del|y|consejo|parlamento|europeo|comisión|e|dell'unione|della|consiglio|commissione|van|en|het|raad|commissie|europees|parlement|i|rady|parlamentu|europejskiego|komisji|a|evropského|komise|unie)){0,9}";

export const isDelegated =
  /delegat|delegier|délégu|delegad|delegowan|gedelegeerd|přenesené|deleger|delegoi|delegov|delegir/i;
export const isImplementing =
  /implement|durchführ|exécution|execution|esecuzione|ejecución|execução|wykonawcz|uitvoering|prováděcí|genomförande|gennemførelse|punere în aplicare|täytäntöönpano|vykonávac|provedben|izvedben/i;
export const isFramework = /framework|rahmen|cadre|marco|quadro|kader|ramow|rámcov/i;

/** Abbreviations of the communities in English. */
const communities: ReadonlyMap<string, string> = new Map(
  'UE:EU EG:EC CE:EC WE:EC ES:EC EWG:EEC CEE:EEC EHS:EEC JI:JHA JAI:JHA GAI:JHA JBZ:JHA WSiSW:JHA SVV:JHA GASP:CFSP PESC:CFSP GBVB:CFSP WPZiB:CFSP SZBP:CFSP EGKS:ECSC CECA:ECSC EWWiS:ECSC EEG:EEC EF:EC EØF:EEC EY:EC ETY:EEC EK:EC EGK:EEC EÚ:EU EZ:EC EGS:EEC ΕΕ:EU ΕΚ:EC ΕΟΚ:EEC ЕС:EU ЕО:EC ЕИО:EEC EL:EU EÜ:EC EB:EC'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

export const communityNames = ['EU', 'EC', 'EEC', 'Euratom', 'JHA', 'CFSP', 'ECSC', ...communities.keys()].join('|');

export function englishCommunity(abbreviation: string): string {
  return communities.get(abbreviation) ?? abbreviation;
}

/** "No", "Nr.", "n.º" before a number. */
export const numberSign = 'No\\.?|Nr\\.?|n°|nº|n\\.? ?[ºo°]|n\\.|č\\.|núm\\.';

/** Determiners by which a document speaks of itself: "this Regulation", "niniejsza decyzja". */
export const ownDeterminer =
  '(?:die |der |das |des |dem |den )?vorliegende[nrsm]?|(?:le |la |du |de la |les |des )?présente?s?|(?:el |la |del |de la |al |a la )?presentes?|(?:il |la |del |della |dal |dalla |al |alla )?presente|niniejsz[A-Za-zÀ-ž]{1,4}|this|tat?o|toto|této|tomuto|tohoto|tuto';

/** Own in an act, of another act elsewhere. */
export const nearDeterminer = 'diese[rsmn]?|deze|esta|este|questa?o?';

/** Determiners that point back: "that Directive", "de ladite directive". */
export const backDeterminer =
  'that|those|the same|the said|the latter|the aforementioned|said|jene[rsmn]?|derselben|desselben|der genannten|des genannten|der erwähnten|(?:de |du |à )?ce(?:tte|t)?|(?:de )?ladite|dudit|ledit|de la même|du même|dich[oa]|es[ea]|aquell?a?|(?:la |el )?citad[oa]|dello stesso|della stessa|tale|tali|(?:la )?suddett[oa]|dett[oa]|(?:del |della )?medesim[oa]|die|dat|genoemde|voornoemde|dezelfde|van diezelfde|tej|tego|tę|ta|to|tym|ww\\.|wspomnian[A-Za-zÀ-ž]{1,4}|powyższ[A-Za-zÀ-ž]{1,4}|uvedené(?:ho)?|zmíněné(?:ho)?|téže|téhož|d?ess[ae]';

/** The definite article, alone or joined with a preposition. */
export const article =
  "the|die|der|das|des|dem|den|zur|zum|le|la|les|l'|du|de la|des|au|el|los|las|del|al|il|lo|della|dello|dal|dalla|alla|nella|de|het";
