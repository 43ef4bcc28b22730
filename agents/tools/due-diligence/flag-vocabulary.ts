/**
 * The words for each red flag, in English, German, French, Spanish and Dutch, as data. A flag is stated by one of its own
 * phrases, or by a topic and a state in one clause. Phrases are in the syntax of `compilePhrases`.
 */
import { type FlagWords, furtherFlagWords } from './flag-vocabulary-further.ts';

const missed = `
  breach*; violat*; fail* to meet|comply|satisfy|maintain|pay; not|never ~2 met|complied|satisfied|maintained|observed; not|non ~2 compliance|compliant|comply|meet|satisfy;
  in default; default occurred; waive*; waiver*; reservation of rights; missed; verletz*; verstoß*; verstieß; nicht ~3 eingehalten|erfüllt|erreicht; verfehlt; gebrochen|bruch; unterschritten; überschritten; gerissen; verzicht*;
  non respect*; pas ~2 respecté*|tenu*; manquement*; rompu*; dépass*; bris; viol; incumpl*; no ~3 cumpl*|respet*|alcanz*; vulner*; dispensa; geschonden; schending; niet ~3 nageleefd|voldaan|gehaald; doorbroken; overschreden; onderschreden`;
const lacking = `
  missing; lost; mislaid; not ~3 written up; not ~3 updated; dispose pas; not|never ~3 located|found|available|kept|signed|filed|recorded|held|taken|registered|documented|prepared|maintained|produced; cannot be ~1 located|found|traced|produced; could not be ~1 located|found|traced|produced; untraceable; incomplete; unsigned; not up to date; out of date; no ~2 minutes|records;
  fehl*; nicht ~4 auffindbar|vorhanden|aktuell|geführt|unterzeichnet|eingereicht|protokolliert|vorgelegt; verloren; unvollständig*; lückenhaft*; manqu*; introuvable*; pas ~2 jour|tenu*|signé*|établi*|retrouvé*; non signé*; faltan; falta; no ~2 constan|localiza*|actualizad*|firmad*|inscrit*|consta|ha|han; extravi*; ontbre*; niet ~3 bijgewerkt|ondertekend|aangetroffen|gevonden|opgemaakt; zoekgeraakt; onvolledig`;
const lapsed = `
  expired; lapsed; revoked; withdrawn; suspended; not ~2 renewed|obtained|granted|issued|held|transferred; has|have no; missing; without; renewal ~2 late; overdue; no longer valid; out of date; abgelaufen*; erloschen; widerrufen; fehl*; entzogen; ausgelaufen; nicht ~2 verlängert|erteilt|vorhanden; liegt nicht; ohne;
  expiré*; caduc*; retiré*; échu*; suspendu*; non renouvelé*; pas ~2 renouvelé*|obtenu*; sans; vencid*; revocad*; suspendid*; no ~2 renovad*|obtenid*; sin; verlopen; ingetrokken; ontbre*; geschorst; niet ~2 verlengd|verleend; zonder`;
const problem = `
  claim*; claims; alleg*; assert*; accus*; sued; suit; lawsuit; letter; notice; warning; demand*; complaint*; cease and desist; action; proceeding*; dispute*; behaupt*; abmahn*; abgemahnt; klage*; verklagt; wirft; vorwurf; geltend; allègue; assign*; mise en demeure; réclam*; action; reclam*; demand*; requerimiento; alega; burofax; sommatie; sommeert; gesommeerd; stelt; beweert; vorder*; dagvaard*; aanspraak`;
const revenues = `revenue*; sales; turnover; arr; mrr; billings; umsatz*; umsätze*; erlöse*; chiffre d'affaires; chiffre affaires; ca; ventas; facturación; cifra de negocio|negocios; ingresos; omzet`;

