/** The names of register columns in nine languages, and the part of each column. */

export type ColumnPart =
  | 'id'
  | 'clause'
  | 'title'
  | 'applicable'
  | 'status'
  | 'evidence'
  | 'owner'
  | 'inherent'
  | 'residual'
  | 'treatment'
  | 'due'
  | 'grade'
  | 'question'
  | 'answer'
  | 'comment'
  | 'name'
  | 'processor'
  | 'role'
  | 'place'
  | 'service'
  | 'period'
  | 'frequency'
  | 'data'
  | 'section'
  | 'safeguard'
  | 'test'
  | 'risk'
  | 'measure'
  | 'date'
  | 'framework'
  | 'destination'
  | 'start'
  | 'basis';

const names: Readonly<Partial<Record<ColumnPart, string>>> = {
  id: 'no; nr; n; n °; num; number; nummer; ref; réf; référence; reference; id; item; finding; finding no; hallazgo; rilievo; bevinding; feststellung; constat; risk id; risiko id; #',
  clause:
    'criterion; criteria; requirement; req; requisito; exigence; anforderung; eis; clause; klausel; cláusula; clausola; annex a; anhang a; annexe a; anexo a; allegato a; bijlage a; norm; control ref; control id; control no; tsc; control code; subcategory; subkategorie; sous catégorie; subcategoría; sottocategoria; subcategorie; iso ref; iso 27001; control number; maßnahme nr; artikel; article; artículo; articolo',
  title:
    'control; outcome; kontrolle; controle; kontrollbeschreibung; maßnahme bezeichnung; bezeichnung; control title; contrôle; controllo; beheersmaatregel; description; descripción; descrizione; beschrijving; titel; title; control description; control activity; controls specified; mesure de sécurité; requirement text',
  applicable:
    'app; applicable; applicability; applies; anwendbar; anwendbarkeit; applicabilité; applicabile; applicabilità; aplica; aplicable; aplicabilidad; van toepassing; toepasselijk; in scope; included; retenu; retenue',
  status:
    'status; state; estado; stato; état; statut; umsetzung; umsetzungsstand; umsetzungsstatus; implementation; implementation status; implemented; stand; result; results; results of tests; test results; ergebnis; prüfergebnis; résultat; resultado; risultato; esito; resultaat; bewertung; mise en œuvre; mise en oeuvre; implantación; implementado; implantado; attuazione; attuato; implementatie; geïmplementeerd; conformity; conformité; conformidad; conformità; konformität; bevinding status; in place',
  evidence:
    'evidence; evid; evidence reference; nachweis; nachweise; preuve; preuves; evidencia; evidencias; evidenze; bewijs; bewijsstuk; record; records; document; dokument; documento; document reference; reference document; justificatif; registro; registrazione; vastlegging; artefact',
  owner:
    'owner; risk owner; control owner; responsible; responsibility; accountable; resp; verantwortlich; verantwortlicher; verantwortung; zuständig; eigentümer; risikoeigner; risikoeigentümer; propriétaire; porteur; responsable; pilote; dueño; propietario; titular; responsabile; proprietario; proprietario del rischio; eigenaar; verantwoordelijke; verantwoordelijk; risico eigenaar; risicoeigenaar; assigned to; action owner; performed by; carried out by; who; wer; durchgeführt von; qui; quién; chi; wie',
  inherent:
    'inherent; inherent risk; inherent score; gross; gross risk; gross score; initial; initial risk; initial score; brutto; bruttorisiko; ausgangsrisiko; brut; brute; risque brut; risque initial; inherente; riesgo inherente; riesgo inicial; inicial; bruto; antes; before; vorher; avant; prima; lordo; iniziale; inerente; rischio inerente; rischio iniziale; inherent risico; brutorisico; brutoscore; score before; anfangsrisiko; ausgangswert; initiaal',
  residual:
    'residual; residual risk; residual score; net; net risk; net score; netto; nettorisiko; restrisiko; résiduel; résiduelle; risque résiduel; risque net; residuo; rischio residuo; riesgo residual; neto; después; after; nachher; après; dopo; residueel; restrisico; restscore; netscore; nettoscore; current risk; score after',
  treatment:
    'tratt; trt; treat; trat; trait; beh; behand; treatment; treatment option; option; response; risk response; strategy; behandlung; behandlungsoption; risikobehandlung; strategie; stratégie; traitement; tratamiento; opción; estrategia; trattamento; opzione; strategia; behandeling; risicobehandeling; decision; entscheidung; décision; decisión; decisione; besluit',
  due: 'due; due date; deadline; target date; target; frist; termin; fällig; fällig am; fällig bis; bis; zieltermin; échéance; délai; date limite; plazo; fecha límite; fecha prevista; vencimiento; entro; entro il; scadenza; termine; termijn; gereed; uiterlijk; complete by; completion date; streefdatum; deadline date; remediation date',
  grade:
    'grade; grading; severity; classification; type; category; grado; gravità; categoría; tipo; kategorie; einstufung; grad; schweregrad; niveau; gravité; classement; ernst; klasse; soort; classificatie; finding type; clasificación; classificazione; categorie; catégorie; art',
  question: 'question; frage; pregunta; domanda; vraag; control question; requirement question',
  answer:
    'answer; antwort; réponse; respuesta; risposta; antwoord; supplier answer; vendor response; yes no; y n; ja nein',
  comment:
    'comment; comments; remark; remarks; kommentar; bemerkung; bemerkungen; begründung; anmerkung; commentaire; commentaires; remarque; observations; comentario; comentarios; observaciones; commento; commenti; note; osservazioni; opmerking; opmerkingen; toelichting; details; notes; explanation; justification; justificación; giustificazione; motivazione; reden; detail; précisions',
  name: 'name; company; entity; organisation; organization; firma; unternehmen; name des unterauftragnehmers; unterauftragnehmer; unterauftragsverarbeiter; organisme; société; raison sociale; nom; entidad; empresa; nombre; denominación; organizzazione; società; denominazione; nome; naam; organisatie; partij; bedrijf; sub processor; subprocessor; vendor; supplier; lieferant; dienstleister; sous traitant ultérieur; subencargado; proveedor; fornitore; sub responsabile; subverwerker; leverancier; acteur; recipient; empfänger; destinataire; destinatario; ontvanger; party; partner; legal entity',
  processor:
    'processor; processors; auftragsverarbeiter; verwerker; verwerkers; sous traitant; sous traitants; encargado; encargado del tratamiento; responsabile esterno; responsabile del trattamento',
  role: 'role; rolle; qualité; papel; ruolo; rol; rôle; capacity; función; funktion; hoedanigheid',
  place:
    'location; country; place; ort; land; lieu; lieu de traitement; pays; país; país del tratamiento; lugar; ubicación; luogo; paese; sede; locatie; plaats; region; processing location; standort; hosting location; sitz; where; location of processing; ort der verarbeitung; verarbeitungsort; luogo del trattamento; plaats van verwerking; país de tratamiento; pays de traitement; destination; hébergement',
  service:
    'service; services; leistung; tätigkeit; prestation; servicio; servizio; dienst; dienstverlening; purpose; zweck; finalité; finalidad; finalità; doel; objet; activity; activité; actividad; attività; activiteit',
  period:
    'retention; retention period; storage period; aufbewahrung; aufbewahrungsfrist; aufbewahrungsdauer; löschfrist; speicherdauer; dauer; durée; durée de conservation; conservation; conservación; plazo de conservación; conservazione; periodo di conservazione; durata; bewaartermijn; bewaarduur; period; time limit; duration; kept for; termine di conservazione; plazo de supresión; delete after',
  frequency:
    'frequency; interval; cycle; häufigkeit; intervall; turnus; zyklus; rhythmus; fréquence; périodicité; cadence; frecuencia; periodicidad; frequenza; periodicità; cadenza; frequentie; interval; how often',
  data: 'data; data category; categories of data; data type; personal data; donnée; données; catégorie de données; datos; categoría de datos; dati; categoria di dati; gegevens; categorie gegevens; daten; datenart; datenkategorie; record type; record category; dokumentart; type of record; soort gegevens; data set; registros; documents',
  section:
    'section; abschnitt; paragraph; policy section; paragraaf; sección; sezione; kapitel; chapitre; capítulo; capitolo; hoofdstuk; page',
  safeguard:
    'safeguard; safeguards; transfer mechanism; mechanism; garantie; garantien; garanties; garantía; garantías; garanzie; waarborg; waarborgen; transfergrundlage; outil de transfert; mecanismo; meccanismo; transfer tool; doorgiftemechanisme; rechtsgrundlage der übermittlung',
  test: 'test; tests; test performed; tests of controls; prüfungshandlung; prueba; prova; testing',
  risk: 'risk; risiko; risque; riesgo; rischio; risico; threat; scenario; bedrohung; menace; amenaza; minaccia; dreiging; risk description; risikobeschreibung; gefährdung',
  measure:
    'measure; measures; maßnahme; maßnahmen; mesure; mesures; medida; medidas; misura; misure; maatregel; maatregelen; action; mitigation; actions; treatment plan; corrective action; korrekturmaßnahme',
  date: 'date; datum; fecha; data; closed; clos le; fecha de cierre; chiuso il; gesloten op; author; autor; version; rev; change; änderung; completed; completed on; score; attended; participant; teilnehmer; employee; mitarbeiter',
};

