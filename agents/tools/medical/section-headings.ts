/** Words of the headings of clinical documents, by what the section contains. */

export type SectionKind =
  | 'family'
  | 'allergies'
  | 'stopped'
  | 'held'
  | 'proposed'
  | 'given'
  | 'admission medication'
  | 'medication'
  | 'resolved'
  | 'past'
  | 'differential'
  | 'instructions'
  | 'risks'
  | 'literature'
  | 'not performed'
  | 'procedures'
  | 'social'
  | 'laboratory'
  | 'vitals'
  | 'limits'
  | 'plan'
  | 'diagnoses'
  | 'administrative'
  | 'other';

/**
 * Words of headings by language. The first matching kind decides, so that "medications
 * stopped" is not a list of current medicines. `=` before a word requires the whole heading.
 */
export const headings: readonly (readonly [SectionKind, string])[] = [
  [
    'family',
    'family history; family medical history; family hx; =fh; =fhx; =fam hx; famhx; familienanamnese; antécédents familiaux; =familiaux; =familial; histoire familiale; rodinná anamnéza; relatives; family psychiatric history; antecedentes familiares; anamnesi familiare; familieanamnese; familiäre vorbelastung; familiäre belastung; =familiare; wywiad rodzinny; história familiar; historia familiar; hereditet; ärftlighet; familjehistoria; familjär belastning; =arv; familiehistorie; familiäre disposition; dispositioner; familiære dispositioner; familie; familiaanamnese; =famanamnese; antecedentes heredofamiliares; antecedentes patológicos familiares; anamnesi fisiologica e familiare; =fam anamnese; wywiad w rodzinie; obciążenia rodzinne; antecedentes familiais; história da família; sukutausta',
  ],
  [
    'allergies',
    '=all; allergies; allergy; allergies and intolerances; adverse reactions; adverse drug reactions; drug sensitivities; intolerances; =nkda; allergien; allergie; unverträglichkeiten; =cave; allergies et intolérances; intolérances; alergie; alergická anamnéza; alergias; reacciones adversas; reazioni avverse; allergieën; sensitivities; medikamentenunverträglichkeiten; uczulenia; uczulenie; nietolerancje; allergie; allergia; intolleranze; intolerancias; overgevoeligheden; alergie i nietolerancje; reações adversas; överkänslighet; överkänsligheter; allergier; allergi; intolerans; overfølsomhed; overfølsomhet; cave; allergi og overfølsomhet; alergias e intolerancias; alergias medicamentosas; allergie e intolleranze; alergias e intolerâncias; allergies médicamenteuses; allergies connues; allergieen; allergie overgevoeligheid; allergie/intolleranze; uwaga uczulenia; varningar; yliherkkyydet',
  ],
  ['not performed', 'not performed; procedures not performed; nicht durchgeführt; non réalisés; examens non réalisés'],
  [
    'limits',
    'alarm limits; parameters; call parameters; goals; targets; target; notify parameters; hold parameters; zielwerte; grenzwerte; objectifs; reference; reference ranges; legend; standing orders; policy extract; valores de referencia; valori di riferimento; referentiewaarden; wartości referencyjne; valores de referência',
  ],
  [
    'stopped',
    'stop taking; stop; no longer; no longer to be taken; not to be taken; do not take; no longer taken; do not continue; nicht mehr; nicht mehr einnehmen; ne plus prendre; à arrêter; stopped; discontinued; medications stopped; stopped medications; discontinued medications; discontinue; past medication; past medications; previous medication; previous medications; former medications; previously tried; frühere medikation; frühere medikamente; traitements antérieurs; traitement antérieur; vroegere medicatie; tidligere medicin; tidigare läkemedel; poprzednie leki; previous treatments; ceased; =stop; abgesetzt; abgesetzte medikamente; abgesetzte medikation; beendet; arrêt; arrêts; arrêté; arrêtés; traitements arrêtés; traitement arrêté; médicaments arrêtés; vysazeno; medicines stopped; stopped medicines; medications discontinued; past medications tried; medication trials; failed medications; prior medications; medikamente abgesetzt; medicación suspendida; =suspender; farmaci sospesi; gestopte medicatie; medicación retirada; tratamiento suspendido; =sospendere; terapia sospesa; leki odstawione; =odstawić; medicação suspensa; utsatta läkemedel; utsatt; utsättes; utsatta; avslutade läkemedel; seponeret; seponeret medicin; seponerede; seponert; seponerte legemidler; ophørt medicin; gestopt; gestaakt; gestaakte medicatie; farmaci interrotti; terapia interrotta; traitements interrompus; odstawiono; odstawione; medicamentos suspensos; suspensos; suspendidos; medicamentos suspendidos; stopped on admission; stopped in hospital; stopped this admission; pausierte und abgesetzte medikamente; absetzen; beendete therapien; frühere medikation; frühere therapien',
  ],
  [
    'held',
    'held; on hold; hold; medications held; withheld; pausiert; suspendu; suspendus; pausade läkemedel; pauserad; pauseret; pauseret medicin; pausert; tillfälligt utsatta; in pausa; tijdelijk gestopt; wstrzymano; medikamente pausiert',
  ],
  [
    'proposed',
    'proposed; to be started; to be commenced; start after; begin after; future medication; geplant; geplante medikation; planned; à débuter; to start; recommendations for therapy; suggested; awaiting prescriber signature; planned medication; empfohlene medikation; therapievorschlag; terapia consigliata; tratamiento recomendado; tratamiento propuesto; tratamiento al alta; zalecenia; zalecone leki; leki zalecone; aanbevolen medicatie; medicação proposta; planerad medicinering; insättes; nyinsatta läkemedel; planlagt medicin; te starten; da iniziare; a iniciar',
  ],
  [
    'given',
    '=inpatient; medications given; inpatient medications; inpatient medication; hospital medications; medications during admission; medications during stay; stationäre medikation; medikation stationär; traitement hospitalier; traitement pendant le séjour; given in ed; meds given; administered; medications administered; ed medications; ed meds; ed course medications; intraoperative medications; premedication; prämedikation; stat doses; =therapie; =behandlung; =treatment; anaesthetic drugs; anesthesia medications; once only medicines; medikamente während des aufenthalts; terapia in ps; terapia effettuata; terapia somministrata; terapia praticata; farmaci somministrati; tratamiento en urgencias; tratamiento administrado; medicación administrada; traitement reçu; traitements reçus; traitement aux urgences; gegeven; toegediende medicatie; toegediend; givna läkemedel; givet i akuten; given medicin; givet; administreret; medicação administrada; leczenie w sor; leki podane; podano; verabreicht; gegebene medikamente; medikation während des aufenthaltes; farmacoterapia szpitalna; zastosowane leczenie',
  ],
  [
    'admission medication',
    "admission medications; leki przed przyjęciem; medications on admission; meds on admission; medication on admission; medikation bei aufnahme; vormedikation; aufnahmemedikation; traitement à l'entrée; traitement d'entrée; traitement à l'admission; pre-admission medications; prior to admission medications; medication prior to admission; läkemedel vid inskrivning; läkemedel före inläggning; medicin ved indlæggelse; medicatie bij opname; terapia all'ingresso; traitement habituel à l'entrée; medicação prévia; leki na przyjęciu; tratamiento al ingreso",
  ],
  [
    'medication',
    'medications; medication; medicines; meds; medication list; current medication; drug history; =dh; =dhx; =rx; =tto; =tta; =ttos; =ttas; tablets to take out; drugs on discharge; discharge drugs; active orders; prescriptions; repeat templates; repeats; acute; postoperative orders; discharge rx; medikation; medikamente; medikamentenplan; medikationsplan; therapie bei entlassung; entlassungsmedikation; entlassmedikation; dauermedikation; hausmedikation; therapieempfehlung; traitement; traitements; traitement de sortie; traitement habituel; traitement actuel; ordonnance; ordonnance de sortie; prescription; médicaments; farmakologická anamnéza; medikace; léky; terapie; current treatment; current treatments; current therapy; regular treatment; drug treatment; treatment on discharge; discharge treatment; discharge prescriptions; home meds; aktuelle therapie; dauertherapie; bisherige therapie; bisherige medikation; medikamentöse therapie; arzneimittel; traitement en cours; traitement à domicile; traitement personnel; tratamiento; tratamiento habitual; tratamiento previo; tratamiento actual; medicación habitual; terapia in atto; terapia in corso; terapia alla dimissione; leki przyjmowane; leki stałe; leki przy wypisie; huidige medicatie; actuele medicatie; medicatie bij ontslag; medicação habitual; medicação; medicación; terapia; terapia domiciliare; medicatie; thuismedicatie; läkemedel; läkemedelslista; läkemedel vid utskrivning; aktuella läkemedel; aktuell medicinering; medicinering; nuvarande läkemedel; medicin; aktuel medicin; medicinliste; medicin ved udskrivelse; faste medisiner; faste legemidler; legemidler; medisiner; medikamenter; legemiddelliste; legemidler ved utskrivelse; vid behov; vid behovsläkemedel; stående läkemedel; pn-medicin; fast medicin; farmaci; farmaci in uso; terapia farmacologica; terapia abituale; terapia cronica; terapia consigliata a domicilio; medicamentos; medicación actual; medicación crónica; medicación domiciliaria; medicamentos em uso; medicações em uso; medicação atual; medicação domiciliar; medicação de alta; medicação à data de alta; terapêutica habitual; terapêutica; medicijnen; medicatieoverzicht; actueel medicatieoverzicht; ontslagmedicatie; leki; aktualne leki; leczenie stałe; farmakoterapia; stosowane leki; przyjmowane leki; regular medicines; regular medications; regular meds; regular prescriptions; anticipatory; anticipatory medicines; anticipatory, as needed; as required medicines; prn medicines; prn medications; as needed; bedarfsmedikation; bei bedarf; fest angesetzte medikation; medikation zu hause; häusliche medikation; eigenmedikation; aktuelle medikamente; derzeitige medikation; laufende medikation; traitements au long cours; traitement de fond; médication; médicaments actuels; médicaments à domicile; ordonnance à poursuivre; continuous subcutaneous infusion; syringe driver; syringe pump; infusions; lääkitys',
  ],
  [
    'resolved',
    'resolved problems; resolved; significant past; inactive problems; past problems; inactive; minor past; afsluttede problemer; utagerade problem; tidigare avslutade',
  ],
  [
    'differential',
    'ddx; differential; differential diagnosis; differentials; differenzialdiagnose; differentialdiagnose; diagnostics différentiels; hypothèses diagnostiques; differentialdiagnoser; differenziale; diagnosi differenziale; diagnóstico diferencial; differentiaaldiagnose; diagnostyka różnicowa; =dd',
  ],
  [
    'instructions',
    "instructions; discharge instructions; patient instructions; return precautions; return instructions; when to call; when to seek help; seek medical attention; call your doctor; warning signs; red flags to watch; safety net; safety netting; safety-net; advice; patient advice; advice to patient; hinweise; warnhinweise; consignes; conseils; consignes de surveillance; recomendaciones al alta; adviezen; leefregels; istruzioni; what to do if; råd; råd till patienten; information till patienten; ring avdelningen vid; kontakta vården om; indicazioni; raccomandazioni; avvertenze; recomendaciones; recomendações; orientações; instructies; zalecenia dla pacjenta; verhaltensempfehlungen; bei verschlechterung; motivos de reconsulta; signos de alarma; sinais de alarme; sinais de alerta; segni di allarme; alarmsignalen; consignes de sortie; signes d'alerte",
  ],
  ['risks', 'risks; risks discussed; risks and benefits; consent; aufklärung; risques'],
  [
    'literature',
    "discussion; abstract; guidance; =disclaimer; nota informativa; guida per il paziente; guía para el paciente; note d'information; learning points; take-home messages; key points; teaching points; patienteninformation; background; introduction; literature; literature review; references; competing interests; conflicts of interest; keywords; interpretive information; interpretation guide; methodology; limitations; patient education; health information; about your condition; about your medicine; learn more; información para el paciente; informazioni per il paziente; patiëntinformatie; informacje dla pacjenta; your proxy; patientinformation; faktaruta; =faktadel; información general; informações gerais; informazioni generali; allgemeine hinweise; algemene informatie",
  ],
  [
    'administrative',
    'dictated; transcribed; electronically signed; signed; printed; print date; copy to; disclaimer; performed at; distribution; dikterad av; utskriven av; kopia; kopia till; signerat; kopi til; kopie an; in copia; copia a; kopie aan; kopia dla; c c',
  ],
  [
    'past',
    'past medical history; past history; medical history; past medical; previous medical history; pmh; pmhx; =phx; =pmhx; background history; significant medical history; comorbidities; co-morbidities; vorerkrankungen; vorgeschichte; eigenanamnese; nebendiagnosen; antécédents; antécédents médicaux; =personnels; =médicaux; =atcd; osobní anamnéza; past surgical history; =psh; =pshx; surgical history; antécédents chirurgicaux; =chirurgicaux; past obstetric history; voroperationen; past psychiatric history; past ocular history; past gynecological history; past gynaecological history; antecedentes personales; antecedentes médicos; =antecedentes; =ap; anamnesi patologica remota; voorgeschiedenis; choroby współistniejące; choroby przebyte; patologica remota; anamnesi remota; comorbilidades; antecedentes pessoais; tidigare sjukdomar; tidigare sjukdom; tidigare; tidigare och nuvarande sjukdomar; sjukhistoria; tidligere sygdomme; tidligere sykdommer; tidligere; tidligere indlæggelser; medisinsk historie; =ehx; patologie pregresse; comorbidità; anamnesi; anamnesi patologica; antecedentes patológicos; antecedentes de interés; antecedentes médico-quirúrgicos; antecedentes quirúrgicos; historia médica; antecedentes cirúrgicos; antecedentes patológicos pessoais; comorbidades; história pregressa; história patológica pregressa; história médica; relevante voorgeschiedenis; medische voorgeschiedenis; chirurgische voorgeschiedenis; comorbiditeit; przebyte choroby; przebyte operacje; wywiad chorobowy; frühere erkrankungen; vordiagnosen; bekannte vorerkrankungen; medizinische vorgeschichte; operative vorgeschichte; aikaisemmat sairaudet; antécédents médico-chirurgicaux; comorbidités; atcd médicaux',
  ],
  [
    'social',
    'social history; social; =sh; =shx; sozialanamnese; mode de vie; habitudes; sociální anamnéza; hábitos; substance use; habits; socialt; social anamnes; socialanamnes; sosialt; sociale anamnese; intoxicaties; nikotin; rökning; nałogi; stile di vita; hábitos tóxicos; hábitos de vida; abitudini',
  ],
  [
    'vitals',
    "vitals; vital signs; triage vitals; discharge vitals; obs; observations; =vs; vitalparameter; vitalwerte; constantes; paramètres vitaux; fyziologické funkce; constantes vitales; signos vitales; parametry życiowe; sinais vitais; parametri vitali; vitale parameters; vitala parametrar; vitalparametrar; vitalparametre; vitale parametre; vitale funksjoner; kontroller; vitalværdier; parametri; parametri al triage; parametri vitali al triage; parametri alla dimissione; constantes al ingreso; constantes a la llegada; constantes al alta; constantes à l'arrivée; constantes à l'admission; sinais vitais à admissão; parâmetros vitais; vitale functies; controles; funkcje życiowe; pomiary; vitalzeichen; vitalzeichen bei aufnahme; kreislaufparameter; triage observations; nursing observations; vital data; measurements; vital parameters; news2; ews; surveillance; paramètres; kliniske målinger; målinger",
  ],
  [
    'laboratory',
    'labs; lab; laboratory; laboratory data; laboratory results; lab results; lab data; results; bloods; blood tests; blood results; investigations; pathology; biochemistry; haematology; hematology; labor; laborwerte; laborbefunde; laborbefund; biologie; bilan biologique; bilan sanguin; laboratoire; examens biologiques; laboratoř; pertinent results; admission labs; discharge labs; analítica; laboratorio; esami ematici; esami di laboratorio; laboratoriumonderzoek; badania laboratoryjne; =esami; laboratorium; análises; exames laboratoriais; provsvar; laboratorieprover; lab prover; labprover; blodprover; kemlab; prøvesvar; blodprøver; biokemi; laboratoriesvar; laboratorieresultater; bilan; bilan du; biologie du; examens de laboratoire; analyses; esami; esami ematochimici; ematochimici; esami del sangue; analíticas; análisis; análisis de sangre; analítica de sangre; pruebas de laboratorio; bioquímica; hemograma; exames; exames de sangue; exames complementares laboratoriais; exames analíticos; estudo analítico; laboratoriumuitslagen; labuitslagen; bloedonderzoek; bloeduitslagen; wyniki badań; wyniki; wyniki badań laboratoryjnych; badania; laborparameter; blutwerte; laborchemie; klinische chemie; blutbild; blutgasanalyse; blood gas; complete blood count; full blood count; laboratoriotulokset; lab values; abnormal labs; key results; esami in ps',
  ],
  [
    'procedures',
    'procedure; procedures; operation; operations; procedure performed; operation performed; intervention; eingriff; eingriffe; acte; gestes; åtgärd; åtgärder; operationer; ingrepp; indgreb; inngrep; interventi; intervento; interventi chirurgici; procedure eseguite; procedimientos; intervenciones; intervenciones quirúrgicas; cirugías; cirugías previas; procedimentos; cirurgias; cirurgias prévias; ingrepen; operaties; verrichtingen; zabiegi; operacje; wykonane zabiegi; operative eingriffe; durchgeführte eingriffe; interventions; actes réalisés; toimenpiteet; operationen',
  ],
  [
    'plan',
    'plan; empfehlung; empfehlungen; appts; appointments; upcoming appointments; rendez-vous; termine; further management; =post-op instructions; =postoperative instructions; =post-operative instructions; =post op instructions; =instructions post-opératoires; =post-op plan; follow-up; follow up; disposition; procedere; prozedere; weiteres vorgehen; conduite à tenir; suivi; doporučení; nachsorge; follow-up plan; plan terapéutico; recomendaciones; beleid; planering; fortsatt planering; uppföljning; åtgärd och planering; videre plan; videre forløb; opfølgning; oppfølging; programma; piano; follow up programmato; controlli; seguimiento; plan de actuación; conducta; plano; seguimento; vervolg; vervolgafspraken; controle; plan dalszego postępowania; dalsze zalecenia; kontrola; kontrolle; weitere planung; wiedervorstellung; jatkosuunnitelma; prossimi controlli; devenir',
  ],
  [
    'diagnoses',
    '=final; diagnosis; diagnoses; principal diagnosis; secondary diagnoses; problem list; problems; active problems; =active; impression; assessment; assessment and plan; =a/p; =a&p; =a; diagnosen; diagnose; hauptdiagnose; diagnostic; diagnostics; conclusion; postoperative diagnosis; preoperative diagnosis; diagnóza; diagnózy; závěr; beurteilung; zusammenfassung; clinical impression; impressions; dauerdiagnosen; diagnóstico; diagnósticos; juicio clínico; diagnosi; conclusie; rozpoznanie; rozpoznania; juicio diagnóstico; diagnoser; huvuddiagnos; bidiagnoser; diagnos; bidiagnose; aktionsdiagnose; hoveddiagnose; tentativ diagnose; bedömning; vurdering; konklusion; konklusjon; impressione; conclusioni; diagnosi di dimissione; diagnosi di ingresso; diagnosi principale; impressão diagnóstica; hipótese diagnóstica; diagnóstico principal; diagnósticos secundarios; diagnósticos secundários; problemas activos; lista de problemas; problemas ativos; conclusión; juicio; orientación diagnóstica; impresión diagnóstica; hoofddiagnose; nevendiagnosen; werkdiagnose; probleemlijst; beschouwing; rozpoznanie zasadnicze; rozpoznanie kliniczne; rozpoznania współistniejące; epikryza; entlassdiagnosen; aufnahmediagnose; aktuelle diagnosen; behandlungsdiagnosen; diagnostic principal; diagnostic retenu; diagnostics associés; problèmes actifs; synthèse; au total; arvio; diagnoosit',
  ],
  [
    'other',
    "history of present illness; hpi; =s; =o; =hx; =pc; =hpc; presenting complaint; chief complaint; reason for admission; reason for visit; history; subjective; objective; examination; physical examination; physical exam; exam; on examination; =o/e; =pe; findings; technique; indication; indications; clinical history; comparison; description; course; hospital course; clinical course; progress; emergency department course; course in hospital; case presentation; case report; anamnese; aktuelle anamnese; jetzige anamnese; aufnahmebefund; befund; körperliche untersuchung; klinischer befund; epikrise; therapie und verlauf; verlauf; histoire de la maladie; motif; motif d'hospitalisation; motif de consultation; examen clinique; examen d'entrée; examen; évolution; examens complémentaires; imagerie; imaging; radiology; review of systems; =ros; ecg; ekg; echo; mdm; medical decision making; pharmacist notes; hinweis des apothekers; hinweise des apothekers; notes; comment; nynější onemocnění; personal history; motivo de ingreso; motivo de consulta; enfermedad actual; evolución; exploración física; exploración; mental status; mental status examination; beloop; decorso; esame obiettivo; lichamelijk onderzoek; wywiad; badanie przy przyjęciu; badanie przedmiotowe; badania obrazowe; leczenie; przebieg; pruebas complementarias; =all'ingresso; =alla dimissione; status; status vid ankomst; status vid inskrivning; aktuellt; aktuell anamnes; anamnes; inskrivningsorsak; kontaktorsak; sökorsak; vårdförlopp; förlopp; undersökningar; undersökning; röntgen; objektivt; objektiv undersøgelse; indlæggelsesårsag; henvisningsårsag; aktuelt; forløb; billeddiagnostik; innleggelsesårsak; motivo e storia; motivo del ricovero; motivo di accesso; anamnesi patologica prossima; esame obiettivo all'ingresso; accertamenti; esami strumentali; diario clinico; consulenza cardiologica; decorso clinico; exploración al ingreso; historia actual; anamnesis; juicio evolutivo; exames de imagem; exame físico; exame objetivo; queixa principal; motivo de internamento; motivo de admissão; história da doença atual; doença atual; evolução; evolução clínica; reden van opname; reden van komst; reden van verwijzing; verwijsreden; speciële anamnese; tractus anamnese; lich onderzoek; aanvullend onderzoek; beeldvorming; opnamebeloop; badanie fizykalne; powód przyjęcia; obserwacja; zwischenanamnese; anlass der vorstellung; bildgebung; aufnahmegrund; zuweisungsgrund; klinische untersuchung; status praesens; examens réalisés; anamnèse; mode d'entrée; nykytila; esitiedot",
  ],
];