export const revenueWords = revenues;
/** Who buys, named by what it is: "the hotel group Carlines". Not the company's own group. */
export const buyerShape =
  /(?<!\p{L})(?:group|groupe|gruppe|grupo|groep|konzern|retailer|chain|kette|enseigne|cadena|keten|ministry|ministère|ministerium|ministerio|offtaker|distributor|insurer|utility|retail chain|supermarket|city of|stadt|ville de|gemeente|ayuntamiento de)\s(?:\p{Ll}{3,14}\s)?\p{Lu}[\p{L}&'’-]{2,}/u;

export const customerWords = `customer*; client*; account*; kunde*; kunden*; auftraggeber*; abnehmer*; donneur* ordre; cliente*; klant*; klanten; afnemer*; opdrachtgever*; buyer*; distributor*`;

const usualFlagWords: readonly FlagWords[] = [
  {
    id: 'going_concern',
    alone: `has|have|is|exists substantial doubt; substantial doubt ~12 going concern; significant doubt ~12 going concern; material uncertainty ~12 going concern|cast|exists; doubt* ~10 continue as; going concern ~4 qualification|doubt|uncertain*|basis|emphasis; emphasis of matter ~5 going concern;
      is|was|became|become|are ~2 insolvent; over indebted; balance sheet insolven*; unable to pay; negative equity; net liabilities; wesentliche unsicherheit; bestandsgefähr*; fortbestand* ~4 gefährd*|zweifel*|unsicher*; fortführung* ~6 zweifel*|gefährd*|unsicher*; überschuld*; zahlungsunfähig*; negatives eigenkapital; nicht durch eigenkapital;
      incertitude significative; incertitude* ~8 continuité; continuité ~6 compromise|incertain*|menacée; capitaux propres négatifs|inférieurs; cessation des|de paiements; incertidumbre material; incertidumbre* ~8 funcionamiento; dudas ~10 funcionamiento; fondos propios|patrimonio negativos|negativo; patrimonio neto negativo; causa de disolución; insolvente;
      materiële onzekerheid; onzekerheid ~8 continuïteit; twijfel ~8 continuïteit; negatief eigen vermogen; insolvent`,
  },
  {
    id: 'qualified_audit',
    alone: `qualified ~1 opinion|report|conclusion; opinion|report ~2 qualified; adverse ~1 opinion|conclusion; modified opinion; disclaimer of opinion; disclaim* ~2 opinion; do not express an opinion; does not express an opinion; except for the ~1 effect|effects|matter*; basis for qualified|adverse|disclaimer; qualified ~2 audit; unable to obtain ~2 audit evidence;
      eingeschränkt* ~1 bestätigungsvermerk*|prüfungsurteil*|testat*; bestätigungsvermerk* ~3 eingeschränkt|versagt; bestätigungsvermerk* ~2 mit|unter einschränkung*; eingeschränktes prüfungsurteil; versagungsvermerk*; mit ausnahme der ~1 auswirkungen; versagt* prüfungsurteil; nichterteilungsvermerk;
      opinion avec réserve*; avec réserve*; sous réserve de ~1 incidence; certifi* ~2 avec|sous réserve*; refus de certifi*; impossibilité de certifi*; opinion défavorable; opinión con salvedades; excepto por los ~1 efectos; opinión desfavorable|adversa; denegación de opinión; salvedad*; oordeel met beperking; afkeurend* oordeel; oordeelonthouding; verklaring met beperking; beperking in ~3 oordeel|verklaring`,
  },
  {
    id: 'restatement',
    alone: `restatement of ~4 accounts|statements|figures|results; been restated; was|were restated; restated ~2 for|to|due|because|after|following; prior period error*; prior period adjustment*; correction of ~2 error*; previously issued ~3 relied; fehlerkorrektur*; vorjahreszahlen ~4 korrigiert|angepasst|berichtigt; bilanzkorrektur*; bilanzberichtigung*; correction ~1 erreur*; reformul* ~6 error*; reexpresad*; reexpresión; corrección de errores; foutherstel; fundamentele fout`,
    topic: `accounts; financial statements; jahresabschluss*; abschluss*; konzernabschluss*; vorjahr*; comptes; exercice; cuentas; jaarrekening*; cijfers; vergelijkende; comparatives; comparative figures; opening balance*; prior year; prior period; vergleichszahlen; comparatifs`,
    state: `restated; retrait*; retraité*; neu aufgestellt; korrigiert; berichtigt; reformulad*; reformularon; herzien; corregid*; gecorrigeerd`,
  },
  {
    id: 'internal_control',
    alone: `material weakness*; significant deficienc*; control deficienc*; ineffective ~2 controls; controls ~2 not|in effective; controls ~2 ineffective; no segregation of duties; lack of ~1 segregation|controls; funktionstrennung ~3 nicht|fehl*; absence de séparation des tâches`,
    topic: `internal control*; kontrollsystem*; kontrollen; internes|interne|internen kontroll*; contrôle interne; control interno; controles internos; interne controle|beheersing*`,
    state: `mängel|mangel|schwäche|schwächen|unzureichend*; faiblesse*; insuffisan*; défaillan*; deficienc*; debilidad*; carencia*; tekortkoming*; zwakte*; gebreken; gebrekkig*; weakness*; inadequate; deficient`,
  },
  {
    id: 'covenant_breach',
    alone: `event of default has|have|occurred; event of default ~2 continuing; cross default ~2 triggered; covenant breach*; covenantbruch; covenant verletz*; bris de covenant*`,
    topic: `covenant*; financial ratio*; ratio*; leverage ~2 ratio; interest cover; dscr; borrowing base; finanzkennzahl*; kennzahl*; kreditauflage*; verschuldungsgrad*; eigenkapitalquote; kreditbedingung*; engagement* financier*; convenant*; compromisos financieros; obligaciones financieras; convenanten; kredietvoorwaarden; solvabiliteitsratio`,
    state: missed,
  },
  {
    id: 'tax_dispute',
    alone: `notice of deficiency; tax deficienc*; additional tax*; tax arrears; unpaid ~2 tax*|vat; back taxes; mehrsteuern; steuernachforderung*; steuernachzahlung*; steuerrückstand|steuerrückstände; nachforderungsbescheid*; haftungsbescheid*; redressement* ~1 fiscal*|urssaf; rectification fiscale; proposition de rectification; rappel* ~2 tva|impôt*|cotisations; acta* ~2 disconformidad|inspección; liquidación ~1 tributaria|provisional|complementaria; naheffing*; navordering*; belastingschuld*; recargo* ~3 tributari*|seguridad`,
    topic: `tax; taxes; taxation; vat; gst; hmrc; irs; paye; customs duties|duty; payroll; sales tax; withholding; social security|insurance; national insurance; finanzamt*; betriebsprüf*; umsatzsteuer*; körperschaftsteuer*; gewerbesteuer*; lohnsteuer*; sozialversicherung*; rentenversicherung; hauptzollamt; steuer*; administration fiscale; tva; impôt*; urssaf; cotisations; agencia tributaria; hacienda; impuesto*; iva; seguridad social; belastingdienst; btw; vennootschapsbelasting; loonheffing*; belasting*`,
    state: `assess* ~1 of|for|dated|issued|raised|in|at|notice; notice of assessment|reassessment; assessed; reassess*; arrears; unpaid; underpa*; disput*; enquiry ~2 open*|ongoing; enquiry into; open* ~2 enquiry; audit ~3 open|ongoing|progress|pending|opened|underway; under audit; penalt*; deficien*; not ~3 paid|filed|withheld|registered|declared|remitted; challeng*; exposure; shortfall; outstanding; nachforder*; nachzahl*; festgesetzt; bescheid*; offen; laufend* ~1 prüfung; nicht ~4 abgeführt|gezahlt|gebildet|angemeldet|erklärt; strittig; einspruch; rectifi*; redress*; contest*; rappel*; impayé*; majoration*; pénalité*; réclam* ~4 euros|eur|€; inspección ~3 abierta|curso; recurrid*; sanci*; no ~2 ingresad*|declarad*|pagad*; deuda*; aanslag ~3 opgelegd|ontvangen; opgelegd; boete*; onderzoek ~2 loopt|gestart; niet ~3 afgedragen|betaald; mise en demeure; contrainte; requerimiento; apremio; dwangbevel; vollstreck*; notice ~2 demand|intent; lien; iniciado ~3 inspección|comprobación; inspección ~3 iva|impuesto*|del|de; actuaciones inspectoras; vérification ~3 comptabilité; contrôle ~2 cours|ouvert; boekenonderzoek`,
  },
  {
    id: 'pending_litigation',
    alone: `sued; has|have sued; lawsuit* ~4 filed|brought|commenced; claim ~2 filed|brought|issued against; filed ~1 suit|lawsuit|complaint|claim|action; commenced ~1 proceedings|arbitration|action|litigation; brought ~2 claim|action|suit|proceedings; issued ~1 proceedings; initiated ~2 proceedings|arbitration|litigation; letter before claim|action; trial ~2 listed|scheduled|set|fixed; hearing ~2 listed|scheduled|set|fixed; defence served; defence ~2 filed; statement of claim; request for arbitration; demand for arbitration; lawsuit against; claim against the company; seeks damages; seeking damages;
      klage erhoben|eingereicht|auf|gegen|der|des|von|wegen; verklagt; klagt; hat ~6 klage; schiedsklage*; rechtsstreit mit|gegen|vor; rechtshängig; mahnbescheid*; einstweilige verfügung; assigné*; assignation; en justice; saisi le tribunal; mise en demeure; action en|judiciaire; procédure ~3 cours|pendante|arbitrale|engagée; litige ~2 oppos*|cours|pendant; litige avec; réclame ~8 euros|eur|€;
      reclama ~10 euros|eur|€; demanda ~3 interpuesta|presentada|contra|judicial; interpuesto ~2 demanda; interpuso ~2 demanda; demandó; procedimiento ~3 curso|pendiente|arbitral; litigio ~2 curso|pendiente; juicio ~2 señalado|pendiente; gedagvaard; dagvaarding ~2 ontvangen|uitgebracht; procedure aanhangig; vordert; kort geding; bodemprocedure; arbitrageprocedure`,
    topic: `lawsuit*; litigation; proceeding*; arbitration; claim; claims; dispute*; appeal; action; suit; rechtsstreit*; klage*; verfahren; schiedsverfahren; procès; litige*; instance; procédure*; litigio*; procedimiento*; demanda*; arbitraje; procedure*; geschil*; rechtszaak; arbitrage`,
    state: `pending; ongoing; threatened; unresolved; not ~1 settled|resolved; anhängig*; laufend*; angedroht; läuft; offen; en cours; pendant*; en instance; en curso; pendiente*; pendente; aanhangig; lopend*; loopt; dreig*; before the ~3 court|tribunal`,
  },
  {
    id: 'ip_infringement',
    topic: `infring*; misappropriat*; patentverletz*; markenverletz*; schutzrechtsverletz*; urheberrechtsverletz*; verletz* ~5 patent*|marke*|schutzrecht*|urheberrecht*; patent*|marke*|schutzrecht*|urheberrecht* ~6 verletz*; contrefaçon*; contrefa*; infracción ~4 patente*|marca*|derechos; vulnera* ~4 patente*|marca*|derechos; inbreuk*; octrooi-inbreuk`,
    state: problem,
  },
  {
    id: 'ip_not_owned',
    alone: `not ~2 seen ~2 assignment; no assignment ~3 signed|exists|found; no ~3 ip|invention|copyright|written assignment*; übertragung* ~3 nicht|fehl*; unsigned ~2 assignment*; missing ~2 assignment*; assignment* ~4 unsigned|missing|outstanding; assignment* ~6 not ~2 signed|executed|located|recorded|obtained; chain of title ~4 gap*|incomplete|broken; gap* ~2 chain of title; inventor* ~6 not ~2 assigned; registered in ~3 name of ~3 founder*|director|shareholder|inventor*|ceo; noch auf ~2 erfinder*|gründer*; eingetragen auf ~3 gründer*|geschäftsführer*|erfinder*; im namen ~3 gründer*|geschäftsführer*; au nom ~3 fondateur*|dirigeant*|inventeur*|président*; nombre de|del ~2 fundador*|inventor*|socio*|administrador*; op naam van ~3 oprichter*|bestuurder*|uitvinder*`,
    topic: `patent*; software; source code; code; copyright*; invention*; intellectual property; ip; trademark*; trade mark*; domain*; firmware; technology; know how; algorithm*; quellcode; marke*; schutzrecht*; erfindung*; urheberrecht*; nutzungsrechte*; brevet*; logiciel*; marque*; code source; droits ~2 auteur|propriété; propriété intellectuelle; patente*; marca*; propiedad intelectual|industrial; código fuente; derechos de ~1 autor|explotación; octrooi*; merk; merken; broncode; auteursrecht*; intellectuele eigendom*; uitvinding*; library|libraries; codebase; platform; prototype*; formulation*; product design*; work product; bibliothek; plateforme; bibliothèque; plataforma; biblioteca; bibliotheek`,
    state: `still ~3 in ~1 name; noch ~4 namen; encore|toujours ~3 au nom; aún ~4 nombre de; nog ~3 op naam; unsigned; not|never ~3 assigned|transferred|owned|vested|conveyed; not|never ~2 signed ~5 assignment*|deed*; remain* ~2 registered|owned|vested|with; owned ~2 by ~3 founder*|university|director|contractor*|inventor*|parent|ceo|cto|shareholder*; held ~2 by ~3 founder*|university|director|contractor*|inventor*; owned|held personally; personally own*; belong* to ~3 founder*|university|director|contractor*|developer*|inventor*; without ~3 assignment*; no ~3 assignment*; liegt nicht; nicht vor; retain* ~3 ownership|rights|title; co own*; jointly owned; nicht ~8 übertragen|abgetreten|inanspruch*; kein* ~4 übertrag*|abtretung*|rechteübertrag*; gehör* ~4 gründer*|universität|geschäftsführer*|entwickler*|freelancer*; liegen beim|bei ~2 gründer*|entwickler*; privat gehalten; pas|jamais ~3 cédé*|transféré*|transmis*; pas signé; aucune ~1 cession; absence de cession; sans cession; appartien* ~4 fondateur*|dirigeant*|prestataire*|université; détenu* ~3 fondateur*|dirigeant*|université; no ~3 cedid*|transmitid*|transferid*; no ~3 firmad*; sin ~2 cesión; sin ceder; pertenec* ~4 fundador*|universidad|desarrollador*; titularidad ~3 fundador*|universidad|socio*; niet ~6 overgedragen; niet ~4 getekend|ondertekend; geen ~3 overdracht*; eigendom van ~3 oprichter*|universiteit|ontwikkelaar*|bestuurder*; berust* bij ~3 oprichter*|freelancer*; still ~2 hold*|own*|owned|held|registered; continues to ~1 hold|own; noch immer; weiterhin ~3 inhaber*|eingetragen|gehör*; toujours ~3 détenu*|titulaire*|propriétaire*; sigue siendo ~2 titular|propietari*; nog ~3 eigendom|houder|eigenaar; claim* ~4 ownership|inventorship|title; co ownership; beansprucht ~4 miteigentum|inhaberschaft; revendique* ~4 propriété|titularité; reclama ~4 titularidad|propiedad; claimt ~4 eigendom`,
  },
  {
    id: 'related_parties',
    alone: `owned by ~3 chief executive|ceo|selling director*|director*|founder*; which ~3 directors|founders|shareholders own; wholly owned by ~2 director|founder*|shareholder*|ceo|mr|ms|mrs|dr; loan* ~2 to ~4 director*|founder*|shareholder*|ceo|officer*; director* loan*; shareholder loan*; founder loan*; not ~2 arm* length; gesellschafterdarlehen; darlehen an ~4 geschäftsführer*|gesellschafter*|gründer*; geschäftsführerdarlehen; nicht fremdüblich*; compte courant ~2 associé*|débiteur|dirigeant*; prêt* ~4 associé*|dirigeant*|président|gérant; avance* ~3 associé*|dirigeant*|gérant; préstamo* ~4 socio*|administrador*|accionista*; lening aan ~4 bestuurder*|aandeelhouder*|dga; rekening courant ~4 dga|bestuurder*|aandeelhouder*`,
    topic: `related parties; director*; founder*; ceo; managing director; majority shareholder*; controlling shareholder*; chairman; family; spouse; wife; husband; brother; sister; son; daughter; related part*; affiliate*; geschäftsführer*; gründer*; gesellschafter*; ehefrau*; ehemann*; nahestehend*; familie; dirigeant*; fondateur*; président*; gérant*; épouse; conjoint; parties liées; administrador*; fundador*; socio*; esposa; familiar*; partes vinculadas; bestuurder*; oprichter*; dga; echtgeno*; aandeelhouder*; verbonden`,
    state: `lent; lends; wholly owned by; rents ~8 from; leases ~8 from; lease* ~4 owned by; rented from; leased from; owned by; controlled by; above market; below market; market rent; interest free; unsecured loan; consultancy ~3 paid|fee*; loan* ~3 amount*|outstanding|of; mietet ~10 von; vermietet; über marktüblich*; marktüblich* ~2 miete; nicht marktüblich*; zinslos*; gehört; loue ~8 de|à|par; appartenant; détenue par; supérieur au marché; sans intérêt*; contrôlée par; alquila*; arrienda*; propiedad de; por encima ~2 mercado; sin interés; huurt ~8 van; eigendom van; boven marktconform; niet marktconform; niet zakelijk*; renteloos|renteloze`,
  },
  {
    id: 'criminal_investigation',
    alone: `criminal ~2 investigation*|proceeding*|charge*|complaint*; dawn raid*; search warrant*; bribery ~4 investigation*|allegation*; corruption ~4 investigation*|allegation*; fraud ~4 investigation*|allegation*; indict*; ermittlungsverfahren; staatsanwaltschaft ~6 ermittelt|ermittlung*|durchsuch*; durchsuchung*; strafverfahren; strafanzeige; enquête préliminaire|pénale|judiciaire; information judiciaire; perquisition*; mis en examen; plainte pénale; diligencias ~2 previas|penales|preliminares; querella; imputad*; investigación penal; strafrechtelijk* onderzoek; fiod ~4 onderzoek|inval; aangifte; doorzoeking`,
  },
  {
    id: 'regulatory_investigation',
    alone: `under investigation by; subpoena ~3 from|received; received ~4 subpoena|summons; civil investigative demand; wells notice; statement of objections; warning letter; consent decree; cease and desist order; section 166; verwaltungsverfahren; bußgeldverfahren; bußgeldbescheid; anhörung* ~3 bafin|kartellamt|aufsicht*; sonderprüfung; expediente sancionador; expediente ~2 abierto|incoado; procédure de sanction; mise en garde; lettre d'injonction; last onder dwangsom; boetebesluit; voornemen ~3 boete; served ~4 subpoena|summons; issued ~4 subpoena|summons; administrative|grand jury subpoena; formal investigation ~3 into|by|of|opened`,
    topic: `regulator*; authority; authorities; commission; agency; sec; fca; ftc; doj; fda; cma; attorney general; ofcom; epa; behörde*; bafin; kartellamt; bundeskartellamt; aufsicht*; datenschutzbehörde; gewerbeaufsicht; autorité*; dgccrf; amf; acpr; cnil; ansm; autoridad*; cnmc; cnmv; ministerio; acm; afm; dnb; nvwa; inspectie; toezichthouder; ofgem; ofwat; ofsted; cqc; mhra; pra; sfo; finra; cftc; occ; cfpb; fcc; ferc; osha; ema; nhtsa; finma; fma; bundesnetzagentur; bfarm; regierungspräsidium; arcep; dreal; has; anses; arcom; aemps; igj; nza; acpr; hse; environment agency; ico; financial ombudsman; trading standards; cma`,
    state: `investigat* ~1 into|opened|commenced|initiated|launched|ongoing|pending|whether|by|the|our; opened ~3 investigation|inquiry|proceedings|probe; investigating; launched ~3 investigation|inquiry; fined; fine of; formal inquiry; enforcement ~1 action|notice|proceedings; ermittelt; untersuch* ~3 eingeleitet|eröffnet|läuft; eingeleitet; bußgeld*; enquête ~3 ouverte|cours; ouvert ~2 enquête|procédure; sanctionn*; amende*; investiga*; abierto ~2 investigación|expediente; multa*; sanción; onderzoek ~4 gestart|loopt|ingesteld|geopend; boete; considering ~2 prosecution|enforcement|penalty; prosecut* ~3 of|against|for; is investigating; summons`,
  },
  {
    id: 'data_breach',
    alone: `ransomware; suffered ~5 breach|incident|attack; experienced ~5 breach|incident|attack; data breach ~4 occurred|affect*|expos*|reported|notified|involving; personal data breach ~6 notified|reported|occurred; security incident* ~6 occurred|affect*|expos*|reported|compromised; cyber attack*; unauthori* ~4 access ~5 data|systems|records; records ~3 exposed|leaked|stolen|exfiltrated; exfiltrat*; phishing ~4 led|result*; datenpanne*; datenschutzvorfall*; datenschutzverletzung*; cyberangriff*; hackerangriff*; datenleck*; datenabfluss; fuite de données; violation de données; cyberattaque*; piratage; rançongiciel*; brecha* de ~1 seguridad|datos; violación de ~1 seguridad|datos; ciberataque*; fuga de datos; datalek*; cyberaanval*; gijzelsoftware; hack; unauthori* ~3 party|person|actor|third|user ~4 copied|accessed|obtained|acquired|viewed|downloaded|stole|removed; copied ~4 records|data|files ~4 patients|customers|users|employees|individuals; stolen|stole ~3 data|records|files|laptop*; hackers|intruder* ~5 accessed|obtained|copied|stole; credential* ~2 stolen|leaked|compromised; compromised ~3 server*|systems|account*|database*; unbefugt* ~6 kopiert|zugriff|zugegriffen|entwendet|abgeflossen; accès non autorisé; tiers non autorisé*; acceso no autorizado; tercero* no autorizado*; onbevoegd* ~6 toegang|gekopieerd|ingezien`,
  },
  {
    id: 'contamination',
    alone: `contaminated ~1 land|soil|groundwater|site; soil ~6 contaminat*|pollut*; groundwater ~6 contaminat*|pollut*|exceed*; contamination ~4 found|detected|identified|of; asbestos ~4 found|present|identified|detected|contain*|roof; remediation ~2 cost*|order*|notice|plan*|estimated; hydrocarbons ~6 soil|groundwater; pfas; spill; altlast*; bodenverunreinig*; bodenkontamination*; grundwasserverunreinig*; kontamin*; schadstoffbelast*; sanierungs*; asbest*; pollution ~2 sol|sols|nappe|eaux; sol* ~1 pollué*; dépollution; amiante; contaminación ~3 suelo*|aguas|subsuelo; suelo* contaminado*; vertido*; amianto; descontaminación; bodemverontreiniging*; verontreinigd*; bodemsanering*; grondwaterverontreiniging; saneringskosten; asbestdak`,
  },
  {
    id: 'employment_claims',
    alone: `misclassif*; sham contractor*; employment tribunal ~4 claim*|proceeding*; unfair dismissal ~4 claim*|filed|brought; wrongful dismissal|termination ~4 claim*|filed|suit; discrimination ~2 claim*|complaint*|charge*; harassment ~3 claim*|complaint*|allegation*; wage and hour; unpaid ~3 wages|salar*|overtime|bonus*|holiday; strike ~3 action|called|announced|since; kündigungsschutzklage*; kündigungsschutzverfahren; scheinselbst*; überstunden ~4 nicht|unbezahlt*|offen*|rückst*; lohnrückst*; mindestlohn* ~4 verst*|unterschr*|nicht; prud'hom*; hommes ~3 saisi; conseil de hommes; travail dissimulé; licenciement ~4 contest*|sans cause; salaires ~2 impayés; heures supplémentaires ~3 impayé*|payées|rappel; despido* improcedente*; despido* nulo*; falsos autónomos; salarios ~2 impagados|pendientes; horas extra* ~3 impagad*; schijnzelfstandig*; achterstallig* loon; ontslagprocedure*; onbetaald* overuren`,
  },
  {
    id: 'missing_licence',
    topic: `permit*; licence*; license*; authorisation*; authorization*; certification; certificate*; concession*; approval; registration; genehmigung*; erlaubnis; betriebserlaubnis; zulassung*; konzession*; zertifikat*; zertifizierung; lizenz; autorisation*; permis; agrément*; licence*; habilitation*; certification; licencia*; autorización; autorizaciones; permiso*; certificado*; habilitación; vergunning*; certificaat; certificering; erkenning; ontheffing`,
    state: lapsed,
  },
  {
    id: 'unaudited',
    alone: `unaudited ~1 accounts|figures|financial|management|information|and; have|has ~1 not ~2 audited; are|is|were|was ~1 unaudited; not been audited; not ~1 yet audited; auditor* has|have not ~1 signed|completed|issued; audit ~2 not ~2 completed|finalised|finalized|commenced; audit ~3 outstanding|delayed; ungeprüft*; nicht geprüft*; nicht testiert*; untestiert*; prüfung ~3 nicht abgeschlossen; jahresabschluss ~6 nicht ~3 festgestellt|geprüft|testiert|aufgestellt; non audité*; pas ~2 audité*|certifié*; non certifié*; sin auditar; no auditad*; no ~2 sido auditad*; niet ~1 gecontroleerd*; niet ~2 gecontroleerd; ongecontroleerd*; zonder accountantscontrole`,
  },
  {
    id: 'key_people',
    alone: `resignation of; key person ~2 risk|dependency; key man ~2 risk; depend* ~3 on ~4 founder*|cto|ceo|managing; personenabhängig*; gründerabhängig*; homme clé ~3 dépend*; dependencia ~4 fundador*|director; afhankelijk* van ~4 oprichter*|dga|directeur|bestuurder`,
    topic: `ceo; cto; cfo; coo; founder*; co founder*; chief ~2 officer; chief scientist; head of; managing director; sales director; key employee*; finance director; geschäftsführer*; entwicklungsleiter*; vertriebsleiter*; technischer leiter; prokurist*; gründer*; leiter*; directeur; directrice; dirigeant*; fondateur*; président*; director; directora; consejero delegado; fundador*; responsable; bestuurder*; directeur; oprichter*; cto; verkoopdirecteur`,
    state: `resigned; resigns; has ~1 given notice; gave notice; handed in ~2 notice; has left; left ~1 company|in; intends to leave|resign; will leave; departed; stepped down; no ~3 non compete; gekündigt; kündigte; niedergelegt; ausgeschieden; ausscheiden; verlässt; démissionn*; démission; quitté; quitter; départ annoncé; dimitid*; dimisión; dimitió; abandonado; causa* baja; ontslag genomen; opgezegd; vertrokken; vertrekt; not ~2 expected to return; on ~1 notice`,
  },
  {
    id: 'missing_minutes',
    topic: `minutes; signed cop*; share|stock certificate*; register ~1 members|shareholders|directors; shareholder* register; statutory ~1 register*|book*; stock ledger; board resolution*; shareholder* resolution*; board consent*; corporate records; minute book; option grants; protokolle*; gesellschafterliste*; gesellschafterbeschl*; beschluss*; urkunde*; aktienbuch; aktienregister; procès verbaux; procès verbal; registre*; ordres de mouvement; décisions des associés; actas; libro* ~1 registro|actas|socios; escritura*; notulen; aandeelhoudersregister; besluiten; aandeelhoudersbesluit*; share transfers`,
    state: lacking,
  },
  {
    id: 'copyleft',
    topic: `gpl; agpl; lgpl; gplv; agplv; lgplv; copyleft; gnu ~3 license|licence; sspl`,
    state: `linked; link*; distribut*; incorporat*; contain*; ship*; embed*; used; uses; combin*; module*; component*; product*; code; library; libraries; verwend*; enthält; eingebunden; verlinkt; verknüpft; ausgeliefert; vertrieben; komponente*; utilis*; intégr*; distribu*; lié*; contient; utiliza*; integra*; contiene*; enlaza*; gebruik*; bevat; verwerkt; gedistribueerd; gekoppeld`,
  },
  {
    id: 'encumbered_shares',
    topic: `shares; stock; shareholding; equity; geschäftsanteil*; anteile*; aktien; actions; titres; parts sociales; acciones; participaciones; aandelen`,
    state: `pledged; charged to; subject to ~2 pledge|charge|lien; encumbered; pledge ~2 over; mortgaged; verpfänd*; sicherungsübereig*; sicherungsabgetreten; nanti*; gagé*; pignorad*; prenda sobre; embargad*; verpand*; pandrecht; beslag`,
  },
  {
    id: 'disputed_ownership',
    topic: `shares; shareholding*; shareholder*; ownership; title; geschäftsanteil*; anteile*; aktien; beteiligung; gesellschafterstellung; actions; titres; parts; capital; acciones; participaciones; titularidad; aandelen; eigendom`,
    state: `disput* ~2 ownership|title|by; in dispute; disputed; contest* ~2 validity|ownership|title|transfer; claim* to be entitled; claims ~3 owns|own|entitled; claims to be ~2 shareholder|owner; unclear; bestritten; bestreitet; strittig; streitig; beansprucht; unwirksam*; contesté*; conteste; revendique*; litigieus*; discutid*; disputad*; impugnad*; reivindica*; betwist*; omstreden; claimt`,
  },
  {
    id: 'pension_deficit',
    topic: `pension*; retirement; defined benefit; pensionsrückstellung*; pensionszusage*; direktzusage*; versorgungszusage*; retraite; engagements sociaux; indemnités de fin; pensiones; pensioen*`,
    state: `deficit; shortfall; underfund*; unfunded; under funded; unterdeckung; unterbewert*; nicht ~2 gebildet|ausfinanziert|gedeckt; deckungslücke; unterdotiert; non provisionn*; pas provisionn*; insuffisan*; déficit; infradotad*; no dotad*; dekkingstekort; tekort; onderdekking; niet afgestort`,
  },
  {
    id: 'supplier_dependency',
    alone: `sole ~1 source*|supplier*|sourced; single ~1 source*|supplier*|sourced; only supplier; only ~3 qualified supplier; depend* ~4 supplier*; alleinlieferant*; einziger lieferant; einzigen lieferanten; abhängig* ~4 lieferant*; lieferantenabhängig*; fournisseur unique|exclusif; seul fournisseur; dépend* ~4 fournisseur*; proveedor único; único proveedor; depend* ~4 proveedor*; enige leverancier; afhankelijk* ~4 leverancier*`,
  },
  {
    id: 'churn',
    topic: customerWords,
    state: `gave notice; given notice; has ~1 terminated; terminated ~4 contract|agreement|effective|with; served notice; not ~1 renewed; cancelled; left ~2 in|for|company; lost ~2 in|to; gekündigt; kündigte; verloren; abgewandert; nicht verlängert; résilié*; perdu*; dénoncé*; pas renouvelé; non renouvelé; rescindid*; perdid*; no ~1 renovad*; opgezegd; vertrokken; niet verlengd`,
  },
  {
    id: 'contingent_liabilities',
    alone: `contingent liabilit*; guarantee* ~4 obligations of|debt* of|loan* of|liabilities of; guaranteed ~6 debt*|loan*|obligations ~3 affiliate|subsidiary|parent|third|shareholder; parent ~1 guarantee*; comfort letter*; letter* of comfort; haftungsverhältnisse; eventualverbindlichkeit*; bürgschaft* ~6 für|zugunsten|gegenüber; patronatserklärung*; engagement* hors bilan; caution* ~3 profit|faveur|solidaire; pasivo* contingente*; aval* ~4 favor|prestado*|por; fianza* ~3 favor; voorwaardelijke verplichting*; borgstelling*; garantiestelling*; 403 verklaring`,
  },
  {
    id: 'overdue_receivables',
    topic: `receivable*; debtor*; invoice*; trade payable*; forderung*; rechnung*; außenstände; créances; factures; créances clients; cuentas por cobrar; créditos; facturas; clientes; debiteuren; vorderingen; facturen`,
    state: `overdue; past due; bad debt*; doubtful; uncollect*; impair*; aged over; older than ~2 days; überfällig*; uneinbringlich*; wertberichtigt; zweifelhaft*; échu*; impayé*; douteuse*; retard de paiement; vencid*; impagad*; incobrable*; dudoso ~1 cobro; achterstallig*; oninbaar; vervallen; dubieus*`,
  },
  {
    id: 'product_liability',
    alone: `product ~1 recall ~2 announced|initiated|issued|ordered|notified|affect*; product recalls; recall* of ~3 product*|units|devices|batch*; recalled; safety recall; product liability ~4 claim*|suit*|action*; rückruf*; produkthaftung* ~5 klage*|anspr*|fall|fälle; produkthaftungs*klage; rappel ~2 produit*|lots; responsabilité ~3 produits défectueux; retirada ~3 producto*|mercado; producto* defectuoso*; terugroep*; productaansprakelijkheid* ~4 claim*|vorder*`,
  },
  {
    id: 'state_aid',
    topic: `grant; grants; subsid*; state aid; ppp loan; furlough; förder*; zuwendung*; zuschuss|zuschüsse; beihilfe*; subvention*; aide* ~1 publique*|état; avance remboursable; subvención; subvenciones; ayuda*; subsidie*; staatssteun`,
    state: `clawback; claw back; clawed back; reclaim*; repay ~3 grant|in|if; recover*; must ~2 repaid; rückforder*; zurückforder*; zurückzuzahlen; rückzahlung*; widerruf*; rembours*; récupér*; reintegr*; devolución; devolver; revoc*; terugvorder*; terugbetal*; ingetrokken`,
  },
  {
    id: 'insurance_gaps',
    alone: `uninsured; underinsured; no ~3 insurance ~1 cover|coverage|in|for|policy; not ~2 insured; insurer ~4 denied|refused|declined|rejected|reserved|avoided; insurance ~4 lapsed|expired|refused|declined; nicht versichert; unversichert; unterversicher*; versicherer ~4 abgelehnt|verweigert; keine ~2 versicherung; deckung ~2 abgelehnt; non assuré*; pas ~1 assuré*; assureur ~4 refus*; aucune assurance; sin seguro; no asegurad*; aseguradora ~4 rechaz*|denega*; niet verzekerd; onverzekerd; onderverzekerd; verzekeraar ~4 geweigerd|afgewezen; insurance|liability|recall|cyber|indemnity ~2 policy|cover|coverage ~5 lapsed|expired|cancelled|declined; versicherungsschutz ~4 erloschen|abgelaufen|gekündigt; police d'assurance ~4 expiré*|résilié*; póliza ~4 vencid*|caducad*; polis ~4 verlopen|vervallen`,
  },
  {
    id: 'antitrust',
    alone: `antitrust ~3 investigation*|proceeding*|fine*|complaint*|claim*; cartel ~3 investigation*|proceeding*|fine*|damages; price fixing; kartellverfahren; kartellbuße; kartellrechtlich* ~2 verfahren|verstoß|bußgeld; preisabsprache*; entente* ~3 illicite|concurrence|prohibée; abus de position dominante; prácticas ~1 anticompetitivas|restrictivas|colusorias; cártel ~3 multa*|expediente; kartelboete; kartelonderzoek; prijsafspraken`,
  },
  {
    id: 'privacy_gaps',
    alone: `no ~4 data processing agreement*; without ~3 data processing agreement*; no ~3 records of processing; no ~2 privacy ~1 policy|notice; gdpr ~5 gap*|fine*|violation*|complaint*|non|breach*; no data protection officer; kein ~2 datenschutzbeauftragter; kein* ~4 auftragsverarbeitung*|avv|verarbeitungsverzeichnis; dsgvo ~4 verstoß*|bußgeld|mängel; pas ~3 registre ~2 traitements; aucun ~3 dpo|registre; rgpd ~4 incumpl*|manquement*|infraction*|non|multa|sanción; sin ~3 registro de ~1 tratamiento*|actividades; geen ~2 verwerkersovereenkomst*|verwerkingsregister; avg ~4 overtred*|boete`,
  },
  {
    id: 'legacy_systems',
    alone: `end of life; end of support; no longer supported; legacy ~1 system*|platform|erp; technical debt; no ~3 disaster recovery|backup*|penetration test*; unpatched; not ~2 patched; out of support; nicht mehr ~2 unterstützt|gewartet; veraltet* ~1 system*|erp|software; technische schulden; obsolètes; dette technique; fin de support; obsolet* ~2 sistema*|erp; sistema* obsoleto*; verouderd* ~1 systeem|systemen|erp|software`,
  },
  {
    id: 'sanctions',
    alone: `sanctioned ~2 person*|entit*|countr*|customer*|part*; export ~2 without ~2 licen*|authoris*|authoriz*; violation* ~3 export|sanction*|embargo; exported ~8 without; embargo ~3 verstoß|verletz*; exportkontroll* ~4 verstoß*|verstöß*; ohne ausfuhrgenehmigung; sans licence exportation; sin licencia de exportación; zonder exportvergunning; voluntary self disclosure; ofac ~4 subpoena|disclosure|violation*`,
    topic: `ofac; bureau of industry ~2 security; bis; ddtc; bafa; ofsi; export control*; export administration; itar; sanctions ~1 regime*|law*|regulation*|authorit*; exportkontroll*; außenwirtschafts*; contrôle des exportations; control de exportaciones; exportcontrole`,
    state: `subpoena*; investigat*; inquir*; violat*; breach*; penalt*; fine; fined; voluntary ~1 disclosure; shipped; seized; detained; verstoß*; verstöß*; ermittl*; bußgeld*; infraction*; enquête*; infracción; sanción; overtred*; boete`,
  },
  {
    id: 'lease_issues',
    topic: `lease; leases; tenancy; premises; landlord; mietvertrag*; mietverhältnis*; vermieter*; bail; baux; loyer*; bailleur; arrendamiento; alquiler; arrendador; huurovereenkomst*; huur; verhuurder`,
    state: `rent arrears; arrears; dilapidation*; eviction; forfeit*; notice to quit; in breach; holding over; expires in; expired ~3 not|and; mietrückst*; räumung*; gekündigt; läuft ~4 aus; impayé*; congé; expulsion; résili*; desahucio; impag*; resuelto; huurachterstand; ontruiming*; opgezegd`,
  },
  {
    id: 'ip_expiry',
    topic: `patent*; trademark*; trade mark*; registration; marke*; schutzrecht*; brevet*; marque*; patente*; marca*; octrooi*; merk; merken; domain*`,
    state: `expires in; expire* ~2 20; will expire; lapsed; has expired; abandoned; renewal fees ~2 not|unpaid; not renewed; läuft ~4 ab; läuft ~4 aus; erloschen; abgelaufen; verfallen; déchu*; expire* en; échéance; annuités ~2 impayées; caduc*; caducad*; vence*; verlopen; vervallen; vervalt`,
  },
  {
    id: 'revenue_recognition',
    alone: `channel stuffing; bill and hold; revenue ~5 recognised|recognized ~3 early|prematurely|upfront|before|too; premature* ~2 revenue; aggressive ~2 revenue; cut off ~2 error*; umsatz* ~6 zu früh|vorzeitig*; umsatzrealisierung ~4 vorzeitig|fehler*; reconnaissance anticipée; chiffre affaires ~6 anticipé*|prématur*; ingresos ~6 anticipad*; omzet ~6 te vroeg|voortijdig; revers* ~6 revenue|sales; revenue ~4 reversed; revenue ~8 right of return; side letter* ~6 return*|refund*; umsatz* ~6 rückgaberecht; storn* ~4 umsatz*|umsätze; annul* ~4 chiffre`,
  },
];

export const flagWords: readonly FlagWords[] = [
  ...Map.groupBy([...usualFlagWords, ...furtherFlagWords], ({ id }) => id).values(),
].map((all) => ({ id: all[0]!.id, ...joined(all, 'alone'), ...joined(all, 'topic'), ...joined(all, 'state') }));

function joined(all: readonly FlagWords[], part: 'alone' | 'topic' | 'state'): Partial<FlagWords> {
  const lists = all.flatMap((words) => words[part] ?? []);
  return lists.length === 0 ? {} : { [part]: lists.join('; ') };
}
