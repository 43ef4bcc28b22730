/** What kind of document a text is, by its title, subject line or first statements. Names in nine languages. */

import { oncePer } from '../text/once-per.ts';
import { compilePhrases, findPhrases, phraseList } from '../text/phrases.ts';
import { splitWords } from '../text/words.ts';
import type { Clause, Reading } from './reading.ts';
import type { RegisterRow } from './register-rows.ts';

export type DocumentType =
  | 'policy'
  | 'standard'
  | 'procedure'
  | 'data-processing-agreement'
  | 'business-associate-agreement'
  | 'soc-2-report'
  | 'certificate'
  | 'statement-of-applicability'
  | 'risk-register'
  | 'dpia'
  | 'audit-report'
  | 'vendor-questionnaire'
  | 'breach-notice'
  | 'training-record'
  | 'processing-record'
  | 'attestation-of-compliance';

/** The most specific first: where a line names several, the first counts. */
const names: readonly (readonly [DocumentType, string])[] = [
  ['business-associate-agreement', 'business associate agreement|addendum|contract; baa'],
  [
    'attestation-of-compliance',
    'attestation of compliance; aoc; attestation de conformité pci; report on compliance; self assessment questionnaire d; saq d|a',
  ],
  [
    'data-processing-agreement',
    `data processing agreement|addendum|annex|terms|contract; privacy addendum; data privacy addendum|agreement; service provider addendum; data protection agreement|addendum; processor agreement; processing agreement; auftragsverarbeitung; auftragsverarbeitungsvertrag; auftragsverarbeitungs vertrag;
    auftragsverarbeitungsvereinbarung; vereinbarung zur auftragsverarbeitung; vertrag zur|über ~2 auftragsverarbeitung; vertrag über die verarbeitung; avv; contrat|accord|convention|avenant de sous traitance; accord|avenant ~3 traitement des|de données;
    accord sur la protection; contrat de traitement; contrato de encargo; contrato|acuerdo ~4 tratamiento de datos; encargo del|de tratamiento; acuerdo de encargado; contrato de encargado; accordo|contratto ~5 trattamento dei dati|dati;
    nomina ~3 responsabile del trattamento; atto di nomina; accordo sul trattamento; verwerkersovereenkomst; bewerkersovereenkomst; verwerkingsovereenkomst; data processing schedule; umowa powierzenia; powierzenia przetwarzania; acordo ~3 tratamento de dados|dados; contrato ~3 subcontratação; acordo de subcontratação; personuppgiftsbiträdesavtal; biträdesavtal; databehandleraftale; databehandleravtale`,
  ],
  [
    'soc-2-report',
    `soc 2 ~2 type|report|typ; system and organization controls; soc 2; independent service auditor's report; isae 3402; isae 3000; tests of controls; trust services ~2 criteria`,
  ],
  [
    'statement-of-applicability',
    `statement of applicability; soa; erklärung zur anwendbarkeit; anwendbarkeitserklärung; déclaration d applicabilité; dichiarazione di applicabilità; declaración de aplicabilidad; verklaring van toepasselijkheid; toepasselijkheidsverklaring; declaração de aplicabilidade; deklaracja stosowania; uttalande om tillämplighet; tillämplighetsförklaring`,
  ],
  [
    'processing-record',
    `record|records|register of processing; ropa; processing register|record; verzeichnis von|der|über verarbeitungstätigkeiten; verzeichnis der verarbeitungen; verarbeitungsverzeichnis; verfahrensverzeichnis; registre des|de activités|traitements|traitement; registre des activités de traitement;
    registro de actividades; registro de las actividades; registro delle attività; registro dei trattamenti; registro del trattamento; verwerkingsregister; register van ~2 verwerkingsactiviteiten|verwerkingen; registo das|de atividades; registo de atividades de tratamento; rejestr czynności; rejestr czynności przetwarzania; register över behandling*; registerförteckning`,
  ],
  [
    'dpia',
    `data protection impact; privacy impact assessment; dpia; datenschutz folgenabschätzung; datenschutzfolgenabschätzung; dsfa; analyse d impact; aipd; evaluación de impacto; eipd; valutazione d impatto; valutazione di impatto; dpia; gegevensbeschermingseffectbeoordeling; geb; avaliação de impacto; aipd; ocena skutków; konsekvensbedömning`,
  ],
  [
    'breach-notice',
    `notification|notice|report of ~3 breach; breach notification|notice; data breach report|notification; notice of ~3 incident; security breach notice|notification; personal data breach; meldung ~6 verletzung; meldung ~4 datenpanne|datenschutzverletzung|datenschutzvorfall; benachrichtigung ~6 verletzung|datenpanne;
    verletzung des schutzes personenbezogener; datenschutzverletzung; notification ~3 violation; violation de données; information ~4 violation; notificación ~4 brecha|brechas|violación|violaciones|quiebra; comunicación ~4 brecha|brechas|violación; brecha de seguridad|datos; violación de ~3 datos; notifica ~4 violazione; comunicazione ~4 violazione; violazione dei|di dati;
    melding ~4 inbreuk|datalek; melding datalek; kennisgeving ~4 inbreuk|datalek; datalek; inbreuk in verband; data breach; notificação ~4 violação; comunicação ~4 violação; violação de dados; zgłoszenie naruszenia; naruszenie ochrony danych; zawiadomienie o naruszeniu; anmälan ~4 personuppgiftsincident; personuppgiftsincident`,
  ],
  [
    'vendor-questionnaire',
    `questionnaire; questionnaires; vendor|supplier|third ~2 assessment; vendor security assessment; supplier security assessment; supplier self assessment; supplier assurance; security assessment ~3 vendor|supplier; fragebogen; lieferantenfragebogen; lieferantenselbstauskunft; selbstauskunft; lieferantenbewertung; fragenkatalog;
    cuestionario; questionario; vragenlijst; leveranciersbeoordeling; évaluation ~3 fournisseur|prestataire|tiers; evaluación ~3 proveedor|proveedores; valutazione ~3 fornitore|fornitori; due diligence questionnaire; caiq; sig lite; autoevaluación; zelfevaluatie; questionário; ankieta; kwestionariusz; frågeformulär; leverantörsbedömning`,
  ],
  [
    'training-record',
    `training record|records|register|log|attendance|report|matrix|completion; attendance record|sheet|list|register; schulungsnachweis; schulungsprotokoll; schulungsregister; schulungsübersicht; teilnehmerliste; schulungsdokumentation; unterweisungsnachweis; registre ~3 formation|formations; feuille d émargement|présence; relevé ~3 formation|formations;
    registro ~4 formación|formaciones|capacitación; lista de asistencia; registro ~4 formazione; registro presenze; elenco ~2 partecipanti; opleidingsregister; trainingsregister; opleidingsoverzicht; presentielijst; trainingsregistratie; training overzicht; awareness training ~2 results; attestation de formation`,
  ],
  [
    'risk-register',
    `risk register|registry|log; register of ~3 risks; risk assessment and treatment; risikoregister; risikoverzeichnis; risikoinventar; risikokatalog; risikobehandlungsplan; risk treatment plan; risicoregister; risicolijst; risicobehandelplan; registre ~2 risques; cartographie ~2 risques; plan de traitement des risques; registro ~2 riesgos; mapa de riesgos; plan de tratamiento de riesgos;
    registro ~2 rischi; registro del rischio; mappa dei rischi; piano di trattamento dei rischi; matriz de riesgos`,
  ],
  [
    'audit-report',
    `audit report; report ~5 audit; internal audit; surveillance audit; audit findings; auditbericht; prüfbericht; prüfungsbericht; revisionsbericht; internes audit; interner auditbericht; rapport d audit; rapport ~3 audit; audit interne; compte rendu d audit; informe ~3 auditoría; auditoría interna; rapporto ~3 audit; rapporto di verifica; verbale di audit; audit interno;
    auditrapport; auditverslag; verslag ~3 audit; rapport interne audit; interne audit; stage 1|2 audit; recertification audit; assessment report; gap analysis report; überwachungsaudit; rezertifizierungsaudit; audit de surveillance|suivi|certification; relatório ~3 auditoria; auditoria interna; raport z audytu; audyt wewnętrzny; revisionsrapport; internrevision`,
  ],
  [
    'certificate',
    `certificate; certificate of registration|conformity|approval; zertifikat; certificat; certificato; certificado; certificaat; bescheinigung; urkunde; certyfikat; certifikat`,
  ],
  [
    'policy',
    `policy; policies; richtlinie; leitlinie; sicherheitsrichtlinie; datenschutzrichtlinie; sicherheitsleitlinie; konzernrichtlinie; politique; charte; política; politica; beleid; informatiebeveiligingsbeleid; privacybeleid; toegangsbeleid; wachtwoordbeleid; beveiligingsbeleid; gedragscode; regolamento interno; normativa interna; beleidsdocument; back upbeleid; bewaarbeleid; löschkonzept; datenschutzkonzept; reglement; polityka; política de segurança; säkerhetspolicy; informationssäkerhetspolicy; riktlinje; riktlinjer; polityka bezpieczeństwa`,
  ],
  [
    'procedure',
    `procedure; procedures; verfahrensanweisung; arbeitsanweisung; verfahren; prozessbeschreibung; procédure; mode opératoire; procedimiento; instrucción técnica; procedura; istruzione operativa; werkinstructie; werkwijze; runbook; playbook; standard operating; response plan; notfallplan; incident response; draaiboek; notfallhandbuch; plan de respuesta; piano di risposta; plan de continuité|reprise; continuity plan; recovery plan; protocol; protocolo; protocollo; incidentprocedure; procedimento; procedura; instrukcja; postępowania; rutin; rutiner; förfarande`,
  ],
  [
    'standard',
    `standard; standards; sicherheitsstandard; konfigurationsstandard; mindeststandard; norme; standard technique; estándar; norma técnica; norma; baseline; technische vorgabe; technische vorgaben; specifiche tecniche; standaard; beveiligingsstandaard; configuratiestandaard; norm; norma técnica; norma interna; standard; wymagania techniczne`,
  ],
];

