/** Windows security events: the meaning of each number, and the position of account and address in its text. */
import { accountOf, addressOf, type LogEvent } from './log-record.ts';

interface WindowsEvent {
  readonly event: LogEvent;
  /** The acting account of the event: the one that logs on, or the subject. */
  readonly actor: 'target' | 'subject' | 'none';
}

/** @see Microsoft, "Appendix L: Events to Monitor" */
export const windowsEvents: ReadonlyMap<number, WindowsEvent> = new Map([
  [4624, { event: 'successful-login', actor: 'target' }],
  [4625, { event: 'failed-login', actor: 'target' }],
  [4720, { event: 'account-created', actor: 'subject' }],
  [4726, { event: 'account-deleted', actor: 'subject' }],
  [4740, { event: 'account-locked', actor: 'none' }],
  [4723, { event: 'password-changed', actor: 'subject' }],
  [4724, { event: 'password-changed', actor: 'subject' }],
  [4728, { event: 'group-member-added', actor: 'subject' }],
  [4732, { event: 'group-member-added', actor: 'subject' }],
  [4756, { event: 'group-member-added', actor: 'subject' }],
  [1102, { event: 'log-cleared', actor: 'subject' }],
  [104, { event: 'log-cleared', actor: 'subject' }],
  [517, { event: 'log-cleared', actor: 'subject' }],
  [7045, { event: 'service-installed', actor: 'none' }],
  [4697, { event: 'service-installed', actor: 'subject' }],
  [1116, { event: 'malware-detected', actor: 'none' }],
  [5152, { event: 'blocked-connection', actor: 'none' }],
  [5157, { event: 'blocked-connection', actor: 'none' }],
]);

/** System accounts, whose logons are not informative. */
const systemAccount =
  /^(?:SYSTEM|LOCAL SERVICE|NETWORK SERVICE|LOKALER DIENST|NETZWERKDIENST|ANONYMOUS LOGON|ANONYMOUS-ANMELDUNG|(?:DWM|UMFD)-\d{1,3})$/i;

export interface WindowsDetails {
  readonly event?: LogEvent;
  readonly actor?: string;
  readonly source?: string;
  readonly host?: string;
}

/** Labels of the fields, as Event Viewer, XML and collectors write them. */
const value = String.raw`["']?\s{0,3}[:=>](?:[^\S\n]{0,40}\n {8,48}|[^\S\n]{0,12})["']?(?<value>(?!\s)[^\r\n\t"',;<>]{1,80}?)(?=[\t\r\n"',;<]|\s{2}|\s[A-Z][A-Za-z]{1,16}(?: [A-Z][a-z]{1,12}){0,3}\s?[:=]|$)`;
const nameShape = new RegExp(
  `(?:Account Name|Kontoname|Nom du compte|Nombre de (?:la )?cuenta|Nome account|Accountnaam|Nome da conta|Nazwa konta|Název účtu)${value}`,
);
const labels = {
  subject: new RegExp(`(?:SubjectUserName|SubjectAccountName)${value}`),
  target: new RegExp(`(?:TargetUserName|TargetAccountName)${value}`),
  source: new RegExp(
    `(?:Source Network Address|Quellnetzwerkadresse|Adresse du réseau source|Dirección de red de origen|Indirizzo di rete di origine|Bronnetwerkadres|Endereço de rede de origem|Źródłowy adres sieciowy|Zdrojová síťová adresa|IpAddress|Source Address|SourceAddress|Client Address)${value}`,
  ),
  host: /(?<!\w)(?:Computer|ComputerName|MachineName|Hostname)["']?\s{0,12}[:=>]\s{0,12}["']?(?<value>[\w.-]{2,80})/,
};
const sections = {
  subject:
    /(?:Subject|Antragsteller|Sujet|Sujeto|Firmante|Soggetto|Onderwerp|Requerente|Assunto|Podmiot|Předmět)\s{0,3}:/,
  target:
    /(?:New\s+Logon|Account\s+For\s+Which\s+Logon\s+Failed|Neue\s+Anmeldung|Konto,\s+für\s+das\s+die\s+Anmeldung\s+fehlgeschlagen\s+ist|Nouvelle\s+ouverture\s+de\s+session|Compte\s+pour\s+lequel\s+l['’]ouverture\s+de\s+session\s+a\s+échoué|Nuevo\s+inicio\s+de\s+sesión|Cuenta\s+con\s+error\s+de\s+inicio\s+de\s+sesión|Nuovo\s+accesso|Account\s+il\s+cui\s+accesso\s+non\s+è\s+riuscito|Account\s+per\s+cui\s+l['’]accesso\s+non\s+è\s+riuscito|Nieuwe\s+aanmelding|Account\s+waarvoor\s+(?:de\s+)?aanmelding\s+is\s+mislukt|Novo\s+[Ll]ogon|Conta\s+para\s+a\s+qual\s+o\s+logon\s+falhou)\s{0,3}:/,
};

/** @param text of one event */
export function readWindowsEvent(code: number, text: string): WindowsDetails {
  const known = windowsEvents.get(code);
  const actor = known === undefined || known.actor === 'none' ? undefined : accountIn(text, known.actor);
  const source = addressOf(labels.source.exec(text)?.groups?.value);
  const host = labels.host.exec(text)?.groups?.value ?? machineOf(code, text);
  return {
    ...(known === undefined || isSystemLogon(known.event, actor) ? {} : { event: known.event }),
    ...(actor === undefined ? {} : { actor }),
    ...(source === undefined ? {} : { source }),
    ...(host === undefined ? {} : { host }),
  };
}

/** The machine reports the logon with its own account: `SRV-DATEV01$`. */
function machineOf(code: number, text: string): string | undefined {
  if (code !== 4624 && code !== 4625) return undefined;
  return /^([\w-]{2,40})\$$/.exec(accountIn(text, 'subject') ?? '')?.[1];
}

export const isSystemAccount = (actor: string | undefined) => actor !== undefined && systemAccount.test(actor);

export function isSystemLogon(event: LogEvent, actor: string | undefined): boolean {
  return event === 'successful-login' && isSystemAccount(actor);
}

function accountIn(text: string, role: 'subject' | 'target'): string | undefined {
  const direct = labels[role].exec(text)?.groups?.value;
  if (direct !== undefined) return accountOf(direct);
  const section = sections[role].exec(text);
  if (section === null) return undefined;
  return accountOf(nameShape.exec(text.slice(section.index, section.index + 400))?.groups?.value);
}
