/** Wordings of the tables of compliance in Portuguese, Polish and Swedish. Phrases are those of `compilePhrases`. */

/** By the activities that organisations repeat. */
export const furtherActivities = {
  'restore-test': `teste|testes ~2 restauro|restauração|recuperação; restauro*|restauração|reposição ~4 testad*|testado|teste; cópias ~4 testad*; ensaio* de restauro;
    test* odtworzen*|odtwarzania|przywracania|przywrócenia; odtwarzani*|odtworzen*|przywracani* ~4 testuje|testowan*|test*|sprawdza*; test* ~4 odtwarzania|odtworzenia|przywracania;
    återläsning* ~4 provas|testas|prov|test; återläsningstest*; återläsningsprov*; återställning* ~4 provas|testas|test; återställningstest*; test av återläsning|återställning`,
  'phishing-simulation': `simulaç* ~2 phishing; campanha* ~2 phishing; kampani* phishing*; symulacj* phishing*; symulowan* phishing*; testy phishing*; nätfiske*; phishingövning*; simulerad* nätfiske*|phishing; phishingtest*`,
  'penetration-test': `teste|testes de intrusão|penetração; ensaio*|teste* de intrusão; test*|testów penetracyj*; pentest*; penetrationstest*; intrångstest*; penetrationstester`,
  'vulnerability-scan': `análise*|varrimento*|pesquisa* ~2 vulnerabilidades; scan* de vulnerabilidades; vulnerabilidades ~4 analisad*|pesquisad*; skanowani* ~3 podatności; skany podatności; podatności ~3 skan*; skan* podatności; sårbarhetsskanning*; sårbarhetsscanning*; sårbarhetsanalys*; skanning* ~3 sårbarheter; skannas ~4 sårbarheter`,
  'access-review': `autorizações|acessos|permissões|privilégios|perfis|direitos ~6 revist*|revistos|verificad*|recertificad*; revisão ~4 acessos|autorizações|permissões|privilégios|perfis|direitos; recertificação ~3 acessos|permissões;
    przegląd* ~3 uprawnień|dostępów|dostępu|kont; uprawnienia|dostępy|konta ~6 przeglądane|weryfikowane|przegląda*|weryfikuj*|sprawdza*; przegląda*|weryfikuj* ~4 uprawnienia|dostępy; weryfikacj* ~2 uprawnień;
    behörighet* ~6 granskas|ses|kontrolleras|prövas|gås; gransk* ~4 behörighet*|åtkomst*|konton; behörighetsgenomgång*; behörighetsgranskning*; översyn ~3 behörighet*|åtkomst*; åtkomsträttigheter ~5 granskas|ses`,
  'password-change': `palavras passe ~5 alterad*|mudad*|renovad*; mudança ~3 palavra* passe; alteração ~3 senha*; senhas ~5 alterad*|trocad*; hasła ~5 zmienia*|zmieniane; zmian* ~2 hasła|haseł; lösenord ~5 byts|ändras|byta; byte av lösenord; lösenordsbyte*`,
  'key-rotation': `chaves ~6 rodadas|renovad*|substituíd*|trocad*|alterad*; rotação ~2 chaves; klucze ~6 rotowane|wymienia*|zmienia*|odnawia*; rotacj* kluczy; wymian* kluczy; nycklar ~6 byts|roteras|förnyas; nyckelbyte*; nyckelrotation; rotation av nycklar; certificates ~4 replaced|renewed|rotated; certificate ~3 replacement|renewal; zertifikate ~4 erneuert|ausgetauscht; certificats ~4 renouvelés|remplacés`,
  'log-review': `registos|logs|diários ~6 revist*|analisad*|verificad*|examinad*; análise|revisão ~3 registos|logs; przegląd* ~3 logów|dzienników; logi|dzienniki ~5 przegląda*|analiz*|sprawdza*|przeglądane; analiz* ~2 logów|dzienników; loggar ~6 granskas|analyseras|kontrolleras; logg ~5 granskas; logggranskning*; loggranskning*; granskning ~2 loggar; loggenomgång*; loggkontroll*; alerts|alarms ~3 reviewed|checked|examined; security events ~6 reviewed`,
  'firewall-review': `regras ~3 firewall ~5 revist*|revistas|verificad*; revisão ~3 firewall; reguły ~3 zapory|firewalla ~5 przegląda*|weryfik*; przegląd* ~3 zapory|zapór|firewall*; brandvägg* ~5 granskas|ses|kontrolleras; brandväggsregler ~4 granskas|ses|kontrolleras; brandväggsgranskning*; rule set|sets|rules ~5 firewall*; firewall rule sets`,
  'incident-exercise': `exercício*|simulacro* ~3 incidente*|crise|ciber*; ćwiczeni* sztabow*; ćwiczeni* ~4 incydent*|kryzysow*|cyber*; symulacj* incydent*; incidentövning*; krisövning*; cyberövning*; övning* ~4 incident*|kris*; övas ~3 incident*; plano de resposta ~5 testad*|exercitad*; incident response plan ~3 exercised|tested; response plan ~3 exercised|tested; tabletop*`,
  'continuity-test': `teste* ~3 continuidade|contingência; plano* de continuidade|contingência ~5 testad*|ensaiad*; test* ~3 ciągłości; plan* ciągłości ~5 testowan*|testuje|ćwiczy; kontinuitetsplan* ~5 provas|testas|övas; kontinuitetsövning*; kontinuitetstest*; reservdrift ~4 provas|testas; test* du plan de continuité; test de continuité`,
  'management-review': `revisão ~2 pela gestão|direção|administração; revisão pela gestão; przegląd* zarządzania; przegląd* ~3 kierownictw*|zarząd; ledningens genomgång*; ledningsgenomgång*`,
  'internal-audit': `auditoria* interna*; audyt* wewnętrzn*; wewnętrzn* audyt*; internrevision*; interna revisioner; intern revision; internaudit*; interna audit*`,
  'external-audit': `auditoria* externa*|de acompanhamento; audyt* zewnętrzn*|nadzoru; extern* revision*|granskning*; uppföljningsrevision*; tillsynsrevision*`,
  'supplier-review': `fornecedores|subcontratantes|prestadores ~7 avaliad*|revist*|auditad*|reavaliad*; avaliação ~3 fornecedores|subcontratantes; dostawc* ~7 ocenia*|oceniani|audyt*|przegląd*|weryfik*; ocen* ~3 dostawców; przegląd* dostawców; leverantör* ~6 granskas|utvärderas|bedöms|följs|revideras; leverantörsgranskning*; leverantörsbedömning*; granskning ~2 leverantörer; business associates ~5 reviewed|assessed|audited; suppliers assessed; vendors assessed`,
  'risk-assessment': `avaliação|análise ~2 riscos; riscos ~5 reavaliad*|avaliad*|revist*; analiz* ryzyka; ocen* ryzyka; szacowani* ryzyka; ryzyka ~5 ocenia*|szacuje; riskanalys*; riskbedömning*; risker ~5 bedöms|omvärderas|ses; riskvärdering*; risk analysis ~4 repeated|conducted|performed; risk analyses`,
  backup: `cópia|cópias de segurança; backups; salvaguarda* ~3 dados; kopi* zapasow*; kopie ~4 wykonuje|wykonywane|tworz*; kopie ~2 bezpieczeństwa; kopie konfiguracji; säkerhetskopi*; säkerhetskopior; säkerhetskopiering*; backuper`,
  training: `formação; formações ~6 segurança|colaboradores|trabalhadores|operadores; ação|ações de formação; sensibilização; szkoleni*; przeszkol*; utbildning*; utbildas; säkerhetsutbildning*; medvetenhetsträning`,
  'asset-inventory': `inventário ~5 atualizad*|revist*|verificad*; inventário de ativos; inwentaryzacj*; inwentarz ~4 aktualizowan*|weryfik*; rejestr aktywów; inventering*; tillgångsregist*; inventarieförteckning*; inventory ~3 reconciled`,
  'document-review': `política|procedimento|documento|avaliação|norma|plano ~6 revist*|revista|atualizad*; revisão ~3 política|documento|procedimento|avaliação; przegląd* ~2 procedury|polityki|dokumentu|instrukcji; procedura|polityka|dokument ~5 przeglądana|aktualizowan*|weryfikowan*; policyn|policy|riktlinjen|rutinen|dokumentet ~7 ses|över|revideras|granskas|uppdateras; översyn ~3 policyn|dokumentet|riktlinjen; guidelines|richtlinien ~9 reviewed|überprüft|aktualisiert`,
} as const;

