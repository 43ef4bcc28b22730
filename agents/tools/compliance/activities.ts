/** Activities that organisations repeat, and how documents name them in nine languages. Phrases are those of `compilePhrases`. */
import { compilePhrases, phraseList } from '../text/phrases.ts';
import { furtherActivities, furtherGeneric } from './further-wordings.ts';

export type Activity =
  | 'access-review'
  | 'password-change'
  | 'penetration-test'
  | 'vulnerability-scan'
  | 'backup'
  | 'restore-test'
  | 'training'
  | 'phishing-simulation'
  | 'risk-assessment'
  | 'document-review'
  | 'internal-audit'
  | 'management-review'
  | 'continuity-test'
  | 'incident-exercise'
  | 'supplier-review'
  | 'log-review'
  | 'key-rotation'
  | 'firewall-review'
  | 'external-audit'
  | 'asset-inventory';

/**
 * The more specific first: where a clause names several, the one whose words enclose or follow the other's counts, and at the same
 * place the earlier in this table.
 */
const wordings: readonly (readonly [Activity, string])[] = [
  [
    'restore-test',
    `restore|restoration test|tests|tested|exercise*; recovery test|tests|tested; restor* ~6 tested|test|verified; backup|backups ~3 restored; backups ~4 tested|test; backup restoration|restore; test restore*; tested ~3 restor*; restore of ~4 backup|backups; recovery of ~3 backup* ~3 tested; wiederherstellung* ~6 getestet|erprobt|geprüft|geübt|test|tests;
    wiederherstellungstest*; restore test*; rücksicherung* ~5 getestet|erprobt|geprüft|test*; rücksicherungstest*; test* ~3 wiederherstellung|rücksicherung; test|tests|essai|essais de restauration; restauration* ~5 testée|testées|test|vérifiée; restaurations ~3 test*; prueba|pruebas ~2 restauración|recuperación; restauración* ~5 prueba|comprueba|probada; ensayo* de restauración;
    test|prova|prove ~2 ripristino|restore; ripristino ~5 testat*|provat*|verificat*; hersteltest*; terugzettest*; restoretest*; herstel ~5 getest|beproefd; terugzetten ~5 getest|beproefd; back ups ~4 getest; test* ~3 herstel|terugzetten; restore ~3 test*`,
  ],
  [
    'phishing-simulation',
    `phishing ~2 simulation*|simulatie*|simulado*|simulazion*|campaign*|kampagne*|test|tests|exercise*|oefening*|übung*|campagne*; simulated phishing; simulier* phishing; simulation* ~3 phishing|hameçonnage; phishing simulation*; phishing simulatie*; phishingsimulat*; phishing test*; phishingtest*; simulacro* ~2 phishing; campaña* ~3 phishing; simulazion* ~2 phishing;
    campagne* ~3 phishing|hameçonnage; faux hameçonnage; phishingkampagne*; gesimuleerde phishing; phishingcampagne*; phishing`,
  ],
  [
    'penetration-test',
    `penetration test*; penetration testing; pen test*; pentest*; penetrationstest*; penetrationsprüfung*; eindringtest*; test|tests d intrusion; test|tests de pénétration; prueba|pruebas de penetración|intrusión; test de penetración|intrusión|intrusion; hacking ético; test|prova di penetrazione|intrusione; penetration tests; penetratietest*; pentests; red team*; tlpt; threat led penetration`,
  ],
  [
    'vulnerability-scan',
    `vulnerability scan*; vulnerability assessment*; vulnerabilit* ~4 scan|scans|scanned; scan* ~6 vulnerabilit*; asv scan*; external scan*; internal scan*; schwachstellenscan*; schwachstellen ~3 geprüft|gescannt|untersucht|scan|scans; schwachstellenprüfung*; schwachstellenanalyse*; scan* ~3 schwachstellen; scan|scans|analyse|analyses ~2 vulnérabilités; vulnérabilités ~4 scan*; balayage* de vulnérabilités;
    escaneo|escaneos|análisis ~3 vulnerabilidades; vulnerabilidades ~4 escane*|analiz*; scansion* ~3 vulnerabilità; vulnerability scanning; kwetsbaarhedenscan*; kwetsbaarheidsscan*; kwetsbaarheidsscans; scan* ~3 kwetsbaarheden; kwetsbaarheden ~3 gescand; gescand ~3 kwetsbaarheden; weekly scans; scansione; scansioni`,
  ],
  [
    'access-review',
    `access review*; user access review*; review* ~5 access|rights|privileges|permissions|entitlements|accounts; access ~8 reviewed|review|recertified|certified|attested; accounts ~6 reviewed|recertified; rights ~6 reviewed|recertified|checked; access recertification*|certification*; recertif*; attest* ~5 accounts|access; permissions ~4 reviewed; entitlement* ~3 review*|reviewed; privileges ~4 reviewed; review of user|privileged;
    rechteprüfung*; berechtigungsprüfung*; berechtigungsreview*; rezertifizier*; prüf* ~4 rechte|berechtigungen|zugriffsrechte|zugänge; rechte|berechtigungen|zugriffsrechte|zugangsrechte|konten|benutzerkonten ~11 geprüft|überprüft|kontrolliert|bestätigt|rezertifiziert; überprüf* ~4 rechte|berechtigungen|zugriffsrechte|zugriffe; prüfung der rechte|berechtigungen|zugriffsrechte; benutzerrechte ~5 geprüft|überprüft; zugriffsprüfung*;
    revue* ~4 droits|accès|habilitations|comptes; habilitations ~5 revues|revue|révisées|contrôlées|vérifiées; droits d accès|accès|comptes ~6 revus|révisés|recertifiés|vérifiés|contrôlés; recertification ~3 accès|droits|habilitations|comptes; droits ~4 revus|réexaminés; réexam* ~3 droits|habilitations;
    revis* ~5 permisos|accesos|acceso|privilegios|derechos|cuentas|usuarios; permisos|accesos|privilegios|cuentas ~5 revis*|recertific*; recertific*; riesam* ~4 accessi|utenze|diritti|privilegi|abilitazioni|permessi; revision* ~4 accessi|utenze|diritti|privilegi|abilitazioni; accessi|utenze|abilitazioni|privilegi ~6 riesaminat*|verificat*|rivist*|ricertificat*|revisionat*; ricertificazion*; verifica ~3 utenze|abilitazioni|accessi|privilegi;
    toegangsrechten|autorisaties|accounts|rechten ~6 beoordeeld|gecontroleerd|herzien|getoetst|gereviewd; controle ~3 toegangsrechten|autorisaties|rechten; autorisatiecontrole*; autorisatiereview*; beoordel* ~4 toegangsrechten|autorisaties|rechten; toegangsreview*; hercertificering; review van toegangsrechten`,
  ],
  [
    'password-change',
    `passwords ~5 changed|rotated|renewed|expire; change* ~3 password|passwords; password change*|rotation|expiry|expiration; passwort*wechsel; passwortwechsel; kennwortwechsel; passwörter|kennwörter ~6 gewechselt|geändert|gewechselt|erneuert; wechsel ~3 passworts|passwörter|kennwörter; mots de passe ~5 changés|renouvelés|modifiés; changement ~3 mot|mots de passe; renouvellement ~3 mots de passe; contraseñas ~6 cambian|cambiarse|renuevan|renovarse|caducan|cambiadas; cambio ~3 contraseña|contraseñas;
    password ~5 cambiat*|modificat*|rinnovat*|scadono; cambio ~2 password; wachtwoorden ~6 gewijzigd|vernieuwd|gewisseld; wachtwoordwijziging; wijzig* ~3 wachtwoorden; wechsel`,
  ],
  [
    'key-rotation',
    `key|keys|secrets|certificates|credentials ~6 rotated|renewed|replaced|changed|rotation; key rotation; rotat* ~4 keys|key|secrets|certificates; schlüsselwechsel; schlüsselrotation; schlüssel ~6 gewechselt|rotiert|erneuert|ausgetauscht; clés|clefs ~12 renouvelées|changées|remplacées; rotation des clés|clefs; renouvellement ~2 clés|clefs; claves ~6 rotan|renuevan|cambian|rotarse|sustituyen; rotación ~2 claves; chiavi ~6 ruotate|rinnovate|sostituite|cambiate; rotazione ~2 chiavi;
    sleutels ~6 geroteerd|vernieuwd|vervangen|gewisseld; sleutelrotatie; rotatie ~2 sleutels; sleutelwissel`,
  ],
  [
    'log-review',
    `log review*; review* ~4 log|logs|alerts; review* ~3 audit trail*; log|logs ~6 reviewed|examined|analysed|analyzed|checked; protokollauswertung*; protokolle|protokolldaten|logs|logdaten ~5 ausgewertet|geprüft|gesichtet|aus; wertet ~4 protokolle|logs; auswertung ~3 protokolle|logs|protokolldaten; revue* ~3 journaux|logs|traces; journaux ~6 revus|analysés|examinés|contrôlés|exploités; analyse ~3 journaux;
    revis* ~3 registros|logs|bitácoras|trazas; registros ~5 revisan|analizan|revisados; logs ~5 revisan|analizan; log ~5 esaminati|analizzati|riesaminati|verificati|controllati; riesame ~3 log; analisi ~3 log; logs|logbestanden|loggegevens ~6 beoordeeld|gecontroleerd|geanalyseerd|bekeken; controle ~3 logbestanden|logs|loggegevens; loganalyse; logcontrole; logreview`,
  ],
  [
    'firewall-review',
    `firewall ~3 rule*|ruleset* ~6 reviewed|review; firewall|firewalls ~5 review*|reviewed; review* ~4 firewall*; rule sets ~4 reviewed; firewall regeln ~6 geprüft|überprüft; firewallregeln ~6 geprüft|überprüft; firewall regelwerk* ~5 geprüft|überprüft; regelwerksprüfung; prüf* ~3 firewall*; règles ~3 pare feu ~5 revues|révisées; revue ~4 pare feu|pare feux; règles de filtrage ~5 revues|réexaminées; reglas ~3 cortafuegos|firewall; revis* ~4 cortafuegos|firewall; regole ~3 firewall; riesam* ~4 firewall; firewallregels ~6 beoordeeld|gecontroleerd; firewall regels; firewallreview`,
  ],
  [
    'incident-exercise',
    `incident response ~4 tested|exercised|test|tests|exercise*; incident ~3 exercise*|drill*|simulation*; incident ~4 plan ~4 tested|exercised; tabletop*; table top; cyber exercise*; crisis exercise*|simulation*; test* ~4 incident response; incident plan; vorfallübung*; notfallübung ~3 cyber*; planspiel*; incident response übung*; krisenübung*; exercice* ~3 incident*|crise|cyber; simulation* ~3 crise|incident*; ernstfall* ~4 geübt|erprobt|geprobt; ernstfallübung*; simulacro* ~3 incidente*|crisis|ciber*; ejercicio* ~3 incidente*|crisis|ciber*; esercitazion* ~4 incident*|crisi|cyber; simulazion* ~3 incident*|crisi;
    incidentoefening*; crisisoefening*; cyberoefening*; oefening ~3 incident*; plan de respuesta ~5 prueba|ensaya; piano di risposta ~5 testato|provato; incidentresponsplan ~4 getest|geoefend; incident respons* ~4 geoefend|getest`,
  ],
  [
    'continuity-test',
    `business continuity ~4 test*|exercise*|tested; continuity plan* ~5 tested|exercised; disaster recovery ~4 test*|tested|exercise*; recovery exercise*; recovery drill*; full recovery ~2 exercise*|test*|drill*; site failover*; switchover ~2 test*|exercise*; dr test*; dr exercise*; failover ~8 test*|tested; failover test*; contingency plan* ~4 tested; recovery plan* ~4 tested|exercised; continuity test*|exercise*; bcp ~3 test*|exercise*; notfallübung*; notfalltest*; notfallplan* ~5 geübt|getestet|erprobt|geprüft; notfallhandbuch ~5 getestet|geübt; wiederanlauftest*; kontinuitätstest*; ausfalltest*; ausweichtest*; schwenktest*;
    pca|pra ~4 testé*|test*; plan ~2 continuité|reprise ~5 testé*|éprouvé; bascule* ~3 testée|testées|test|tests; test* ~3 continuité|reprise|bascule|secours; exercice* ~3 continuité|reprise; prueba* ~4 continuidad|contingencia; plan de continuidad|contingencia ~5 prueba|ensaya|probado; conmutación ~3 prueba|prueban; simulacro* de continuidad; test ~3 continuità|disaster|emergenza; piano di continuità ~5 testato|provato|verificato; prov* ~3 continuità;
    uitwijktest*; continuïteitstest*; uitwijk ~4 getest|beproefd; continuïteitsplan* ~5 getest|geoefend; noodplan ~5 getest|geoefend; failovertest*; bcp ~3 getest; calamiteitenoefening*`,
  ],
  [
    'management-review',
    `management review*; reviewed by ~2 management; review by ~2 management; managementbewertung*; management review; bewertung durch die leitung|geschäftsleitung|geschäftsführung; revue* de direction; revue* ~2 direction; revisión* ~2 por la dirección; revisión* ~2 dirección; riesam* ~2 direzione; riesam* della|di|da parte della direzione; direzione riesamina; direzione ~2 riesamina|rivede; dirección revisa; directiebeoordeling*; managementbeoordeling*; management beoordeling; directie ~3 beoordeelt; leitung bewertet ~4 isms; geschäftsführung bewertet; management reviews ~3 isms|system`,
  ],
  [
    'internal-audit',
    `internal audit*; internal isms audit*; internes audit; interne audits; interner audits; internen audits; interne revision; audit|audits interne|internes; auditoría*|auditorias interna|internas; audit intern*; verifiche interne; interne audit*; internal controls audit; eigen audit`,
  ],
  [
    'external-audit',
    `external audit*; surveillance audit*; recertification audit*; certification audit*; annual surveillance; surveillance visit*; independent audit*; soc 2 audit*|examination*; soc 2 ~3 audit*|examination*; recertification; surveillance ~3 annual|annually|yearly; überwachungsaudit*; rezertifizierungsaudit*; externe audits; externes audit; überwachungsbegutachtung*; rezertifizierung; überwachung ~2 jährlich*; jährlich* überwachung*; audit|audits externe|externes; audit* de surveillance|suivi|renouvellement; audits de certification; surveillance annuelle; renouvellement ~3 triennal|certificat; seguimiento anual; auditoría*|auditorías externa|externas|de seguimiento|de renovación|de certificación|de vigilancia; vigilancia anual;
    audit esterni|esterno; audit di sorveglianza|rinnovo|certificazione; sorveglianza; riesame completo; verifiche di sorveglianza|mantenimento; rinnovo ~2 triennale; externe audit*; controleaudit*; hercertificering ~3 jaar; opvolgingsaudit*; surveillance audit; toezichtaudit*; periodieke audit*; hercertificeringsaudit*; toezichtsbezoek*`,
  ],
  [
    'supplier-review',
    `supplier|suppliers|vendor|vendors|parties|providers|processors|subcontractors|subprocessors ~6 reviewed|assessed|audited|evaluated|reassessed|monitored|review; supplier|vendor ~2 review*|assessment*|audit*|evaluation*; review* ~4 suppliers|vendors|supplier|vendor; assess* ~3 suppliers|vendors; third party review*|assessment*; dienstleister|lieferanten|auftragsverarbeiter|unterauftragnehmer ~9 überprüft|geprüft|bewertet|auditiert|beurteilt|kontrolliert; lieferantenbewertung*; lieferantenaudit*; dienstleisterprüfung*; dienstleisterkontrolle*; prüf* ~4 dienstleister|lieferanten|auftragsverarbeiter|unterauftragnehmer;
    fournisseurs|prestataires|traitants ~7 évalués|réévalués|audités|revus|contrôlés; évaluation* ~3 fournisseurs|prestataires|tiers; revue* ~3 fournisseurs|prestataires; proveedores ~7 evalú*|evalu*|revis*|audit*; evaluación* ~4 proveedores|encargados; revis* ~3 proveedores; fornitori ~7 valutat*|riesaminat*|verificat*|auditat*|rivalutat*; valutazion* ~3 fornitori; riesam* ~3 fornitori; qualifica ~2 fornitori;
    leveranciers|dienstverleners|verwerkers ~7 beoordeeld|geëvalueerd|getoetst|gecontroleerd|geaudit; leveranciersbeoordeling*; leveranciersreview*; beoordel* ~4 leveranciers`,
  ],
  [
    'risk-assessment',
    `risk assessment*|analysis|analyses|review*; risk* ~4 assessed|reassessed|reviewed; reassess* ~3 risk*; assess* ~3 risks; risk register ~4 reviewed|updated; risikoanalyse*; risikobeurteilung*; risikobewertung*; risiken ~6 bewertet|überprüft|beurteilt|neu; risikoinventur; analyse* ~2 risques; appréciation* ~2 risques; évaluation* ~2 risques; risques ~5 réévalués|revus|réexaminés|évalués; revue* ~2 risques; réévaluation* ~2 risques; análisis ~2 riesgos; evaluación* ~2 riesgos; riesgos ~5 evalúan|revisan|reevalúan; revis* ~2 riesgos; apreciación ~2 riesgos;
    valutazion* ~3 rischi|rischio; analisi ~3 rischi|rischio; rischi ~5 rivalutati|valutati|riesaminati; riesam* ~3 rischi; risicoanalyse*; risicobeoordeling*; risico's ~5 beoordeeld|herbeoordeeld|geëvalueerd; herbeoordeling ~3 risico*; risico inventarisatie; risicoanalyses`,
  ],
  [
    'backup',
    `backup|backups ~8 taken|made|performed|run|created|stored|executed|done|frequency|copied; back ups; backup*; backed up; back up; nightly copies; datensicherung*; sicherungskopie*; sicherung ~4 erfolgt|server|daten; sichert ~5 server|daten|systeme|datenbanken; gesichert ~4 täglich|wöchentlich; täglich* ~3 gesichert|sicherung; sauvegarde*; sauvegardé*; copia|copias de seguridad|respaldo; respaldo*; salvataggi*; copie di sicurezza; copie di backup; reservekopie*; back up; back ups; backuppen; veiligheidskopie*; geback upt; databack*`,
  ],
  [
    'training',
    `training ~5 security|awareness|privacy|staff|employees|personnel; awareness training*; security training*; privacy training*; security awareness; trained ~3 on|annually|yearly|every|at|in; training; trainings; refresher course*; e learning; awareness programme*|program*; schulung*; datenschutzschulung*; sicherheitsschulung*; mitarbeiterschulung*; awarenessschulung*; geschult; unterweisung*; unterwiesen; sensibilisier*; pflichtschulung*; formation* ~6 sécurité|salariés|personnel|collaborateurs|agents; formation|formations; formé*|formées ~4 chaque|tous|annuellement; sensibilisation*; formación; formaciones; curso anual; cursos; capacitación*; concienciación; formazione; formati ~3 annualmente|ogni; addestramento; corso annuale; sensibilizzazione; opleiding*; training*; bewustwording*; getraind; scholing*; opgeleid; cursus; bijscholing`,
  ],
  [
    'asset-inventory',
    `asset inventory|register ~5 reviewed|updated|verified|reconciled; inventory ~5 reviewed|updated|verified|reconciled|checked|maintained|kept; asset inventory; stocktak*; asset register; inventar* ~5 geprüft|aktualisiert|abgeglichen; inventarisierung; inventur; inventaire ~5 mis|revu|vérifié|actualisé|tenu; inventaire des actifs; inventario ~5 actualiza|revisa|verifica|aggiornato|riesaminato|verificato; inventario de activos|degli; inventaris ~5 bijgewerkt|gecontroleerd|geactualiseerd; inventarisatie ~3 middelen|bedrijfsmiddelen; assetregister; inventario degli asset`,
  ],
  [
    'document-review',
    `reviewing ~2 updating ~8 policy|process|procedure|standard|plan|requirements; review ~2 update ~8 policy|process|procedure|standard; register|registre|record ~6 reviewed|updated|révisé|actualisé; register ~12 geactualiseerd|bijgewerkt|herzien; verzeichnis ~8 aktualisiert|überprüft; registro ~6 actualiza|revisa|aggiornato|riesaminato; policy ~6 reviewed; policy review*; policies ~4 reviewed; this ~3 document|policy|standard|procedure|statement|assessment|register|dpia|plan ~5 reviewed|updated|revised; reviewed at least; document review*; review of this ~2; richtlinie ~8 überprüft|geprüft|aktualisiert|überarbeitet; dokument ~6 überprüft|geprüft|aktualisiert; diese ~3 richtlinie|leitlinie|erklärung ~6 überprüft|aktualisiert; anweisung ~5 überprüft; politique ~5 revue|révisée|réexaminée; document ~5 revu|révisé|réexaminé|actualisé; procédure ~5 revue|révisée; présente ~5 revue|révisée|réexaminée|actualisée; política ~5 revisa|revisará|actualiza; documento ~5 revisa|revisará|actualiza|riesaminato|rivisto|aggiornato; procedimiento ~4 revisa;
    politica ~5 riesaminata|rivista|aggiornata; procedura ~5 riesaminata|rivista; beleid ~5 herzien|geëvalueerd|beoordeeld|geactualiseerd; document ~5 herzien|beoordeeld|geëvalueerd|geactualiseerd; procedure ~5 herzien; verklaring ~4 herzien|beoordeeld; dpia ~5 herzien|reviewed|aktualisiert`,
  ],
];