/** Further names, and those in Portuguese, Polish and Swedish. */
const more: Readonly<Partial<Record<ColumnPart, string>>> = {
  framework:
    'framework; standard; source; regelwerk; rahmenwerk; référentiel; marco; marco normativo; quadro normativo; kader; normenkader; referencial; standard ramowy; regelverk; ramverk',
  destination:
    'third country; third countries; third country transfer; transfer; transfers; drittland; drittlandübermittlung; übermittlung in drittländer; pays tiers; transfert hors ue; transferts; tercer país; transferencias; transferencias internacionales; paese terzo; paesi terzi; trasferimento; trasferimenti; derde land; doorgifte; país terceiro; transferências; państwo trzecie; przekazywanie; tredje land; tredjelandsöverföring',
  id: 'lfd nr; lfd; serial; ref no; risk no; entry; nº; n.º; lp; l p; poz; pozycja; löpnr; nummer; dnr',
  clause:
    'criterium; standard reference; provision; control reference; safeguard reference; rule; section of rule; citation; krav; klausul; kontroll nr; wymaganie; wymóg; punkt normy; zabezpieczenie nr; exigência; controlo n; cláusula da norma',
  title:
    'control and owner; control description and owner; controls; controlo; controlos; descrição; descrição do controlo; opis; zabezpieczenie; nazwa; nazwa zabezpieczenia; kontroll; beskrivning; benämning; åtgärd enligt bilaga; use',
  applicable: 'aplicável; aplicabilidade; dotyczy; stosowalność; zastosowanie; tillämplig; tillämplighet; gäller',
  status:
    'outcome of test; conclusion; compliance status; implementation state; estado de implementação; implementação; situação; avaliação; stan; stan wdrożenia; wdrożenie; ocena; wynik; läge; införande; genomförande; resultat; bedömning; uppfyllnad',
  evidence:
    'evidence seen; evidence obtained; audit evidence; supporting evidence; evidência; evidências; prova; provas; dowód; dowody; zapis; dokument potwierdzający; underlag; bevis; dokumentation; verifikat',
  owner:
    'responsible party; responsible team; process owner; responsável; responsáveis; dono do risco; dono; proprietário; odpowiedzialny; odpowiedzialna; odpowiada; właściciel; właściciel ryzyka; osoba odpowiedzialna; wykonuje; ansvarig; ägare; riskägare; utförs av; federführend; durch',
  inherent:
    'inherent rating; raw score; brutto wert; risco inicial; risco inerente; inerente; ryzyko początkowe; ryzyko pierwotne; początkowe; przed; przed postępowaniem; inneboende risk; inneboende; före åtgärd; före; bruttorisk',
  residual:
    'residual rating; restrisikowert; risco residual; residual; ryzyko szczątkowe; ryzyko rezydualne; szczątkowe; po; po postępowaniu; kvarvarande risk; kvarstående risk; kvarstående; efter åtgärd; efter; nettorisk; restrisk',
  treatment:
    'risk treatment; tratamento; opção de tratamento; resposta; postępowanie; postępowanie z ryzykiem; sposób postępowania; decyzja; hantering; riskhantering; åtgärdsval',
  due: 'due by; closure date; target completion; remediation date and actions; prazo; data limite; data prevista; conclusão até; termin realizacji; do kiedy; sista datum; klart senast; senast; förfallodag; slutdatum',
  grade:
    'finding grade; rating of finding; classificação; gravidade; klasyfikacja; kategoria; waga; klassning; allvarlighetsgrad; grad',
  question: 'pergunta; questão; pytanie; fråga; requirement question; security question',
  answer: 'response; supplier response; your answer; resposta; odpowiedź; svar; leverantörens svar',
  comment:
    'reviewer note; reviewer comment; evidence comment; observação; observações; notas; uwagi; komentarz; uzasadnienie; anmärkning; kommentar; motivering; bemerkungen',
  name: 'empfänger auftragsverarbeiter; entidade; organização; fornecedor; subcontratante ulterior; destinatário; destinatários; denominação; podmiot; dostawca; odbiorca; odbiorcy; podwykonawca; firma; bolag; företag; leverantör; mottagare; underbiträde; organisation; recipients; destinataires; destinatarios; destinatari; ontvangers; kategorien von empfängern',
  processor: 'subcontratante; podmiot przetwarzający; procesor; personuppgiftsbiträde',
  role: 'função; papel; qualidade; rola; roll; status of party',
  place:
    'local; localização; local do tratamento; país; kraj; miejsce; miejsce przetwarzania; lokalizacja; land; plats; ort; behandlingsort',
  service:
    'serviço; finalidade; atividade; usługa; cel; cel przetwarzania; czynność; tjänst; ändamål; syfte; aktivitet; processing activity; verarbeitung; verarbeitungstätigkeit; traitement; tratamiento; trattamento; verwerking; tratamento; czynność przetwarzania; behandling',
  period:
    'storage limit; erasure deadline; deletion; lagerfrist; löschung; löschfristen; prazo de conservação; conservação; retenção; okres przechowywania; retencja; przechowywanie; czas przechowywania; lagringstid; bevarandetid; gallring; gallringsfrist; sparas',
  frequency:
    'periodicity; recurrence; periodicidade; frequência; częstotliwość; częstość; jak często; frekvens; intervall; hur ofta; maximum life; crypto period; cryptoperiod; rotation; rotation period',
  data: 'data categories; categories; affected data; categorias de dados; dados; kategorie danych; dane; kategorier av uppgifter; uppgifter; datenkategorien; kategorien; catégories de données; categorías de datos; categorie di dati; key type; asset; record',
  section: 'secção; seção; rozdział; avsnitt; kapitel',
  safeguard:
    'transfer safeguard; salvaguarda; salvaguardas; zabezpieczenie przekazania; mechanizm; skyddsåtgärd vid överföring; överföringsmekanism; garantias',
  test: 'test of control; procedure performed; tests performed; teste; testes; badanie; kontrollåtgärd; granskning',
  risk: 'risco; ameaça; cenário; ryzyko; zagrożenie; scenariusz; hot; händelse',
  measure:
    'safeguards in place; tom; toms; technical and organisational measures; security measures; schutzmaßnahmen; mesures de sécurité; medidas de seguridad; misure di sicurezza; beveiligingsmaatregelen; medida; medidas de segurança; środek; środki; środki bezpieczeństwa; działanie; åtgärd; åtgärder; skyddsåtgärder; säkerhetsåtgärder',
  date: 'data de fecho; versão; wersja; data zamknięcia; utgåva; stängd',
};