const phrases = compilePhrases(names.map(([type, text]) => [type, phraseList(text)] as const));
const rank = new Map(names.map(([type], index) => [type, index]));

/** A line with a title. */
const titleCharactersMax = 130;
/** Lines that can hold the title. */
const linesMax = 30;
const subjectLabel =
  /^(?:subject|re|betreff|betr|betreft|onderwerp|objet|objeto|asunto|oggetto|document|dokument|title|titel|titre|título|titolo|type|typ|dokumenttyp)$/i;

export interface FoundType {
  readonly type: DocumentType;
  readonly clause: Clause;
}

/** @returns undefined if no line at the top names a kind */
export const documentTypeOf = oncePer(({ clauses, rows }: Reading): FoundType | undefined => {
  const top = clauses.slice(0, linesMax);
  const titled = top.filter(
    ({ text, label, row }) =>
      shownTitle(text).length <= titleCharactersMax &&
      (label === undefined || subjectLabel.test(label)) &&
      // An item of a list may name another document.
      !/^\s{0,12}[-*•–]\s/u.test(text) &&
      // A cell under the name of a column is an entry, not a title.
      (row === undefined || row.columns.length < 3),
  );
  const subject = top.find(({ label }) => label !== undefined && subjectLabel.test(label));
  const lines = [...(subject === undefined ? [] : [subject]), ...titled.filter((line) => line !== subject)];
  for (const [strict, candidates] of [
    [true, lines],
    [false, top],
  ] as const) {
    for (const [nth, clause] of candidates.entries()) {
      const type = typeIn(clause.text, strict);
      if (type === undefined) continue;
      const specific =
        strict && generic.has(type) ? specificTitle(candidates.slice(nth + 1, nth + titleLines)) : undefined;
      return specific ?? { type, clause };
    }
    const asked = strict ? askedRow(rows) : undefined;
    if (asked !== undefined) {
      const clause = clauses.find(({ row }) => row === asked);
      if (clause !== undefined) return { type: 'vendor-questionnaire', clause };
    }
  }
  return undefined;
});

