/** Sentences that state a problem as a fact, in English, German, French, Spanish and Dutch: the words that such sentences have. */
import type { Range } from '../text/span.ts';
import type { Flow, Sentence } from './flow.ts';

export interface FlagStatement extends Range {
  readonly id: string;
}

/** For each flag the words that state it. A sentence that denies or only supposes them states nothing. */
const statements: readonly (readonly [string, RegExp])[] = [
  [
    'going_concern',
    /\bmaterial uncertainty\b[^.]{0,90}\b(?:related to|going concern|cast|exists?)|\bsubstantial doubt\b[^.]{0,100}\bgoing concern|\bwesentliche unsicherheit\b|\bbestandsgefährd\S*|\bincertitude significative\b[^.]{0,90}(?:continuité|exploitation)|\bincertidumbre material\b|\bmateriële onzekerheid\b|\b(?:ist|wurde) (?:überschuldet|zahlungsunfähig)|\b(?:bilanzielle )?überschuldung (?:besteht|liegt vor)|\bgerede twijfel\b[^.]{0,80}\bcontinuïteit|\b(?:is|was|became|has become) (?:balance[- ]sheet )?insolvent\b/i,
  ],
  [
    'qualified_audit',
    /(?<!un-)\b(?:qualified|adverse|modified) (?:audit )?(?:opinion|report)\b|\bdisclaimer of opinion\b|\bdo not express an opinion\b|\bdisclaimed an opinion\b|\bexcept for the (?:possible )?effects?\b|\b(?:eingeschränkte[rnsm]?|versagte[rnm]?) (?:bestätigungsvermerk|prüfungsurteil)\S*|\bversagungsvermerk\b|\bmit ausnahme der (?:möglichen )?auswirkungen\b|\bbestätigungsvermerk (?:wurde )?(?:eingeschränkt|versagt)|\bopinion avec réserves?\b|\bsous réserve de l[’']incidence|\bcertif\S*[^.]{0,30}\bavec réserves?|\brefus de certifi|\bopinión con salvedades\b|\bexcepto por los (?:posibles )?efectos\b|\bopinión desfavorable\b|\bdenegación de opinión\b|\boordeel met beperking\b|\bafkeurend oordeel\b|\boordeelonthouding\b|\bverklaring met beperking\b/i,
  ],
  [
    'restatement',
    /\brestated?\b(?! (?:and|certificate|articles|note|agreement|to conform))(?=[^.]{0,120})|\brestatement of\b|\b(?:abschluss|jahresabschluss|vorjahreszahlen)\S*[^.]{0,60}\b(?:korrigiert|berichtigt|neu aufgestellt)|\bretrait(?:és|ement)\b[^.]{0,60}\berreur|\breformul(?:ó|ad[oa]s|ación)\b|\bcorrección de errores\b|\bfoutherstel\b|\b(?:herzien|aangepast)\b[^.]{0,40}\bfout\S*/i,
  ],
  [
    'internal_control',
    /\bmaterial weakness(?:es)?\b|\bsignificant deficienc(?:y|ies)\b|\bcontrols? (?:was|were|is|are) (?:not|in)\s?effective\b|\bineffective (?:internal )?controls?\b|\b(?:wesentliche|erhebliche) (?:schwäche|mängel|mangel)\S*[^.]{0,60}kontroll\S*|\bkontrollsystem\S*[^.]{0,60}\b(?:mängel|schwächen|unzureichend)|\bfaiblesses?\b[^.]{0,50}\bcontrôle interne|\b(?:deficiencias?|debilidad\S*)\b[^.]{0,60}\bcontrol interno|\b(?:tekortkoming\S*|zwakte\S*)\b[^.]{0,60}\binterne (?:controle|beheersing)/i,
  ],
  [
    'covenant_breach',
    /\bcovenants?\b[^.]{0,120}\b(?:breach\S*|not (?:been )?(?:met|complied|satisfied)|violat\S*|waive[dr]|fail\S*)|\b(?:breach\S*|violat\S*|fail\S* to (?:meet|comply)|did not (?:meet|comply|satisfy)|not in compliance|waiver)\b[^.]{0,120}\bcovenants?\b|\bevents? of default (?:has |have )?(?:occurred|is continuing)|\bcovenants?\b[^.]{0,100}\b(?:verletzt|nicht eingehalten|verfehlt|gebrochen)|\b(?:finanzkennzahl|kennzahl)\S*[^.]{0,100}\b(?:verletzt|nicht eingehalten|unterschritten|überschritten)|\b(?:covenants?|ratios?)\b[^.]{0,100}\b(?:non respect|pas (?:été )?respect|rompu|dépass)\S*|\bno (?:cumpl\S*|respet\S*|satisf\S*)\b[^.]{0,60}\b(?:ratios?|covenants?|obligaciones financieras)|\bincumpl\S*[^.]{0,80}\b(?:ratios?|covenants?)|\b(?:convenanten?|covenants?|ratio)\b[^.]{0,100}\b(?:geschonden|niet (?:voldaan|nageleefd|gehaald)|doorbroken)/i,
  ],
  [
    'tax_dispute',
    /\b(?:tax|vat|hmrc|irs|revenue|customs|social security|payroll|sales tax)\b[^.]{0,120}\b(?:assess(?:ed|ment (?:of|for|was|has|dated))|reassess\S*|arrears|unpaid|underpa\S+|additional tax|disput\S+|enquiry (?:is|was|has been) (?:open|opened)|audit (?:is )?(?:open|ongoing|in progress|pending)|penalt\S*|deficien\S*|not (?:been )?(?:paid|filed|withheld))|\bnotice of deficiency\b|\bmehrsteuern\b|\bsteuernachforderung\S*|\bsteuernachzahlung\S*|\bnachforderung\S*[^.]{0,50}\b(?:finanzamt|sozialversicherung|steuer)\S*|\b(?:redressement|rectification) (?:fiscal|urssaf)\S*|\bproposition de rectification\b|\bacta (?:de|en) disconformidad|\bacta de inspección|\bliquidación (?:tributaria|provisional)\b|\b(?:naheffing|navordering)\S*|\bacta\b[^.]{0,40}\bimpuesto/i,
  ],
  [
    'pending_litigation',
    /\b(?:sued|has sued|filed (?:a |an )?(?:suit|lawsuit|complaint|claim|action)|commenced (?:proceedings|arbitration|an action)|brought (?:a |an )?(?:claim|action|suit|proceedings)|issued proceedings|served (?:a )?(?:claim|proceedings|complaint))\b|\b(?:lawsuit|litigation|proceedings?|arbitration|claim|dispute|appeal)\b[^.]{0,60}\b(?:is|are|remains?) (?:currently )?(?:pending|ongoing|threatened)|\bletter before (?:claim|action)\b|\btrial (?:is )?(?:listed|scheduled|set)|\bdefence served\b|\bklage (?:der|des|von|auf|gegen|wegen|eingereicht|erhoben)\b|\brechtsstreit (?:mit|gegen|vor|ist anhängig)|\bschiedsverfahren (?:mit|gegen|ist)|\b(?:verklagt|klagt auf)\b|\bassign(?:é|ée|ation)\b[^.]{0,60}(?:tribunal|devant|en paiement)|\b(?:procédure|instance|litige)\b[^.]{0,50}\b(?:en cours|pendant\S*)|\breclama a la (?:sociedad|compañía)|\b(?:demanda|demandado|juicio|procedimiento|litigio)\b[^.]{0,60}\b(?:interpuest\S*|presentad\S*|señalado|en curso|pendiente|contra la)|\b(?:gedagvaard|dagvaarding|procedure aanhangig|vordert)\b/i,
  ],
  [
    'ip_infringement',
    /\b(?:sued|alleg\w+|claim\w*|assert\w*|accus\w+|letter|notice)\b[^.]{0,140}\binfring\w+|\binfring\w+\b[^.]{0,80}\b(?:alleged|claimed|asserted|suit|lawsuit)|\b(?:behauptet|abmahnung|abgemahnt|klage)\b[^.]{0,120}\b(?:patent|marken|schutzrechts|urheberrechts)\S*|\bcontrefaçon\b|\b(?:infracción|vulneración)\b[^.]{0,50}\b(?:patente|marca|derechos)|\binbreuk\b[^.]{0,60}\b(?:octrooi|merk|patent|auteursrecht)/i,
  ],
  [
    'ip_not_owned',
    /\b(?:have|has|had|were|was|are|is) (?:not|never) (?:been )?(?:yet )?(?:signed|executed|assigned|transferred|recorded)\b[^.]{0,120}\b(?:assignments?|inventions?|copyright|patents?|intellectual|code|IP|rights|company)|\b(?:patents?|software|source code|copyright|inventions?|intellectual property|trade ?marks?|domains?|code|IP)\b[^.]{0,140}\b(?:(?:have|has|was|were|is|are) (?:not|never) (?:been )?(?:yet )?(?:assigned|transferred|owned by the company)|remains? (?:registered|owned|vested)|(?:still )?(?:registered|held) in the (?:personal )?name of|(?:owned|held) (?:personally|by (?:the |a |its )?(?:founder|inventor|university|contractor)\S*))|\b(?:no|without|missing|unsigned)\b[^.]{0,30}\b(?:invention|ip|copyright|intellectual property|patent) assignments?\b|\b(?:invention|ip|copyright|intellectual property) assignments?\b[^.]{0,60}\b(?:unsigned|missing|not signed|outstanding|not located)|\bassignments?\b[^.]{0,80}\b\d+ of \d+ unsigned|\bnoch auf (?:den|die) (?:erfinder|gründer)\S*|\b(?:patent|marke|schutzrecht|software|quellcode|erfindung)\S*[^.]{0,140}\bnicht (?:auf die gesellschaft )?übertragen|\b(?:n[’']ont|n[’']a) (?:pas|jamais) (?:été )?(?:cédé|signé|transféré)\S*[^.]{0,80}|\bno (?:ha|han) (?:sido )?(?:cedid|firmad|transmitid)\S*[^.]{0,100}\b(?:derechos|propiedad|patente|software|cesión)|\b(?:patente|marca|software)\b[^.]{0,100}\ba nombre de(?:l)? (?:fundador|inventor|socio)|\bniet (?:overgedragen|ondertekend)\b[^.]{0,100}\b(?:rechten|octrooi|software|auteurs|vennootschap)|\b(?:octrooi|merk|software|auteursrecht)\S*[^.]{0,120}\bniet (?:aan de vennootschap )?(?:is |zijn )?overgedragen/i,
  ],
  [
    'customer_concentration',
    /\b(?:customers?|clients?|client|kunden?|cliente|klant)\b[^.]{0,120}\b(?:1[5-9]|[2-9]\d)(?:[.,]\d+)?\s?%[^.]{0,60}\b(?:revenue|sales|turnover|umsatz\S*|umsätze|chiffre d[’']affaires|ventas|cifra de negocios|omzet)|\b(?:1[5-9]|[2-9]\d)(?:[.,]\d+)?\s?%\s(?:of|der|des|du|de|van)\s(?:\S+\s){0,4}?(?:revenues?|sales|turnover|umsatz\S*|umsätze|chiffre d[’']affaires|ventas|cifra de negocios|omzet)|\b(?:1[5-9]|[2-9]\d)(?:[.,]\d+)?\s?% (?:revenue|sales)\b/i,
  ],
  [
    'related_parties',
    /\b(?:owned|controlled) by (?:\S+ ){0,4}(?:director|founder|shareholder|CEO|officer|family|wife|husband|brother|sister|spouse)\b|\bwholly owned by \p{Lu}|\b(?:loans?|advance[sd]?|lent|rents?|leases?|lease[sd]|paid|consult\S*)\b[^.]{0,100}\b(?:to|from|by) (?:its |the |a )?(?:founder|director|shareholder|CEO|managing director|officer)s?\b|\brelated[- ]party (?:loan|lease|transaction|balance|receivable|payable)s?\b[^.]{0,80}\b(?:of|with|to|amount\S*)\b|\bgesellschafterdarlehen (?:in höhe|von|an)\b|\bdarlehen an (?:den|die) (?:geschäftsführer|gesellschafter)\S*|\b(?:compte courant|prêt)\b[^.]{0,60}\b(?:associé|dirigeant|président)\b|\bpréstamo\b[^.]{0,50}\b(?:socio|administrador)|\blening aan (?:de )?(?:bestuurder|aandeelhouder|dga)\b/iu,
  ],
  [
    'regulatory_investigation',
    /\b(?:investigation|inquiry|probe|subpoena|civil investigative demand|wells notice|dawn raid|search warrant)\b[^.]{0,100}\b(?:opened|commenced|initiated|received|launched|by the|ongoing|pending|carried out)|\b(?:is|are|was|were) (?:being |currently )?(?:investigated|investigating|under investigation)\b|\b(?:received|served with|issued)\b[^.]{0,40}\b(?:subpoena|civil investigative demand|wells notice|statement of objections|warning letter)|\bermittlungsverfahren\b|\b(?:untersuchung|prüfung)\b[^.]{0,40}\b(?:kartellamt|bafin|staatsanwaltschaft|behörde)\S*|\benquête\b[^.]{0,60}\b(?:autorité|parquet|ouverte|dgccrf|amf)|\b(?:investigación|expediente sancionador|diligencias)\b|\b(?:onderzoek|boete)\b[^.]{0,60}\b(?:acm|afm|autoriteit|inspectie|fiod)\b/i,
  ],
  [
    'data_breach',
    /\b(?:suffered|experienced|discovered|detected|reported|notified|subject of|occurred)\b[^.]{0,80}\b(?:data breach|security (?:breach|incident)|personal data breach|ransomware|cyber[- ]?attack)|\b(?:data breach|security (?:breach|incident)|ransomware|cyber[- ]?attack)\b[^.]{0,80}\b(?:occurred|affect\S*|expos\S*|was (?:notified|reported|discovered)|in (?:19|20)\d\d)|\b(?:datenpanne|datenschutzverletzung|cyberangriff)\b|\b(?:violation|fuite) de données\b|\b(?:brecha|violación) de (?:seguridad|datos)\b|\bdatalek\b/i,
  ],
  [
    'contamination',
    /\b(?:soil|groundwater|site|land)\b[^.]{0,80}\bcontaminat\S*|\bcontaminat\S*\b[^.]{0,80}\b(?:found|detected|identified|exceed\S*|soil|groundwater)|\b(?:altlasten|bodenverunreinigung\S*|grundwasserverunreinig\S*|schadstoff\S*)\b|\bpollution (?:des sols|du sol)\b|\bsols? pollués?\b|\b(?:suelos? contaminad|contaminación del suelo)\S*|\b(?:bodemverontreiniging|verontreinigd\S*)\b/i,
  ],
  [
    'employment_claims',
    /\b(?:unpaid|overdue|unsettled)\b[^.]{0,30}\b(?:wages|salar\S+|overtime|bonus\S*|holiday pay)|\b(?:employment tribunal|unfair dismissal|wrongful (?:dismissal|termination)|misclassif\S+|discrimination)\b[^.]{0,100}\b(?:claim\S*|filed|pending|brought|lodged|contractors?|employees)|\bkündigungsschutzklage\S*|\bscheinselbst\S*|\bprud[’']homm\S*|\btravail dissimulé\b|\b(?:despido improcedente|falsos autónomos)\b|\bschijnzelfstandig\S*/i,
  ],
  [
    'missing_licence',
    /\b(?:permits?|licen[cs]es?|authori[sz]ations?|certificates?|concessions?)\b[^.]{0,100}\b(?:expired|lapsed|revoked|withdrawn|suspended|not (?:been )?renewed|renewal filed late|valid until)\b(?![^.]{0,12}20(?:2[6-9]|3\d))[^.]{0,60}\b(?:expired|lapsed|renewal|late|not renewed|revoked|withdrawn|suspended|on \d|in (?:19|20)\d\d)|\b(?:permits?|licen[cs]es?|authori[sz]ations?)\b[^.]{0,60}\b(?:has |have )?(?:expired|lapsed|been revoked|been withdrawn)\b|\boperat\S*\b[^.]{0,50}\bwithout\b[^.]{0,30}\b(?:permit|licen[cs]e|authori[sz]ation)|\b(?:genehmigung|erlaubnis|zulassung|konzession)\S*[^.]{0,80}\b(?:abgelaufen|erloschen|widerrufen|fehlt)|\b(?:autorisation|permis|licence|agrément)\b[^.]{0,80}\b(?:expiré|caduc|retiré|échu)\S*|\b(?:licencia|autorización|permiso)\b[^.]{0,80}\b(?:caducad|vencid|revocad|expir)\S*|\bvergunning\S*[^.]{0,80}\b(?:verlopen|ingetrokken|ontbreekt)/i,
  ],
  [
    'unaudited',
    /\bauditors? ha(?:s|ve) not signed\b|\b(?:accounts|financial statements|figures|balance sheet)\b[^.]{0,60}\b(?:are |is |were |have )?(?:unaudited|not (?:been |yet )?(?:been )?audited)|\bunaudited (?:accounts|financial statements|figures|management accounts)\b|\b(?:ungeprüft|nicht geprüft)\S*\b[^.]{0,40}|\bnon audités?\b|\bno auditad[oa]s?\b|\bniet gecontroleerde\b/i,
  ],
  [
    'key_people',
    /\b(?:CEO|CTO|CFO|COO|founder|chief \w+ officer|managing director|geschäftsführer\S*|directeur général|consejero delegado|bestuurder)\b[^.]{0,80}\b(?:resigned|has given notice|gave notice|left the company|intends to leave|gekündigt|niedergelegt|démissionn\S*|dimit\S*|dimisión|ontslag genomen|opgezegd)/i,
  ],
  [
    'missing_minutes',
    /\b(?:minutes|signed cop(?:y|ies)|share certificates?|register of members|shareholders? register|stock ledger|board resolutions?)\b[^.]{0,80}\b(?:not (?:been )?(?:located|found|kept|up to date|signed|available)|missing|lost|cannot be (?:located|found)|incomplete)|\b(?:protokolle|gesellschafterliste|urkunden?)\b[^.]{0,80}\b(?:fehl\S*|nicht (?:auffindbar|vorhanden|aktuell))|\b(?:procès-verbaux|registres?)\b[^.]{0,80}\b(?:manqu\S*|introuvables?|pas (?:à jour|tenus?))|\b(?:actas|libro registro)\b[^.]{0,80}\b(?:no (?:constan|localizad\S*|actualizad\S*)|falta\S*)|\b(?:notulen|aandeelhoudersregister)\b[^.]{0,80}\b(?:ontbre\S*|niet (?:bijgewerkt|ondertekend|aangetroffen))/i,
  ],
  [
    'copyleft',
    /\b(?:AGPL|GPL(?:v[23])?|copyleft)\b[^.]{0,120}\b(?:linked|distributed|incorporat\S*|contain\S*|shipped|embedded|used in|product|code)|\b(?:linked|distributed|incorporat\S*|contain\S*|embeds?|uses?)\b[^.]{0,100}\b(?:AGPL|GPL(?:v[23])?|copyleft)\b/i,
  ],
  [
    'encumbered_shares',
    /\bshares\b[^.]{0,60}\b(?:are|were|have been) (?:pledged|charged|encumbered)|\b(?:anteile|aktien|geschäftsanteile)\b[^.]{0,60}\bverpfändet|\b(?:actions|titres|parts)\b[^.]{0,40}\bnanti\S*|\b(?:acciones|participaciones)\b[^.]{0,60}\bpignorad\S*|\baandelen\b[^.]{0,60}\bverpand/i,
  ],
  [
    'pension_deficit',
    /\b(?:pension|retirement)\b[^.]{0,80}\b(?:deficit|shortfall|underfunded|unfunded)|\b(?:deficit|shortfall)\b[^.]{0,60}\bpension|\bpensionsrückstellung\S*[^.]{0,60}\b(?:unterdeckung|unterbewertet|nicht gebildet)|\bdekkingstekort\b/i,
  ],
];

const denial =
  /\b(?:no|not|nor|neither|none|never|without|kein\S{0,3}|nicht|weder|noch|ohne|nie|pas|aucune?|ni|sans|jamais|ningun[oa]?|ningún|sin|tampoco|geen|niet|noch|zonder|nooit|nil|absence of|free (?:of|from)|unqualified|unmodified|uneingeschränkt\S*)(?!\p{L})/iu;
const ownDenial = /\bnot\b|\bno\b|\bnever\b|\bwithout\b|\bunsigned\b|\bnicht\b|\bn[’']|\bniet\b|\bmissing\b/i;
const harmless =
  /\b(?:not only|no later|not less|no less|not more|not yet|no longer|nicht nur|noch nicht|no waiver|non seulement|niet alleen|without merit|noch auf|without (?:the|a) (?:required |necessary )?(?:permit|licen[cs]e))\b/gi;
const exception =
  /\b(?:except(?: that| for| as)?|other than|save (?:for|that|as)|but|however|with the exception of|ausgenommen|mit ausnahme|jedoch|aber|außer|sauf|à l[’']exception|toutefois|mais|salvo|excepto|pero|con la excepción|sin embargo|behalve|met uitzondering|echter|maar)\b(?! for the (?:possible )?effect)(?! por los)/gi;
const supposed =
  /\b(?:may|might|could|would|should|if|unless|whether|in the event|from time to time|risk (?:of|that)|any (?:such|breach|material)|könnte\S*|falls|sofern|wenn|ob|würde\S*|pourrait|pourraient|si|risque de|podría\S*|en caso de|kan|kunnen|zou\S*|indien|als|mocht)(?!\p{L})/iu;
const definition =
  /^["“„«]|\bmeans\b|\bbezeichnet\b|\bshall mean\b|\bdéfini\S* comme\b|\bthe auditor['’]s responsib|\bresponsible for\b|\bevaluat\S* whether\b|\bresponsabilidad|\bverantwort\S*|\bresponsab\S* d|\bverantwoordelijk|\bif we conclude\b|\bsi concluimos\b|\bwarrants? that\b|\brepresents? (?:and warrants? )?that\b/iu;

export interface Readings {
  readonly stated: readonly FlagStatement[];
  readonly denied: readonly FlagStatement[];
}

export function findFlagStatements(flow: Flow): Readings {
  const stated: FlagStatement[] = [];
  const denied: FlagStatement[] = [];
  for (const sentence of flow.sentences) {
    if (sentence.isTitle && !sentence.isRow) continue;
    for (const [id, words] of statements) {
      const match = words.exec(sentence.text);
      if (match === null) continue;
      const sense = senseOf(sentence, match.index, match[0]);
      const { start, end } = sentence;
      if (sense === 'stated') stated.push({ id, start, end });
      else if (sense === 'denied') denied.push({ id, start, end });
    }
  }
  return { stated, denied };
}

/** Whether the words before a match, and those of the match, deny it or only suppose it. */
export function senseOf(
  { text }: Pick<Sentence, 'text'>,
  at: number,
  matched: string,
): 'stated' | 'denied' | 'supposed' {
  if (definition.test(text)) return 'supposed';
  const clause = (
    text
      .slice(Math.max(0, at - 240), at)
      .split(/[;:]/)
      .at(-1) ?? ''
  ).replace(harmless, ' ');
  const turned = [...clause.matchAll(exception)].at(-1);
  const before = turned === undefined ? clause : clause.slice(turned.index + turned[0].length);
  if (supposed.test(before)) return 'supposed';
  if (/\b(?:may|might|could|would|könnte|pourrait|podría|zou)\b(?! generar| cast| have)/i.test(matched))
    return 'supposed';
  if (denial.test(before)) return 'denied';
  return !ownDenial.test(matched.replace(harmless, ' ')) && denial.test(matched.replace(harmless, ' '))
    ? 'denied'
    : 'stated';
}
