/**
 * The security event that the words of a log name, where no format declares it: "user login", "failure". Each event is an object
 * and what happens to it, near each other in either order; the words are those of English, German, French, Spanish, Italian, Dutch,
 * Polish, Portuguese, Swedish, Danish, Norwegian, Finnish and Czech.
 */
import type { LogEvent } from './log-record.ts';

/** `*` stands for the rest of a word, a blank for what separates words in prose and in the names of operations. */
const list = (words: string) =>
  `(?<!\\p{L})(?:${words
    .split('|')
    .map((word) => word.trim().replaceAll('*', '\\p{L}*').replaceAll(' ', "[\\s_.:/'’-]{1,3}"))
    .join('|')})(?!\\p{L})`;

const login = list(
  'log in|login|log on|logon|logins|logons|logged in|logged on|loggedin|sign in|signin|signins|sign ins|sign on|signed in|auth|authn|authenticat*|credential*|user session start|' +
    'mfa|password|anmeld*|angemeldet|einlog*|eingeloggt|authentifizier*|passwort|kennwort|connexion|connecté|connectée|se connecter|authentifi*|' +
    'ouverture de session|mot de passe|inicio de sesi[óo]n|iniciar sesi[óo]n|inició sesión|autentica*|contraseña|acceso|accesso|accedere|login|aanmeld*|' +
    'aangemeld|inlog*|ingelogd|authenticatie|wachtwoord|logowani*|zalogowa*|uwierzytelni*|início de sess[ãa]o|iniciar sess[ãa]o|' +
    'autentica[çc][ãa]o|acesso|palavra passe|inloggning*|inloggad*|logga in|loggade in|autentisering*|logge ind|logget ind|indlogning*|innlogging*|' +
    'pålogging*|logget inn|logget på|kirjautumi*|kirjautu*|přihlášení|přihlásil',
);
const failed = list(
  'fail*|denied|denies|deny|invalid|reject*|incorrect|wrong|bad|mismatch|error|unsuccessful*|unauthori[sz]ed|refused|could not|cannot|' +
    'unable to|not successful*|fehlgeschlagen*|fehlschl[aä]g*|fehlversuch*|gescheitert*|abgelehnt*|abgewiesen*|verweigert|ungültig*|falsch*|' +
    'erfolglos*|nicht erfolgreich|misslungen*|konnte sich nicht|konnte nicht|échec|echec|échou*|refus*|incorrecte*|erron*|invalides?|rejet*|' +
    'n a pas pu|fallid*|falló|fallo|fracas*|rechazad*|denegad*|incorrect[oa]|errónea|inválid*|no pudo|no ha podido|fallit*|negat[oa]|rifiutat*|' +
    'non riuscit*|errat[oa]|errore|non è riuscit*|mislukt*|geweigerd*|ongeldig*|onjuist*|foutief|kon niet|kon zich niet|nieudan*|odrzucon*|błędn*|' +
    'niepowodzeni*|nieprawidłow*|falh*|recusad*|negad[oa]|inválid*|incorret*|mal sucedid*|não conseguiu|misslyck*|nekad*|avvisad*|ogiltig*|fel|' +
    'felaktig*|mislyk*|afvist|nægtet|forkert*|feilet|mislyktes|avvist|kunde inte|kunne ikke|epäonnistu*|hylätt*|neúspěšn*|selhal*|zamítnut*',
);
const succeeded = list(
  'success*|succeeded|accepted|granted|allowed|permitted|passed|ok|erfolgreich*|erfolg|akzeptiert|gelungen|réussi*|succès|acceptée?|autorisée?|' +
    'correct[oa]|exitos*|éxito|aceptad*|permitid*|satisfactori*|riuscit*|successo|accettat*|consentit*|geslaagd*|gelukt|succesvol*|toegestaan|' +
    'udan*|pomyśln*|powodzeni*|sucesso|bem sucedid*|aceit*|lyckad*|lyckades|godkänd*|vellykke*|godkendt|lykkedes|lyktes|onnistu*|úspěšn*',
);
const account = list(
  'users?|accounts?|serviceaccounts?|benutzer*|konto|konten|benutzerkonto*|comptes?|utilisateurs?|cuentas?|usuarios?|utent[ei]|gebruikers?|account|' +
    'kont[oa]|użytkownik*|contas?|utilizador*|användar*|brugere?|brugerkonto*|bruker*|käyttäjä*|tili|účet|uživatel*',
);
const created = list(
  'creat*|add|added|adds|new|provision*|register*|insert*|invite*|angelegt|erstellt|anlegen|neue?r?|hinzugefügt|cré|créé|créée|créer|création|ajouté*|' +
    'cread[oa]|crear|creación|alta|creat[oa]|creazione|aggiunt[oa]|aangemaakt|aanmaken|toegevoegd|nieuwe?|utworz*|dodan*|nowy|criad[oa]|criação|' +
    'skapad*|skapat|skapades|tillagd|oprettet|opprettet|luotu|vytvořen*',
);
const deleted = list(
  'delet*|remov*|purge*|gelöscht|entfernt|supprim*|suppression|eliminad[oa]|borrad[oa]|baja|eliminat[oa]|rimoss[oa]|verwijderd|usunięt*|' +
    'removid[oa]|borttagen|raderad*|slettet|poistettu|smazán*',
);
const changed = list(
  'chang*|reset*|updat*|set|modif*|geändert|zurückgesetzt|ändern|änderung|changé*|réinitialis*|cambi*|restablecid[oa]|modificat[oa]|reimpostat[oa]|' +
    'gewijzigd|wijzig*|zmian*|zmienion*|zresetowan*|alterad[oa]|alteração|redefinid[oa]|ändrad*|ändrat|återställ*|ændret|endret|nulstillet|tilbakestilt|' +
    'vaihdettu|změněn*',
);
const added = list(
  'add|added|adds|join*|hinzugefügt|aufgenommen|ajout*|añadid[oa]|agregad[oa]|aggiunt[oa]|toegevoegd|dodan*|adicionad[oa]|lagts till|tillagd|tilføjet|lagt til|lisätty|přidán*',
);
const locked = list(
  'lock*|locked out|lockout|suspend*|gesperrt|sperrung|verrouill*|bloqué*|bloquead*|bloccat*|geblokkeerd|vergrendeld|zablokowan*|låst*|spærret|låst|lukittu|uzamčen*|zamčen*',
);
const logs = list(
  'audit logs?|event logs?|security logs?|system logs?|logs?|logbuch|protokolle?|ereignisprotokoll*|systemprotokoll*|sicherheitsprotokoll*|journal|journaux|' +
    'registros?|log|registro de eventos|logboek*|dziennik*|registos?|loggar?|loggen|logge[nt]',
);
const cleared = list(
  'clear*|wipe*|purge*|delet*|erase*|truncat*|gelöscht|geleert|löschen|effac*|vidé|purgé|borrad[oa]s?|vaciad[oa]|cancellat[oi]|svuotat[oi]|gewist|leeggemaakt|' +
    'wyczyszcz*|limpos?|apagad[oa]s?|rensad*|rensat|tømt|ryddet|slettet|tyhjenn*',
);
const logging = list(
  'logging|auditing|audit|trail|trails|sink|sinks|flow logs?|flowlogs?|diagnostic settings?|diagnosticsettings?|config recorder|configuration recorder|detector|event selectors?|' +
    'protokollierung|überwachung|journalisation|registro|auditoría|registrazione|logregistratie|rejestrowanie|loggning|logning',
);
const disabled = list(
  'disabl*|stop|stopped|stops|turned off|turn off|pause*|delet*|remov*|deaktiviert|abgeschaltet|ausgeschaltet|gestoppt|désactiv*|arrêt*|desactivad*|detenid*|' +
    'disattivat*|disabilitat*|uitgeschakeld|gestopt|wyłączon*|desativad*|avstängd*|inaktivera*|deaktiveret|deaktivert|slået fra',
);
const keys = list(
  'access keys?|api keys?|api tokens?|access tokens?|personal access tokens?|service account keys?|ssh keys?|public keys?|deploy keys?|secret keys?|client secrets?|' +
    'apikey|accesskey|service principal credentials?|zugriffsschlüssel|api schlüssel|clé d accès|clé api|clave de acceso|clave api|chiave di accesso|toegangssleutel|' +
    'klucz dostępu|chave de acesso|åtkomstnyckel',
);
const policies = list(
  'policy|policies|iam policy|role assignments?|roleassignments?|role bindings?|rolebindings?|clusterrolebindings?|privileges?|permission sets?|admin rights|' +
    'administratorrechte|berechtigung*|richtlinie|politique|privilèges?|droits|política|permisos|criterio|privilegi|beleid|rechten|uprawnieni*',
);
const attached = list(
  'attach*|assign*|grant*|put|write|create|set|bind|zugewiesen|erteilt|gewährt|vergeben|attribu*|accord*|asignad*|concedid*|assegnat*|concess*|toegekend|toegewezen|' +
    'nadan*|przyznan*|tilldelad*|tildelt',
);
const groups = list(
  'groups?|group membership|group memberships|roles?|teams?|org|member to role|gruppen?|rolle|groupe|rôle|équipe|grupos?|rol|papel|equipo|gruppo|ruolo|groep|grupy|grupa|rola|roli|grupp*|gruppe[nr]?|ryhmä*|skupin*',
);
const services = list('services?|dienst|service|servicio|servizio|usług*|serviço|tjänst*|tjeneste*');
const installed = list(
  'install*|installiert|installé|instalad[oa]|installat[oa]|geïnstalleerd|zainstalowan*|installera*',
);
const malware = list(
  'malware|virus|viruses|trojan*|ransomware|threat*|infected|worm|backdoor|schadsoftware|schädling|schädliche datei|bedrohung|maliciel*|logiciel malveillant|' +
    'fichier malveillant|menace|amenaza|programa malicioso|minaccia|dreiging|schadelijk bestand|złośliw*|zagrożenie|ameaça|skadlig kod|hot|trussel',
);
const found = list(
  'detect*|found|block*|quarantin*|cleaned|removed|gefunden|erkannt|entdeckt|blockiert|quarantäne|détect*|trouvé*|bloqué*|detectad[oa]|encontrad[oa]|bloquead[oa]|rilevat[oa]|' +
    'trovat[oa]|bloccat[oa]|gevonden|gedetecteerd|geblokkeerd|wykryt*|znalezion*|detetad[oa]|hittad*|upptäck*|fundet|oppdaget',
);
const access = list(
  'access|permission|authorization|zugriff|zugang|berechtigung|accès|autorisation|permiso|autorización|autorizzazione|toegang|dostęp*|permissão|åtkomst|adgang|tilgang',
);
const refused = list(
  'denied|refused|forbidden|revoked access|verweigert|abgelehnt|refus*|denegad[oa]|negat[oa]|negad[oa]|geweigerd|odmow*|nekad*|nægtet|nektet|avvist',
);
const connections = list(
  'connections?|packets?|traffic|inbound|outbound|request|verbindung*|paket*|datenverkehr|connexions?|paquets?|trafic|conexi[óo]n|conexiones|paquetes?|tráfico|connession[ei]|' +
    'pacchett[oi]|verbinding*|pakket*|verkeer|połączeni*|pakiet*|ligaç*|anslutning*|paket|forbindelse*|pakke*',
);
export const blockedWord = list(
  'block|blocks|blocked|drop|dropped|deny|denied|reject|rejected|discard|discarded|blockiert|geblockt|verworfen|abgelehnt|abgewiesen|bloqué*|rejeté*|refusé*|bloquead[oa]|' +
    'rechazad[oa]|denegad[oa]|descartad[oa]|bloccat[oa]|negat[oa]|rifiutat[oa]|scartat[oa]|geblokkeerd|geweigerd|zablokowan*|odrzucon*|recusad[oa]|negad[oa]|blockerad*|nekad*|' +
    'blokeret|afvist|blokkert|estetty|zablokován*',
);