/** The type that results show: a report on tests of controls by other criteria than those of SOC 2 is read like one, and is an audit report. */
export function shownTypeOf(reading: Reading): FoundType | undefined {
  const found = documentTypeOf(reading);
  if (found?.type !== 'soc-2-report') return found;
  const isSoc = reading.clauses.slice(0, linesMax).some(({ text }) => socWords.test(text));
  return isSoc ? found : { ...found, type: 'audit-report' };
}

const socWords =
  /(?<![\p{L}\d])(?:SOC|System and Organi[sz]ation Controls|Trust Services|Service Auditor|TSC)(?!\p{L})/u;

/** Kinds that the name of a framework or a body also contains: "Data Security Standard". */
const generic: ReadonlySet<DocumentType> = new Set<DocumentType>(['standard', 'policy', 'procedure']);
const titleLines = 4;

/** A title in capitals on one of the next lines that names a more specific kind. */
function specificTitle(lines: readonly Clause[]): FoundType | undefined {
  for (const clause of lines) {
    const capitals = /(?:\p{Lu}{2,}[ -]){2,}\p{Lu}{2,}/u.exec(clause.text)?.[0];
    const type = capitals === undefined ? undefined : typeIn(capitals, true);
    if (type !== undefined && !generic.has(type)) return { type, clause };
  }
  return undefined;
}

