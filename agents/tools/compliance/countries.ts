/** Countries by their names in nine languages, by legal forms and by postcodes; which of them are third countries. */
import { lazily } from '../text/lazily.ts';

/** English name, with its names and codes in other languages. */
const names: readonly (readonly [string, string])[] = [
  ['Germany', 'germany deutschland allemagne germania alemania duitsland niemcy tyskland alemanha'],
  ['Austria', 'austria österreich autriche oostenrijk österrike áustria'],
  ['Switzerland', 'switzerland schweiz suisse svizzera suiza zwitserland szwajcaria suíça'],
  ['France', 'france frankreich francia frankrijk francja frankrike frança'],
  ['Italy', 'italy italien italie italia italië włochy itália'],
  ['Spain', 'spain spanien espagne spagna españa spanje hiszpania espanha'],
  ['Portugal', 'portugal portogallo portugalia'],
  [
    'Netherlands',
    'netherlands niederlande pays-bas paesi bassi países bajos nederland holland holandia nederländerna holanda',
  ],
  ['Belgium', 'belgium belgien belgique belgio bélgica belgië belgia belgien'],
  ['Luxembourg', 'luxembourg luxemburg lussemburgo luxemburgo'],
  ['Ireland', 'ireland irland irlande irlanda ierland éire irlandia'],
  [
    'United Kingdom',
    'united kingdom|uk|u.k.|great britain|england and wales|england|scotland|wales|northern ireland|vereinigtes königreich|großbritannien|royaume-uni|regno unito|reino unido|verenigd koninkrijk|storbritannien|förenade kungariket|det forenede kongerige|gran bretagna|gran bretaña|grande-bretagne|grã-bretanha|groot-brittannië|wielka brytania|zjednoczone królestwo',
  ],
  ['Norway', 'norway norwegen norvège norvegia noruega noorwegen norwegia norge'],
  ['Iceland', 'iceland island islande islanda islandia ijsland'],
  ['Liechtenstein', 'liechtenstein'],
  ['Sweden', 'sweden schweden suède svezia suecia zweden szwecja sverige'],
  ['Denmark', 'denmark dänemark danemark danimarca dinamarca denemarken dania danmark'],
  ['Finland', 'finland finnland finlande finlandia suomi'],
  ['Poland', 'poland polen pologne polonia polska polónia'],
  [
    'Czechia',
    'czechia|czech republic|tschechien|tschechische republik|tchéquie|république tchèque|cechia|repubblica ceca|chequia|república checa|tsjechië',
  ],
  ['Slovakia', 'slovakia slowakei slovaquie slovacchia eslovaquia slowakije'],
  ['Hungary', 'hungary ungarn hongrie ungheria hungría hongarije'],
  ['Slovenia', 'slovenia slowenien slovénie eslovenia slovenië'],
  ['Croatia', 'croatia kroatien croatie croazia croacia kroatië'],
  ['Romania', 'romania rumänien roumanie rumania roemenië'],
  ['Bulgaria', 'bulgaria bulgarien bulgarie bulgarije'],
  ['Greece', 'greece griechenland grèce grecia griekenland'],
  ['Cyprus', 'cyprus zypern chypre cipro chipre'],
  ['Malta', 'malta malte'],
  ['Estonia', 'estonia estland estonie eesti'],
  ['Latvia', 'latvia lettland lettonie lettonia letonia letland'],
  ['Lithuania', 'lithuania litauen lituanie lituania litouwen'],
  [
    'United States',
    'united states|united states of america|usa|u.s.a.|u.s.|us|vereinigte staaten|états-unis|etats-unis|stati uniti|estados unidos|ee uu|ee. uu.|eeuu|verenigde staten|förenta staterna|de forenede stater|stany zjednoczone|eua|vs',
  ],
  ['Canada', 'canada kanada canadá'],
  ['Mexico', 'mexico mexiko mexique messico méxico'],
  ['Brazil', 'brazil brasilien brésil brasile brasil brazilië'],
  ['Argentina', 'argentina argentinien argentine argentinië'],
  ['Chile', 'chile chili cile'],
  ['Colombia', 'colombia kolumbien colombie'],
  ['Costa Rica', 'costa rica'],
  ['India', 'india indien inde indie'],
  ['Pakistan', 'pakistan'],
  ['Bangladesh', 'bangladesh'],
  ['Sri Lanka', 'sri lanka'],
  ['Philippines', 'philippines philippinen filippine filipinas filipijnen'],
  ['Vietnam', 'vietnam viêt-nam'],
  ['Indonesia', 'indonesia indonesien indonésie indonesië'],
  ['Malaysia', 'malaysia malaisie malesia malasia maleisië'],
  ['Singapore', 'singapore singapur singapour'],
  ['Thailand', 'thailand thaïlande tailandia thailandia'],
  ['China', 'china chine cina'],
  ['Hong Kong', 'hong kong'],
  ['Taiwan', 'taiwan taïwan taiwán'],
  ['Japan', 'japan japon giappone japón'],
  ['South Korea', 'south korea|republic of korea|korea|südkorea|corée du sud|corea del sud|corea del sur|zuid-korea'],
  ['Australia', 'australia australien australie australië'],
  ['New Zealand', 'new zealand|neuseeland|nouvelle-zélande|nuova zelanda|nueva zelanda|nieuw-zeeland'],
  ['South Africa', 'south africa|südafrika|afrique du sud|sudafrica|sudáfrica|zuid-afrika'],
  ['Kenya', 'kenya kenia'],
  ['Nigeria', 'nigeria nigéria'],
  ['Egypt', 'egypt ägypten égypte egitto egipto egypte'],
  ['Morocco', 'morocco marokko maroc marocco marruecos'],
  ['Tunisia', 'tunisia tunesien tunisie túnez tunesië'],
  ['Mauritius', 'mauritius maurice mauricio'],
  ['Israel', 'israel israël israele'],
  ['Turkey', 'turkey türkei turquie turchia turquía turkije türkiye'],
  ['Ukraine', 'ukraine ucraina ucrania oekraïne'],
  ['Serbia', 'serbia serbien serbie servië'],
  ['Albania', 'albania albanien albanie albanië'],
  ['Russia', 'russia russland russie rusia rusland'],
  [
    'United Arab Emirates',
    'united arab emirates|uae|dubai|abu dhabi|vereinigte arabische emirate|émirats arabes unis|emirati arabi uniti|emiratos árabes unidos',
  ],
  ['Saudi Arabia', 'saudi arabia|saudi-arabien|arabie saoudite|arabia saudita|saoedi-arabië'],
  ['Uruguay', 'uruguay'],
  [
    'Cape Verde',
    'cape verde|cabo verde|cap-vert|capo verde|kap verde|kapverden|kaapverdië|republika zielonego przylądka',
  ],
  ['Angola', 'angola'],
  ['Mozambique', 'mozambique moçambique mosambik mozambico'],
  ['Senegal', 'senegal sénégal'],
  ['Ghana', 'ghana'],
  ['Algeria', 'algeria algerien algérie argelia argélia'],
  ['Peru', 'peru pérou perú'],
  ['Ecuador', 'ecuador équateur'],
  ['Bosnia and Herzegovina', 'bosnia and herzegovina|bosnien und herzegowina|bosnie-herzégovine|bosnia ed erzegovina'],
  ['North Macedonia', 'north macedonia|nordmazedonien|macédoine du nord|macedonia del nord|macedonia del norte'],
  ['Moldova', 'moldova moldau moldavie moldavia'],
  ['Armenia', 'armenia armenien arménie'],
  ['Nepal', 'nepal népal'],
  ['Andorra', 'andorra andorre'],
  ['Isle of Man', 'isle of man'],
  ['Jersey', 'jersey'],
  ['Guernsey', 'guernsey'],
];