/** Columns of retention schedules, and rarer names of the others, in ten languages. */
const rarer: Readonly<Partial<Record<ColumnPart, string>>> = {
  start:
    'starts from; start; starting point; start of period; start of retention; runs from; from; trigger; trigger event; retention trigger; retention starts; fristbeginn; beginn; beginn der frist; beginn der aufbewahrung; fristauslöser; auslöser; startzeitpunkt; point de départ; départ; point de départ du délai; événement déclencheur; inicio; inicio del plazo; inicio del cómputo; cómputo; desde; decorrenza; a decorrere da; a partire da; inizio; vanaf; ingang; ingangsdatum; start termijn; startmoment; från; räknas från; startpunkt; fra; regnes fra; początek; początek okresu; liczony od; od; a partir de; início; contagem',
  basis:
    'legal basis; lawful basis; statutory basis; law; legislation; rechtsgrundlage; gesetzliche grundlage; base légale; fondement; fondement juridique; texte; base jurídica; base legal; fundamento; fundamento legal; base giuridica; fondamento giuridico; riferimento normativo; grondslag; wettelijke grondslag; rättslig grund; lagstöd; retsgrundlag; hjemmel; rettslig grunnlag; podstawa prawna; fundamento jurídico',
  period:
    'keep; kept; keep until; retention time; retention term; keep for; how long; storage duration; max retention; maximum retention; retention years; aufbewahrung in jahren; speicherfrist; regelfrist; löschfrist regel; aufbewahrungszeit; délai de conservation; délai de suppression; conservation en base active; base active; délai; periodo de conservación; tiempo de conservación; plazo de retención; tempo di conservazione; durata di conservazione; termine di cancellazione; bewaarperiode; bewaartijd; vernietigingstermijn; bevaras; bevaringstid; opbevaringsperiode; slettefrist; oppbevaringstid; lagringsperiod; okres retencji; termin usunięcia; período de conservação; tempo de conservação; prazo de retenção',
  data: 'data class; class of data; kategorier af oplysninger; kategorier av opplysninger; kategorier af data; record class; record series; records class; class of records; information asset; type of data; type of record; personal data category; document type; document; data object; datenobjekt; unterlagen; akten; art der daten; art der unterlagen; dokument; type de données; type de document; nature des documents; documents concernés; tipo de datos; tipo de documento; documentación; tipo di dato; tipologia di dati; tipologia di documento; documentazione; soort document; documentsoort; documenttype; gegevenssoort; persoonsgegevens; handling; handlingar; handlingstyp; typ av uppgifter; personuppgifter; dokumenttype; datatype; oplysninger; opplysninger; rodzaj danych; rodzaj dokumentu; dokumentacja; tipo de dados; tipo de documento',
  residual:
    'now; after measures; after treatment; after controls; with controls; mitigated; mitigated risk; post treatment; post mitigation; nach maßnahmen; nach behandlung; verbleibendes risiko; après mesures; après traitement; tras medidas; dopo le misure; na maatregelen; jäännösriski; resterende risiko; restrisiko; aktuelles risiko; target score; current score; current rating',
  inherent:
    'before measures; before treatment; before controls; without controls; pre treatment; pre mitigation; untreated; unmitigated; vor maßnahmen; vor behandlung; avant mesures; avant traitement; sin medidas; antes de medidas; prima delle misure; voor maatregelen; iboende risiko; brutto risiko',
  treatment:
    'risk decision; risk strategy; handling; umgang; maßnahmenart; mode de traitement; réponse; respuesta; risposta; aanpak; håndtering; risikohåndtering; plan',
  status:
    'situation; réalisation; avancement; état d avancement; niveau de mise en œuvre; erfüllungsgrad; umsetzungsgrad; erfüllt; nivel de cumplimiento; cumplimiento; grado di attuazione; livello di attuazione; mate van implementatie; voldoet; implementatiestatus; uppfylls; implementering; gennemførelse; opfyldelse; stopień wdrożenia; grau de implementação; operating; outcome',
  owner:
    'lead; action lead; responsible person; role responsible; responsible function; custodian; data owner; löscht; zuständige stelle; fachbereich; bereich; fachverantwortlich; service responsable; direction responsable; área responsable; departamento; ufficio responsabile; funzione; afdeling; ansvarlig; ejer; eier; risikoejer; risikoeier; jednostka odpowiedzialna; departament; área responsável',
  frequency:
    'when; wann; quand; cuándo; wanneer; när; hvornår; når; kiedy; hyppighed; hyppighet; frekvens; how frequently; schedule',
  service:
    'what; was; quoi; qué; cosa; wat; vad; hvad; hva; task; aufgabe; tâche; tarea; compito; taak; uppgift att utföra; opgave; oppgave; zadanie; tarefa; behandling; behandlingsaktivitet; formål; øvelse; kontrolaktivitet',
  name: 'modtager; modtagere; mottaker; mottakere; virksomhed; leverandør; leverandører; underdatabehandler; underdatabehandlere; underleverandør',
  processor: 'databehandler; databehandlere; personuppgiftsbiträden',
  destination:
    'tredjeland; overførsel; overførsler; overføring; overførsel til tredjeland; transferts hors ue; transferts hors de l ue; transfers outside the uk; transfers outside the eea; transfers outside the eu; drittstaaten; übermittlung drittland',
  place: 'lokation; sted; landet; behandlingssted',
  safeguard:
    'overførselsgrundlag; overføringsgrunnlag; grundlag; skyddsåtgärd; garanti; legal mechanism; transfer basis; transferinstrument; instrument',
  id: 'risk number; risk no; r id; rid; risiko nr; n de risque; n risque; código; codice; kod; reference no; control ref no',
};

