/**
 * Text that a document only reports: proposals, requests, claims, contracts, other cases, earlier versions, columns of negotiating
 * positions. A time limit in such text is not part of the law that the document is about.
 */
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import type { FlatBlock } from './flat-text.ts';
import { lawRowAt } from './law-tables.ts';
import type { LawText } from './read-law.ts';

/** Words as one pattern, with the letters around them checked, so that a part of a longer word does not match. */
function wordsOf(lists: readonly string[]): string {
  return `(?<![\\p{L}\\d])(?:${lists.join('|')})(?![\\p{L}\\d])`;
}

const periodNoun =
  'periods?|time[- ]?limits?|deadlines?|terms?|\\p{L}*frist(?:en)?|zeitraum|délais?|terme|plazos?|término|termin[ei]|termijn(?:en)?|termin\\p{L}{0,3}|okres\\p{L}{0,2}|lhůt\\p{L}{1,2}|prazos?|tid(?:s(?:frist)?)?|perioada|termen';

/** Past forms of verbs of asking and wishing: the length is a part of the request. */
const asked = new RegExp(
  `${wordsOf([
    '(?:had|has|have|having) (?:[a-z]+ )?(?:asked|wanted|wished|requested|proposed|suggested|demanded|sought|pleaded|preferred|claimed|called)|(?<!(?:was|were|been|is|are|be|am) (?:[a-z]+ )?)(?:asked|wanted|wished|pleaded|voted|argued|urged|called) (?:for|to|on|upon|all|the)|proposes|suggests',
    'forderte[n]?|verlangte[n]?|wünschte[n]?|schl(?:ug|ugen|ägt|agen)|bat(?:en)?(?: um)?|beantragte[n]?|begehrte[n]?',
    '(?:avai(?:t|ent)|a|ont|aurai(?:t|ent)) (?:demandé|proposé|souhaité|sollicité|réclamé|suggéré|préféré|préconisé)|demandai(?:t|ent)|proposai(?:t|ent)|propose(?:nt)?|souhait(?:e|ent|ait|aient)|réclam(?:e|ent|ait)',
    '(?:ha|han|había|habían) (?:solicitado|propuesto|pedido|reclamado|sugerido)|solicit(?:ó|aron|aba)|propus(?:o|ieron)|pid(?:ió|ieron)|reclamó|sugir(?:ió|ieron)',
    '(?:ha|hanno|aveva|avevano) (?:chiesto|proposto|richiesto|domandato|suggerito|sollecitato|auspicato)|chies(?:e|ero)|proponeva(?:no)?|richiedeva(?:no)?',
    '(?:had|hadden|heeft|hebben) (?:[a-z]+ ){0,3}(?:gevraagd|voorgesteld|verzocht|gewenst|bepleit)|vroeg(?:en)?(?: om)?|verzocht(?:en)?(?: om)?|bepleit(?:te|ten)?|wilde(?:n)?|amendement om',
    'wniosł[a-z]{0,2} o|wnioskował[a-z]{0,2}|wnioskowano|(?:za)?proponowa(?:ł[a-z]{0,2}|no)|postulowa(?:ł[a-z]{0,2}|no)|żąda(?:ł[a-z]{0,2}|no)|domaga(?:ł[a-z]{0,2}|no)|prosił[a-z]{0,2}',
    'navrhl[aoiy]?|navrhoval[aoiy]?|požadoval[aoiy]?|požádal[aoiy]?|žádal[aoiy]?',
    'pedi(?:u|ram)|propôs|propuseram|solicit(?:ou|aram)|requer(?:eu|eram)',
    'begärde|har begärt|föreslog|önskade|har föreslagit|anmodede|foreslog|har foreslået|ønskede',
    'a (?:cerut|propus|solicitat)|ehdotti|pyysi|zahtijevao|predložio|kért|javasolt',
  ])}[^.;:()]{0,70}$`,
  'iu',
);
/** "The requested period of three months", "un délai demandé de six mois": an attribute of the period. */
const askedPeriod = new RegExp(
  `${wordsOf([
    'requested|proposed|suggested|demanded|claimed|desired',
    '(?:beantragt|gefordert|gewünscht|vorgeschlagen|verlangt|begehrt|angeregt)e[nrsm]?',
    '(?:demandé|proposé|souhaité|sollicité|réclamé|suggéré)e?s?',
    '(?:solicitad|pedid|reclamad|sugerid)[oa]s?',
    '(?:richiest|chiest|auspicat|suggerit)[oaie]',
    'gevraagde|voorgestelde|verzochte|gewenste|bepleite',
    '(?:wnioskowan|(?:za)?proponowan|postulowan|żądan)[a-z]{1,3}',
    '(?:navrhovan|navržen|požadovan)[a-zý-ž]{1,3}',
    '(?:pedid|propost|solicitad|requerid)[oa]s?|begärda?|föreslagna?|foreslåede',
  ])}(?: \\p{L}+){0,3}? (?:${periodNoun}) (?:[^.;:()\\d]{0,24})$|(?<!\\p{L})(?:${periodNoun}) (?:demandé|proposé|sollicité|souhaité|solicitad|propuest|pedid|richiest|propost|requerid)[oea]?s? (?:[^.;:()\\d]{0,30} )?(?:de|di|d')? ?$`,
  'iu',
);

