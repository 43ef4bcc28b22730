/** Number words of German, French, Spanish, Italian, Dutch, Portuguese, Swedish and Polish, in the forms that periods use. Source: the languages' dictionaries. */

const lists: readonly (readonly [from: number, step: number, words: string])[] = [
  [13, 1, 'dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig'],
  [40, 10, 'vierzig fünfzig sechzig siebzig achtzig neunzig'],
  [13, 1, 'treize quatorze quinze seize'],
  [20, 10, 'vingt trente quarante cinquante soixante'],
  [
    2,
    1,
    'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco',
  ],
  [30, 10, 'treinta cuarenta cincuenta sesenta setenta ochenta noventa'],
  [
    2,
    1,
    'due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti',
  ],
  [30, 10, 'trenta quaranta cinquanta sessanta settanta ottanta novanta'],
  [
    1,
    1,
    'een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig',
  ],
  [30, 10, 'dertig veertig vijftig zestig zeventig tachtig negentig'],
  [2, 1, 'dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis'],
  [20, 10, 'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa'],
  [2, 1, 'två tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton'],
  [20, 10, 'tjugo trettio fyrtio femtio sextio sjuttio åttio nittio'],
  [1, 1, 'jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć jedenaście dwanaście'],
  [
    1,
    1,
    'jednego dwóch trzech czterech pięciu sześciu siedmiu ośmiu dziewięciu dziesięciu jedenastu dwunastu trzynastu czternastu piętnastu',
  ],
  [
    20,
    10,
    'dwudziestu trzydziestu czterdziestu pięćdziesięciu sześćdziesięciu siedemdziesięciu osiemdziesięciu dziewięćdziesięciu',
  ],
];

const single: readonly (readonly [string, number])[] = [
  ['en', 1],
  ['ett', 1],
  ['um', 1],
  ['uma', 1],
  ['duas', 2],
  ['einer', 1],
  ['eine', 1],
  ['una', 1],
  ['uno', 1],
  ['één', 1],
  ['jednej', 1],
  ['jednym', 1],
  ['osiemnastu', 18],
  ['vierundzwanzig', 24],
  ['sechsunddreißig', 36],
  ['fünfundvierzig', 45],
  ['achtundvierzig', 48],
  ['zweiundsiebzig', 72],
  ['quarantotto', 48],
  ['settantadue', 72],
  ['quarantacinque', 45],
  ['vijfenveertig', 45],
];

/** Values by word, in lower case. */
export const europeanNumbers: ReadonlyMap<string, number> = new Map([
  ...lists.flatMap(([from, step, words]) =>
    words.split(' ').map((word, index) => [word, from + index * step] as const),
  ),
  ...single,
]);

/** Words that are numbers in one language and something else in English: "past due days". */
export const isNoEnglishNumber: ReadonlySet<string> = new Set(['due', 'once', 'sei', 'tien']);
