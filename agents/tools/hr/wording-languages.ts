/**
 * Discriminatory wording by vocabulary: words of many languages, built into one pattern per ground. Words that are harmless alone
 * ("man", "young") count only behind a word that seeks somebody.
 */
import type { Ground } from './wording-patterns.ts';

const whole = (alternatives: string) => new RegExp(String.raw`(?<!\p{L})(?:${alternatives})(?!\p{L})`, 'iu');

/** "We seek a", "Vi söker en", "Poszukujemy". */
const seeking = String.raw`(?:looking for|seek(?:s|ing)?|hiring|we need|suchen|sucht|gesucht wird|gesucht:|recherch\p{L}{1,3}|cherch\p{L}{1,3}|recrut\p{L}{1,5}|busca(?:mos|n)?|necesita(?:mos|n)?|precisa(?:mos|n)?|cerc(?:a|asi|hiamo|ano)|zoek(?:en|t)|gevraagd:?|söker|sökes:?|søger|søges:?|søker|poszukuj\p{L}{1,3}|szuka\p{L}{0,2}|zatrudni\p{L}{0,3}|procura(?:mos|m)?(?:-se)?|contrata(?:mos)?(?:-se)?|hledáme|haemme|etsimme)`;
/** Such a word anywhere in a sentence. */
export const seeksSomebody = new RegExp(String.raw`(?<!\p{L})${seeking} `, 'iu');
const articles = String.raw`(?:an?|one|two|en|ett?|ei|een|ein(?:e[nrm]?)?|unser\p{L}{0,2}|für|une?|uno|una|um|uma|deux|dos|due|två|to|twee|2|3|for|nu|naar|efter|etter|po|per|our|nos|notre|nuestr[oa]|mode?r?n?e?|nog|zwei|drei|et)`;
const sought = (alternatives: string) =>
  new RegExp(
    String.raw`(?<=(?<!\p{L})${seeking} (?:${articles} ){0,4}(?:[\p{L}-]{3,16},? (?:og |och |and |und |y |e |et |en |i )?){0,2})(?:${alternatives})(?!\p{L})`,
    'iu',
  );

const years = `(?:years?(?: old| of age)?|Jahren?|ans|años|anos|anni|jaar|år|lat|let|vuotta)`;
const noExperience = String.raw`(?![ ,]{0,2}(?:d['’]|de |of |di |som |med )?(?:\p{L}+ )?(?:exp[eé]ri|esperien|erfahr|erfar|ervaring|doświad|kokem|praxe|staż|practice|warrant|garant|gwaranc|tradi))`;
const older = '(?:2[2-9]|[3-6]\\d)';