export const furtherGeneric = {
  review: 'revisão; revista; revisto; revistas; reavaliação; przegląd; przeglądy; aktualizacja; weryfikacja; översyn; ses över; granskning; revidering; genomgång',
  test: 'teste; testes; testado; testada; ensaio; testowan*; testuje; provas; testas; övas; prov',
} as const;

/** By the topics of time limits. */
export const furtherTopics = {
  objection: 'opor se; oposição; objeção; objeções; opuser; sprzeciw*; invända; invändning*; motsätta',
  subprocessor:
    'subcontratante* ulterior*; novos subcontratantes; novo subcontratante; outro subcontratante; subsubcontratante*; dalsz* podmiot*; kolejn* podmiot*; podwykonawc*; podprzetwarzając*; dalszego powierzenia; underbiträde*; annat biträde; nytt biträde; subunderbiträde*',
  audit: 'auditoria|auditorias; inspeção; inspeções; audyt*; kontrol*; inspekcj*; revision; revisioner; granskning på plats; inspektion*',
  subject:
    'titular|titulares ~3 dados; pedidos dos titulares; direitos dos titulares; pedidos ~3 acesso; żądani* ~4 osób|osoby; osób których dane; wniosk* ~3 osób|osoby; praw osób; registrerade*; registrerades; begäran ~4 registrerad*; registerutdrag; individual rights; requests of individuals; requests from individuals; received directly from an individual; request ~5 individual*',
  patch: 'correções ~4 segurança; vulnerabilidades ~6 corrigid*|sanad*|resolvid*; vulnerabilidades críticas; atualizações de segurança; podatności ~6 usuwa*|usuwan*|łata*; podatności krytyczn*; krytyczne podatności; łatki; poprawki ~3 bezpieczeństwa; kritiska sårbarheter; sårbarheter ~6 åtgärdas|rättas|täpps; säkerhetsuppdatering*; critical findings ~4 remediated|fixed; schwachstellen ~5 geschlossen',
  revoke:
    'contas|acessos|acesso|permissões ~8 desativad*|revogad*|removid*|bloquead*|eliminad*|retirad*; revogação ~3 acessos|acesso; desativação ~3 contas; konta|konto|dostęp*|uprawnienia ~6 blokuje|blokowan*|odbiera*|odbierane|dezaktyw*|usuwa*|wyłącza*; odebrani* ~2 uprawnień|dostępu; blokad* kont*; konton|konto|behörighet*|åtkomst* ~6 stängas|stängs|spärras|tas|avslutas|inaktiveras|dras; removal ~3 access|accounts; access removal; procedure ~4 requires removal; access ~4 leavers; rechte ~6 entzogen; berechtigungen ~6 entzogen',
  breach:
    'violação|violações ~3 dados; violações; violação; incidente|incidentes ~2 segurança; naruszeni*; incydent*; wyciek*; personuppgiftsincident*; incident*; säkerhetsincident*; dataintrång',
  incident:
    'alerta rápido; notificação inicial; relatório final|intercalar; incidente* significativo*|grave|graves; wczesne ostrzeżenie; zgłoszenie incydentu; sprawozdanie końcowe; raport końcowy; incydent* poważn*|istotn*; tidig varning; incidentanmälan; slutrapport; delrapport; betydande incident*; tidig* varning*',
  report:
    'notific*; comunic*; inform*; avisa; alert*; zgłasza*; zgłoszeni*; zawiadami*; zawiadomi*; powiadami*; powiadomi*; informuje; anmäl*; anmälan; rapporter*; underrätt*; informer*; meddela*; lämnar; told; tell; tells',
  remedy: 'não conformidades ~8 corrigid*|sanad*; ações corretivas; constatações ~6 corrigid*; niezgodności ~6 usuwa*|usunięt*; działania korygujące; avvikelser ~6 åtgärdas|rättas|stängs; korrigerande åtgärder',
  notice: 'aviso; pré aviso; antecedência; anunciad*; comunicad*; wyprzedzeni*; powiadomi*; informuje; zawiadomi*; förvarning; i förväg; förhandsbesked; underrätt*; meddela*',
  answer: 'respondid*; resposta; responde; encaminhad*; transmit*; reencaminha; satisfeit*; odpowiada; odpowied*; przekazuje; przekaz*; rozpatr*; realizuj*; besvara*; vidarebefordra*; svar; svara; överlämna*',
  authority: 'cnpd; autoridade de controlo; uodo; prezes uodo; organ nadzorczy; organowi nadzorczemu; csirt; imy; tillsynsmyndighet*; integritetsskyddsmyndigheten; cert',
  keeping: 'conservad*; conservação; apagad*; eliminad* ~3 após; przechowuje*; przechowywan*; kasuje; usuwa ~3 po; sparas; bevaras; gallras; raderas',
} as const;

