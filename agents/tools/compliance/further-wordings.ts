/**
 * Further wordings for the tables of compliance: common combinations of an object with the verbs of doing, and the wordings in
 * Portuguese, Polish and Swedish. Phrases are those of `compilePhrases`.
 */

/** By the activities that organisations repeat. */
export const furtherActivities = {
  'restore-test': `test restore*|recover*; restore ~4 test*|drill*|exercise*; restores ~4 tested|verified; restoration ~5 verified|tested|test*; restore drill*; recovery drill*; rücksicherungen ~6 getestet|geprüft|erprobt; rücksicherung|wiederherstellung ~8 getestet|geprüft|erprobt|geübt; test de restauration; essai* de restauration; restauration* ~6 testé|testées|testée|vérifiée; pruebas de restauración; restauración ~6 prueba|comprueba; test di ripristino; ripristino ~6 testat*|provat*; terugzetten ~6 getest; restore ~4 getest;
    teste|testes ~2 restauro|restauração|recuperação; restauro*|restauração|reposição ~4 testad*|testado|teste; cópias ~4 testad*; ensaio* de restauro;
    test* odtworzen*|odtwarzania|przywracania|przywrócenia; odtwarzani*|odtworzen*|przywracani* ~4 testuje|testowan*|test*|sprawdza*; test* ~4 odtwarzania|odtworzenia|przywracania;
    återläsning* ~4 provas|testas|prov|test; återläsningstest*; återläsningsprov*; återställning* ~4 provas|testas|test; återställningstest*; test av återläsning|återställning`,
  'phishing-simulation': `simulaç* ~2 phishing; campanha* ~2 phishing; kampani* phishing*; symulacj* phishing*; symulowan* phishing*; testy phishing*; nätfiske*; phishingövning*; simulerad* nätfiske*|phishing; phishingtest*`,
  'penetration-test': `red team*|red teaming; pen testing; penetrationsprüfung*; intrusion test*; tests d intrusion; campagne de tests d intrusion;
    teste|testes de intrusão|penetração; ensaio*|teste* de intrusão; test*|testów penetracyj*; pentest*; penetrationstest*; intrångstest*; penetrationstester`,
  'vulnerability-scan': `análise*|varrimento*|pesquisa* ~2 vulnerabilidades; scan* de vulnerabilidades; vulnerabilidades ~4 analisad*|pesquisad*; skanowani* ~3 podatności; skany podatności; podatności ~3 skan*; skan* podatności; sårbarhetsskanning*; sårbarhetsscanning*; sårbarhetsanalys*; skanning* ~3 sårbarheter; skannas ~4 sårbarheter`,
  'access-review': `access|rights|permissions|entitlements|privileges|accounts|roles ~8 recertified|attested|revalidated|reviewed|examined|checked|verified|assessed|inspected|evaluated|validated|audited; zugriffsrechte|berechtigungen|rechte|zugänge|rollen|konten ~9 geprüft|überprüft|kontrolliert|gesichtet|ausgewertet|bewertet|begutachtet|durchgesehen|bestätigt|rezertifiziert; droits|accès|habilitations|comptes|privilèges ~8 revu|revus|revue|revues|révisés|révisées|vérifiés|vérifiées|contrôlés|contrôlées|examinés|examinées|réexaminés|réexaminées|analysés|analysées; permisos|accesos|privilegios|derechos|cuentas|usuarios ~6 revisan|revisa|revisarán|revisados|revisadas|comprueban|verifican|analizan|examinan|controlan|recertifican; accessi|utenze|diritti|privilegi|abilitazioni|permessi|profili ~6 riesaminat*|verificat*|controllat*|esaminat*|rivist*|revisionat*|analizzat*; rechten|toegangsrechten|autorisaties|accounts|toegang ~8 beoordeeld|gecontroleerd|nagekeken|getoetst|herzien|geëvalueerd|bekeken|gehercertificeerd; user access certification*|attestation*; rezertifizierung ~4 berechtigungen|rechte|konten;
    autorizações|acessos|permissões|privilégios|perfis|direitos ~6 revist*|revistos|verificad*|recertificad*; revisão ~4 acessos|autorizações|permissões|privilégios|perfis|direitos; recertificação ~3 acessos|permissões;
    przegląd* ~3 uprawnień|dostępów|dostępu|kont; uprawnienia|dostępy|konta ~6 przeglądane|weryfikowane|przegląda*|weryfikuj*|sprawdza*; przegląda*|weryfikuj* ~4 uprawnienia|dostępy; weryfikacj* ~2 uprawnień;
    behörighet* ~6 granskas|ses|kontrolleras|prövas|gås; gransk* ~4 behörighet*|åtkomst*|konton; behörighetsgenomgång*; behörighetsgranskning*; översyn ~3 behörighet*|åtkomst*; åtkomsträttigheter ~5 granskas|ses`,
  'password-change': `passwords|passphrases ~6 changed|rotated|renewed|reset; passwörter|kennwörter|passwort ~6 ändern|wechseln|erneuern|geändert|gewechselt; mots de passe ~6 changer|renouveler|changés|renouvelés; contraseñas ~5 cambiar|cambian|renovar; password ~5 cambiare|cambiate; wachtwoorden ~5 wijzigen|gewijzigd|vervangen;
    palavras passe ~5 alterad*|mudad*|renovad*; mudança ~3 palavra* passe; alteração ~3 senha*; senhas ~5 alterad*|trocad*; hasła ~5 zmienia*|zmieniane; zmian* ~2 hasła|haseł; lösenord ~5 byts|ändras|byta; byte av lösenord; lösenordsbyte*`,
  'key-rotation': `key|keys|secrets|certificates|certificate|credentials ~9 rotated|renewed|replaced|changed|rolled; schlüssel|zertifikate ~8 erneuern|wechseln|ausgetauscht|erneuert|gewechselt|rotiert; clés|clefs|certificats ~8 renouvelés|renouvelées|remplacés|remplacées|changées; claves|certificados ~6 renuevan|rotan|cambian|sustituyen; chiavi|certificati ~6 rinnovat*|ruotat*|sostituit*|cambiat*; sleutels|certificaten ~6 vernieuwd|vervangen|geroteerd|gewisseld;
    chaves ~6 rodadas|renovad*|substituíd*|trocad*|alterad*; rotação ~2 chaves; klucze ~6 rotowane|wymienia*|zmienia*|odnawia*; rotacj* kluczy; wymian* kluczy; nycklar ~6 byts|roteras|förnyas; nyckelbyte*; nyckelrotation; rotation av nycklar; certificates ~4 replaced|renewed|rotated; certificate ~3 replacement|renewal; zertifikate ~4 erneuert|ausgetauscht; certificats ~4 renouvelés|remplacés`,
  'log-review': `logs|log|trail|trails ~9 reviewed|examined|checked|verified|assessed|inspected|evaluated|validated|audited; protokolle|protokolldaten|logdaten|logfiles|logs|protokolldateien|ereignisprotokolle ~9 geprüft|überprüft|kontrolliert|gesichtet|ausgewertet|bewertet|begutachtet|durchgesehen; auswertung|sichtung ~3 protokolle|protokolldaten|logs|logfiles; journaux ~8 revu|revus|revue|revues|révisés|révisées|vérifiés|vérifiées|contrôlés|contrôlées|examinés|examinées|réexaminés|réexaminées|analysés|analysées; traces ~5 revu|revus|revue|revues|révisés|révisées|vérifiés|vérifiées|contrôlés|contrôlées|examinés|examinées|réexaminés|réexaminées|analysés|analysées; registros|logs|bitácoras ~6 revisan|revisa|revisarán|revisados|revisadas|comprueban|verifican|analizan|examinan|controlan; log ~6 riesaminat*|verificat*|controllat*|esaminat*|rivist*|revisionat*|analizzat*; registri di accesso ~5 riesaminat*|verificat*|controllat*|esaminat*|rivist*|revisionat*|analizzat*; logs|logbestanden|logging|loggegevens ~8 beoordeeld|gecontroleerd|nagekeken|getoetst|herzien|geëvalueerd|bekeken; log monitoring; siem ~4 reviewed|monitored;
    registos|logs|diários ~6 revist*|analisad*|verificad*|examinad*; análise|revisão ~3 registos|logs; przegląd* ~3 logów|dzienników; logi|dzienniki ~5 przegląda*|analiz*|sprawdza*|przeglądane; analiz* ~2 logów|dzienników; loggar ~6 granskas|analyseras|kontrolleras; logg ~5 granskas; logggranskning*; loggranskning*; granskning ~2 loggar; loggenomgång*; loggkontroll*; alerts|alarms ~3 reviewed|checked|examined; security events ~6 reviewed`,
  'firewall-review': `firewall|firewalls ~8 reviewed|examined|checked|verified|assessed|inspected|evaluated|validated|audited; firewallregeln|firewallkonfiguration*|firewall ~8 geprüft|überprüft|kontrolliert|gesichtet|ausgewertet|bewertet|begutachtet|durchgesehen; pare feu|feux ~8 revu|revus|revue|revues|révisés|révisées|vérifiés|vérifiées|contrôlés|contrôlées|examinés|examinées|réexaminés|réexaminées|analysés|analysées; cortafuegos ~8 revisan|revisa|revisarán|revisados|revisadas|comprueban|verifican|analizan|examinan|controlan; firewall ~8 riesaminat*|verificat*|controllat*|esaminat*|rivist*|revisionat*|analizzat*; firewall ~8 beoordeeld|gecontroleerd|nagekeken|getoetst|herzien|geëvalueerd|bekeken; firewallregels|firewallconfiguratie ~6 beoordeeld|gecontroleerd|nagekeken|getoetst|herzien|geëvalueerd|bekeken; firewall|ruleset audit|audits|reviews; regelwerksreview*;
    regras ~3 firewall ~5 revist*|revistas|verificad*; revisão ~3 firewall; reguły ~3 zapory|firewalla ~5 przegląda*|weryfik*; przegląd* ~3 zapory|zapór|firewall*; brandvägg* ~5 granskas|ses|kontrolleras; brandväggsregler ~4 granskas|ses|kontrolleras; brandväggsgranskning*; rule set|sets|rules ~5 firewall*; firewall rule sets`,
  'incident-exercise': `table top; incident ~3 simulation*|drill*|rehears*; crisis ~4 drill*|exercise*|simulation*; notfallübungen ~3 cyber*; cyberübung*; krisenstabsübung*; stabsübung*; exercice de crise; exercices de crise; simulation* d incident*; simulacros de incidente*; esercitazioni; crisisoefeningen; incident plan ~5 exercised|rehearsed;
    exercício*|simulacro* ~3 incidente*|crise|ciber*; ćwiczeni* sztabow*; ćwiczeni* ~4 incydent*|kryzysow*|cyber*; symulacj* incydent*; incidentövning*; krisövning*; cyberövning*; övning* ~4 incident*|kris*; övas ~3 incident*; plano de resposta ~5 testad*|exercitad*; incident response plan ~3 exercised|tested; response plan ~3 exercised|tested; tabletop*`,
  'continuity-test': `continuity|recovery|contingency|dr|bcp plan|plans|test|tests|exercise|exercises ~8 rehearsed|tested|exercised|drilled|validated; disaster recovery rehears*|exercise*|drill*|test*; notfallpläne|notfallpläne|notfallplan|notfallkonzept*|wiederanlaufplan*|wiederanlaufpläne|kontinuitätspläne|kontinuitätsplan ~8 erprobt|getestet|geübt|geprüft; wiederanlauf* ~5 geübt|getestet|erprobt; plan|plans de reprise|continuité|secours ~6 testé|testés|éprouvé|exercé; exercice* de continuité|reprise; plan|planes de continuidad|recuperación|contingencia ~6 prueba|prueban|ensaya|ensayan|probado; piano|piani di continuità|ripristino|emergenza|disaster ~6 testat*|provat*|verificat*; continuïteitsplan*|noodplan*|uitwijkplan*|herstelplan* ~6 getest|geoefend|beproefd;
    teste* ~3 continuidade|contingência; plano* de continuidade|contingência ~5 testad*|ensaiad*; test* ~3 ciągłości; plan* ciągłości ~5 testowan*|testuje|ćwiczy; kontinuitetsplan* ~5 provas|testas|övas; kontinuitetsövning*; kontinuitetstest*; reservdrift ~4 provas|testas; test* du plan de continuité; test de continuité`,
  'management-review': `revisão ~2 pela gestão|direção|administração; revisão pela gestão; przegląd* zarządzania; przegląd* ~3 kierownictw*|zarząd; ledningens genomgång*; ledningsgenomgång*`,
  'internal-audit': `audited internally; isms ~6 audited; audit interne|internes; interne audits; internal ~2 audits; audits internos; controles internos ~2 auditoría; interne auditoría; internas auditorías;
    auditoria* interna*; audyt* wewnętrzn*; wewnętrzn* audyt*; internrevision*; interna revisioner; intern revision; internaudit*; interna audit*`,
  'external-audit': `auditoria* externa*|de acompanhamento; audyt* zewnętrzn*|nadzoru; extern* revision*|granskning*; uppföljningsrevision*; tillsynsrevision*`,
  'supplier-review': `suppliers|vendors|providers|parties|contractors|processors|outsourcers ~9 reassessed|monitored|reviewed|assessed|audited|evaluated|reevaluated; lieferanten|dienstleister|auftragnehmer|auftragsverarbeiter|zulieferer ~9 geprüft|überprüft|kontrolliert|gesichtet|ausgewertet|bewertet|begutachtet|durchgesehen|auditiert|beurteilt; fournisseurs|prestataires|traitants ~8 évalués|réévalués|audités|revu|revus|revue|revues|révisés|révisées|vérifiés|vérifiées|contrôlés|contrôlées|examinés|examinées|réexaminés|réexaminées|analysés|analysées; proveedores|encargados ~6 evalúan|auditan|revisan|revisa|revisarán|revisados|revisadas|comprueban|verifican|analizan|examinan|controlan; fornitori ~6 valutat*|riesaminat*|verificat*|controllat*|esaminat*|rivist*|revisionat*|analizzat*; leveranciers|dienstverleners ~8 geaudit|beoordeeld|gecontroleerd|nagekeken|getoetst|herzien|geëvalueerd|bekeken;
    fornecedores|subcontratantes|prestadores ~7 avaliad*|revist*|auditad*|reavaliad*; avaliação ~3 fornecedores|subcontratantes; dostawc* ~7 ocenia*|oceniani|audyt*|przegląd*|weryfik*; ocen* ~3 dostawców; przegląd* dostawców; leverantör* ~6 granskas|utvärderas|bedöms|följs|revideras; leverantörsgranskning*; leverantörsbedömning*; granskning ~2 leverantörer; business associates ~5 reviewed|assessed|audited; suppliers assessed; vendors assessed`,
  'risk-assessment': `risks ~7 reassessed|assessed|reviewed|evaluated|analysed|analyzed; risk ~3 reassess*|evaluat*; risiken ~7 bewertet|überprüft|beurteilt|analysiert; risques ~7 réévalués|évalués|revus|analysés|réexaminés; riesgos ~5 evalúan|revisan|analizan|reevalúan; rischi ~6 valutat*|riesaminat*|rivalutat*|analizzat*; risico's ~6 beoordeeld|geëvalueerd|geanalyseerd|herbeoordeeld;
    avaliação|análise ~2 riscos; riscos ~5 reavaliad*|avaliad*|revist*; analiz* ryzyka; ocen* ryzyka; szacowani* ryzyka; ryzyka ~5 ocenia*|szacuje; riskanalys*; riskbedömning*; risker ~5 bedöms|omvärderas|ses; riskvärdering*; risk analysis ~4 repeated|conducted|performed; risk analyses`,
  backup: `backup|backups|copies|snapshots|snapshot ~8 made|taken|created|run|performed|stored; snapshots; sicherungen|sicherung|datensicherungen|vollsicherung|vollsicherungen ~6 erfolgen|erfolgt|erstellt|durchgeführt; sauvegardes ~6 réalisées|effectuées|quotidiennes; copias ~5 realizan|hacen|efectúan; salvataggio ~4 dati; back ups ~6 gemaakt; back up ~6 gemaakt;
    cópia|cópias de segurança; backups; salvaguarda* ~3 dados; kopi* zapasow*; kopie ~4 wykonuje|wykonywane|tworz*; kopie ~2 bezpieczeństwa; kopie konfiguracji; säkerhetskopi*; säkerhetskopior; säkerhetskopiering*; backuper`,
  training: `courses ~6 employees|staff|security|awareness; e learning; induction ~4 training; refresher*; awareness ~3 campaign*|session*|course*; schulungen; belehrung*; unterweisungen; sicherheitsunterweisung*; sensibilisierungsmaßnahme*; formation|formations; cours ~3 sécurité; cursos ~4 seguridad; corsi ~3 sicurezza; corso ~3 sicurezza; e learning ~3 sicurezza; cursus*; bijscholing*;
    formação; formações ~6 segurança|colaboradores|trabalhadores|operadores; ação|ações de formação; sensibilização; szkoleni*; przeszkol*; utbildning*; utbildas; säkerhetsutbildning*; medvetenhetsträning`,
  'asset-inventory': `assets|asset|inventory|inventories ~8 reconciled|verified|updated|checked|reviewed; inventar|inventarverzeichnis ~6 abgeglichen|geprüft|aktualisiert; inventaire ~6 vérifié|actualisé|mis|rapproché; inventario ~6 actualiza|verifica|revisa|aggiornat*|verificat*; inventaris ~6 bijgewerkt|gecontroleerd;
    inventário ~5 atualizad*|revist*|verificad*; inventário de ativos; inwentaryzacj*; inwentarz ~4 aktualizowan*|weryfik*; rejestr aktywów; inventering*; tillgångsregist*; inventarieförteckning*; inventory ~3 reconciled`,
  'document-review': `policy|document|standard|procedure|plan|manual|statement|dpia|assessment ~8 reviewed|revised|updated|reapproved; richtlinie|leitlinie|dokument|verfahrensanweisung|konzept|handbuch|anweisung ~9 überprüft|geprüft|überarbeitet|aktualisiert|revidiert; politique|procédure|document|charte|norme ~8 réexaminé|réexaminée|revue|revu|révisée|révisé|actualisée|actualisé; política|procedimiento|documento|norma|plan ~6 revisa|revisará|revisada|revisado|actualiza; politica|procedura|documento|norma ~7 riesaminat*|rivist*|aggiornat*|revisionat*; beleid|procedure|document|plan|richtlijn ~8 herzien|geëvalueerd|beoordeeld|geactualiseerd;
    política|procedimento|documento|avaliação|norma|plano ~6 revist*|revista|atualizad*; revisão ~3 política|documento|procedimento|avaliação; przegląd* ~2 procedury|polityki|dokumentu|instrukcji; procedura|polityka|dokument ~5 przeglądana|aktualizowan*|weryfikowan*; policyn|policy|riktlinjen|rutinen|dokumentet ~7 ses|över|revideras|granskas|uppdateras; översyn ~3 policyn|dokumentet|riktlinjen; guidelines|richtlinien ~9 reviewed|überprüft|aktualisiert`,
} as const;