/** After the length: the document finds it wrong, too long or too short. */
const judged =
  /^[^.;:]{0,60}(?<![\p{L}])(?:(?:is|are|was|were|ist|sind|war|est|sont|era|es|è|is) (?:too|zu|trop|demasiado|troppo|te) (?:long|short|lang|kurz|courte?|largo|corto|lung[oa]|breve|kort)|(?:jest|był[ao]?) (?:zbyt|za) (?:dług|krótk)[a-z]{1,2}|je příliš (?:dlouh|krátk)[á-ž]|(?:is|was) excessive|est excessif)/iu;

/** After the length: "six months, sought by the industry", "sechs Monate gefordert", "drie maanden gevraagd". */
const askedAfter =
  /^[^.;:()]{0,30}(?<!\p{L})(?:(?:sought|requested|proposed|demanded|suggested|wanted|preferred|demandée?s?|souhaitée?s?|proposée?s?|sollicitée?s?|solicitad[oa]s?|propuest[oa]s?|pedid[oa]s?|richiest[oaie]|propost[oaie]|chiest[oaie]|wnioskowan\p{L}{1,3}|proponowan\p{L}{1,3}|navrhovan\p{L}{1,3}|requerid[oa]s?) (?:by|par|por|dal?|dalla|dall'|dai|przez|pel[oa])|gefordert|beantragt|vorgeschlagen|gewünscht|verlangt|begehrt|gevraagd|voorgesteld|verzocht|bepleit|gewenst)(?!\p{L})/iu;

/** The main verb reports a proposal or a pleading; the words after "that" are its content. */
const proposes = new RegExp(
  wordsOf([
    '(?:proposes?|proposed|proposing|suggests?|suggested|recommends?|recommended|argues?|argued|contends?|contended|pleads?|alleges?|alleged|maintains?|claims?|claimed|submits?|submitted|asserts?) that',
    '(?:schl(?:ägt|agen|ug|ugen) (?:[^.;]{0,40} )?vor|macht geltend|machte geltend|trägt vor|trug vor|behauptet|behauptete|regt an|regte an)(?:,)? (?:[^.;]{0,40} )?dass',
    '(?:propose(?:nt)?|proposait|suggère|suggérait|soutient|soutiennent|allègue|allèguent|prétend(?:ent)?|fait valoir|font valoir) (?:que|qu)',
    '(?:propone|proponen|propuso|sugiere|alega|alegan|alegó|sostiene|sostienen|aduce|pretende) que',
    '(?:propone|proponeva|suggerisce|sostiene|sostengono|deduce|eccepisce) che',
    '(?:stelt|stelde|stellen) (?:[^.;]{0,30} )?(?:voor )?dat|(?:betoogt|betoogde|betogen|beweert|voert aan|pleit ervoor) dat|stelt voor',
    '(?:proponuje|proponował[aoy]?|twierdzi|podnosi|zarzuca|utrzymuje|sugeruje|postuluje), (?:że|aby|by)',
    '(?:navrhuje|tvrdí|namítá), (?:že|aby)',
    '(?:propõe|propôs|alega|sustenta|pretende) que|(?:föreslår|hävdar|gör gällande|foreslår|hævder|gør gældende) att?',
  ]),
  'iu',
);

const proposalNoun =
  'proposals?|draft (?:regulation|directive|decision|act|law|guidelines?)|bill|amendments?|wetsvoorstel|voorstel|ontwerp(?:verordening|richtlijn|wet)?|amendement|vorschlag(?:s|es)?|entwurf(?:s|es)?|gesetzentwurf(?:s|es)?|änderungsantrag(?:s|es)?|proposition(?: de (?:règlement|directive|loi|décision))?|projet(?: de (?:règlement|directive|loi|décision))?|propuesta|anteproyecto|proyecto|enmienda|proposta|progetto|disegno|emendamento|wniosek|wniosku|projekt(?:u|em|cie)?|poprawk[aięą]|návrh(?:u|em)?|förslag(?:et)?|forslag(?:et)?|propuner(?:e|ea|ii)|ehdotu(?:s|ksen)|prijedlog(?:a)?|predlog(?:a)?|javaslat';
const provides =
  'says?|states?|provides?|sets?|contains?|foresees?|mentions?|names?|has|had|lays|puts|noemt|bevat|kent|staat|voorziet|bepaalt|vermeldt|hanteert|sieht|nennt|enthält|bestimmt|kennt|lautet|prévoit|fixe|contient|mentionne|énonce|retient|prevé|fija|contiene|menciona|establece|recoge|prevede|fissa|stabilisce|indica|przewiduje|zawiera|określa|wymienia|ustala|stanowi|stanoví|obsahuje|předpokládá|prevê|fixa|estabelece|innehåller|anger|föreskriver|indeholder|fastsætter|prevede';
/** "Article 7 of the proposal", "the proposal sets", "under the draft". Acts that concern a proposal, such as its receipt, do not count. */
const byProposal = new RegExp(
  `(?:${wordsOf(['articles?', 'art\\.', 'artikel(?:en|s)?', 'artículos?', 'articol[oi]', 'artykuł\\p{L}{0,3}', 'čl\\.', 'artigos?'])} \\d{1,3}[^.;]{0,30} (?:of|du|de la|del|della|van het|van de|des|da|do|av|i) (?:the |that |diese[mrs] |het |de |le |la )?(?:${proposalNoun})(?!\\p{L}))|(?<!\\p{L})(?:${proposalNoun})(?: \\p{Lu}{2,4}\\(\\d{4}\\) ?\\d{1,4})?(?: (?:of|von|de|du|der|des|del|della|van|z)(?: \\p{L}+){1,4}| final)?,? (?:${provides})(?!\\p{L})|(?<!\\p{L})(?:under|according to|in|nach|gemäß|laut|im|selon|dans|según|en|secondo|volgens|in|według|zgodnie z|podle|segundo) (?:the |dem |diesem |le |la |el |il |het |een |this |that |cette |ce |esta |questa )(?:${proposalNoun})(?!\\p{L})`,
  'iu',
);
/** The previous sentence is about a proposal alone, and this one about the contents of the proposal. */
const therein =
  /^(?:(?:in it|therein|there|it (?:sets|contains|provides|names|states)|it says)|darin|dort|er (?:sieht|nennt|enthält)|(?:il|elle) (?:prévoit|fixe|contient)|y |en (?:él|ella)|(?:se )?(?:prevé|fija)|vi |in ess[oa]|(?:esso|essa) prevede|daarin|hierin|(?:het|dit|dat) (?:bevat|noemt|voorziet)|w nim|w niej|przewiduje|v něm|nele|nela|däri|deri)(?![\p{L}])/iu;
const proposalAlone = new RegExp(`(?<!\\p{L})(?:${proposalNoun})(?!\\p{L})`, 'iu');

/** Sources of periods that are not law: contracts and general terms, an earlier version, another matter, a comparison. */
const otherSource = new RegExp(
  wordsOf([
    '(?:general |standard |purchasing |own )?(?:terms|conditions) (?:of|and conditions)|(?:der|den|ihrer|ihren) (?:allgemeinen )?(?:geschäfts|vertrags|liefer|einkaufs)?bedingungen|agb|(?:conditions|clauses) (?:générales|particulières|contractuelles)|condiciones generales|clausulado|condizioni generali|algemene (?:koop|leverings)?voorwaarden|ogóln[a-z]{1,3} warunk[a-zó]{1,3}|regulamin[a-z]{0,3}|obchodní(?:ch)? podmín[a-zek]{2,4}|allmänna villkor|almindelige betingelser',
    'by way of comparison|by comparison|for comparison|à titre de comparaison|zum vergleich|ter vergelijking|a (?:modo|título) de comparación|a titolo di (?:confronto|paragone)|dla porównania|pro srovnání|a título de comparação|som jämförelse|til sammenligning',
    '(?:in|bei) (?:einem|einer) (?:anderen|früheren) (?:fall|sache|verfahren|rechtssache)|in (?:another|an earlier|a different) (?:case|file|matter|procedure)|dans (?:une autre|un autre) (?:affaire|dossier|procédure)|en otro (?:asunto|expediente|procedimiento)|in un altr[oa] (?:causa|procedimento|fascicolo)|in een andere? (?:zaak|dossier|procedure)|w innej sprawie|v jiné věci|eu[- ]pilot',
    '(?:in|under) (?:version|draft|edition) \\d[\\d.]{0,4}|in (?:der )?(?:version|fassung) \\d[\\d.]{0,4}|dans la version \\d[\\d.]{0,4}|en la versión \\d[\\d.]{0,4}|nella versione \\d[\\d.]{0,4}|in versie \\d[\\d.]{0,4}|w wersji \\d[\\d.]{0,4}|ve verzi \\d[\\d.]{0,4}',
    'unsubscribe|mailings?|abbestellen|désabonn\\p{L}{1,5}|darse de baja|disiscri\\p{L}{1,6}|afmelden voor',
    '(?:win|chance of winning|prize draw|gewinnspiel|gewinnen sie|verlosung|tirage au sort|gagner|sorteo|ganar|estrazione a premi|vincere|winactie|winnen|losowani[a-z]{1,2})',
  ]),
  'iu',
);

/** In any cell of a row: its time limit is of a manual or the house's own. */
const notLaw = new RegExp(
  wordsOf([
    "not law|no legal (?:duty|requirement)|manufacturer's (?:manual|instructions)|maker's manual|house rules?|(?:our|company|internal) (?:policy|practice|rule)|kein gesetz|betriebsanleitung|hausregel|interne (?:vorgabe|regel)|notice du fabricant|règle interne|norma interna|manual del fabricante|regola interna|manuale del (?:produttore|costruttore)|geen wet|huisregel|intern beleid",
  ]),
  'iu',
);

/** The same sentence or the next one withdraws the statement of another text. */
const takenBack =
  /(?<!\p{L})(?:(?:that|this|it|which) (?:was|is) (?:wrong|incorrect|mistaken|an error|out ?dated|obsolete)|did not survive|(?:is|are|was) not (?:yet )?(?:been )?(?:adopted|supported|retained|in the final)|has not (?:yet )?been adopted|not retained|nothing has been adopted|(?:das|dies) (?:war|ist) (?:falsch|unrichtig|unzutreffend|überholt|ein fehler)|noch nicht (?:angenommen|verabschiedet|beschlossen)|nicht (?:mehr )?(?:unterstützt|weiterverfolgt|durchgesetzt)|(?:c'était|c'est|cela était) (?:faux|inexact|erroné|une erreur)|(?:pas|n'a pas) encore (?:été )?adoptée?|n'est pas (?:soutenue?|retenue?)|(?:era|es) (?:incorrecto|erróneo|un error|inexacto)|(?:aún|todavía) no (?:se )?(?:ha sido |ha )?(?:aprobad|adoptad)[oa]|no se apoya|(?:era|è) (?:errato|sbagliato|inesatto|un errore)|non (?:è )?(?:ancora )?(?:stat[oa] )?(?:adottat|approvat|accolt|sostenut)[oa]|(?:dat|dit) (?:was|is) (?:onjuist|fout|verkeerd|een vergissing)|(?:nog )?niet (?:aangenomen|gesteund|overgenomen)|nie zosta(?:ł[aoy]?|nie) (?:jeszcze )?(?:przyjęt|uwzględnion|popart)\p{L}{1,2}|(?:to )?był(?:o|a)? (?:błąd|błędn)\p{L}{0,2}|(?:dosud )?nebyl[ao]? (?:přijat|schválen)\p{L}?|bylo (?:chybné|nesprávné)|ainda não (?:foi )?(?:adotad|aprovad)[oa]|ännu inte antag\p{L}{1,3}|endnu ikke vedtaget)(?!\p{L})/iu;

/** Characters before a length that belong to its clause. */
const clauseCharacters = 140;

/** Whether the words around a period or a day say that it is no law but a proposal, a request, a claim or the like. */
export function isClaimed(law: LawText, sentence: Range, { start, end }: Range): boolean {
  const { text } = law.flat;
  const before = text.slice(Math.max(sentence.start, start - clauseCharacters), start);
  const after = text.slice(end, Math.min(sentence.end, end + 100));
  if (asked.test(before) || askedPeriod.test(before) || askedAfter.test(after) || judged.test(after)) return true;
  if (proposes.test(before) || isReported(law, sentence) || isPosition(law, start)) return true;
  if (lawRowAt(law, start)?.isProposal === true) return true;
  const block = law.flat.blockAt(start);
  const wording = block?.kind === 'row' ? block : sentence;
  return notLaw.test(text.slice(wording.start, Math.min(wording.end, wording.start + 600)));
}

const reportedSentences = new WeakMap<LawText, Map<number, boolean>>();

/** Whether the sentence as a whole speaks of a proposal, a contract, another matter or an earlier version. Computed once. */
function isReported(law: LawText, sentence: Range): boolean {
  const known = reportedSentences.get(law) ?? new Map<number, boolean>();
  reportedSentences.set(law, known);
  const found = known.get(sentence.start);
  if (found !== undefined) return found;
  const wording = law.flat.text.slice(sentence.start, Math.min(sentence.end, sentence.start + 1_500));
  const isReport =
    otherSource.test(wording) ||
    takenBack.test(wording) ||
    byProposal.test(wording) ||
    isTherein(law, sentence, wording);
  known.set(sentence.start, isReport);
  return isReport;
}

function isTherein({ flat, mentions }: LawText, sentence: Range, wording: string): boolean {
  if (!therein.test(wording)) return false;
  const index = indexAt(flat.sentences, sentence.start);
  const previous = index === undefined || index === 0 ? undefined : flat.sentences[index - 1];
  if (previous === undefined || !proposalAlone.test(flat.text.slice(previous.start, previous.end))) return false;
  const act = indexAt(mentions, previous.end);
  return act === undefined || mentions[act]!.start < previous.start;
}

/** Headings of columns with the texts of the institutions, next to the column with the agreed text. */
const positionHeading =
  /(?<!\p{L})(?:commission|parliament|ep|council|proposal|kommission|parlaments?|rat(?:es|s)?|vorschlag|parlement|conseil|proposition|comisión|parlamento|consejo|propuesta|commissione|consiglio|proposta|commissie|raad|voorstel|komisj[ai]|parlamentu?|rad[ay]|wniosek|komise|návrh|comissão|conselho|kommissionens?|parlamentets?|rådets?|förslag|forslag)(?!\p{L})/iu;
const agreedHeading =
  /(?<!\p{L})(?:agreed|agreement|compromise|final|provisional(?:ly)? agreed|outcome|result|einigung|geeinigt|kompromiss|endgültig|ergebnis|accord|compromis|texte convenu|acordado|acuerdo|compromiso|texto final|concordato|accordo|compromesso|overeengekomen|akkoord|uzgodnion\p{L}{1,2}|kompromis\p{L}{0,3}|dohodnut\p{L}{1,2}|acordo|överenskommen|aftalt)(?!\p{L})/iu;

interface PositionTable extends Range {
  readonly columns: ReadonlySet<number>;
}

const positionTables = new WeakMap<LawText, readonly PositionTable[]>();

function isPosition(law: LawText, position: number): boolean {
  const block = law.flat.blockAt(position);
  if (block === undefined || block.cells.length === 0) return false;
  const tables = positionTables.get(law) ?? readPositionTables(law);
  const index = indexAt(tables, position);
  const table = index === undefined ? undefined : tables[index];
  if (table === undefined || position >= table.end) return false;
  const cell = block.cells.findLast(({ start }) => start <= position);
  return cell !== undefined && table.columns.has(cell.column);
}

/** Tables with at least two columns of positions, and one with the agreed text. */
function readPositionTables(law: LawText): readonly PositionTable[] {
  const { blocks, text } = law.flat;
  const found: PositionTable[] = [];
  let open: { start: number; end: number; columns: ReadonlySet<number> } | undefined;
  for (const block of blocks) {
    if (block.kind !== 'row') {
      if (open !== undefined) found.push(open);
      open = undefined;
      continue;
    }
    const columns = positionColumns(text, block);
    if (columns !== undefined) {
      if (open !== undefined) found.push(open);
      open = { start: block.start, end: block.end, columns };
    } else if (open !== undefined) open.end = block.end;
  }
  if (open !== undefined) found.push(open);
  positionTables.set(law, found);
  return found;
}

function positionColumns(text: string, { cells }: FlatBlock): ReadonlySet<number> | undefined {
  const shown = cells.map(({ column, start, end }) => ({
    column,
    words: text.slice(start, Math.min(end, start + 60)),
  }));
  if (!shown.some(({ words }) => words.length < 60 && agreedHeading.test(words))) return undefined;
  const columns = shown.filter(
    ({ words }) => words.length < 60 && positionHeading.test(words) && !agreedHeading.test(words),
  );
  return columns.length < 2 ? undefined : new Set(columns.map(({ column }) => column));
}
