/** Acts that need the investors' consent. */
import type { Range } from '../text/span.ts';
import type { Flow, Sentence } from './flow.ts';
import { isSuperseded } from './term-context.ts';
import { anyAlphabet } from './word-bounds.ts';

export interface Veto extends Range {
  readonly action: string;
}

const actions = (
  [
    [
      'winding-up',
      /\b(?:liquidat(?:e|ion of|ing)|dissol(?:ve|ution)|wind(?:ing)?[- ]?up)\b|\bauflösung|\bliquidation der|\bdissolution\b|\bdisolución|\bliquidar\b|\bdisolver\b|\bontbinding|\bmise en liquidation|\bliquidación\b|\bauflös\S+|\bliquidation(?=[,;.]| und| oder)|\bontbinden\b|\binsolvency\b|\bbankruptcy\b|(?<!deemed )\bliquidation event\b/i,
    ],
    [
      'sale-or-merger',
      /\bmerge(?:r|rs)?\b|\bconsolidation\b|\b(?:deemed )?liquidation event\b|\b(?:a |any )?sale of (?:the |a )?(?:business|company|subsidiar\S+)|\b(?:sale|sell|dispos\S+|transfer)\b[^.;]{0,50}\b(?:all or substantially all|substantially all|company|business|undertaking|material assets|assets)\b|\bchange of control\b|\bverschmelzung|\bverkauf (?:der|des|von|wesentlich)\S*|\bverkauf, |\bscission\b|\bcéder (?:son|le) fonds|\bventa (?:de|o)\b|\bapport partiel|\bfusionar|\bescisión|\bumwandlung|\bveräußerung (?:des|der|von|wesentlich)\S*[^.;]{0,40}(?:unternehmen|vermögen|betrieb|geschäft)\S*|\bfusion\b|\bcession (?:de (?:la totalité|tout|l)|du fonds|d[’']actifs)|\bfusión\b|\bventa de (?:la|los|todos|activos)|\bfusie\b|\bverkoop van (?:de|alle)/i,
    ],
    [
      'charter-change',
      /\b(?:amend|alter|repeal|chang|modif)\w*\b[^.;]{0,60}\b(?:articles|charter|certificate of incorporation|bylaws|constitution|constitutional|memorandum|rights (?:attach|of|prefer|privileg))\S*|(?:satzungsänderung|änderung(?:en)? (?:des gesellschaftsvertrag|der satzung))\S*|\bmodifi\S+ (?:des|de ses|aux|ses|les|leurs) statuts|\bmodificación (?:de )?(?:los )?estatutos|\bmodificar (?:los|sus) estatutos|\btoute modification (?:des|de ses) statuts|\bchang\w* (?:of|to) (?:the )?(?:articles|charter|bylaws)|\b(?:statutenwijziging|wijziging van de statuten|wijzigen van de statuten)|\bvariation of (?:the )?rights|\bvary (?:the |any )?rights/i,
    ],
    [
      'senior-shares',
      /\b(?:issue|issuance|create|creation|allot|authori[sz]e|authori[sz]ation)\w*\b[^.;]{0,80}\b(?:senior|pari passu|parity|new (?:shares|securities)|(?:any|further|additional|new) (?:class|series|shares?|securit\S+|equity)|shares?|securities)\b|\b(?:ausgabe|schaffung)\b[^.;]{0,40}\b(?:anteile|aktien|geschäftsanteile)\S*|\bkapitalerhöhung\S*|\bkapitalmaßnahme\S*|\bausgabe von\b[^.;]{0,60}\bvorrecht\S*|\bémettre\b[^.;]{0,60}\b(?:actions|titres|valeurs)|\bactions de préférence de rang|\brang (?:supérieur|égal)|(?:émission|création)\b[^.;]{0,50}\b(?:actions|titres|valeurs)|\baugmentation de capital|\b(?:emisión|creación)\b[^.;]{0,50}\b(?:acciones|participaciones|valores)|\b(?:aumento|ampliación)(?:es)? de capital|\buitgifte van\b[^.;]{0,40}\baandelen/i,
    ],
    [
      'distributions',
      /\b(?:declar|pay|distribut|mak)\w*\b[^.;]{0,40}\b(?:dividend|distribution)s?\b|\bdividends?\b|\bredeem\b|\bredemption\b|\brepurchas\S*|\bbuy[- ]?backs?\b|\bdistributions?\b|\bdividende[ns]?\b|\bdistribution (?:de|des) (?:dividendes|réserves)|\breparto de dividendos|\bown shares\b|\b(?:gewinn)?ausschüttung\S*|\brückkauf\S*|\bgewinnverwendung|\brachat d[’'e]|\bdistribuc\S*|\bdividendos?\b|\brecompra\b|\buitkering\S*|\binkoop van/i,
    ],
    [
      'debt',
      /\b(?:incur|borrow|indebted|loan|financial debt|guarantee)\w*\b|\bdebt\b|\bdarlehen\S*|\bkredit\S*|\b(?:aufnahme von|fremdfinanzierung)\S*|\bs[’']endetter|\bborrowings?\b|\bendeudarse|\bdebiti\b|\bverbindlichkeiten\b|\bfinanzverbindlich\S*|\bbürgschaft\S*|\b(?:endettement|emprunt)s?\b|\bendeudamiento|\bpréstamos?\b|\bleningen?\b|\bgeldlening\S*|\bschulden\b|\bkredieten?\b/i,
    ],
    [
      'board-size',
      /\b(?:size|number|composition)\b[^.;]{0,40}\b(?:board|directors|beirat)\b|\b(?:größe|zusammensetzung|zahl)\b[^.;]{0,40}\b(?:beirat|aufsichtsrat|vorstand)\S*|\b(?:nombre|composition)\b[^.;]{0,30}\b(?:administrateurs|conseil)|\b(?:número|composición)\b[^.;]{0,30}\b(?:consejeros|consejo)|\b(?:aantal|omvang|samenstelling)\b[^.;]{0,30}\b(?:bestuur|commissarissen)\S*/i,
    ],
    [
      'option-plan',
      /\b(?:option|equity|incentive|stock|share) (?:incentive |option )?(?:plan|scheme|pool)s?\b|\bESOP\b|\bVSOP\b|\bshares reserved\b|\bmitarbeiterbeteiligung\S*|\bplan d[’'](?:options|intéressement)|\bBSPCE\b|\bBSA\b|(?:virtuell\S+ )?beteiligungsprogramm\S*|\bbeteiligungsplan\S*|\bplan de (?:opciones|incentivos)|\boptie(?:plan|regeling)\S*|\bmedewerkersparticipatie\S*/i,
    ],
    [
      'related-party',
      /\b(?:related part(?:y|ies)|affiliates?)\b|\b(?:deal(?:ing)?s?|contracts?|arrangements?|agreements?) with (?:any |a )?(?:person|party|director|shareholder|founder)s? (?:connected|related|affiliated)|\bconnected persons?\b|\btransactions? with (?:any |a )?(?:director|officer|founder|shareholder|stockholder|related|affiliate)\S*|\b(?:nahestehende[nr]?|verbundene[nr]?) (?:personen|unternehmen)|\b(?:rechts)?geschäfte mit (?:gesellschafter|gründer|nahestehend|geschäftsführer)\S*|\btoute convention avec (?:un|tout|l)|\bconventions? (?:avec|entre)[^.;]{0,30}\b(?:associé|fondateur|dirigeant|actionnaire)\S*|\boperaciones (?:vinculadas|con (?:socios|partes|administradores))|\btransactions? with (?:insiders|relatives)|\btransact with insiders|\bdirectors or their (?:relatives|families)|\b(?:parties liées|conventions réglementées)|\b(?:partes|personas) vinculadas|\bverbonden (?:partij|person)\S*/i,
    ],
    [
      'budget',
      /\b(?:jahres)?budgets?\b|\bbusiness plan\b|\bjahresplan\S*|\bwirtschaftsplan\S*|\bpresupuesto\S*|\bbudget annuel|\bbilancio preventivo|\bplan de negocio|\bbegroting|\bbedrijfsplan|\bplan d[’']affaires/i,
    ],
    [
      'ip-transfer',
      /\b(?:intellectual property|technology|patents?|IP(?: rights)?)\b|\b(?:schutzrechte|geistige[sn] eigentum\S*)|\b[Ss]chutzrechte\S*|\bwesentlicher (?:[Pp]atente|[Mm]arken)|\bIP\b|\bpropriété intellectuelle|\b(?:céder|cession d[’']|licence|concéder)[^.;]{0,30}\b(?:actifs? incorporels?|marques?|brevets?)|\b(?:transfer|licen[cs]e|sell|assign|dispose)\w*[^.;]{0,40}\b(?:trade ?marks?|know-how|source code|intangible)|\bpropiedad (?:intelectual|industrial)|\bintellectuele eigendom\S*/,
    ],
    [
      'acquisition',
      /\b(?:acqui(?:re|ring|sitions?)|purchase)\b(?! or redeem)[^.;]{0,50}\b(?:shares|business(?:es)?|compan(?:y|ies)|entit\S+|undertaking|interest|assets|securities|subsidiar\S+|stake)\b|\bacquisitions\b|\berwerb\b[^.;]{0,50}\b(?:unternehmen|beteiligung|anteile)\S*|\bbeteiligungserwerb|\bacquiring (?:any|a) (?:business|company)|\b(?:acquisition|prise) de (?:participation|sociét|contrôle|tout)\S*|\badquisición\b[^.;]{0,40}\b(?:participaciones|sociedades|empresas|acciones)|\b(?:verwerven|verwerving|overname|acquisitie)\b/i,
    ],
    [
      'executive-hiring',
      /\b(?:hir|appoint|employ|dismiss|remov|engag|terminat)\w*\b[^.;]{0,60}\b(?:executives?|officers?|chief|CEO|CFO|senior (?:management|employee)s?|managing directors?|key employees?|management)\b|\b(?:bestellung|abberufung|einstellung|anstellung)\b[^.;]{0,50}\b(?:geschäftsführer|führungs)\S*|\b(?:nomination|embauche|recrutement|révocation)\b[^.;]{0,60}\b(?:dirigeant|directeur|président|cadre|salarié|rémunération)\S*|\b(?:CEO|CFO|chief executive)\b[^.;]{0,20}\b(?:appoint|dismiss|remov)\w*|\b(?:nombramiento|contratación|cese)\b[^.;]{0,50}\b(?:directiv|director|consejero delegado)\S*|\b(?:benoeming|ontslag|aanstell\S+)\b[^.;]{0,50}\b(?:bestuurder|directie|management)\S*/i,
    ],
  ] satisfies [string, RegExp][]
).map(([action, words]) => [action, anyAlphabet(words)] as const);

const consent = anyAlphabet(
  /\b(?:consent|approval|(?:affirmative )?vote|veto|zustimmung|zustimmungspflichtig\S*|einwilligung|accord|autorisation|approbation|consentimiento|aprobación|autorización|voto favorable|goedkeuring|toestemming|instemming)\b/i,
);
const needs = anyAlphabet(
  /\b(?:without|require[sd]?|requiring|subject to|we may not|company may not|may not|shall not|will not|may not|except with|unless|only with|need(?:ed|s)?|necessary|ohne|bedürfen|bedarf|nur mit|erforder\S*|sans|soumis\S*|ne (?:pourra|pourront|peut|peuvent)|requièr\S*|nécessit\S*|préalable|sin|requerir\S*|requier\S*|precis\S*|sometid\S*|zonder|vereis\S*|behoeven|behoeft|onderworpen|slechts)\b/i,
);
const holders = anyAlphabet(
  /\b(?:investors?|preferred|preference|series|requisite|majority|holders|lead|shareholders|stockholders|anleger|investor\p{L}*|\p{L}*mehrheit|vorzugs\S*|gesellschafter(?:versammlung|beschluss(?:es)?|innen)?|beirat\S*|mehrheit|wandel\S*|inversor\S*|inversionistas?|socios?|accionistas?|investisseurs?|associés|actionnaires|catégorie|investeerders?|obligataires?|noteholders?|bondholders?|holder|lender|geldgever|prestamista|prêteur|obligacionistas?|darlehensgeber\S*|prioriteit\S*|aandeelhouders?|cumulatief|preferente|la société ne (?:pourra|peut)|la sociedad no podrá|the company (?:shall|may|will) not|la società non potrà)\b/iu,
);
const vetoLabel = anyAlphabet(
  /^consents$|^(?:consent|approval) of\b|^zustimmung (?:von|des|der)\b|^accord (?:de|du|des)\b|^consentimiento de|^goedkeuring van|^toestemming van|^consenso d|^zgoda |\bprotective provisions?\b|\breserved matters?\b|\bconsent (?:matters|rights)\b|\binvestor (?:consents?|protection|approval)|\bveto(?:s|es| rights?|rechte)?\b|\bzustimmungs\S*|\bdécisions (?:importantes|stratégiques|réservées)|\bdroits? de veto|\bmaterias reservadas|\bderechos? de veto|\bgoedkeurings\S*|\bvetorechten|\brestricted matters|\bminderheitsschutz|\bkatalog\b/i,
);
const notNeeded = anyAlphabet(
  /\bnothing in\b|\b(?:board|directors)['’]?(?: approval| consent)? (?:only|alone|suffices)\b|\b(?:board|directors['’]?) (?:approval|consent) (?:only|alone|suffices|is sufficient)|\brequires? only (?:the )?(?:approval|consent) of the (?:board|directors)|\bonly (?:the )?(?:approval|consent) of the board|\bgenügt die zustimmung|\bsans (?:besoin de |nécessiter )l[’']accord|\bnot (?:require|restrict)|\bno consent\b|\brestricts? the\b|\bwithout the need\b|\bkeiner zustimmung|\bsans l[’']accord préalable n[’']est|\bno (?:requiere|precisa)|\bgeen (?:goedkeuring|toestemming)|\balone\b|\brelève (?:de|du|of)\b|\balleinige (?:zuständigkeit|entscheidung)|\bcorresponde (?:sólo|solo|exclusivamente|únicamente)|\bagreement may be amended|\bnote may be amended|\bsafe may be amended|\bmay be amended|\bassign(?:ed|ment)? (?:this|of this)/i,
);

/** An option of a form that is not ticked. */
const unchecked = /^(?:\[ ?\]|☐)/u;

/** Sentences that require the consent of holders, and the items of a list that such a sentence introduces. */
export function findVetoes(flow: Flow): Veto[] {
  const found = new Map<string, Veto>();
  let openUntil = -1;
  let listed: { readonly title: string; readonly style: 'letter' | 'number' } | undefined;
  for (const sentence of flow.sentences) {
    const { text, label } = sentence;
    if (notNeeded.test(text) || isSuperseded(sentence) || unchecked.test(text)) continue;
    const isUnder = vetoLabel.test(sentence.title) && !sentence.isTitle && text.length < 400;
    const asks = isAsked(text) || (vetoLabel.test(label) && consent.test(text) && holders.test(`${label} ${text}`));
    // "Act": the heading of a list in a table.
    if (sentence.isTitle && sentence.paragraph === openUntil && text.length < headingMax && !/\d/.test(text)) {
      openUntil = sentence.paragraph + 1;
      continue;
    }
    const isMarked = sentence.isItem || enumerated.test(label) || /^(?:and |or )?\p{Ll}/u.test(text);
    // Numbered paragraphs below the next heading go on with another subject.
    const style = /^\(?(\d)?/.exec(text)![1] === undefined ? 'letter' : 'number';
    const isBelow =
      listed === undefined || (listed.title === sentence.title && !(listed.style === 'letter' && style === 'number'));
    const isListed = sentence.paragraph <= openUntil && isMarked && isBelow;
    const isOwn = (vetoLabel.test(label) || isUnder) && (sentence.isItem || sentence.isRow || isCell(sentence));
    if (isListed) listed = { title: sentence.title, style };
    else if (asks) listed = undefined;
    if (!asks && !isListed && !isOwn) continue;
    // A sentence that ends opens no list.
    if ((asks && !/[.]["”)]?$/.test(text)) || isListed) openUntil = sentence.paragraph + 1;
    else if (asks) openUntil = sentence.paragraph;
    takeActions(sentence, asks, found);
  }
  return [...found.values()];
}

const headingMax = 25;
/** "(ii)", "b)": the first cell of a row. */
const enumerated = /^\(?(?:[ivx]{1,5}|[a-z]|\d{1,2})[.)]\s?$/i;

/** The second cell of a row whose first is its label. */
function isCell({ label, title, text, opensParagraph }: Sentence): boolean {
  return opensParagraph && label !== title && !text.startsWith(label);
}

function isAsked(text: string): boolean {
  return consent.test(text) && needs.test(text) && holders.test(text);
}

const exception =
  /(?:,| )\s?(?:other than|except(?: for)?|excluding|save for|mit ausnahme|ausgenommen|sauf|à l[’']exception|salvo|excepto|met uitzondering|behalve)\b[^;]{0,300}/gi;

function takeActions({ text, start, end }: Sentence, asks: boolean, found: Map<string, Veto>): void {
  // The text between the subject and the list names who consents and not the acts.
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