/** By the words of keeping and deleting. */
export const furtherRetention = {
  keep: 'conservad*; conservam; guardad*; arquivad*; mantid*; conservação; przechowuje*; przechowywan*; przechowywani*; archiwiz*; zachowuje; sparas; bevaras; lagras; arkiveras; behålls',
  delete: 'apagad*; eliminad*; destruíd*; apagamento; eliminação; anonimizad*; kasuje; kasowan*; usuwa; usuwan*; usunięc*; niszcz*; zniszcz*; nadpisuj*; nadpisywan*; raderas; radering; gallras; gallring; förstörs; skrivs över; tas bort',
  return: 'devolvid*; devolução; devolve; zwraca; zwrot; zwróci*; återlämna*; återlämnas; lämnas tillbaka',
  length: 'prazo de conservação; prazos de conservação; conservação; dados e prazos; retenção; okres* przechowywania; retencj*; przechowywani*; zapisy; lagringstid*; bevarandetid*; gallring*; gallringsfrist*',
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
  'encryption-at-rest': `cifragem|encriptação ~5 discos|repouso|disco|bases|base|dados em repouso|portáteis; cifrad*|encriptad* ~4 repouso|discos|portáteis; discos ~3 cifrad*; szyfrowani* ~5 dysk*|spoczynku|baz|bazy|nośnik*|laptop*; zaszyfrowan* ~4 dysk*|laptop*|nośnik*; dyski ~3 zaszyfrowan*|szyfrowan*; krypter* ~6 databas*|vila|disk*|lagrad*|bärbar*|datorer; datorer ~4 krypter*; kryptering ~5 databas*|vila|disk*; krypterad* ~3 disk*`,
  'encryption-in-transit': `cifragem|encriptação ~5 transmissão|trânsito|comunicações; cifrad*|encriptad* ~4 trânsito|transmissão; szyfrowani* ~4 transmisji|transmisja|połącze*|przesył*|transporcie|komunikacji; szyfrowan* ~3 połącze*|transmisj*; krypter* ~5 överföring*|trafik|transport|transit|förbindels*; krypterad* ~3 överföring*|förbindels*; transmission encryption; verschlüsselte* versand|übertragung|übermittlung; chiffrement en transit`,
  mfa: `autenticação multifator|forte; multifator; dois fatores; duplo fator; uwierzytelniani* wieloskładnikow*|dwuskładnikow*; wieloskładnikow* uwierzytelni*; dwuetapow* uwierzytelni*; flerfaktor*; tvåfaktor*; multifaktor*; stark autentisering`,
  'role-based-access': `perfis de acesso; acesso ~3 função|funções|perfis; por função; menor privilégio; necessidade de conhecer; uprawnienia ~4 ról|roli|role; według ról; oparte ~3 rolach; najmniejszych uprawnień; minimalnych uprawnień; wiedzy koniecznej; efter roll; rollbaserad*; åtkomst ~4 roll|roller; minsta behörighet; rolle in; role in the group; rollenkonzept`,
  logging: `registo ~3 consultas|acessos|eventos|operações; registos de acesso; registo de todas; rastreabilidade; rejestrowani* ~4 zdarze*|dostęp*|operacji|czynności; logowani* zdarzeń; dzienniki ~3 zdarze*|dostęp*; loggning; loggas; loggar; åtkomstlogg*; spårbarhet`,
  backup: `cópia|cópias de segurança; kopi* zapasow*; kopie bezpieczeństwa; säkerhetskopi*; säkerhetskopiering*`,
  pseudonymisation: `pseudonimiz*; pseudonimizaç*; pseudonimizacj*; pseudonymiser*; tokenisation; tokenization; tokenisier*; tokeniserad*; test data is pseudonymised`,
  'penetration-testing': `teste|testes de intrusão|penetração; test* penetracyj*; penetrationstest*; intrångstest*`,
  'vulnerability-scanning': `scan* de vulnerabilidades; análise* de vulnerabilidades; skanowani* podatności; sårbarhetsskanning*; sårbarhetsscanning*`,
  'physical-access': `controlo de acesso* físico*; acesso físico; videovigilância; kontrol* dostępu fizyczn*; dostęp fizyczny; ochrona fizyczna; monitoring wizyjny; passerkort; fysisk* åtkomst|säkerhet|skydd|tillträde*; tillträdesskydd; kameraövervakning`,
  training: `formação ~4 operadores|colaboradores|trabalhadores|segurança|dados|pessoal; formação; sensibilização; szkoleni*; przeszkol*; utbildning*; säkerhetsutbildning*`,
  'network-segmentation': `segmentação ~3 rede*; rede* ~4 segmentad*|separad*|isolad*; segmentacj* sieci; sieć|sieci ~4 oddzielon*|odseparowan*|wydzielon*|segment*; nätsegmentering; segmentering; nät|nätet|kontorsnätet ~5 skilt|skilda|avskilt|separer*|segmenter*`,
  'endpoint-protection': `proteção de endpoints|postos; antivírus; ochrona stacji|punktów; antywirus*; klientskydd; antivirus*; endpoint detection; edr; virusskydd`,
  'incident-response': `resposta a incidentes; plano de resposta; gestão de incidentes; reagowani* na incydenty; obsług* incydentów; incidenthantering*; incidentplan*`,
  'business-continuity': `continuidade ~3 negócio|atividade; plano* de continuidade; ciągłości działania; plan* ciągłości; kontinuitetsplan*; kontinuitetshantering`,
  'key-management': `gestão ~2 chaves; zarządzani* kluczami; nyckelhantering; hsm; hardware security module; bring your own key; byok; keys ~6 rotated|managed|hsm|kms|generated`,
  'confidentiality-undertaking': `compromisso* ~2 confidencialidade; dever de sigilo; acordo de confidencialidade; vinculad* ~3 confidencialidade|sigilo; zobowiązani* ~4 poufności|tajemnicy; zobowiązan* ~4 poufności|tajemnicy; oświadczeni* o poufności; sekretessförbindelse*; tystnadsplikt; sekretessavtal; verpflichtung ~4 vertraulichkeit; auf vertraulichkeit verpflichtet; confidentiality undertakings`,
  'data-separation': `separação ~4 dados|clientes|inquilinos; segregação ~3 dados|clientes; separacj* ~3 danych|klientów; rozdzielen* ~3 danych|klientów; logiczn* oddziel*; separation ~3 data|kunder|miljöer; åtskilda ~3 data|kunder; logisk separation`,
  disposal: `apagamento seguro; destruição segura; eliminação segura; destruição ~3 suportes|discos|documentos; bezpieczn* ~2 usuwani*|kasowani*|niszczeni*; niszczeni* ~3 nośników|dokumentów; säker* ~2 radering|förstöring|avveckling; destruktion ~2 media|lagringsmedia; media ~4 sanitized|sanitised|destroyed; destruction is witnessed; witnessed destruction; destruction certificates`,
  'background-checks': `verificação ~3 antecedentes; registo criminal; weryfikacj* ~3 kandydatów|pracowników; niekaralności; bakgrundskontroll*; registerkontroll*; säkerhetsprövning*`,
} as const;