const states =
  'alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|hawaii|idaho|illinois|indiana|iowa|kansas|kentucky|louisiana|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|utah|vermont|virginia|washington|west virginia|wisconsin|wyoming';

/** Large cities that documents name without their country. */
const cities: readonly (readonly [string, string])[] = [
  ['Philippines', 'manila|cebu'],
  ['India', 'bangalore|bengaluru|pune|hyderabad|chennai|mumbai|delhi|new delhi|noida|gurgaon'],
  ['United Kingdom', 'london|manchester|birmingham|leeds|edinburgh|glasgow|sheffield|bristol|cardiff|belfast'],
  [
    'Germany',
    'berlin|münchen|munich|hamburg|frankfurt|köln|cologne|düsseldorf|stuttgart|leipzig|dresden|mannheim|nürnberg|hannover|bremen|regensburg',
  ],
  ['Ireland', 'dublin|cork|galway|kilkenny|limerick'],
  ['Netherlands', 'amsterdam|rotterdam|utrecht|den haag|eindhoven|amersfoort|groningen|maastricht'],
  ['Austria', 'wien|vienna|graz|linz|salzburg'],
  ['France', 'paris|lyon|marseille|lille|toulouse|nantes|bordeaux|strasbourg'],
  ['Spain', 'madrid|barcelona|valencia|sevilla|bilbao|zaragoza|alicante|málaga'],
  ['Italy', 'milano|milan|roma|rome|torino|turin|napoli|bologna|firenze|brescia|verona|genova'],
  ['Switzerland', 'zürich|zurich|genève|geneva|basel|bern|lausanne'],
  ['Belgium', 'bruxelles|brussels|brussel|antwerpen|gent|liège'],
];