const lists: readonly (readonly [Ground, readonly RegExp[]])[] = [
  [
    'age',
    [
      new RegExp(
        String.raw`(?<![\p{L}\d])(?:(?:entre|zwischen|mellan|mellem|mellom|między|tra i|tussen|between|age[ds]?|aged|w wieku|Alter|Alter zwischen|idade|età|edad|ålder|alder|leeftijd)[: ]{1,2}(?:de |von |dai |los |fra |från |od )?)?(?:1[6-9]|[2-6]\d) ?(?:-|–|à|a|ai|y|e|et|en|bis|und|till?|och|og|do|tot|to|and) ?${older} ${years}(?: alt)?(?!\p{L})${noExperience}`,
        'iu',
      ),
      new RegExp(
        String.raw`(?<!\p{L})(?:max(?:im(?:um|al|aal|o))?\.?|massimo|máximo|m[aá]ksym\p{L}*|até|poniżej|under|unter|below|hasta|jusqu['’]à|höchstens|hoogstens|højst|høyst|högst|inntil|moins de|menos de|menores? de|meno di|nie starsz\p{L}+ niż|ikke (?:over|eldre enn|ældre end)|inte (?:över|äldre än)|niet ouder dan|pas plus de|non oltre(?: i)?|nicht (?:älter als|über)|not (?:over|older than)|jonger dan|yngre (?:än|end|enn)|wiek(?: do)?|ålder(?: upp till)?|alder(?: op til| inntil)?|idade(?: máxima| até)?|età(?: massima)?|edad(?: máxima)?|leeftijd(?: tot)?|âge(?: maximum)?|Höchstalter|limit wieku)[ :]{1,2}(?:de |di |do |i |los |até |max\.? )?${older} ${years}(?: alt| old)?(?!\p{L})${noExperience}`,
        'iu',
      ),
      sought(
        String.raw`young(?:er|ish)?|junge[rsnm]?|jeunes?|jóvene?s?|joven(?:cit[oa])?|jovem|jovens|giovan[ei]|jonge|ung[ae]?|ungt|ungdomlig\p{L}?|młod\p{L}{1,4}|mlad\p{L}{1,3}|nuor(?:i|ta|ia)`,
      ),
      whole(
        String.raw`recent graduates only|only recent graduates|(?:młody|młodego|ungt|nuori|mladý|jong|jovem e dinâmico) (?:i dynamiczny )?(?:zespół|zespołu|team|tiimi|kolektiv|och dynamiskt team)|equipa jovem|jeunes diplômé(?:e|·e|\(e\))?s? uniquement|recién titulad[oa]s(?: preferentemente| únicamente)?|nyutexaminerad\p{L}* (?:endast|enbart)|too old|overqualified`,
      ),
    ],
  ],
  [
    'sex',
    [
      sought(
        String.raw`kill(?:e|ar)|tjej(?:er)?|mann?|män|menn|kvinn[ao]r?|kvinne(?:r|lig)?|kvinde(?:r|lig)?|manlig|mandlig|mand|mænd|pige(?:r)?|dreng(?:e)?|fyr|jente(?:r)?|gutt(?:er)?|mężczyzn\p{L}{0,3}|kobiet\p{L}{0,2}|chłopak\p{L}{0,2}|dziewczyn\p{L}{0,2}|pani[ąę]?|pana|panów|rapaz(?:es)?|rapariga|homem|homens|mulher(?:es)?|senhoras?|moç[oa]s?|vrouw(?:en)?|dame[ns]?|jongen(?:s)?|meisjes?|meid|kerel|heer|heren|frau(?:en)?|herren?|männer|mädchen|femmes?|hommes?|filles?|garçons?|chic[oa]s?|mujer(?:es)?|hombres?|varón|señor(?:a|ita)|ragazz[oaie]|donn[ae]|uom(?:o|ini)|signor[ae]|woman|women|lady|girls?|lads?|muže|ženu|miestä|naista`,
      ),
      whole(
        `servitris(?:er)?|städerska|sekreterarinna|rengøringsdame|servitrice|vaskedame|kelnerk[iaęą]|sprzątaczk[iaęą]|sekretark[iaęą]|ekspedientk[iaęą]|kasjerk[iaęą]|asystentk[iaęą]|secretária|empregada de (?:mesa|limpeza|balcão)|rececionista feminina|servírk[auy]|uklízečk[auy]|prodavačk[auy]|(?:wyłącznie|tylko) (?:kobiety|mężczyźni)|(?:endast|bara|kun) (?:kvinnor|män|kvinder|mænd|kvinner|menn)|apenas (?:homens|mulheres)`,
      ),
    ],
  ],
  [
    'pregnancy',
    [
      whole(
        `(?:people|applicants|candidates|women|parents|mothers|anyone|those) with (?:young |small )?(?:children|kids) (?:are|will be|need|should|cannot|may)[^.;]{0,12} ?(?:not (?:be )?(?:considered|suitable|hired|apply)|apply)`,
      ),
      whole(
        String.raw`sem filhos|sem encargos familiares|bez dzieci|bezdzietn\p{L}{1,3}|utan (?:små)?barn|uden (?:små )?børn|uten (?:små )?barn|barnlös\p{L}?|barnløs\p{L}?|zonder (?:jonge )?kinderen|bez dětí|niet zwanger|ej gravid|inte gravid|ikke gravid|não grávidas?|kein Kinderwunsch|ohne Kinderwunsch|(?:planuj\p{L}+|planerar|planlægger|planlegger|planeia\p{L}*)[^.;]{0,20}(?:ciąż\p{L}+|barn|graviditet|engravidar|filhos|macierzyńsk\p{L}+)|sans enfants? (?:à charge|en bas âge)|sin niños`,
      ),
    ],
  ],
  [
    'origin',
    [
      whole(
        String.raw`(?:svenska|dansk|norsk|finska|engelska|engelsk|tysk|tyska) (?:som|är|er) (?:ditt |dit )?(?:modersmål|morsmål)|(?:modersmål|morsmål) (?:svenska|dansk|norsk|engelsk\p{L}?)|(?:etniskt?|infødt|född|født) (?:svensk|dansk|norsk)\p{L}?|(?:svensk|dansk|norsk)t? (?:härkomst|afstamning|avstamning|statsborger(?:e|skab|skap)?|medborgar(?:e|skap)|ursprung|baggrund|bakgrunn)|helsvensk\p{L}?|pæredansk\p{L}?|(?:język(?:iem)? )?(?:polski|angielski|niemiecki)? ?(?:jako )?(?:język )?ojczyst(?:y|ym|ego)|narodowoś\p{L}+ polsk\p{L}+|polski\p{L}{0,2} narodowości|obywatelstw\p{L}+ polski\p{L}{0,2}|(?:tylko|wyłącznie) polacy|(?:português|inglês) nativo|falantes? nativos?(?: de \p{L}+)?|língua materna(?: portuguesa)?|nacionalidade portuguesa|rodilý mluvčí|česk\p{L}{1,3} (?:národnost\p{L}*|občan\p{L}*)|born (?:in|and (?:bred|raised) in) (?:the )?(?:UK|US|USA|Britain|Great Britain|England|Germany|France|Ireland|EU)|(?:in|uit) Nederland geboren|né(?:e|\(e\))? en France|nat[oai] in Italia|nacido en España|in Deutschland geboren|d['’]origine (?:française|européenne)|français(?:e|\(e\))? de souche|gebürtige[rn]? Deutsche[rn]?|deutschstämmig\p{L}{0,2}|d['’]aspect européen|aspetto europeo|de nationalité (?:française|belge|suisse)|di nazionalità italiana|(?:Nederlandse|Belgische) (?:nationaliteit|afkomst)|Deutsch(?:e|er)?(?:s)? (?:ist )?(?:als )?(?:Ihre |deine )?Muttersprache|(?:Italian|Spanish|Portuguese|Polish|Swedish) native speakers?|native-level accent|(?:of|from) (?:European|Western) (?:origin|descent)`,
      ),
    ],
  ],
  [
    'religion',
    [
      whole(
        String.raw`church members?(?: only| preferred)?|(?:praktykując\p{L}+ )katoli\p{L}+|katoli\p{L}+ praktykując\p{L}+|wyznani[ae] (?:katolicki\p{L}*|rzymskokatolicki\p{L}*)|kristen (?:tro|livssyn|bakgrund|bakgrunn|livsholdning)|(?:utan|uden|uten) (?:slöja|tørklæde|hijab|skaut)|bez (?:chusty|hidżabu)|sem véu|católic[oa]s? praticantes?|praktiserande kristen|praktiserende (?:kristen|katolik)|belijdend (?:christen|katholiek)|christelijke (?:levensovertuiging|achtergrond)|de foi (?:chrétienne|catholique)|di fede (?:cattolica|cristiana)`,
      ),
    ],
  ],
  [
    'disability',
    [
      whole(
        String.raw`no wheelchair users?|not suitable for (?:disabled (?:people|applicants)|wheelchair users)|fullt frisk\p{L}?|helt frisk\p{L}?|fysisk\p{L}? (?:och psykiskt |og psykisk )?frisk\p{L}?|ved (?:godt|perfekt) helbred|(?:god|perfekt) helse|utan (?:funktionsnedsättning\p{L}*|funktionshinder|sjukdomar)|uden handicap|uten funksjonsnedsettelse\p{L}*|w pełni zdrow\p{L}+|dobry(?:m)? stan(?:em)? zdrowia|bez (?:orzeczenia o )?niepełnosprawnoś\p{L}+|(?:boa|perfeita) saúde|sem deficiências?|robusta costituzione|sans problèmes? de santé|(?:körperlich|gesundheitlich) uneingeschränkt\p{L}*|volledig gezond|lichamelijk gezond|bez zdravotního (?:omezení|postižení)|sin problemas de salud|senza handicap|in piena salute|en pleine forme physique`,
      ),
    ],
  ],
  [
    'family-status',
    [
      whole(
        String.raw`no family (?:commitments|ties|obligations|responsibilities)|without family (?:commitments|ties|obligations)|célibataires?|nubil[ei]|celib[ei]|solter[oa]s?|solteir[oa]s?|ongehuwd\p{L}?|ogift\p{L}?|ugift\p{L}?|unverheiratet\p{L}{0,2}|verheiratet\p{L}{0,2}|niezamężn\p{L}|nieżonat\p{L}|stanu wolnego|svobodn(?:ý|á|ého|ou)|sans attaches?(?: familiales?)?|ohne (?:familiäre )?(?:bindung(?:en)?|verpflichtungen)|sin (?:ataduras|compromisos familiares)|utan familj\p{L}*|uden familie\p{L}*|bez zobowiązań(?: rodzinnych)?|sem compromissos familiares|zonder (?:gezin|gezinsverplichtingen)|senza (?:vincoli|impegni|legami|carichi) familiari|naimisissa`,
      ),
    ],
  ],
];

export const languageWordings: readonly (readonly [Ground, RegExp])[] = lists.flatMap(([ground, shapes]) =>
  shapes.map((shape) => [ground, shape] as const),
);
