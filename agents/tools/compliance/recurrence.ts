/** How often something is done: "quarterly", "every six months", "zweimal im Jahr", "tous les 2 ans". */
import type { Range } from '../text/span.ts';
import { elisionMark } from './flat-text.ts';
import { type FoundPeriod, type Period, periodOf } from './periods.ts';
import type { Clause } from './reading.ts';

/** Each unit's words, with the period that they mean. The first that matches counts. */
const adverbList: readonly (readonly [RegExp, number, string])[] = [
  [/\bhourly\b|stündlich|toutes les heures|horaire\b|cada hora|ogni ora|elk uur/iu, 1, 'hour'],
  [
    /(?<!\p{L})(?:semi-?\s?annual(?:ly)?|half-?\s?year(?:ly)?|biannual(?:ly)?|twice (?:a|per|each|every) year|twice[- ]yearly|two times (?:a|per) year|halbjähr(?:lich\p{L}*|ig)|zweimal (?:im|pro|jährlich)(?: jahr)?|zwei ?mal (?:im|pro|jährlich)(?: jahr)?|semestriel\p{L}*|deux fois (?:par an|l an|dans l année)|semestral(?:mente|es)?|dos veces (?:al|por) año|semestral[ei]|semestralmente|due volte (?:l|all) ?(?:anno|l anno)|due volte all anno|halfjaarlijkse?|twee ?maal per jaar|twee keer per jaar|tweemaal (?:per jaar|'s jaars)|semestrale|semestrali|chaque semestre|cada semestre|ogni semestre|elk halfjaar|per halfjaar|par semestre|je halbjahr|pro halbjahr)(?!\p{L})/iu,
    6,
    'month',
  ],
  [
    /(?<!\p{L})(?:biennial(?:ly)?|every other year|every second year|zweijähr(?:lich\p{L}*|ig\p{L}*)|bisannuel\p{L}*|biennal[ei]?|bienal(?:mente)?|tweejaarlijkse?|jedes zweite jahr|un an sur deux|om het jaar)(?!\p{L})/iu,
    2,
    'year',
  ],
  [
    /(?<!\p{L})(?:triennial(?:ly)?|dreijähr(?:lich\p{L}*|ig\p{L}*)|triennal\p{L}*|trienal(?:mente)?|driejaarlijkse?)(?!\p{L})/iu,
    3,
    'year',
  ],
  [
    /(?<!\p{L})(?:bi-?monthly|every other month|every second month|zweimonatlich\p{L}*|bimestriel\p{L}*|bimestral\p{L}*|tweemaandelijkse?)(?!\p{L})/iu,
    2,
    'month',
  ],
  [
    /(?<!\p{L})(?:fortnightly|bi-?weekly|every other week|every second week|zweiwöchentlich\p{L}*|vierzehntägig\p{L}*|quinzomadaire|quincenal(?:mente)?|quindicinale|tweewekelijkse?|om de week)(?!\p{L})/iu,
    2,
    'week',
  ],
  [
    /(?<!\p{L})(?:quarterly|(?:each|every|per|a|once a|once per) quarter|vierteljähr(?:lich\p{L}*|ig)|quartals?weise|(?:jedes|pro|je|im|einmal im|einmal pro) quartal|(?:once|einmal|une fois|una vez|una volta|eenmaal) (?:per|a|pro|par|al|por|a) ?(?:quarter|quartal|trimestre|kwartaal)|trimestriel\p{L}*|(?:chaque|par|tous les|toutes les) trimestres?|trimestral(?:mente|es|i|e)?|(?:cada|al|por) trimestre|(?:ogni|a|per) trimestre|(?:per|elk|ieder) kwartaal|driemaandelijkse?|four times a year|viermal (?:im|pro) jahr|quatre fois par an|cuatro veces al año|quattro volte all anno|vier keer per jaar)(?!\p{L})/iu,
    3,
    'month',
  ],
  [
    /(?<!\p{L})(?:monthly|(?:each|every|per|once a|once per) month|monatlich\p{L}*|(?:jeden|pro|einmal im|einmal pro) monat|mensuel\p{L}*|(?:chaque|par|tous les) mois|mensual(?:mente|es)?|(?:cada|al|una vez al) mes|mensil(?:e|i|mente)|(?:ogni|al|una volta al) mese|maandelijkse?|(?:elke|per|iedere|eens per|eenmaal per) maand)(?!\p{L})/iu,
    1,
    'month',
  ],
  [
    /(?<!\p{L})(?:weekly|(?:each|every|per|once a|once per) week|wöchentlich\p{L}*|(?:jede|pro|einmal pro|einmal die) woche|hebdomadaire\p{L}*|(?:chaque|par|toutes les) semaines?(?! \d)|semanal(?:mente|es)?|(?:cada|por|a la|una vez por) semana|settimanal(?:e|i|mente)|(?:ogni|a|alla|una volta alla) settimana|wekelijkse?|(?:elke|per|iedere|eens per) week)(?!\p{L})/iu,
    1,
    'week',
  ],
  [
    /(?<!\p{L})(?:daily|nightly|every (?:day|night|business day|working day)|each (?:day|night)|overnight|once a day|per day|täglich\p{L}*|arbeitstäglich\p{L}*|nächtlich\p{L}*|jede nacht|jeden tag|einmal am tag|quotidien\p{L}*|journali(?:er|ère|ères|ers)|chaque (?:jour|nuit)|tous les jours|toutes les nuits|diari[oa]s?|diariamente|cada (?:día|noche)|todas las noches|giornalier[aoei]|giornalmente|quotidian[aoei]|quotidianamente|ogni (?:giorno|notte)|dagelijkse?|(?:elke|iedere|per) (?:dag|nacht)|nachtelijkse?)(?!\p{L})/iu,
    1,
    'day',
  ],
  [
    /(?<!\p{L})(?:annual(?:ly)?|yearly|(?:each|every|per|once a|once per|once every|once each|one time per) (?:calendar |financial )?year|once annually|per annum|jährlich\p{L}*|(?:jedes|pro|einmal im|einmal pro|einmal je|im) jahr(?:es)?(?= |$|[.,;:)])|annuel\p{L}*|(?:chaque|une fois par|par|tous les) an(?:née|s)?|toutes les années|todos los años|tutti gli anni|anual(?:mente|es)?|(?:cada|al|una vez al|por) año|annual[ei]|annualmente|(?:ogni|all|una volta l|una volta all) anno|jaarlijkse?|(?:elk|per|ieder|eens per|eenmaal per) jaar|twelve-monthly|12-monthly|every twelve-month)(?!\p{L})/iu,
    1,
    'year',
  ],
];

/** The same in Portuguese, Polish and Swedish. */
const furtherAdverbs: readonly (readonly [RegExp, number, string])[] = [
  [
    /(?<!\p{L})(?:halvårligt?|hvert halve? år|hvert halvår|to gange om året|to ganger (?:i året|årlig)|hver sjette måned)(?!\p{L})/iu,
    6,
    'month',
  ],
  [/(?<!\p{L})(?:hvert and(?:et|re) år|annethvert år)(?!\p{L})/iu, 2, 'year'],
  [
    /(?<!\p{L})(?:kvartalsvist?|hvert kvartal|en gang i kvartalet|[eé]n gang pr\.? kvartal|hver tredje måned)(?!\p{L})/iu,
    3,
    'month',
  ],
  [
    /(?<!\p{L})(?:månedligt?|hver måned|[eé]n gang (?:om|i) måneden|(?:1st|first) (?:day )?of (?:each|every|the) month|am ersten jedes monats|le 1er de chaque mois)(?!\p{L})/iu,
    1,
    'month',
  ],
  [
    /(?<!\p{L})(?:ugentligt?|ukentlig|hver uge|hver uke|(?:every|each) (?:mon|tues|wednes|thurs|fri|satur|sun)day|jeden (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|(?:chaque|tous les) (?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?|(?:cada|todos los) (?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)|ogni (?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)|elke (?:maan|dins|woens|donder|vrij|zater|zon)dag|varje (?:mån|tis|ons|tors|fre|lör|sön)dag|hver (?:man|tirs|ons|tors|fre|lør|søn)dag)(?!\p{L})/iu,
    1,
    'week',
  ],
  [/(?<!\p{L})(?:dagligt|hver nat|hver natt|hver dag|hvert døgn)(?!\p{L})/iu, 1, 'day'],
  [/(?<!\p{L})(?:årligt|hvert år|[eé]n gang (?:om året|årligt?|i året))(?!\p{L})/iu, 1, 'year'],
  [
    /(?<!\p{L})(?:semestralmente|de seis em seis meses|duas vezes (?:por|ao) ano|co pół roku|co półrocze|półroczni[ea]|dwa razy w roku|raz na pół roku|halvårsvis|halvårslig\p{L}*|varje halvår|två gånger per år|vartannat kvartal)(?!\p{L})/iu,
    6,
    'month',
  ],
  [
    /(?<!\p{L})(?:de dois em dois anos|bienal(?:mente)?|co dwa lata|raz na dwa lata|vartannat år|varannat år)(?!\p{L})/iu,
    2,
    'year',
  ],
  [
    /(?<!\p{L})(?:de três em três anos|trienal(?:mente)?|co trzy lata|raz na trzy lata|vart tredje år)(?!\p{L})/iu,
    3,
    'year',
  ],
  [
    /(?<!\p{L})(?:de três em três meses|(?:uma vez por|todos os|por) trimestres?|kwartaln\p{L}{1,2}|co kwartał|raz (?:na|w) kwarta(?:ł|le)|kvartalsvis|varje kvartal|kvartalsvisa?|var tredje månad|en gång (?:i|per) kvartal(?:et)?)(?!\p{L})/iu,
    3,
    'month',
  ],
  [/(?<!\p{L})(?:varannan månad|co dwa miesiące|de dois em dois meses)(?!\p{L})/iu, 2, 'month'],
  [/(?<!\p{L})(?:var fjärde månad)(?!\p{L})/iu, 4, 'month'],
  [/(?<!\p{L})(?:var sjätte månad)(?!\p{L})/iu, 6, 'month'],
  [
    /(?<!\p{L})(?:mensalmente|mensa(?:l|is)|todos os meses|uma vez por mês|(?:co|każdego) miesiąca?|miesięcznie|comiesięczn\p{L}{1,2}|raz w miesiącu|månadsvis|månatlig\p{L}*|varje månad|en gång (?:i|per) månad(?:en)?)(?!\p{L})/iu,
    1,
    'month',
  ],
  [/(?<!\p{L})(?:varannan vecka|co dwa tygodnie)(?!\p{L})/iu, 2, 'week'],
  [
    /(?<!\p{L})(?:semanalmente|semana(?:l|is)|todas as semanas|uma vez por semana|co tydzień|tygodniowo|cotygodniow\p{L}{1,2}|raz w tygodniu|veckovis|varje vecka|en gång (?:i|per) vecka(?:n)?)(?!\p{L})/iu,
    1,
    'week',
  ],
  [
    /(?<!\p{L})(?:diariamente|diári[oa]s?|todos os dias|todas as noites|codzienn(?:ie|a|e|y)|każdego dnia|co noc|dagligen|daglig[at]?|varje (?:dag|natt|dygn)|en gång per dygn)(?!\p{L})/iu,
    1,
    'day',
  ],
  [
    /(?<!\p{L})(?:anualmente|anuais|todos os anos|uma vez por ano|corocznie|coroczn\p{L}{1,2}|co rok(?:u)?|rocznie|raz (?:w|do|na) roku?|każdego roku|årligen|årlig[at]?|varje år|en gång (?:om|per) år(?:et)?)(?!\p{L})/iu,
    1,
    'year',
  ],
];

const compiled = (list: typeof adverbList) =>
  list.map(([shape, count, unit]) => [new RegExp(shape.source, 'giu'), count, unit] as const);
const adverbs = compiled(adverbList);
const allAdverbs = [...adverbs, ...compiled(furtherAdverbs)];
/** Beginnings of the words of the further adverbs. */
const furtherBeginnings = new Set(
  'co raz dwa kvar pół półr rocz coro rok kwar mies tygo codz każd noc halv vart vara varj var en två årli måna veck dagl seme bien trie trim mens sema diár toda todo anua anuá uma duas dois três seis hver anne ugen uken to firs 1st first mond tues wedn thur frid satu sund mont dien mitt donn frei sams sonn lund mard merc jeud vend same dima lune mart miér juev vier sába domi maan dins woen dond vrij zate zond måna tisd onsd tors freda lörd sönd mand tirs fred lørd lune vene'.split(
    ' ',
  ),
);

/** What stands before a period that recurs. */
export const every =
  /(?<!\p{L})(?:(?:at least |at most |no less (?:often|frequently) than |not less than )?(?:once |one time )?(?:every|each|in (?:each|any))|once (?:in|per)|at intervals (?:of (?:no more than |not more than |at most )?|(?:not|never) exceeding)|at a maximum interval of|alle|aller|im abstand von(?: höchstens)?|spätestens alle|mindestens alle|tous les|toutes les|cada|como máximo cada|ogni|al massimo ogni|elke|iedere|om de|eens per|eenmaal per|per|intervalle de|tutti i|tutte le|a cada|todos os|todas as|co|nie rzadziej niż co|var|varje|vart|todos los|todas las|a intervalos de|met een interval van|una vez cada|una volta ogni|einmal alle|une fois tous les|frequency:?|interval:?)\s{1,6}$/iu;

/** Beginnings of the words of which each form has at least one. */
const beginnings = new Set(
  (
    'hour hora stün stun uren godz timm heur annu year jähr jahr anné anua anno jaar semi seme bian half halb bien trie bisa mont mona mois mens mese maan week woch wöch hebd ' +
    'sema sett weke dail days nigh over tägl nach näch quot jour nuit diar noch gior nott dage quar vier trim kwar drie fort biwe bimo bime quin twee zwei arbe drei pół półr rocz coro rok kwar mies tygo codz każd halv vart vara åtmi årli varj kvar måna veck dagl hver anne måne ugen uken firs ' +
    'mond tues wedn thur frid satu sund mont dien mitt donn frei sams sonn lund mard merc jeud vend same dima lune mart miér juev vier sába domi maan dins woen dond vrij zate zond måna tisd onsd tors freda lörd sönd mand tirs fred lørd lune vene'
  ).split(' '),
);
const shortWords = new Set(
  'an ans mes mesi día ora ore uur day dag tag año tage años anni bi ano anos mês dias roku rok lata rok noc år co'.split(
    ' ',
  ),
);

const known = new WeakMap<Clause, readonly FoundPeriod[]>();

/** The periods of the adverbs in a text: "quarterly" is three months. */
export function adverbPeriods(text: string): readonly Period[] {
  return [...adverbList, ...furtherAdverbs].flatMap(([shape, count, unit]) =>
    shape.test(text) ? [{ count, unit }] : [],
  );
}

/** All of a clause, in the order of its text. */
export function findRecurrences(clause: Clause): readonly FoundPeriod[] {
  const before = known.get(clause);
  if (before !== undefined) return before;
  const isPossible = clause.words.some(({ text }) => shortWords.has(text) || beginnings.has(text.slice(0, 4)));
  const found = isPossible ? recurrencesOf(clause) : [];
  known.set(clause, found);
  return found;
}

function recurrencesOf({ text: whole, durations, words }: Clause): FoundPeriod[] {
  const text = whole.replaceAll(elisionMark, ' ');
  const found: FoundPeriod[] = [];
  const taken = (range: Range) => found.some(({ start, end }) => range.start < end && start < range.end);
  for (const duration of durations) {
    const before = text.slice(Math.max(0, duration.start - 60), duration.start);
    // "Per un anno" is a length in Italian.
    if (!every.test(before) || (/(?<!\p{L})per\s{1,6}$/iu.test(before) && /^un/iu.test(text.slice(duration.start))))
      continue;
    found.push({ start: duration.start, end: duration.end, period: periodOf(duration) });
  }
  const isFurther = words.some(({ text: word }) => furtherBeginnings.has(word.slice(0, 4)));
  for (const [shape, count, unit] of isFurther ? allAdverbs : adverbs) {
    for (const match of text.matchAll(shape)) {
      const range = { start: match.index, end: match.index + match[0].length };
      if (!taken(range) && !isDescribed(text, range)) found.push({ ...range, period: { count, unit } });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** "The annual report", "annual accounts", "per day of delay": no repeated activity. */
function isDescribed(text: string, { end }: Range): boolean {
  return /^\s{1,3}(?:report|accounts|revenue|turnover|leave|salary|fee|turnover|statements?|general meeting|rates?|bericht|umsatz|rapport|chiffre|cuentas|bilancio|fatturato|jaarrekening|omzet)(?!\p{L})/iu.test(
    text.slice(end, end + 40),
  );
}