const byName = new Map<string, string>();
for (const [country, list] of names)
  for (const name of list.split(list.includes('|') ? '|' : ' ')) byName.set(name, country);
for (const word of ['paesi', 'bassi', 'países', 'bajos', 'vs', 'us', 'island']) byName.delete(word);
for (const name of ['paesi bassi', 'países bajos', 'les pays-bas', 'the netherlands']) byName.set(name, 'Netherlands');
for (const name of states.split('|')) byName.set(name, 'United States');
for (const [country, list] of cities) for (const name of list.split('|')) byName.set(name, country);

const shape = lazily(
  () =>
    new RegExp(
      `(?<![\\p{L}.])(?:${[...byName.keys(), 'US', 'VS', 'U\\.S\\.', 'PRC']
        .sort((a, b) => b.length - a.length)
        .map((name) => name.replaceAll('.', '\\.').replaceAll('\\\\.', '\\.').replaceAll(' ', '[ \\u00a0]{1,20}'))
        .join('|')})(?![\\p{L}-])`,
      'giu',
    ),
);

export interface FoundCountry {
  /** In English. */
  readonly country: string;
  readonly start: number;
  readonly end: number;
}

/** In the order of the text. */
export function findCountries(text: string): FoundCountry[] {
  return [...text.matchAll(shape())].flatMap((match): FoundCountry[] => {
    const name = match[0].toLowerCase().replace(/[\s\u00a0]{1,20}/g, ' ');
    const isCapital = /^\p{Lu}/u.test(match[0]);
    const country = match[0] === 'US' || match[0] === 'U.S.' || match[0] === 'VS' ? 'United States' : byName.get(name);
    return country === undefined || !isCapital
      ? []
      : [{ country, start: match.index, end: match.index + match[0].length }];
  });
}

/** The country of an address: one that is named, else the legal form or the postcode, where they leave no doubt. */
export function countryOfAddress(address: string): string | undefined {
  const named = findCountries(address);
  // "Ohio, USA", "Pilsen, Czechia": the country stands last.
  if (named.length > 0) return named.at(-1)!.country;
  if (/(?<![A-Z\d])[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?![A-Z\d])/.test(address)) return 'United Kingdom';
  if (
    /(?<!\d)\d{4} ?[A-Z]{2}(?![A-Za-z\d])/.test(address) &&
    /(?<!\p{L})(?:B\.?V|N\.?V|Stichting|Gemeente|Coöperatie|U\.A|V\.O\.F)(?!\p{L})|straat|laan|kade|weg|plein|postbus/iu.test(
      address,
    )
  )
    return 'Netherlands';
  return countryOfForm(address);
}