export const furtherGeneric = {
  review:
    'revisão; revista; revisto; revistas; reavaliação; przegląd; przeglądy; aktualizacja; weryfikacja; översyn; ses över; granskning; revidering; genomgång',
  test: 'teste; testes; testado; testada; ensaio; testowan*; testuje; provas; testas; övas; prov',
} as const;

/** By the topics of time limits. */
export const furtherTopics = {
  objection: 'opor se; oposição; objeção; objeções; opuser; sprzeciw*; invända; invändning*; motsätta',
  subprocessor:
    'subcontratante* ulterior*; novos subcontratantes; novo subcontratante; outro subcontratante; subsubcontratante*; dalsz* podmiot*; kolejn* podmiot*; podwykonawc*; podprzetwarzając*; dalszego powierzenia; underbiträde*; annat biträde; nytt biträde; subunderbiträde*',
  audit:
    'auditoria|auditorias; inspeção; inspeções; audyt*; kontrol*; inspekcj*; revision; revisioner; granskning på plats; inspektion*',
  subject:
    'titular|titulares ~3 dados; pedidos dos titulares; direitos dos titulares; pedidos ~3 acesso; żądani* ~4 osób|osoby; osób których dane; wniosk* ~3 osób|osoby; praw osób; registrerade*; registrerades; begäran ~4 registrerad*; registerutdrag; individual rights; requests of individuals; requests from individuals; received directly from an individual; request ~5 individual*',
  patch:
    'patches|patch|updates|hotfixes ~6 installed|applied|deployed|rolled; security patches; patches ~6 einzuspielen|eingespielt|installiert; sicherheitslücken ~8 geschlossen|behoben; schwachstellen ~10 beheben|schließen|behoben|geschlossen; correctifs ~6 appliqués|déployés|installés; failles ~6 corrigées|comblées; parches ~5 aplican|instalan|despliegan; patch ~5 applicat*|installat*; patches ~6 geïnstalleerd|doorgevoerd; vulnerabilities ~10 remediated|fixed|closed|patched|mitigated|resolved|corrected; correções ~4 segurança; vulnerabilidades ~6 corrigid*|sanad*|resolvid*; vulnerabilidades críticas; atualizações de segurança; podatności ~6 usuwa*|usuwan*|łata*; podatności krytyczn*; krytyczne podatności; łatki; poprawki ~3 bezpieczeństwa; kritiska sårbarheter; sårbarheter ~6 åtgärdas|rättas|täpps; säkerhetsuppdatering*; critical findings ~4 remediated|fixed; schwachstellen ~5 geschlossen',
  revoke:
    'access|accounts|account|logins|credentials|permissions|rights ~12 withdrawn|revoked|removed|disabled|deleted|deactivated|blocked|terminated|locked; benutzerkonten|konten|zugänge|zugriffsrechte|berechtigungen|zugang|konto ~12 sperren|entziehen|löschen|deaktivieren|gesperrt|entzogen|deaktiviert; comptes|accès|droits ~12 désactivés|supprimés|retirés|révoqués|fermés|désactiver|supprimer; cuentas|accesos|permisos ~10 deshabilitan|desactivan|revocan|eliminan|bloquean|retiran; account|utenze|accessi ~8 disabilitat*|revocat*|disattivat*; accounts|toegang|rechten ~10 ingetrokken|geblokkeerd|afgesloten|verwijderd|intrekken; contas|acessos|acesso|permissões ~8 desativad*|revogad*|removid*|bloquead*|eliminad*|retirad*; revogação ~3 acessos|acesso; desativação ~3 contas; konta|konto|dostęp*|uprawnienia ~6 blokuje|blokowan*|odbiera*|odbierane|dezaktyw*|usuwa*|wyłącza*; odebrani* ~2 uprawnień|dostępu; blokad* kont*; konton|konto|behörighet*|åtkomst* ~6 stängas|stängs|spärras|tas|avslutas|inaktiveras|dras; removal ~3 access|accounts; access removal; procedure ~4 requires removal; access ~4 leavers; rechte ~6 entzogen; berechtigungen ~6 entzogen',
  breach:
    'violação|violações ~3 dados; violações; violação; incidente|incidentes ~2 segurança; naruszeni*; incydent*; wyciek*; personuppgiftsincident*; incident*; säkerhetsincident*; dataintrång',
  incident:
    'alerta rápido; notificação inicial; relatório final|intercalar; incidente* significativo*|grave|graves; wczesne ostrzeżenie; zgłoszenie incydentu; sprawozdanie końcowe; raport końcowy; incydent* poważn*|istotn*; tidig varning; incidentanmälan; slutrapport; delrapport; betydande incident*; tidig* varning*',
  report:
    'notific*; comunic*; inform*; avisa; alert*; zgłasza*; zgłoszeni*; zawiadami*; zawiadomi*; powiadami*; powiadomi*; informuje; anmäl*; anmälan; rapporter*; underrätt*; informer*; meddela*; lämnar; told; tell; tells',
  remedy:
    'não conformidades ~8 corrigid*|sanad*; ações corretivas; constatações ~6 corrigid*; niezgodności ~6 usuwa*|usunięt*; działania korygujące; avvikelser ~6 åtgärdas|rättas|stängs; korrigerande åtgärder',
  notice:
    'aviso; pré aviso; antecedência; anunciad*; comunicad*; wyprzedzeni*; powiadomi*; informuje; zawiadomi*; förvarning; i förväg; förhandsbesked; underrätt*; meddela*',
  answer:
    'respondid*; resposta; responde; encaminhad*; transmit*; reencaminha; satisfeit*; odpowiada; odpowied*; przekazuje; przekaz*; rozpatr*; realizuj*; besvara*; vidarebefordra*; svar; svara; överlämna*',
  authority:
    'cnpd; autoridade de controlo; uodo; prezes uodo; organ nadzorczy; organowi nadzorczemu; csirt; imy; tillsynsmyndighet*; integritetsskyddsmyndigheten; cert',
  keeping:
    'conservad*; conservação; apagad*; eliminad* ~3 após; przechowuje*; przechowywan*; kasuje; usuwa ~3 po; sparas; bevaras; gallras; raderas',
} as const;

