/** The topics of clauses with time limits, and their phrases. */
import { compilePhrases, phraseList } from '../text/phrases.ts';
import { furtherTopics } from './further-wordings.ts';

export type Topic =
  | 'objection'
  | 'subprocessor'
  | 'audit'
  | 'subject'
  | 'patch'
  | 'revoke'
  | 'breach'
  | 'incident'
  | 'report'
  | 'remedy'
  | 'notice'
  | 'answer'
  | 'access'
  | 'authority'
  | 'keeping';

const topicWordings: readonly (readonly [Topic, readonly string[]])[] = [
  [
    'objection',
    phraseList(
      'object; objects; objection; objections; opposition; s opposer; oppose*; widerspr*; einspruch; opponer*; oponerse; oposición; obiezion*; opporsi; opposizione; bezwaar; bezwaren; objections; contester; objeción; objeciones',
    ),
  ],
  [
    'subprocessor',
    phraseList(
      `sub processor*; subprocessor*; sub processing; subprocessing; further processor*; another processor; other processor; addition or replacement; change of ~3 subcontractor*; subcontractor*; unterauftrag*; subunternehmer*; hinzuziehung; weitere* auftragsverarbeiter*; sous traitant* ultérieur*; sous traitance ultérieure; autre sous traitant; nouveau sous traitant; subencargad*; subencargo*; subcontratación; otro encargado; sub responsabil*; subresponsabil*; altro responsabile; ulteriore responsabile;
      subverwerker*; sub verwerker*; onderaannemer*; ander* verwerker*; subfornitor*; subcontratist*`,
    ),
  ],
  [
    'audit',
    phraseList(
      `audit; audits; auditer; auditieren; auditar; auditare; auditeren; audytować; inspection; inspections; inspect; kontrolle; kontrollen; überprüfung vor ort; inspektion*; prüfung vor ort; vor ort kontrolle*; contrôle sur place; auditoría*; inspeccion*; inspección; verifica; verifiche; ispezion*; audit; controle ter plaatse; inspectie*; prüfungen; audite`,
    ),
  ],
  [
    'subject',
    phraseList(
      `data subject*; designated record set; accounting of disclosures; amendment* ~3 phi; subject access; dsar*; begäran ~4 registrerad*; registrerad* ~4 begäran; registreredes; anmodning* ~4 registrered*; henvendelse* ~4 registrert*|registrered*; individuals rights; rights requests; access request*; requests ~3 individuals|data|persons; erasure request*; request ~3 patient|individual; betroffene* person*; betroffenenanfrage*; betroffenenrecht*; auskunftsersuchen; auskunftsverlangen; betroffenen; anfragen betroffener; personne* concernée*; demande* d accès; demandes ~3 droits; exercice ~3 droits; droits ~3 personnes; interesad*; solicitudes ~4 derechos|acceso; solicitudes; derechos arco; ejercicio ~3 derechos; interessat*; richiest* ~3 interessat*|accesso; esercizio ~3 diritti; betrokkene*; inzageverzoek*; verzoek* ~3 betrokkene*|inzage; rechten ~3 betrokkene*; consumer request*; request* ~3 consumer|consumers; consumer rights; access requests; demandes reçoivent`,
    ),
  ],
  [
    'patch',
    phraseList(
      `patch*; security update*; kritische sicherheitslücken; sicherheitslücken ~8 geschlossen|schließen|behoben|beheben; aggiornamenti critici; actualizaciones críticas; atualizações críticas; mises à jour critiques; kritische updates; kritische aktualisierungen; kritiska uppdateringar; kritiske opdateringer; krytyczne aktualizacje; vulnerabilit* ~8 closed|fixed|remediat*|patched|resolved|mitigated; critical vulnerabilit*; critical updates; vulnerabilit* rated; sicherheitsupdate*; schwachstellen ~8 geschlossen|behoben|beseitigt|gepatcht; kritische schwachstellen; sicherheitspatch*; correctif*; vulnérabilités ~6 corrigées|traitées|remédiées; vulnérabilités critiques; mises à jour de sécurité; parche*; vulnerabilidades ~6 corrig*|resuelv*|subsan*|parche*|mitig*; vulnerabilidades críticas; actualizaciones de seguridad; vulnerabilità ~6 corrett*|risolt*|sanat*|chius*; vulnerabilità critic*; aggiornamenti di sicurezza; patch; kwetsbaarheden ~7 verholpen|gedicht|gepatcht|opgelost; kritieke kwetsbaarheden; beveiligingsupdate*; kritieke patch*; high vulnerabilit*; hoge schwachstellen; kritische patch*; hohe schwachstellen; schwere schwachstellen; gepatcht`,
    ),
  ],
  [
    'revoke',
    phraseList(
      `access ~8 revoked|removed|disabled|terminated|withdrawn|deactivated; accounts ~12 disabled|removed|deactivated|deleted|revoked|locked|suspended; disable* ~3 account|accounts; revok* ~4 access|accounts; remov* ~4 access|accounts; deactivat* ~4 account*|access; inactive ~8 disabled|locked|removed; access rights ~6 removed|revoked; leavers ~6 access|accounts; konto|konten|zugang|zugänge|zugriff|zugriffe|berechtigungen|zugangsrechte|benutzerkonten ~10 gesperrt|entzogen|deaktiviert|gelöscht|entfernt; sperr* ~3 konto|konten|zugang|zugänge; entzug ~3 berechtigungen|rechte|zugriffsrechte; comptes|compte|accès|droits|habilitations ~10 désactivé*|désactivés|supprimé*|supprimés|révoqué*|révoqués|retiré*|retirés|bloqués|fermés; désactiv* ~3 compte|comptes|accès; suppression ~3 accès|comptes|droits;
      cuentas|cuenta|accesos|acceso|permisos ~8 desactiv*|revoc*|elimin*|bloque*|retir*|deshabilit*|suprim*; desactiv* ~3 cuentas|cuenta|accesos; revocación ~3 accesos|acceso|permisos; baja ~3 cuentas; account|utenze|accessi|utenza|accesso|abilitazioni ~8 disattivat*|disabilitat*|revocat*|rimoss*|bloccat*|cessat*|eliminat*; disattiv* ~3 utenz*|account|accessi; revoca ~3 accessi|diritti|utenze; accounts|account|toegang|rechten|toegangsrechten|autorisaties ~8 ingetrokken|geblokkeerd|verwijderd|gedeactiveerd|uitgeschakeld|afgesloten|opgeheven; intrek* ~3 toegang|rechten|autorisaties; blokk* ~3 account|accounts|toegang; deprovision*; offboarding`,
    ),
  ],
  [
    'breach',
    phraseList(
      `breach*; data incident*; security incident*; incident|incidents; unauthorised disclosure|access; unauthorized disclosure|access|use; verletzung*; datenpanne*; datenschutzvorf*; datenschutzverletz*; sicherheitsvorf*; sicherheitsverletz*; vorfall; vorfälle; violation|violations; fuite* de données; incident* de sécurité; brecha*; violacion*; violación; quiebra* de seguridad; incidente* de seguridad; incidentes; violazion*; incidente|incidenti ~2 sicurezza; data breach; inbreuk*; datalek*; beveiligingsincident*; beveiligingsinbreuk*; incidenten`,
    ),
  ],
  [
    'incident',
    phraseList(
      `significant incident*; major ~2 incident*; ict related incident*; ict incident*; early warning; initial notification; intermediate report; final report; incident notification; erheblich* sicherheitsvorf*; erheblicher vorfall; schwerwiegend* ~2 vorf*; ikt bezogen*; frühwarnung; abschlussbericht; erstmeldung; zwischenmeldung; abschlussmeldung; zwischenbericht; folgemeldung; incident|incidents majeur|majeurs|important|importants|significatif; alerte précoce; rapport final|intermédiaire; notification initiale; incidente* grave|graves|significativo|significativos|importante|importantes; alerta temprana; informe final|intermedio; notificación inicial; incident* grav*|significativ*|rilevant*; preallarme; allarme rapido; relazione finale|intermedia; notifica iniziale; ernstig* ~2 incident*; significant* incident*; aanzienlijk* incident*; vroegtijdige waarschuwing; eindverslag; eindrapport; tussentijds verslag; initiële melding; ict gerelateerd*; early warning`,
    ),
  ],
  [
    'report',
    phraseList(
      `notif*; report; reports; reported; reporting; inform; informs; informed; informing; alert; alerts; communicate*; notice to; meld*; gemeldet; melden; meldet; meldung; informier*; benachrichtig*; unterricht*; anzeig*; mitgeteilt; teilt ~8 mit; gibt; notifi*; informe; informer; informent; signale; signaler; signalé*; alerte; transmise; transmis; transmet; déclar*; avise; comunic*; notific*; informa; informan; informará; avisa; avisará; comunica; comunicherà; segnala*; informare; gemeld; melden; meldt; inlicht*; informeert; informeren; kennisgev*; stelt ~8 op de hoogte; stelt ~10 in kennis; in kennis gesteld; op de hoogte; rapporteert; gerapporteerd; einzureichen; übermittelt`,
    ),
  ],
  [
    'remedy',
    phraseList(
      `remediat*; finding* ~8 closed|corrected|resolved|remedied; corrective action*; nonconformit* ~8 corrected|closed|resolved; deficienc* ~6 corrected|remedied; correct* ~3 finding*|deficienc*; failed test|tests|restore|restores ~6 corrected|remedied|fixed|repeated; failure|failures ~5 corrected|remedied|fixed; feststellungen ~8 behoben|beseitigt|abgestellt|geschlossen; mängel ~8 behoben|beseitigt|abgestellt; abweichungen ~8 behoben|abgestellt|geschlossen; korrekturmaßnahmen; constats ~6 corrigés|levés|traités; écarts ~6 corrigés|levés|traités|soldés; actions correctives; hallazgos ~6 corrig*|cerr*|subsan*|resuelv*; no conformidades ~8 corrig*|cerr*|subsan*|resuelv*; acciones correctivas; rilievi ~6 corrett*|chius*|risolt*; non conformità ~8 corrett*|chius*|risolt*|sanat*; azioni correttive; bevindingen ~6 opgelost|verholpen|hersteld|gesloten; afwijkingen ~6 opgelost|verholpen|hersteld|gesloten; corrigerende maatregelen; tekortkomingen ~6 hersteld|verholpen`,
    ),
  ],
  [
    'notice',
    phraseList(
      `notice; advance notice; prior notice; announce*; give* ~4 notice; written notice; announcement; inform*; notify; notifies; anmeldung; ankündigung; vorankündigung; angekündigt; informiert; informieren; mitteilung; mitgeteilt; teilt; préavis; avertir; informe; informer; prévenir; aviso; preaviso; antelación; comunica*; informa*; preavviso; comunicazione; comunicare; aankondiging; aangekondigd; vooraf; kennisgeving; informeert; stelt; meldt; avise; avisar; notific*; notifica; voorafgaande; en avance; à l avance; im voraus; vorher; vor jeder`,
    ),
  ],
  [
    'answer',
    phraseList(
      `answer*; transmis*; vidarebefordra*; videresend*; videreform*; besvara*; besvare*; make* ~12 available; provide* access; respond*; reply; replies; response; forward*; pass|passes|passed on; hand* over; handled; fulfil*; complet*; transmit*; refer*; leitet; weiter; weitergeleitet; weiterleit*; beantwort*; leiten; übermittelt; réponse; répond*; répondu; transmet*; traité*; traitées; transfère; reçoivent; atiend*; atendid*; respond*; contest*; respuesta; traslad*; remit*; resuelv*; rispost*; rispond*; evas*; trasmett*; inoltr*; riscontr*; beantwoord*; doorgestuurd; doorgezonden; doorstu*; afgehandeld; stuurt; doorgeleid; reageert; deals; dealt; notify; notifies; informs; inform; informiert; informe; informa; informeert; meldet; send*; sends; promptly`,
    ),
  ],
  [
    'authority',
    phraseList(
      `supervisory authority; authority; regulator; commissioner; ico; cnil; aepd; garante; autoriteit persoonsgegevens; aufsichtsbehörde; behörde; autorité; autoridad; autorità; autoriteit; toezichthouder; hhs; secretary; csirt; bsi; regulators; authorities; zuständige stelle; acn; anssi; incibe; landesbeauftragte*; datenschutzbehörde`,
    ),
  ],
  [
    'keeping',
    phraseList(
      `retain*; kept for; stored for; retention; aufbewahr*; gespeichert; conserv*; bewaard; bewaar*; overwritten; überschrieben; supprimé ~3 après; lösch*; delete*; deletion; retained`,
    ),
  ],
];

export const topics = compilePhrases<Topic>(
  topicWordings.map(([topic, phrases]) => [
    topic,
    [...phrases, ...phraseList(furtherTopics[topic as keyof typeof furtherTopics] ?? '')],
  ]),
);