/** Legal forms that exist in one country only, or in one with postcodes of that length. */
export function countryOfForm(name: string): string | undefined {
  if (/(?<!\p{L})(?:g?GmbH|UG|OHG|e\.V\.|AöR|KGaA|eG)(?!\p{L})/u.test(name) || /(?<!\p{L})KG(?!\p{L})/u.test(name)) {
    if (/(?<![\d.])(?:A-)\d{4}(?!\d)/.test(name)) return 'Austria';
    return /(?<!\d)\d{5}(?!\d)/.test(name) ? 'Germany' : undefined;
  }
  if (/(?<!\p{L})(?:S\.p\.A\.|S\.r\.l\.|SpA|Srl|S\.a\.s\.)(?!\p{L})/u.test(name)) return 'Italy';
  if (/(?<!\p{L})(?:S\.L\.U?\.?|S\.\s?Coop\.?|S\.A\.U\.)(?!\p{L})/iu.test(name)) return 'Spain';
  if (/(?<!\p{L})(?:B\.V\.)(?!\p{L})/u.test(name)) return 'Netherlands';
  if (/(?<!\p{L})(?:SASU?|SARL|EURL)(?!\p{L})/u.test(name) && /(?<!\d)\d{5}(?!\d)|\((?:\d{2,3}|2[AB])\)/.test(name))
    return 'France';
  const [only] = nationalForms.filter(([, shape]) => shape.test(name));
  if (only !== undefined) return only[0];
  if (/(?<!\p{L})(?:plc|LLP)(?!\p{L})/u.test(name) && /registered in England/i.test(name)) return 'United Kingdom';
  return undefined;
}

/** Legal forms of one country only. */
const nationalForms: readonly (readonly [string, RegExp])[] = [
  ['United States', /(?<!\p{L})(?:Inc|INC|LLC|L\.L\.C|PLLC|P\.C|Corp)(?!\p{L})/u],
  ['Denmark', /(?<!\p{L})(?:ApS|A\/S)(?!\p{L})/u],
  ['Sweden', /(?<!\p{L})AB(?!\p{L})/u],
  ['Finland', /(?<!\p{L})Oyj?(?!\p{L})/u],
  ['Estonia', /(?<!\p{L})OÜ(?!\p{L})/u],
  ['Poland', /(?<!\p{L})sp\. ?z ?o\. ?o\.?/iu],
  ['Portugal', /(?<!\p{L})(?:Lda\.?|Unipessoal|E\.M\.|E\.P\.E\.)(?!\p{L})/u],
];

const eea = new Set(
  'Germany|Austria|France|Italy|Spain|Portugal|Netherlands|Belgium|Luxembourg|Ireland|Norway|Iceland|Liechtenstein|Sweden|Denmark|Finland|Poland|Czechia|Slovakia|Hungary|Slovenia|Croatia|Romania|Bulgaria|Greece|Cyprus|Malta|Estonia|Latvia|Lithuania'.split(
    '|',
  ),
);

/**
 * Whether a transfer there needs a ground of Chapter V. The United Kingdom treats the EEA as adequate (Data Protection Act 2018,
 * schedule 21, paragraph 5), and the EU the United Kingdom by a decision.
 */
export function isThirdCountry(country: string, isUkDocument: boolean): boolean {
  if (eea.has(country)) return false;
  return !(isUkDocument && country === 'United Kingdom');
}

/** Authorities whose naming shows where a document belongs. */
const authorities: readonly (readonly [string, RegExp])[] = [
  ['United Kingdom', /Information Commissioner|(?<!\p{L})ICO(?!\p{L})/u],
  ['Netherlands', /Autoriteit Persoonsgegevens/u],
  ['France', /(?<!\p{L})CNIL(?!\p{L})/u],
  ['Spain', /(?<!\p{L})AEPD(?!\p{L})|Agencia Española de Protección/u],
  ['Italy', /Garante (?:per la protezione|privacy)/u],
  ['Ireland', /Data Protection Commission(?!er)/u],
  ['Germany', /(?<!\p{L})BfDI(?!\p{L})|Landesbeauftragte\p{L}* für (?:den )?Datenschutz|LfDI|BayLDA/u],
  ['Austria', /Österreichische Datenschutzbehörde/u],
  ['Portugal', /(?<!\p{L})CNPD(?!\p{L})/u],
  ['Poland', /(?<!\p{L})UODO(?!\p{L})|Urz\p{L}+ Ochrony Danych Osobowych/u],
  ['Sweden', /Integritetsskyddsmyndigheten|(?<!\p{L})IMY(?!\p{L})/u],
  ['United States', /Department of Health and Human Services|(?<!\p{L})HHS(?!\p{L})|45 C\.?F\.?R/u],
];

/** The country whose authority a text names, if it is only one. */
export function countryOfAuthorities(text: string): string | undefined {
  const found = authorities.filter(([, name]) => name.test(text)).map(([country]) => country);
  return found.length === 1 ? found[0] : undefined;
}