/** By the words of keeping and deleting. */
export const furtherRetention = {
  keep: 'conservad*; conservam; guardad*; arquivad*; mantid*; conservação; przechowuje*; przechowywan*; przechowywani*; archiwiz*; zachowuje; sparas; bevaras; lagras; arkiveras; behålls',
  delete:
    'apagad*; eliminad*; destruíd*; apagamento; eliminação; anonimizad*; kasuje; kasowan*; usuwa; usuwan*; usunięc*; niszcz*; zniszcz*; nadpisuj*; nadpisywan*; raderas; radering; gallras; gallring; förstörs; skrivs över; tas bort',
  return: 'devolvid*; devolução; devolve; zwraca; zwrot; zwróci*; återlämna*; återlämnas; lämnas tillbaka',
  length:
    'prazo de conservação; prazos de conservação; conservação; dados e prazos; retenção; okres* przechowywania; retencj*; przechowywani*; zapisy; lagringstid*; bevarandetid*; gallring*; gallringsfrist*',
} as const;

export const furtherTriggers = {
  'employment-end':
    'cessação do contrato de trabalho|fim do vínculo laboral|ustani\\p{L}+ (?:stosunku pracy|zatrudnienia)|zakończeni\\p{L}+ (?:zatrudnienia|stosunku pracy)|anställning\\p{L}* (?:slut|upphör\\p{L}*)|avslutad anställning',
  'contract-end':
    '(?:fim|termo|cessação) d[oa] (?:contrato|serviço|prestação)|(?:zakończeni\\p{L}+|rozwiązani\\p{L}+|wygaśnięci\\p{L}+|ustani\\p{L}+) (?:umowy|świadczenia|usług\\p{L}*|współpracy)|avtal\\p{L}* (?:slut|upphör\\p{L}*)|(?:efter|vid) avtal\\p{L}*',
  creation:
    '(?:após|desde|a contar d[ae]) (?:a |o |sua )?(?:recolha|criação|registo|receção|captação|gravação)|(?:od|po) (?:dnia )?(?:utworzenia|zebrania|rejestracji|nagrania|otrzymania|sporządzenia)|(?:efter|från) (?:att )?(?:insamling\\p{L}*|skapande\\p{L}*|registrering\\p{L}*|inspelning\\p{L}*|upprättande\\p{L}*)',
  request: '(?:a|mediante|após) pedido|na (?:żądanie|wniosek)|på begäran',
} as const;

