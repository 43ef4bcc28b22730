/** Acts that need the investors' consent, and seats on the board. */
import type { Range } from '../text/span.ts';
import type { Flow, Sentence } from './flow.ts';

export interface Veto extends Range {
  readonly action: string;
}

const actions: readonly (readonly [string, RegExp])[] = [
  [
    'winding-up',
    /\b(?:liquidat(?:e|ion of|ing)|dissol(?:ve|ution)|wind(?:ing)?[- ]?up)\b|\bauflösung|\bliquidation der|\bdissolution\b|\bdisolución|\bliquidar\b|\bdisolver\b|\bontbinding|\bontbinden\b|\binsolvency\b|\bbankruptcy\b/i,
  ],
  [
    'sale-or-merger',
    /\bmerge(?:r|rs)?\b|\bconsolidation\b|\bdeemed liquidation event\b|\b(?:sale|sell|dispos\S+|transfer)\b[^.;]{0,50}\b(?:all or substantially all|substantially all|company|business|undertaking|material assets|assets)\b|\bchange of control\b|\bverschmelzung|\bumwandlung|\bveräußerung (?:des|der|von|wesentlich)\S*[^.;]{0,40}(?:unternehmen|vermögen|betrieb|geschäft)\S*|\bfusion\b|\bcession (?:de (?:la totalité|tout|l)|du fonds|d[’']actifs)|\bfusión\b|\bventa de (?:la|los|todos|activos)|\bfusie\b|\bverkoop van (?:de|alle)/i,
  ],
  [
    'charter-change',
    /\b(?:amend|alter|repeal|chang|modif)\w*\b[^.;]{0,60}\b(?:articles|charter|certificate of incorporation|bylaws|constitution|constitutional|memorandum|rights (?:attach|of|prefer|privileg))\S*|(?:satzungsänderung|änderung(?:en)? (?:des gesellschaftsvertrag|der satzung))\S*|\bmodification (?:des|de ses|aux) statuts|\bmodificación (?:de )?(?:los )?estatutos|\bmodificar los estatutos|\b(?:statutenwijziging|wijziging van de statuten|wijzigen van de statuten)|\bvariation of (?:the )?rights|\bvary (?:the |any )?rights/i,
  ],
  [
    'senior-shares',
    /\b(?:issue|issuance|create|creation|allot|authori[sz]e|authori[sz]ation)\w*\b[^.;]{0,80}\b(?:senior|pari passu|parity|new (?:shares|securities)|(?:any|further|additional|new) (?:class|series|shares?|securit\S+|equity)|shares?|securities)\b|\b(?:ausgabe|schaffung)\b[^.;]{0,40}\b(?:anteile|aktien|geschäftsanteile)\S*|\bkapitalerhöhung\S*|(?:émission|création)\b[^.;]{0,50}\b(?:actions|titres|valeurs)|\baugmentation de capital|\b(?:emisión|creación)\b[^.;]{0,50}\b(?:acciones|participaciones|valores)|\b(?:aumento|ampliación)(?:es)? de capital|\buitgifte van\b[^.;]{0,40}\baandelen/i,
  ],
  [
    'distributions',
    /\b(?:declar|pay|distribut|mak)\w*\b[^.;]{0,40}\b(?:dividend|distribution)s?\b|\bdividends?\b|\bredeem\b|\bredemption\b|\brepurchas\S*|\bbuy[- ]?backs?\b|\bdistributions?\b|\bdividende[n]?\b|\b(?:gewinn)?ausschüttung\S*|\brückkauf\S*|\bgewinnverwendung|\brachat d[’'e]|\bdistribuc\S*|\bdividendos?\b|\brecompra\b|\buitkering\S*|\binkoop van/i,
  ],
  [
    'debt',
    /\b(?:incur|borrow|indebted|loan|financial debt|guarantee)\w*\b|\bdebt\b|\bdarlehen\S*|\bkredit\S*|\bverbindlichkeiten\b|\bfinanzverbindlich\S*|\bbürgschaft\S*|\b(?:endettement|emprunt)s?\b|\bendeudamiento|\bpréstamos?\b|\bleningen?\b|\bgeldlening\S*|\bschulden\b|\bkredieten?\b/i,
  ],
  [
    'board-size',
    /\b(?:size|number|composition)\b[^.;]{0,40}\b(?:board|directors|beirat)\b|\b(?:größe|zusammensetzung|zahl)\b[^.;]{0,40}\b(?:beirat|aufsichtsrat|vorstand)\S*|\b(?:nombre|composition)\b[^.;]{0,30}\b(?:administrateurs|conseil)|\b(?:número|composición)\b[^.;]{0,30}\b(?:consejeros|consejo)|\b(?:aantal|omvang|samenstelling)\b[^.;]{0,30}\b(?:bestuur|commissarissen)\S*/i,
  ],
  [
    'option-plan',
    /\b(?:option|equity|incentive|stock|share) (?:incentive |option )?(?:plan|scheme|pool)s?\b|\bESOP\b|\bVSOP\b|\bshares reserved\b|\bmitarbeiterbeteiligung\S*|\bplan d[’'](?:options|intéressement)|\bBSPCE\b|\bplan de (?:opciones|incentivos)|\boptie(?:plan|regeling)\S*|\bmedewerkersparticipatie\S*/i,
  ],
  [
    'related-party',
    /\b(?:related part(?:y|ies)|affiliates?)\b|\btransactions? with (?:any |a )?(?:director|officer|founder|shareholder|stockholder|related|affiliate)\S*|\b(?:nahestehende[nr]?|verbundene[nr]?) (?:personen|unternehmen)|\brechtsgeschäfte mit (?:gesellschafter|gründer)\S*|\b(?:parties liées|conventions réglementées)|\b(?:partes|personas) vinculadas|\bverbonden (?:partij|person)\S*/i,
  ],
  [
    'budget',
    /\bbudgets?\b|\bbusiness plan\b|\bjahresplan\S*|\bwirtschaftsplan\S*|\bpresupuesto\S*|\bplan de negocio|\bbegroting|\bbedrijfsplan|\bplan d[’']affaires/i,
  ],
  [
    'ip-transfer',
    /\b(?:intellectual property|technology|patents?|IP(?: rights)?)\b|\b(?:schutzrechte|geistige[sn] eigentum\S*)|\bpropriété intellectuelle|\bpropiedad (?:intelectual|industrial)|\bintellectuele eigendom\S*/,
  ],
  [
    'acquisition',
    /\b(?:acqui(?:re|ring|sitions?)|purchase)\b(?! or redeem)[^.;]{0,50}\b(?:shares|business(?:es)?|compan(?:y|ies)|entit\S+|undertaking|interest|assets|securities|subsidiar\S+|stake)\b|\bacquisitions\b|\berwerb\b[^.;]{0,50}\b(?:unternehmen|beteiligung|anteile)\S*|\bbeteiligungserwerb|\b(?:acquisition|prise) de (?:participation|sociét|contrôle|tout)\S*|\badquisición\b[^.;]{0,40}\b(?:participaciones|sociedades|empresas|acciones)|\b(?:verwerven|verwerving|overname|acquisitie)\b/i,
  ],
  [
    'executive-hiring',
    /\b(?:hir|appoint|employ|dismiss|remov|engag|terminat)\w*\b[^.;]{0,60}\b(?:executives?|officers?|chief|CEO|CFO|senior (?:management|employee)s?|managing directors?|key employees?|management)\b|\b(?:bestellung|abberufung|einstellung|anstellung)\b[^.;]{0,50}\b(?:geschäftsführer|führungs)\S*|\b(?:nomination|embauche|recrutement|révocation)\b[^.;]{0,50}\b(?:dirigeant|directeur|président|cadre)\S*|\b(?:nombramiento|contratación|cese)\b[^.;]{0,50}\b(?:directiv|director|consejero delegado)\S*|\b(?:benoeming|ontslag|aanstell\S+)\b[^.;]{0,50}\b(?:bestuurder|directie|management)\S*/i,
  ],
];

const consent =
  /\b(?:consent|approval|affirmative vote|veto|zustimmung|zustimmungspflichtig\S*|einwilligung|accord|autorisation|approbation|consentimiento|aprobación|autorización|voto favorable|goedkeuring|toestemming|instemming)\b/i;
const needs =
  /\b(?:without|require[sd]?|requiring|subject to|shall not|will not|may not|except with|unless|only with|need|ohne|bedürfen|bedarf|nur mit|erforder\S*|sans|soumis\S*|requièr\S*|nécessit\S*|préalable|sin|requerir\S*|requier\S*|precis\S*|sometid\S*|zonder|vereis\S*|behoeven|behoeft|onderworpen|slechts)\b/i;
const holders =
  /\b(?:investors?|preferred|preference|series|requisite|majority|holders|lead|shareholders|stockholders|anleger|investor(?:en|in|s)?|vorzugs\S*|gesellschafter(?:versammlung|beschluss(?:es)?|innen)?|beirat\S*|mehrheit|wandel\S*|inversor\S*|inversionistas?|socios?|accionistas?|investisseurs?|associés|actionnaires|catégorie|investeerders?|prioriteit\S*|aandeelhouders?|cumulatief|preferente)\b/i;
const vetoLabel =
  /\bprotective provisions?\b|\breserved matters?\b|\bconsent (?:matters|rights)\b|\binvestor (?:consents?|protection|approval)|\bveto(?:s|es| rights?|rechte)?\b|\bzustimmungs\S*|\bdécisions (?:importantes|stratégiques|réservées)|\bdroits? de veto|\bmaterias reservadas|\bderechos? de veto|\bgoedkeurings\S*|\bvetorechten|\brestricted matters|\bminderheitsschutz|\bkatalog\b/i;
const notNeeded =
  /\bnothing in\b|\bnot (?:require|restrict)|\bno consent\b|\brestricts? the\b|\bwithout the need\b|\bkeiner zustimmung|\bsans l[’']accord préalable n[’']est|\bno (?:requiere|precisa)|\bgeen (?:goedkeuring|toestemming)|\balone\b|\bagreement may be amended|\bnote may be amended|\bsafe may be amended|\bmay be amended|\bassign(?:ed|ment)? (?:this|of this)/i;

/** Sentences that ask for the consent of holders, and the items of the list that one of them opens. */
export function findVetoes(flow: Flow): Veto[] {
  const found = new Map<string, Veto>();
  let openUntil = -1;
  for (const sentence of flow.sentences) {
    const { text, label } = sentence;
    if (notNeeded.test(text)) continue;
    const asks = isAsked(text) || (vetoLabel.test(label) && consent.test(text) && holders.test(`${label} ${text}`));
    const isListed = sentence.paragraph <= openUntil && (sentence.isItem || /^(?:and |or )?\p{Ll}/u.test(text));
    if (!asks && !isListed && !(vetoLabel.test(label) && sentence.isItem)) continue;
    if (asks || isListed) openUntil = sentence.paragraph + 1;
    takeActions(sentence, asks, found);
  }
  return [...found.values()];
}

function isAsked(text: string): boolean {
  return consent.test(text) && needs.test(text) && holders.test(text);
}

const exception =
  /(?:,| )\s?(?:other than|except(?: for)?|excluding|save for|mit ausnahme|ausgenommen|sauf|à l[’']exception|salvo|excepto|met uitzondering|behalve)\b[^;]{0,300}/gi;

function takeActions({ text, start, end }: Sentence, asks: boolean, found: Map<string, Veto>): void {
  // What stands between the subject and the list names who consents, not what is asked.
  const body = (
    asks
      ? text
          .replace(
            /\b(?:at any time|so long as|for as long as|as long as|solange|tant que|mientras|zolang)\b[^,]{0,120},/gi,
            ' ',
          )
          .replace(/\beither directly or indirectly by[^,]{0,40},[^,]{0,20},[^,]{0,30} or otherwise,?/gi, ' ')
      : text
  ).replace(exception, ' ');
  for (const [action, words] of actions) {
    if (!found.has(action) && words.test(body)) found.set(action, { action, start, end });
  }
}

export interface Seats extends Range {
  readonly elected_by: 'total' | 'common' | 'preferred' | 'independent' | 'chief-executive' | 'observer';
  readonly seats: number;
}

const counts: ReadonlyMap<string, number> = new Map(
  'a:1 an:1 one:1 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ein:1 eine:1 einen:1 einem:1 zwei:2 drei:3 vier:4 fünf:5 sechs:6 sieben:7 un:1 une:1 deux:2 trois:3 quatre:4 cinq:5 six:6 sept:7 uno:1 una:1 dos:2 tres:3 cuatro:4 cinco:5 seis:6 siete:7 een:1 één:1 twee:2 drie:3 vijf:5 zes:6 zeven:7'
    .split(' ')
    .map((pair) => {
      const [word, count] = pair.split(':') as [string, string];
      return [word, Number(count)] as const;
    }),
);
const count =
  '(?<![\\p{L}\\d.,])(?!\\d{1,2}\\))(\\d{1,2}|a|an|one|two|three|four|five|six|seven|eight|nine|ein(?:e|en|em)?|zwei|drei|vier|fünf|sechs|sieben|un|une|deux|trois|quatre|cinq|sept|uno|una|dos|tres|cuatro|cinco|seis|siete|een|één|twee|drie|vijf|zes|zeven)(?:\\s\\(\\d{1,2}\\))?(?![\\p{L}\\d%])';
const member =
  '(?:directors?|members?|seats?|persons?|observers?|representatives?|mitglied(?:er|ern|s)?|beiratsmitglied\\S*|beobachter\\S*|sitze?|administrateurs?|membres?|censeurs?|observateurs?|sièges?|consejeros?|miembros?|vocales|observador(?:es)?|puestos?|bestuurders?|commissaris(?:sen)?|leden|lid|waarnemers?|zetels?|nominees?)';
const totalShape = new RegExp(
  `\\b(?:board|beirat|aufsichtsrat|verwaltungsrat|conseil|consejo|raad|bestuur)\\b[^.;]{0,90}?\\b(?:consist\\S*|compris\\S*|compos\\S*|besteh\\S*|compuest\\S*|integrad\\S*|bestaa\\S*|set at|have|formed|fixed at|size)\\b[^.;,:]{0,30}?${count}\\s?(?:\\S+\\s)?(?:${member}|:)|${count}[- ](?:member|person|seat|director)\\b`,
  'iu',
);
const seatShape = new RegExp(count, 'giu');
const seatVerb =
  /\b(?:elect\S*|appoint\S*|designat\S*|nominat\S*|bestell\S*|entsend\S*|benenn\S*|benannt\S*|ernenn\S*|ernannt\S*|désign\S*|nomm\S*|design\S*|nombra\S*|elegid\S*|propuest\S*|benoem\S*|voordrag\S*|voorgedragen|aangewezen|aanwijzen|seat|seats|member|independent|observers?|unabhängig\S*|indépendant\S*|independiente\S*|onafhankelijk\S*|beobachter|observateur|censeur|observador|waarnemer)\b/iu;
const groups: readonly (readonly [Seats['elected_by'], RegExp])[] = [
  ['observer', /\bobservers?\b|\bbeobachter\S*|\bobservateurs?\b|\bcenseurs?\b|\bobservador\S*|\bwaarnemer\S*/iu],
  [
    'independent',
    /\bindependents?\b|\bunabhängig\S*|\bindépendant\S*|\bindependiente\S*|\bonafhankelijk\S*|\bmutual(?:ly)?\b/iu,
  ],
  [
    'chief-executive',
    /\b(?:chief executive(?: officer)?|CEO|then[- ]serving chief|vorsitzende[r]? der geschäftsführung|directeur général|consejero delegado|director general)\b/iu,
  ],
  [
    'preferred',
    /\b(?:preferred|preference|series [a-z]|investors?|lead|anleger\S*|investor(?:en|in)?|vorzugs\S*|investisseurs?|inversor\S*|investeerders?)\b/iu,
  ],
  [
    'common',
    /\b(?:common|founders?|ordinary|gründer\S*|stamm\S*|fondateurs?|fundador\S*|oprichters?|management|company's shareholders)\b/iu,
  ],
];
const board =
  /\b(?:board|directors?|beirat\S*|aufsichtsrat\S*|verwaltungsrat\S*|conseil|administrat\S*|consej\S*|bestuur\S*|commissaris\S*|observer)\b/iu;

/** "Two elected by the holders of Common Stock", "the Investor may appoint one director". */
export function findSeats(flow: Flow): Seats[] {
  const found = new Map<string, Seats>();
  for (const sentence of flow.sentences) {
    const { text, label, start, end } = sentence;
    if (
      !board.test(`${label} ${text}`) ||
      /\bif the holders fail\b|\bfails? to elect\b|\bquorum\b|\bmeetings?\b[^.]{0,40}\b(?:held|year)\b/i.test(text)
    )
      continue;
    const total = totalShape.exec(text);
    let from = 0;
    if (total !== null) {
      const seats = countOf(total[1] ?? total[2]!);
      if (!found.has('total') && seats > 1) found.set('total', { elected_by: 'total', seats, start, end });
      from = total.index + total[0].length;
    }
    takeSeats(sentence, from, found);
  }
  return [...found.values()];
}

function takeSeats({ text, start, end }: Sentence, from: number, found: Map<string, Seats>): void {
  const matches = [...text.slice(from).matchAll(seatShape)].map((match) => ({
    word: match[1]!,
    at: from + match.index,
    to: from + match.index + match[0].length,
  }));
  const memberShape = new RegExp(`^\\s(?:\\S+\\s){0,2}?${member}\\b`, 'iu');
  const counted = matches.filter(({ word, to }) => {
    const after = text.slice(to, to + 60);
    const isArticle = /^(?:an?|une?|una|ein\S*|een)$/i.test(word);
    return (
      memberShape.test(after) ||
      (!isArticle &&
        /^\s(?:\(\d\)\s)?(?:elected|appointed|designated|nominated|of whom|shall be|will be|independent|founders?|investors?|preferred|common|by|por|par|désigné|nommé|elegid|designad|nombrad|propuest|benoemd|aangewezen|von|werden|wird|durch|para|door)/iu.test(
          after,
        ))
    );
  });
  counted.forEach(({ word, at, to }, index) => {
    const next = counted[index + 1]?.at ?? text.length;
    const after = text.slice(to, Math.min(next, to + 160)).split(/;/, 1)[0]!;
    const previous = counted[index - 1]?.to ?? 0;
    const before = text
      .slice(Math.max(previous, at - 200), at)
      .split(';')
      .at(-1)!;
    const groupAfter = groups.find(([, words]) => words.test(after));
    const isActive =
      /\b(?:elect|appoint|designate|nominate|entsenden|benennen|bestellen|désigner|nommer|designar|nombrar|benoemen|send|right to|voordragen)\b[^.;]{0,24}$/iu.test(
        before,
      );
    const group =
      observerOf(after) ??
      (isActive
        ? (groups.slice(3).find(([, words]) => words.test(before)) ?? groupAfter)
        : (groupAfter ?? groups.find(([, words]) => words.test(before))));
    if (group === undefined || !seatVerb.test(before + after) || found.has(group[0])) return;
    found.set(group[0], { elected_by: group[0], seats: countOf(word), start, end });
  });
}

function observerOf(after: string) {
  const near = after.slice(0, 40);
  return groups.slice(0, 2).find(([, words]) => words.test(near));
}

function countOf(word: string): number {
  return counts.get(word.toLowerCase()) ?? Number(word);
}