/** By the elements that a contract or notice must have. */
export const furtherElements: Readonly<Record<string, string>> = {
  instructions: 'instruç*; polece*; poleceni*; udokumentowane; instruktion*',
  confidentiality: 'confidencialidade; sigilo; poufno*; tajemnic*; sekretess*; tystnadsplikt; konfidentialitet*',
  security: 'segurança; medidas técnicas; cifr*; bezpieczeństw*; środk* techniczn*; środki; szyfrow*; säkerhet*; tekniska ~3 åtgärder; krypter*',
  subprocessors:
    'subcontratante* ulterior*; outro subcontratante; outros subcontratantes; podpowierz*; dalsz* ~2 powierzen*|przetwarzając*|podmiot*; podwykonawc*; innego podmiotu przetwarzającego; underbiträde*; annat personuppgiftsbiträde',
  'data-subject-rights': 'titular*; direitos dos titulares; osob*|osób ~4 dane ~2 dotyczą; osób których dane; praw osób; żąda*; realizacj* praw; registrerade*; den registrerades',
  'breach-notification': 'violaç*; incidente*; narusze*; incydent*; personuppgiftsincident*; incident*',
  'deletion-or-return': 'apag*; elimin*; devol*; destru*; usun*; usuw*; zwrot*; zwraca*; zwróc*; zniszcz*; rader*; återlämn*; förstör*',
  'audit-rights': 'auditoria*; inspe*; audyt*; kontrol*; inspekcj*; revision*; inspektion*; granskning*',
  'likely-consequences': 'consequência*; risco* ~4 titulares|pessoas; konsekwencj*; skutk*; ryzyk* ~4 osób; konsekvens*; följder',
  'measures-taken': 'medidas; adotad*; środk*; zastosowan*; podjęto; zablokowan*; åtgärd*; vidtag*; spärrat*',
  'contact-point': 'contacto; encarregado ~3 proteção; epd; telefone; kontakt*; inspektor ochrony; iod; telefon; dataskyddsombud*; e post',
};