/** By security measures. */
export const furtherMeasures = {
  'encryption-at-rest': `laptops|notebooks|disks|drives|databases|storage|backups|endpoints|volumes|devices ~6 encrypted; notebooks|laptops|festplatten|datenträger|datenbanken|datensicherungen|speicher ~6 verschlüsselt; ordinateurs|postes|portables|disques|bases|supports|sauvegardes|serveurs ~6 chiffrés|chiffrées; portátiles|discos|bases|soportes|copias|equipos ~5 cifrados|cifradas|cifran; portatili|dischi|database|supporti|backup ~5 cifrat*|crittografat*; laptops|schijven|databases|gegevensdragers|backups ~6 versleuteld; full disk encryption; encryption of databases|disks|laptops|storage;
    cifragem|encriptação ~5 discos|repouso|disco|bases|base|dados em repouso|portáteis; cifrad*|encriptad* ~4 repouso|discos|portáteis; discos ~3 cifrad*; szyfrowani* ~5 dysk*|spoczynku|baz|bazy|nośnik*|laptop*; zaszyfrowan* ~4 dysk*|laptop*|nośnik*; dyski ~3 zaszyfrowan*|szyfrowan*; krypter* ~6 databas*|vila|disk*|lagrad*|bärbar*|datorer; datorer ~4 krypter*; kryptering ~5 databas*|vila|disk*; krypterad* ~3 disk*; krypter* ~6 lagring; cifragem|encriptação em repouso; cifragem ~5 gravações|arquivo*|ficheiros; cifrat* ~4 server|archivi|file; verschlüsselt ~3 server; chiffrés ~3 serveur*; cifrad* ~3 servidor*; encrypted ~3 server|servers|archive; versleuteld ~3 server|servers; krypter* ~3 server*; zaszyfrowan* ~3 serwer*`,
  'encryption-in-transit': `traffic|connections|communication|communications|transmission|transfers|links ~6 encrypted; verbindungen|datenübertragung|übertragungen|kommunikation|datenverkehr ~6 verschlüsselt; flux|échanges|communications|connexions ~6 chiffrés|chiffrées; comunicaciones|conexiones|transmisiones ~5 cifran|cifradas|cifrados; comunicazioni|connessioni|trasmissioni ~5 cifrat*|crittografat*; verbindingen|verkeer|communicatie ~6 versleuteld; vpn;
    cifragem|encriptação ~5 transmissão|trânsito|comunicações; cifrad*|encriptad* ~4 trânsito|transmissão; szyfrowani* ~4 transmisji|transmisja|połącze*|przesył*|transporcie|komunikacji; szyfrowan* ~3 połącze*|transmisj*; krypter* ~5 överföring*|trafik|transport|transit|förbindels*; krypterad* ~3 överföring*|förbindels*; transmission encryption; verschlüsselte* versand|übertragung|übermittlung; chiffrement en transit`,
  mfa: `two factor; second factor; zwei faktor; zweiter faktor; mehrfaktor*; deux facteurs; doble factor; due fattori; tweefactor*; otp; one time password*; authenticator app*; totp;
    autenticação multifator|forte; multifator; dois fatores; duplo fator; uwierzytelniani* wieloskładnikow*|dwuskładnikow*; wieloskładnikow* uwierzytelni*; dwuetapow* uwierzytelni*; flerfaktor*; tvåfaktor*; multifaktor*; stark autentisering`,
  'role-based-access': `perfis de acesso; acesso ~3 função|funções|perfis; por função; menor privilégio; necessidade de conhecer; uprawnienia ~4 ról|roli|role; według ról; oparte ~3 rolach; najmniejszych uprawnień; minimalnych uprawnień; wiedzy koniecznej; efter roll; rollbaserad*; åtkomst ~4 roll|roller; minsta behörighet; rolle in; role in the group; rollenkonzept`,
  logging: `registo ~3 consultas|acessos|eventos|operações; registos de acesso; registo de todas; rastreabilidade; rejestrowani* ~4 zdarze*|dostęp*|operacji|czynności; logowani* zdarzeń; dzienniki ~3 zdarze*|dostęp*; loggning; loggas; loggar; åtkomstlogg*; spårbarhet`,
  backup: `cópia|cópias de segurança; kopi* zapasow*; kopie bezpieczeństwa; säkerhetskopi*; säkerhetskopiering*`,
  pseudonymisation: `pseudonimiz*; pseudonimizaç*; pseudonimizacj*; pseudonymiser*; tokenisation; tokenization; tokenisier*; tokeniserad*; test data is pseudonymised`,
  'penetration-testing': `teste|testes de intrusão|penetração; test* penetracyj*; penetrationstest*; intrångstest*`,
  'vulnerability-scanning': `scan* de vulnerabilidades; análise* de vulnerabilidades; skanowani* podatności; sårbarhetsskanning*; sårbarhetsscanning*`,
  'physical-access': `controlo de acesso* físico*; acesso físico; videovigilância; kontrol* dostępu fizyczn*; dostęp fizyczny; ochrona fizyczna; monitoring wizyjny; passerkort; fysisk* åtkomst|säkerhet|skydd|tillträde*; tillträdesskydd; kameraövervakning`,
  training: `datenschutzunterweisung*; unterweisungen; awareness training*; e learning*;
    formação ~4 operadores|colaboradores|trabalhadores|segurança|dados|pessoal; formação; sensibilização; szkoleni*; przeszkol*; utbildning*; säkerhetsutbildning*`,
  'network-segmentation': `network|networks ~6 segmented|separated|segregated|isolated|zoned; vlan|vlans; dmz; netz|netze|netzwerk|netzwerke ~8 segmentiert|getrennt|aufgeteilt|isoliert; netztrennung; réseau|réseaux ~6 segmenté|segmentés|cloisonné|cloisonnés|séparé|séparés; red|redes ~5 segmentada|segmentadas|separadas; rete|reti ~5 segmentat*|separat*; netwerk|netwerken ~6 gesegmenteerd|gescheiden;
    segmentação ~3 rede*; rede* ~4 segmentad*|separad*|isolad*; segmentacj* sieci; sieć|sieci ~4 oddzielon*|odseparowan*|wydzielon*|segment*; nätsegmentering; segmentering; nät|nätet|kontorsnätet ~5 skilt|skilda|avskilt|separer*|segmenter*`,
  'endpoint-protection': `proteção de endpoints|postos; antivírus; ochrona stacji|punktów; antywirus*; klientskydd; antivirus*; endpoint detection; edr; virusskydd; virusscan*; virenschutz*; virenscanner*`,
  'incident-response': `resposta a incidentes; plano de resposta; gestão de incidentes; reagowani* na incydenty; obsług* incydentów; incidenthantering*; incidentplan*`,
  'business-continuity': `continuidade ~3 negócio|atividade; plano* de continuidade; ciągłości działania; plan* ciągłości; kontinuitetsplan*; kontinuitetshantering`,
  'key-management': `gestão ~2 chaves; zarządzani* kluczami; nyckelhantering; hsm; hardware security module; bring your own key; byok; keys ~6 rotated|managed|hsm|kms|generated`,
  'confidentiality-undertaking': `non disclosure agreement*; nda; ndas; confidentiality agreement*; sign* ~5 confidentiality|non; verschwiegenheitserklärung*; verschwiegenheitsverpflichtung*; vertraulichkeitserklärung*; vertraulichkeitsverpflichtung*; engagement* de confidentialité; acuerdo* de confidencialidad; accord* de confidentialité; accordo|accordi di riservatezza; geheimhoudingsverklaring*;
    compromisso* ~2 confidencialidade; dever de sigilo; acordo de confidencialidade; vinculad* ~3 confidencialidade|sigilo; zobowiązani* ~4 poufności|tajemnicy; zobowiązan* ~4 poufności|tajemnicy; oświadczeni* o poufności; sekretessförbindelse*; tystnadsplikt; sekretessavtal; verpflichtung ~4 vertraulichkeit; auf vertraulichkeit verpflichtet; confidentiality undertakings`,
  'data-separation': `separação ~4 dados|clientes|inquilinos; segregação ~3 dados|clientes; separacj* ~3 danych|klientów; rozdzielen* ~3 danych|klientów; logiczn* oddziel*; separation ~3 data|kunder|miljöer; åtskilda ~3 data|kunder; logisk separation`,
  disposal: `apagamento seguro; destruição segura; eliminação segura; destruição ~3 suportes|discos|documentos; bezpieczn* ~2 usuwani*|kasowani*|niszczeni*; niszczeni* ~3 nośników|dokumentów; säker* ~2 radering|förstöring|avveckling; destruktion ~2 media|lagringsmedia; media ~4 sanitized|sanitised|destroyed; destruction is witnessed; witnessed destruction; destruction certificates`,
  'background-checks': `verificação ~3 antecedentes; registo criminal; weryfikacj* ~3 kandydatów|pracowników; niekaralności; bakgrundskontroll*; registerkontroll*; säkerhetsprövning*`,
} as const;

