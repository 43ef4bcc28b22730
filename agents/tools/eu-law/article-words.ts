/**
 * The words of citations of provisions, as alternatives of patterns, in English, German, French, Spanish, Italian, Dutch, Polish, Czech
 * and Portuguese. Source: the language versions of the Interinstitutional Style Guide, and of the Joint Handbook on drafting, annex 2.
 */

export const articleWord =
  'articles?|arts?\\.|artt\\.|artikel(?:s|n|en)?|artículos?|articol[oi]|artykuł(?:u|em|owi|y|ów|ach|ami|om)?|čl\\.|člán(?:ek|ku|kem|ky|cích|ků|ok|kom|kov)|artigos?|articol(?:ul|ului|ele|elor)|άρθρ(?:ο|ου|α|ων)|član(?:ak|ka|ku|kom|ci|aka)|člen(?:a|u|om|i|ov|ih)?|чл\\.|член(?:а|ове)?|artik(?:kel|li|lis)';

export const recitalWord =
  'recitals?|erwägungsgr(?:und|unds|undes|unde|ünde|ünden|ünder)|considérants?|considerandos?|considerand[oi]|overweging(?:en)?|motyw(?:u|ie|em|y|ów|ach|ami)?|bod(?:u|ě|y|ech)? odůvodnění|skäl(?:en|et)?|betragtning(?:en|er|erne)?|considerent(?:ul|ului|ele|elor)|αιτιολογικ(?:ή|ής|ές) σκέψ(?:η|ης|εις)|odôvodneni(?:e|a|u)|uvodn(?:a|e|oj|u) izjav(?:a|e|i|u)|съображени(?:е|я)|põhjendus(?:e|es|t)?|erwgr?\\.|cons\\.|consid\\.|overw\\.';

export const annexWord =
  'annex(?:es)?|annexe|anhang(?:s|es)?|anexos?|allegat[oi]|bijlagen?|załącznik[A-Za-zÀ-ž]{0,3}|příloh[A-Za-zÀ-ž]{1,3}';

/** Nouns that count paragraphs; plural forms too. */
export const paragraphWord =
  'paragraphs?|paras?\\.?|abs(?:\\.|atz|atzes|ätze|ätzen)|paragraphes?|apartados?|apdos?\\.|paragraf[oi]|par\\.|lid|leden|ust(?:\\.|ęp[A-Za-zÀ-ž]{0,3})|odst(?:\\.|avec|avce|avci|avce|avek|avka|avku)|commi|comma|n\\.º|stk\\.|stycke|alineat(?:ul|ele|ului)|alin\\.|παράγραφ(?:ος|ο|οι|ου|ων)|παρ\\.|odsek(?:u|y|och)?|ods\\.|stav(?:ak|ka|ku)|параграф|ал\\.|lõi(?:ge|ke|ked)';

/** Nouns that name lettered or numbered points. */
export const pointWord =
  'points?|pts?\\.|lit(?:\\.|era|t\\.)|buchst(?:\\.|abe|aben|abens)|nummern?|nr\\.|ziff(?:\\.|er|ern)|sous|letras?|letter[aes]?|letters|punt(?:o|i|os|en)?|onder|pkt\\.?|písm(?:\\.|en[A-Za-zÀ-ž]{1,2}|eno)|bod(?:y|u)?|alíneas?|tiret|litra|liter[ae]|literele|led|στοιχεί(?:ο|α)|σημεί(?:ο|α)|točk(?:a|e|i|u|o)|буква|точка';

/** Nouns for unnumbered paragraphs, which are counted by ordinals. */
export const unnumberedWord =
  'paragraph|lid|alinéa|alinea|comma|capoverso|párrafo|akapit[A-Za-zÀ-ž]{0,2}|ustęp[A-Za-zÀ-ž]{0,2}|pododstavec|absatz(?:es)?|parágrafo|stycket|stykke|afsnit';

/** Parts of a numbered paragraph. */
export const subparagraphWord =
  'sub-?paragraph|subpara\\.?|unterabsatz(?:es)?|uabs\\.|unterabs\\.|pododst\\.|pododstavec';

export const sentenceWord =
  'sentence|satz(?:es)?|phrase|frase|periodo|zin|zdanie|zdania|věta|věty|indent|tiret|streepje|guion|trattino';