interface Wording {
  readonly event: LogEvent;
  /** Tested first, because most messages lack one of them. */
  readonly needed: readonly RegExp[];
  readonly pattern: RegExp;
}

/** The object within `ahead` characters before what happens to it, or within `behind` characters after it. */
function near(event: LogEvent, object: string, act: string, ahead: number, behind: number): Wording {
  const pattern = `(?:${object}[^;]{0,${ahead}}?${act}|${act}[^;]{0,${behind}}?${object})`;
  return { event, needed: [new RegExp(object, 'iu'), new RegExp(act, 'iu')], pattern: new RegExp(pattern, 'iu') };
}

const phrases = (event: LogEvent, words: string): Wording => ({
  event,
  needed: [],
  pattern: new RegExp(list(words), 'iu'),
});

const passwords = list(
  'passwords?|passwort|kennwort|mot de passe|contraseña|password|wachtwoord|hasł[oa]|palavra passe|senha|lösenord*|adgangskode*|passord*|salasana*|heslo',
);

/** The first wording that matches decides. */
const wordings: readonly Wording[] = [
  near('account-locked', account, locked, 30, 12),
  phrases('account-locked', 'locked out|lockout|kontosperr*'),
  near('malware-detected', malware, found, 70, 70),
  phrases('malware-detected', 'quarantine|quarantined|infected|schadsoftware|malveillant'),
  near('log-cleared', logs, cleared, 24, 12),
  near('logging-disabled', logging, disabled, 24, 8),
  near('service-installed', services, installed, 20, 20),
  phrases('service-installed', 'new service created|service was created'),
  near('access-key-created', keys, created, 16, 16),
  near('group-member-added', groups, added, 40, 60),
  near('policy-attached', policies, attached, 20, 20),
  near('password-changed', passwords, changed, 70, 70),
  near('failed-login', login, failed, 70, 70),
  near('account-created', account, created, 50, 16),
  near('account-deleted', account, deleted, 50, 16),
  near('access-denied', access, refused, 24, 12),
  phrases('access-denied', 'forbidden|unauthorized operation'),
  near('successful-login', login, succeeded, 70, 70),
  phrases(
    'successful-login',
    'logged in|logged on|signed in|hat sich angemeldet|angemeldet|eingeloggt|s est connectée?|s est authentifiée?|ha iniciado sesión|inició sesión|ha effettuato l accesso|è entrato|' +
      'aangemeld|ingelogd|zalogował* się|iniciou sessão|entrou|loggade in|har loggat in|loggede ind|logget ind|logget inn|logget på|kirjautui sisään|se přihlásil',
  ),
  near('blocked-connection', connections, blockedWord, 24, 16),
];