/** By the elements that a contract or notice must have. */
export const furtherElements: Readonly<Record<string, string>> = {
  instructions: 'instruç*; polece*; poleceni*; udokumentowane; instruktion*',
  confidentiality: 'confidencialidade; sigilo; poufno*; tajemnic*; sekretess*; tystnadsplikt; konfidentialitet*',
  security:
    'segurança; medidas técnicas; cifr*; bezpieczeństw*; środk* techniczn*; środki; szyfrow*; säkerhet*; tekniska ~3 åtgärder; krypter*',
  subprocessors:
    'subcontratante* ulterior*; outro subcontratante; outros subcontratantes; podpowierz*; dalsz* ~2 powierzen*|przetwarzając*|podmiot*; podwykonawc*; innego podmiotu przetwarzającego; underbiträde*; annat personuppgiftsbiträde',
  'data-subject-rights':
    'titular*; direitos dos titulares; osob*|osób ~4 dane ~2 dotyczą; osób których dane; praw osób; żąda*; realizacj* praw; registrerade*; den registrerades',
  'breach-notification': 'violaç*; incidente*; narusze*; incydent*; personuppgiftsincident*; incident*',
  'deletion-or-return':
    'apag*; elimin*; devol*; destru*; usun*; usuw*; zwrot*; zwraca*; zwróc*; zniszcz*; rader*; återlämn*; förstör*',
  'audit-rights': 'auditoria*; inspe*; audyt*; kontrol*; inspekcj*; revision*; inspektion*; granskning*',
  'likely-consequences':
    'consequência*; risco* ~4 titulares|pessoas; konsekwencj*; skutk*; ryzyk* ~4 osób; konsekvens*; följder',
  'measures-taken': 'medidas; adotad*; środk*; zastosowan*; podjęto; zablokowan*; åtgärd*; vidtag*; spärrat*',
  'contact-point':
    'contacto; encarregado ~3 proteção; epd; telefone; kontakt*; inspektor ochrony; iod; telefon; dataskyddsombud*; e post',
};