/** Ordinals by number, each a list of alternatives. */
const ordinalLists: readonly string[] = [
  'first|första|første|erste[nrsm]?|premi(?:er|ère)|primer[oa]?|prim[oa]|eerste|pierwsz[A-Za-zÀ-ž]{1,4}|první[A-Za-zÀ-ž]{0,3}|primeir[oa]',
  'second|andra|andet|anden|zweite[nrsm]?|deuxième|seconde?|segund[oa]|second[oa]|tweede|drugi[A-Za-zÀ-ž]{0,4}|drug[ai]|druh[A-Za-zÀ-ž]{1,4}',
  'third|tredje|dritte[nrsm]?|troisième|tercer[oa]?|terz[oa]|derde|trzeci[A-Za-zÀ-ž]{0,4}|třetí[A-Za-zÀ-ž]{0,3}|terceir[oa]',
  'fourth|vierte[nrsm]?|quatrième|cuart[oa]|quart[oa]|vierde|czwart[A-Za-zÀ-ž]{1,4}|čtvrt[A-Za-zÀ-ž]{1,4}',
  'fifth|fünfte[nrsm]?|cinquième|quint[oa]|vijfde|piąt[A-Za-zÀ-ž]{1,4}|pát[A-Za-zÀ-ž]{1,4}',
  'sixth|sechste[nrsm]?|sixième|sext[oa]|sest[oa]|zesde|szóst[A-Za-zÀ-ž]{1,4}|šest[A-Za-zÀ-ž]{1,4}',
  'seventh|siebte[nrsm]?|siebente[nrsm]?|septième|séptim[oa]|settim[oa]|zevende|siódm[A-Za-zÀ-ž]{1,4}|sedm[A-Za-zÀ-ž]{1,4}',
  'eighth|achte[nrsm]?|huitième|octav[oa]|ottav[oa]|achtste|ósm[A-Za-zÀ-ž]{1,4}|osm[A-Za-zÀ-ž]{1,4}',
  'ninth|neunte[nrsm]?|neuvième|noven[oa]|non[oa]|negende|dziewiąt[A-Za-zÀ-ž]{1,4}|devát[A-Za-zÀ-ž]{1,4}',
  'tenth|zehnte[nrsm]?|dixième|décim[oa]|decim[oa]|tiende|dziesiąt[A-Za-zÀ-ž]{1,4}|desát[A-Za-zÀ-ž]{1,4}',
  'eleventh|elfte[nrsm]?|onzième|undécim[oa]|undicesim[oa]|elfde|jedenast[A-Za-zÀ-ž]{1,4}|jedenáct[A-Za-zÀ-ž]{1,4}',
  'twelfth|zwölfte[nrsm]?|douzième|duodécim[oa]|dodicesim[oa]|twaalfde|dwunast[A-Za-zÀ-ž]{1,4}|dvanáct[A-Za-zÀ-ž]{1,4}',
  'thirteenth|dreizehnte[nrsm]?|treizième|decimotercer[oa]?|tredicesim[oa]|dertiende|trzynast[A-Za-zÀ-ž]{1,4}|třináct[A-Za-zÀ-ž]{1,4}',
  'fourteenth|vierzehnte[nrsm]?|quatorzième|decimocuart[oa]|quattordicesim[oa]|veertiende|czternast[A-Za-zÀ-ž]{1,4}|čtrnáct[A-Za-zÀ-ž]{1,4}',
  'fifteenth|fünfzehnte[nrsm]?|quinzième|decimoquint[oa]|quindicesim[oa]|vijftiende|piętnast[A-Za-zÀ-ž]{1,4}|patnáct[A-Za-zÀ-ž]{1,4}',
  'sixteenth|sechzehnte[nrsm]?|seizième|decimosext[oa]|sedicesim[oa]|zestiende|szesnast[A-Za-zÀ-ž]{1,4}|šestnáct[A-Za-zÀ-ž]{1,4}',
  'seventeenth|siebzehnte[nrsm]?|dix-septième|decimoséptim[oa]|diciassettesim[oa]|zeventiende|siedemnast[A-Za-zÀ-ž]{1,4}|sedmnáct[A-Za-zÀ-ž]{1,4}',
  'eighteenth|achtzehnte[nrsm]?|dix-huitième|decimoctav[oa]|diciottesim[oa]|achttiende|osiemnast[A-Za-zÀ-ž]{1,4}|osmnáct[A-Za-zÀ-ž]{1,4}',
  'nineteenth|neunzehnte[nrsm]?|dix-neuvième|decimonoven[oa]|diciannovesim[oa]|negentiende|dziewiętnast[A-Za-zÀ-ž]{1,4}|devatenáct[A-Za-zÀ-ž]{1,4}',
  'twentieth|zwanzigste[nrsm]?|vingtième|vigésim[oa]|ventesim[oa]|twintigste|dwudziest[A-Za-zÀ-ž]{1,4}|dvacát[A-Za-zÀ-ž]{1,4}',
];

export const ordinal = `(?:${ordinalLists.join('|')})`;

const ordinalShapes = ordinalLists.map((list) => new RegExp(`^(?:${list})$`, 'iu'));

/** @returns 1 to 20; undefined if the word is no ordinal */
export function numberOfOrdinal(word: string): number | undefined {
  const index = ordinalShapes.findIndex((shape) => shape.test(word));
  return index === -1 ? undefined : index + 1;
}

/** Between the numbers of a list. */
export const listWord =
  'and|or|und|oder|sowie|et|ou|y|e|o|u|en|of|i|oraz|lub|nebo|och|og|și|ja|és|και|as well as|ainsi que|così come|alsook';

/** Between the first and the last number of a range; Czech "a" is "and", so it is not here. */
export const rangeWord = 'to|bis|à|al?|tot en met|t\\/m|do|až|through|till|til|până la|έως';