const askedMin = 4;

/** The first of several rows under columns of questions and answers. */
function askedRow(rows: readonly RegisterRow[]): RegisterRow | undefined {
  const asked = rows.filter(({ columns }) => columns.includes('question') && columns.includes('answer'));
  return asked.length >= askedMin ? asked[0] : undefined;
}

const thisDocument =
  /(?<!\p{L})(?:this|these|diese[rsm]?|die vorliegende|ce|cette|le présent|la présente|el presente|la presente|este|esta|il presente|questo|questa|deze|dit|onderhavige?)\s{1,3}(?:\p{L}{1,20}\s{1,3}){0,2}$/iu;

/** @param strict a title, else a sentence in which "this policy" speaks of the document */
function typeIn(text: string, strict: boolean): DocumentType | undefined {
  const shown = joinSpaced(strict ? shownTitle(text) : text);
  const words = splitWords(shown);
  if (strict && isSentence(shown, words.length)) return undefined;
  const found = findPhrases(words, phrases).filter(
    ({ start }) => strict || thisDocument.test(shown.slice(Math.max(0, start - 40), start)),
  );
  const [best] = found.sort((a, b) => rank.get(a.label)! - rank.get(b.label)!);
  return best?.label;
}

/** Without the rule beneath the head of a page. */
function shownTitle(text: string): string {
  return text
    .replace(/[-_=]{5,200}/g, ' ')
    .replace(/\s{2,200}/g, '  ')
    .trim();
}

/** "C E R T I F I C A T E". */
function joinSpaced(text: string): string {
  return /^\s*(?:\p{Lu} ){5,40}\p{Lu}\s*$/u.test(text) ? text.replaceAll(' ', '') : text;
}

function isSentence(text: string, words: number): boolean {
  return (
    words > 6 &&
    /[.!?]$/.test(text.trim()) &&
    /(?<!\p{L})(?:shall|is|are|has|have|was|were|must|ist|sind|wird|est|sont|a|è|sono|es|son|wordt|zijn)(?!\p{L})/iu.test(
      text,
    )
  );
}