type Cues = Readonly<Record<string, string>>;

/** In which sense a clause says something. */
export const furtherCues: { readonly pt: Cues; readonly pl: Cues; readonly sv: Cues } = {
  pt: {
    denied:
      'não; sem; nenhum; nenhuma; nem; nunca; fora; excluíd*; carece; falta; faltam; ausência; jamais; desativad*',
    harmless:
      'não conformidade*; não conforme*; não mais|menos|superior|inferior|só|obstante|exceda|depois; sem demora|prejuízo|atraso|exceções|exceção; fora de horas; fora das instalações',
    planned:
      'previst* para; planead*; será ~3 implementad*|introduzid*|ativad*; em curso; em fase; ainda não; em preparação; no futuro; pendente*; em implementação; projetad*; em desenvolvimento; em aquisição; prevê se',
    conditional: 'se; caso; em caso de; seria; seriam; poderia; desde que; salvo se; eventual; eventuais; se aplicável',
    former:
      'anterior; anteriores; antigo; antiga; já não; revogad*; substituíd*; abandonad*; obsolet*; previa; previam; abandonada; proposta inicial; tinha',
    example: 'exemplo; exemplos; p ex; por ex; ilustrativ*; glossário; modelo',
    law: 'a lei; legal; legais; legalmente; por lei; artigo ~4 prevê|exige|impõe|concede|permite; o regulamento exige|permite',
    other:
      'o fornecedor ~4 é|tem|dispõe|declara; referida pelo fornecedor; alguns clientes; os nossos clientes; filial; empresa mãe; outra empresa; outra sociedade; aplica se apenas; na empresa',
    turn: 'mas; embora; enquanto; todavia; contudo; porém',
    achieved: 'foi ~2 ativad*|implementad*|introduzid*; foram ~2 ativad*|implementad*; já está; já estão; desde então',
  },
  pl: {
    denied: 'nie; bez; brak; braku; żaden; żadna; żadne; żadnych; ani; nigdy; poza; wyłączon*; niewdrożon*; odrzucon*',
    harmless:
      'nie później|rzadziej|dłużej|mniej|krócej|więcej|tylko; bez zbędnej|uszczerbku|wyjątków|wyjątku|zastrzeżeń; poza siedzibą|godzinami; nie naruszając',
    planned:
      'planowan*; planuje; plan ~2 kw; w toku; w trakcie; jeszcze nie; zostanie ~3 wdrożon*|wprowadzon*|uruchomion*; wdrażan*; przewidzian*; w przygotowaniu; zakup w; docelowo; zamierza',
    conditional: 'jeżeli; jeśli; w przypadku; w razie; gdyby; byłby; byłaby; byłoby; o ile; chyba że; ewentualn*',
    former: 'poprzedni*; dawn*; wcześniej*; uchylon*; zastąpion*; wycofan*; już nie; wynosił*; w wydaniu; obowiązywał*',
    example: 'przykład*; np; na przykład; wzór; wzoru; fikcyjn*; słownik',
    law: 'ustawa; ustawy; ustawow*; przepis; przepisy; prawo; rodo dopuszcza|wymaga|przewiduje; art ~4 przewiduje|wymaga|nakłada; rozporządzenie wymaga|przewiduje',
    other:
      'spółk* matk*; spółka zależna; w spółce; dostawca ~5 ma|posiada|jest; naszych klientów; niektórzy klienci; inna spółka; podwykonawca ~3 ma|posiada|jest; nie dotyczył naszej',
    turn: 'ale; lecz; natomiast; jednak; choć; chociaż; podczas',
    achieved: 'został* ~2 wdrożon*|wprowadzon*|uruchomion*; wdrożono; wprowadzono; obecnie działa; od tego czasu',
  },
  sv: {
    denied: 'inte; ej; utan; ingen; inget; inga; aldrig; varken; saknas; saknar; utanför; undantagen; undantas',
    harmless:
      'inte senare|längre|mer|mindre; utan dröjsmål|onödigt|otillbörligt|undantag|anmärkning; inte bara|enbart; utanför kontorstid',
    planned:
      'planerad*; planeras; är ~2 planerad*; pågår; ännu inte; ännu; ska ~3 införas|aktiveras|genomföras ~2 20*; kommer att; under införande; under upphandling; avses; på sikt',
    conditional: 'om; ifall; skulle; kunde; såvida; under förutsättning; i händelse; eventuell*; kan komma',
    former:
      'tidigare; förra; föregående; upphävd*; ersatt*; ersätter; inte längre; i version; slopad*; avskaffad*; gamla',
    example: 'exempel; t ex; till exempel; mall; fiktiv*; ordlista; vägledning*',
    law: 'lagen; lag; lagstadgad*; enligt lag; artikel ~4 kräver|ger|föreskriver; förordningen kräver|ger; direktivet kräver',
    other:
      'moderbolag*; dotterbolag*; systerbolag*; leverantören ~4 är|har; vår ~3 leverantör|driftleverantör; driftleverantör ~4 är|har; våra kunder; vissa kunder; annat bolag; egen policy',
    turn: 'men; dock; medan; emellertid; fast',
    achieved: 'har ~3 införts|aktiverats|genomförts; är nu; infördes; sedan dess',
  },
};