type Cues = Readonly<Record<string, string>>;

/** In which sense a clause says something. */
export const furtherCues: { readonly pt: Cues; readonly pl: Cues; readonly sv: Cues } = {
  pt: {
    denied: 'não; sem; nenhum; nenhuma; nem; nunca; fora; excluíd*; carece; falta; faltam; ausência; jamais; desativad*',
    harmless: 'não conformidade*; não conforme*; não mais|menos|superior|inferior|só|obstante|exceda|depois; sem demora|prejuízo|atraso|exceções|exceção; fora de horas; fora das instalações',
    planned:
      'previst* para; planead*; será ~3 implementad*|introduzid*|ativad*; em curso; em fase; ainda não; em preparação; no futuro; pendente*; em implementação; projetad*; em desenvolvimento; em aquisição; prevê se',
    conditional: 'se; caso; em caso de; seria; seriam; poderia; desde que; salvo se; eventual; eventuais; se aplicável',
    former: 'anterior; anteriores; antigo; antiga; já não; revogad*; substituíd*; abandonad*; obsolet*; previa; previam; abandonada; proposta inicial; tinha',
    example: 'exemplo; exemplos; p ex; por ex; ilustrativ*; glossário; modelo',
    law: 'a lei; legal; legais; legalmente; por lei; artigo ~4 prevê|exige|impõe|concede|permite; o regulamento exige|permite',
    other: 'o fornecedor ~4 é|tem|dispõe|declara; referida pelo fornecedor; alguns clientes; os nossos clientes; filial; empresa mãe; outra empresa; outra sociedade; aplica se apenas; na empresa',
    turn: 'mas; embora; enquanto; todavia; contudo; porém',
    achieved: 'foi ~2 ativad*|implementad*|introduzid*; foram ~2 ativad*|implementad*; já está; já estão; desde então',
  },
  pl: {
    denied: 'nie; bez; brak; braku; żaden; żadna; żadne; żadnych; ani; nigdy; poza; wyłączon*; niewdrożon*; odrzucon*',
    harmless: 'nie później|rzadziej|dłużej|mniej|krócej|więcej|tylko; bez zbędnej|uszczerbku|wyjątków|wyjątku|zastrzeżeń; poza siedzibą|godzinami; nie naruszając',
    planned: 'planowan*; planuje; plan ~2 kw; w toku; w trakcie; jeszcze nie; zostanie ~3 wdrożon*|wprowadzon*|uruchomion*; wdrażan*; przewidzian*; w przygotowaniu; zakup w; docelowo; zamierza',
    conditional: 'jeżeli; jeśli; w przypadku; w razie; gdyby; byłby; byłaby; byłoby; o ile; chyba że; ewentualn*',
    former: 'poprzedni*; dawn*; wcześniej*; uchylon*; zastąpion*; wycofan*; już nie; wynosił*; w wydaniu; obowiązywał*',
    example: 'przykład*; np; na przykład; wzór; wzoru; fikcyjn*; słownik',
    law: 'ustawa; ustawy; ustawow*; przepis; przepisy; prawo; rodo dopuszcza|wymaga|przewiduje; art ~4 przewiduje|wymaga|nakłada; rozporządzenie wymaga|przewiduje',
    other: 'spółk* matk*; spółka zależna; w spółce; dostawca ~5 ma|posiada|jest; naszych klientów; niektórzy klienci; inna spółka; podwykonawca ~3 ma|posiada|jest; nie dotyczył naszej',
    turn: 'ale; lecz; natomiast; jednak; choć; chociaż; podczas',
    achieved: 'został* ~2 wdrożon*|wprowadzon*|uruchomion*; wdrożono; wprowadzono; obecnie działa; od tego czasu',
  },
  sv: {
    denied: 'inte; ej; utan; ingen; inget; inga; aldrig; varken; saknas; saknar; utanför; undantagen; undantas',
    harmless: 'inte senare|längre|mer|mindre; utan dröjsmål|onödigt|otillbörligt|undantag|anmärkning; inte bara|enbart; utanför kontorstid',
    planned: 'planerad*; planeras; är ~2 planerad*; pågår; ännu inte; ännu; ska ~3 införas|aktiveras|genomföras ~2 20*; kommer att; under införande; under upphandling; avses; på sikt',
    conditional: 'om; ifall; skulle; kunde; såvida; under förutsättning; i händelse; eventuell*; kan komma',
    former: 'tidigare; förra; föregående; upphävd*; ersatt*; ersätter; inte längre; i version; slopad*; avskaffad*; gamla',
    example: 'exempel; t ex; till exempel; mall; fiktiv*; ordlista; vägledning*',
    law: 'lagen; lag; lagstadgad*; enligt lag; artikel ~4 kräver|ger|föreskriver; förordningen kräver|ger; direktivet kräver',
    other: 'moderbolag*; dotterbolag*; systerbolag*; leverantören ~4 är|har; vår ~3 leverantör|driftleverantör; driftleverantör ~4 är|har; våra kunder; vissa kunder; annat bolag; egen policy',
    turn: 'men; dock; medan; emellertid; fast',
    achieved: 'har ~3 införts|aktiverats|genomförts; är nu; infördes; sedan dess',
  },
};

/** Doers of clauses. */
export const furtherAgents = { pt: 'por|pelo|pela|pelos|pelas|a cargo d[oae]s?|responsável:', pl: 'przez|odpowiada:|odpowiedzialn\\p{L}{1,2}:|właściciel:', sv: 'av|genom|ansvarig:|ägare:' };
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
