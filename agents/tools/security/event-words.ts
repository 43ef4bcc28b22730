/** The security event that the words of a log name, where no format declares it: "user login", "failure". */
import type { LogEvent } from './log-record.ts';

const login = String.raw`(?:log[\s_.-]?[io]n|logon|sign[\s_.-]?[io]n|user[_.]session[_.]start|auth(?:entication|enticate|n)?|credentials?|password(?! (?:change|reset))|mfa|anmeldung|anmelde\w*|connexion|inicio de sesi[óo]n|accesso|aanmelding)`;
const failed = String.raw`(?:fail\w*|den(?:y|ied)|invalid|reject\w*|incorrect|wrong|bad|mismatch|error|unsuccessful|unauthori[sz]ed|fehlgeschlagen\w*|abgelehnt|ung[üu]ltig\w*|falsch\w*|[ée]chec|[ée]chou[ée]e?s?|refus[ée]e?s?|incorrecte?|fallid[oa]s?|fallit[oa]|mislukt)`;
const succeeded = String.raw`(?:success\w*|succeeded|accepted|granted|allowed|permitted|ok|erfolgreich\w*|r[ée]ussie?|accept[ée]e?|correct[oa]|exitos[oa]|riuscit[oa]|geslaagd)`;
const gap = String.raw`[^\p{L}]{1,3}(?:[\p{L}\d_]{1,20}[^\p{L}]{1,3}){0,3}`;
const both = (one: string, other: string) =>
  new RegExp(String.raw`(?<!\p{L})(?:${one}${gap}${other}|${other}${gap}${one})(?!\p{L})`, 'iu');
const account = '(?:users?|accounts?|benutzer\\w*|konto|compte|utilisateur|cuenta|usuario|utente)';

/** The first pattern that matches decides. */
const patterns: readonly (readonly [LogEvent, RegExp])[] = [
  [
    'account-locked',
    /(?<!\p{L})(?:account|user)(?!\p{L}).{0,30}\block(?:ed)?\b|\block(?:ed)?[\s_-]?out\b|kontosperr\w*|konto gesperrt|compte verrouill[ée]/iu,
  ],
  [
    'log-cleared',
    /(?<!\p{L})(?:audit |event )?logs?\b.{0,20}(?<!\p{L})(?:cleared|wiped|purged|deleted)(?!\p{L})|protokoll gelöscht|journal effac[ée]/iu,
  ],
  [
    'logging-disabled',
    /(?<!\p{L})(?:logging|audit(?:ing)?|trail)(?!\p{L}).{0,20}(?<!\p{L})(?:disabled|stopped|turned off)(?!\p{L})|\bstop(?:ped)?[\s_]?logging\b/iu,
  ],
  [
    'service-installed',
    /(?<!\p{L})(?:new )?service\b.{0,20}(?<!\p{L})(?:was )?(?:installed|created)(?!\p{L})|dienst (?:wurde )?installiert/iu,
  ],
  [
    'malware-detected',
    /(?<!\p{L})(?:malware|virus|trojan|ransomware|threat)(?!\p{L}).{0,30}(?<!\p{L})(?:detected|found|blocked|quarantined|infected|gefunden|d[ée]tect[ée])|(?<!\p{L})(?:infected|quarantined?)(?!\p{L})|schadsoftware|malveillant/iu,
  ],
  [
    'password-changed',
    /\bpassword\b.{0,20}(?<!\p{L})(?:changed?|reset|updated)(?!\p{L})|(?<!\p{L})(?:change|reset|update)[\s_.]?password\b|passwort (?:geändert|zurückgesetzt)|mot de passe (?:modifi[ée]|chang[ée])/iu,
  ],
  [
    'access-key-created',
    /(?<!\p{L})(?:create[\s_.]?access[\s_.]?key|(?:api|access)[\s_-]?(?:key|token)(?!\p{L}).{0,12}\bcreated?)(?!\p{L})/iu,
  ],
  [
    'group-member-added',
    /(?<!\p{L})(?:added|add)(?!\p{L}).{0,40}(?<!\p{L})(?:to (?:the )?(?:\w+ ){0,3}(?:group|role|team))|\bgroup\b.{0,20}\bmember\b.{0,12}\badd(?:ed)?\b|\badd[\s_.](?:member|user)[\s_.]to[\s_.](?:group|role)(?!\p{L})|zur gruppe hinzugefügt|ajout[ée] au groupe/iu,
  ],
  [
    'account-created',
    new RegExp(
      String.raw`(?<!\p{L})(?:${account}[\s_.:-]{1,3}(?:\w{1,15}\s){0,2}(?:created?|added|provision(?:ed)?|angelegt|erstellt|cr[ée]{2}|cread[oa])|(?:create|add|new)d?[\s_.-]?(?:a |the )?(?:new )?${account})(?!\p{L})`,
      'iu',
    ),
  ],
  [
    'account-deleted',
    new RegExp(
      String.raw`(?<!\p{L})(?:${account}[\s_.:-]{1,3}(?:\w{1,15}\s){0,2}(?:deleted?|removed|gelöscht|supprim[ée])|(?:delete|remove)d?[\s_.-]?(?:the )?${account})(?!\p{L})`,
      'iu',
    ),
  ],
  ['failed-login', both(login, failed)],
  ['successful-login', both(login, succeeded)],
  ['successful-login', /(?<!\p{L})(?:user )?logged[\s_-]?(?:in|on)(?!\p{L})|angemeldet|s['’]est connect[ée]/iu],
  [
    'access-denied',
    /(?<!\p{L})(?:access|permission|authorization|zugriff|acc[èe]s)(?!\p{L})[^\p{L}]{1,3}(?:\w+[^\p{L}]{1,3}){0,2}(?:denied|refused|verweigert|refus[ée])(?!\p{L})|\bforbidden\b|\bunauthorized operation\b/iu,
  ],
];

/** @param words the values of the fields that say what happened and how it ended, joined */
export function eventOfWords(words: string): LogEvent | undefined {
  const shown = words.slice(0, 300).replace(/([a-z])([A-Z])/g, '$1 $2');
  return patterns.find(([, pattern]) => pattern.test(shown))?.[0];
}