export const activityPhrases = compilePhrases(
  wordings.map(([activity, text]) => [activity, phraseList(`${text}; ${furtherActivities[activity]}`)] as const),
);

const ranks = new Map(wordings.map(([activity], index) => [activity, index]));

/** Smaller for the more specific. */
export function activityRank(activity: Activity): number {
  return ranks.get(activity)!;
}

/** Words for a review or a test that do not say of what. */
export const genericPhrases = compilePhrases<'review' | 'test'>([
  [
    'review',
    phraseList(
      `review; reviewed; reviews; re evaluated; reassess*; update; updated; überprüfung; überprüft; prüfung; review; neubewertung; aktualisierung; revue; révision; réexamen; réexaminé*; réévaluation; revu; révisé; mise à jour; revisión; revisa; revisará; actualización; riesame; riesaminat*; revisione; aggiornamento; rivalutazione; herziening; herbeoordeling; beoordeling; evaluatie; herzien; herijking; controle; periodic review; next review; ${furtherGeneric.review}`,
    ),
  ],
  [
    'test',
    phraseList(
      `test; tests; tested; getestet; erprobt; testé; testée; prueba; pruebas; prueban; prova; prove; testato; testat*; getest; test*; ensayo; exercise*; geübt; oefening; ${furtherGeneric.test}`,
    ),
  ],
]);

/** Activities that a generic word can stand for. */
export const reviewActivities: ReadonlySet<Activity> = new Set([
  'access-review',
  'log-review',
  'firewall-review',
  'management-review',
  'supplier-review',
  'risk-assessment',
  'document-review',
  'asset-inventory',
]);
export const testActivities: ReadonlySet<Activity> = new Set([
  'restore-test',
  'continuity-test',
  'penetration-test',
  'incident-exercise',
]);