/** Doers of clauses. */
export const furtherAgents = {
  pt: 'por|pelo|pela|pelos|pelas|a cargo d[oae]s?|responsável:',
  pl: 'przez|odpowiada:|odpowiedzialn\\p{L}{1,2}:|właściciel:',
  sv: 'av|genom|ansvarig:|ägare:',
};
export const furtherArticles = { pt: 'o|a|os|as|um|uma', pl: '-', sv: 'den|det|de|en|ett|vår|vårt|våra|respektive' };
export const furtherEnds = {
  pt: 'e|ou|em|no|na|nos|nas|para|com|sobre|cada|após|antes|depois|segundo|que|é|são|se|ao|como|uma|dos|anualmente|trimestralmente|mensalmente|semanalmente|diariamente|pelo menos|de três|de dois|de seis',
  pl: 'i|oraz|lub|w|z|na|do|po|przed|dla|co|raz|każdego|który|która|które|jest|są|za|od|przy|zgodnie|corocznie|codziennie|kwartalnie|miesięcznie|najmniej',
  sv: 'och|eller|i|på|för|med|till|om|varje|efter|före|enligt|som|är|vid|under|inom|årligen|månadsvis|kvartalsvis|dagligen|minst|en gång|vartannat|var',
};
export const furtherVerbs = {
  pt: 'revê|reveem|realiza(?:m)?|testa(?:m)?|avalia(?:m)?|efetua(?:m)?|analisa(?:m)?|verifica(?:m)?|executa(?:m)?|organiza(?:m)?|audita(?:m)?|renova(?:m)?|altera(?:m)?|deve|assegura(?:m)?|atualiza(?:m)?',
  pl: 'przegląda(?:ją)?|testuje|testują|wykonuje|wykonują|ocenia(?:ją)?|sprawdza(?:ją)?|weryfikuj[eą]|przeprowadza(?:ją)?|organizuj[eą]|audytuj[eą]|zmienia(?:ją)?|szkoli|analizuj[eą]|aktualizuj[eą]',
  sv: 'granskar|testar|provar|genomför|bedömer|kontrollerar|utvärderar|ser över|organiserar|reviderar|byter|ansvarar|utför|analyserar|uppdaterar|övar|följer upp',
};