const partOf = new Map<string, ColumnPart>();
for (const table of [names, more, rarer]) {
  for (const [part, list] of Object.entries(table) as [ColumnPart, string][]) {
    // The first part that claims a name keeps it.
    for (const name of list.split('; ')) if (!partOf.has(name)) partOf.set(name, part);
  }
}

/** The column of an earlier edition or year: "Previous", "in v2.4 (for reference)". */
const formerColumn =
  /(?<!\p{L})(?:previous(?:ly)?|prior|former(?:ly)?|old|for reference|last year|bisher\p{L}*|früher\p{L}*|vorjahr\p{L}*|alt(?:er|e|es)?|zum vergleich|précédent\p{L}*|ancien\p{L}*|anterior|precedente|vorige|vorig|oude?|poprzedni\p{L}*|föregående|tidigare)(?!\p{L})/iu;

export function isFormerColumn(name: string): boolean {
  return formerColumn.test(name);
}

const headerCharactersMax = 60;

/** Whether the cell is the name of a column and nothing else. */
export function isColumnName(cell: string): boolean {
  return cell.length <= headerCharactersMax && partOf.has((cell.toLowerCase().match(/\p{L}+|\d+|°/gu) ?? []).join(' '));
}

/** @returns undefined for a cell that is not the name of a column */
export function columnPartOf(cell: string): ColumnPart | undefined {
  if (cell.length > headerCharactersMax || cell === '' || /:\s{0,3}\S/.test(cell)) return undefined;
  if (cell.trim() === '#') return 'id';
  // The name of a column of ticks.
  if (/^n\/?a\.?$/iu.test(cell.trim())) return undefined;
  if (/^(?:control|contrôle|kontrolle|controle|controllo) ?(?:#|n°|№)$/iu.test(cell.trim())) return 'clause';
  const words = (cell.toLowerCase().match(/\p{L}+|\d+|°/gu) ?? []).slice(0, 6);
  for (let length = Math.min(4, words.length); length > 0; length -= 1) {
    for (let from = 0; from + length <= words.length; from += 1) {
      const part = partOf.get(words.slice(from, from + length).join(' '));
      if (part !== undefined && (length === words.length || from === 0 || length > 1 || words.length <= 3)) return part;
    }
  }
  return undefined;
}