/** The end of a session, an attempt that has not ended, and a message that is no event. */
const none = new RegExp(
  `${list(
    'log out|logout|logged out|log off|logoff|logged off|sign out|signed out|signout|session closed|session ended|session expired|abmeld*|abgemeldet|ausgeloggt|déconnexion|déconnect*|' +
      'fermeture de session|cierre de sesión|cerró sesión|desconex*|desconect*|disconnes*|logout|uscita|afgemeld|uitgelogd|afmelden|wylogowa*|terminou sessão|fim de sessão|' +
      'utloggning|utloggad|loggade ut|logget ud|logget ut|odhlášení|uloskirjautu*',
  )}|^\\W{0,3}${list('test message|testmeldung|test notification|message de test|mensaje de prueba|messaggio di prova|testbericht|example|beispiel|exemple|ejemplo')}`,
  'iu',
);

/** @param words the values of the fields that say what happened and how it ended, joined */
export function eventOfWords(words: string): LogEvent | undefined {
  const shown = words
    .slice(0, 300)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z]{2})/g, '$1 $2');
  if (none.test(shown)) return undefined;
  return wordings.find(({ needed, pattern }) => needed.every((word) => word.test(shown)) && pattern.test(shown))?.event;
}

const failedWord = new RegExp(failed, 'iu');
const outcomeWord = new RegExp(`^(?:${failed}|${succeeded})$`, 'iu');

/** Whether a word is one of the outcomes, and so no name of an account. */
export const isOutcome = (word: string) => outcomeWord.test(word);

/** Whether an outcome says that the attempt failed. */
export const isFailure = (outcome: string) => failedWord.test(outcome) || new RegExp(refused, 'iu').test(outcome);
