/** Messages of Unix programs and firewalls: the pattern of each and its event. */
import { consolePrograms } from './log-events.ts';
import type { LogEvent } from './log-record.ts';

export interface MessageShape {
  readonly event: LogEvent;
  /** Groups `actor`, `source`, `target` and `count`, each optional. */
  readonly pattern: RegExp;
  /** For messages that several programs write about one event: rank of reliability, the best first. */
  readonly witness?: string;
}

const ip = String.raw`(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f:]{3,39})`;
const shape = (event: LogEvent, pattern: string, witness?: string): MessageShape => ({
  event,
  pattern: new RegExp(pattern),
  ...(witness === undefined ? {} : { witness }),
});

/** The first match decides. @see OpenSSH's auth.c, Linux-PAM, shadow-utils, sudo, Dovecot, Postfix, Cisco ASA syslog guide */
export const messageShapes: readonly MessageShape[] = [
  // First, because the command may quote other messages.
  shape(
    'sudo-denied',
    String.raw`sudo(?:\[\d{1,9}\])?:\s{1,12}(?<actor>\S{1,64}) : (?:user NOT in sudoers|command not allowed|\d{1,3} incorrect password attempts?|user NOT authorized|a password is required|user not allowed)`,
  ),
  shape(
    'sudo',
    String.raw`sudo(?:\[\d{1,9}\])?:\s{1,12}(?<actor>\S{1,64}) : (?:[A-Z]{2,9}=[^;]{0,200}; ){1,6}COMMAND=`,
  ),
  shape(
    'failed-login',
    `Failed (?:password|keyboard-interactive/pam|publickey) for (?:invalid user |illegal user )?(?<actor>.{0,64}?) from (?<source>${ip})`,
    '1 sshd',
  ),
  shape('failed-login', String.raw`Invalid user (?<actor>\S{0,64}) from (?<source>${ip})`, '4 user'),
  shape(
    'failed-login',
    String.raw`PAM (?<count>\d{1,4}) more authentication failures?;.{0,120}?rhost=(?<source>\S{0,64})(?:\s{1,2}user=(?<actor>\S{1,64}))?`,
    '2 pam_unix',
  ),
  shape(
    'failed-login',
    String.raw`(?:pam_unix\((?!sudo|su\b|su-l|cron)[\w-]{1,30}:auth\):|\(pam_unix\)\[\d{1,9}\]:) authentication failure;.{0,120}?rhost=(?<source>\S{0,64})(?:\s{1,2}user=(?<actor>\S{1,64}))?`,
    '2 pam_unix',
  ),
  shape(
    'failed-login',
    String.raw`pam_(?:sss|ldap|winbind|krb5)\((?!sudo|su\b|su-l|cron)[\w-]{1,30}:auth\): authentication failure;.{0,120}?rhost=(?<source>\S{0,64})(?:\s{1,2}user=(?<actor>\S{1,64}))?`,
    '3 pam',
  ),
  shape(
    'successful-login',
    String.raw`Accepted [\w/-]{1,30}:?(?: [\w:+/=-]{1,80}){0,2} for (?<actor>\S{1,64}) from (?<source>${ip})`,
  ),
  shape(
    'successful-login',
    String.raw`pam_unix\((?:${consolePrograms}):session\): session opened for user (?<actor>[^\s(]{1,64})`,
  ),
  shape('account-created', String.raw`(?:new user: name=|new account added - account=)(?<target>[^,\s]{1,64})`),
  shape('account-deleted', String.raw`(?:delete user '|account deleted - account=)(?<target>[^',\s]{1,64})`),
  shape(
    'password-changed',
    String.raw`(?:chauthtok\): password changed for|password for) '?(?<target>[^'\s]{1,64})(?:'? changed by|$|\s|')`,
  ),
  shape(
    'group-member-added',
    String.raw`add '(?<target>[^']{1,64})' to group '|user \S{1,64} added by \S{1,64} to group`,
  ),
  shape(
    'account-locked',
    String.raw`account temporarily locked|pam_tally2?\(.{0,40}?\): user .{0,64}? tally .{0,20}? deny`,
  ),
  shape(
    'failed-login',
    String.raw`auth failed, (?<count>\d{1,4}) attempts.{0,60}?user=<(?<actor>[^>]{0,64})>.{0,60}?rip=(?<source>${ip})`,
  ),
  shape('successful-login', `-login: (?:Info: )?Login: user=<(?<actor>[^>]{1,64})>.{0,60}?rip=(?<source>${ip})`),
  shape(
    'failed-login',
    String.raw`\[(?<source>${ip})\]: SASL [\w-]{2,20} authentication failed(?:.{0,80}?sasl_username=(?<actor>\S{1,64}))?`,
  ),
  shape(
    'successful-login',
    String.raw`client=\S{0,80}\[(?<source>${ip})\], sasl_method=[\w-]{2,20}, sasl_username=(?<actor>\S{1,64})`,
  ),
  shape('failed-login', String.raw`\[(?<actor>[^\]]{1,64})\] FAIL LOGIN: Client "(?:::ffff:)?(?<source>${ip})"`),
  shape('successful-login', String.raw`\[(?<actor>[^\]]{1,64})\] OK LOGIN: Client "(?:::ffff:)?(?<source>${ip})"`),
  shape(
    'failed-login',
    String.raw`FAILED LOGIN (?:\(\d{1,3}\)|SESSION|\d{1,3})? ?(?:on|FROM) .{1,40}? FOR '?(?<actor>[^\s',]{1,64})`,
  ),
  shape(
    'failed-login',
    String.raw`%ASA-\d-605004: Login denied from (?<source>${ip})/.{0,120}? for user "(?<actor>[^"]{1,64})"`,
    '1 asa',
  ),
  shape(
    'successful-login',
    String.raw`%ASA-\d-605005: Login permitted from (?<source>${ip})/.{0,120}? for user "(?<actor>[^"]{1,64})"`,
  ),
  // The ASA reports a refused login of an administrator twice: by its AAA and by the service.
  shape(
    'failed-login',
    String.raw`%ASA-\d-113015: .{0,120}?user = (?<actor>\S{1,64}) : user IP = (?<source>${ip})`,
    '2 asa aaa',
  ),
  shape('account-created', String.raw`%ASA-\d-502101: New user added to local dbase: Uname: (?<target>\S{1,64})`),
  shape('account-deleted', String.raw`%ASA-\d-502102: User deleted from local dbase: Uname: (?<target>\S{1,64})`),
  shape(
    'logging-disabled',
    String.raw`%ASA-\d-111008: User '(?<actor>[^']{1,64})' executed the 'no logging (?:host|enable|trap|buffered|on)`,
  ),
  shape('log-cleared', String.raw`%ASA-\d-111008: User '(?<actor>[^']{1,64})' executed the 'clear logging`),
  shape(
    'blocked-connection',
    String.raw`%(?:ASA|FTD)-\d-(?:106023|106001|106006|106014|106100|106021|710003): .{0,60}?(?:[Dd]en(?:y|ied)).{0,60}?(?:src \w{1,30}:|from )(?<source>${ip})[/(]\d{1,5}.{0,60}?(?:dst \w{1,30}:|to )(?<target>${ip}[/(]\d{1,5})`,
  ),
  shape(
    'blocked-connection',
    String.raw`(?:BLOCK|DROP|DENY|DENIED|REJECT)[^=]{0,30} IN=.{0,120}? SRC=(?<source>${ip}) DST=(?<target>${ip}(?:.{0,140}? DPT=\d{1,5})?)`,
  ),
  shape(
    'blocked-connection',
    String.raw`filterlog(?:\[\d{1,9}\])?: (?:[^,]{0,40},){6}block,(?:[^,]{0,40},){11}(?<source>${ip}),(?<target>${ip}(?:,\d{1,5}){0,2})`,
  ),
  // Flow log of a cloud network, in the default format. @see Amazon VPC, "Flow log records"
  shape(
    'blocked-connection',
    String.raw`^\d \d{12} eni-\w{1,20} (?<source>${ip}) (?<target>${ip} \d{1,5} \d{1,5}) .{0,80}? REJECT OK`,
  ),
  shape(
    'blocked-connection',
    String.raw`RT_FLOW_SESSION_DENY: session denied (?<source>${ip})/\d{1,5}->(?<target>${ip}/\d{1,5})`,
  ),
  shape('malware-detected', String.raw`: (?<target>[\w./-]{1,80}) FOUND$`),
  // auditd: PAM reports the authentication and the daemon the login of one attempt.
  shape(
    'failed-login',
    String.raw`type=USER_AUTH .{0,400}?acct="?(?<actor>[^"\s]{1,64})"?.{0,200}?(?:addr=(?<source>${ip}).{0,80}?)?res=failed`,
    '2 auth',
  ),
  shape(
    'failed-login',
    String.raw`type=USER_LOGIN .{0,400}?acct="?(?<actor>[^"\s]{1,64})"?.{0,200}?(?:addr=(?<source>${ip}).{0,80}?)?res=failed`,
    '1 login',
  ),
  shape(
    'successful-login',
    String.raw`type=USER_LOGIN .{0,400}?(?<!\w)acct="?(?<actor>[^"\s]{1,64})"?.{0,200}?(?:addr=(?<source>${ip}).{0,80}?)?res=success`,
  ),
  shape(
    'successful-login',
    String.raw`type=USER_LOGIN .{0,400}?(?<!\w)id="?(?<actor>[^"\s]{1,64})"?.{0,200}?(?:addr=(?<source>${ip}).{0,80}?)?res=success`,
  ),
  shape('account-created', 'type=ADD_USER .{0,400}?res=success'),
  shape('account-deleted', 'type=DEL_USER .{0,400}?res=success'),
  shape('password-changed', 'type=USER_CHAUTHTOK .{0,400}?op=(?:change|changing|PAM:chauthtok).{0,200}?res=success'),
  shape('sudo', 'type=USER_CMD .{0,600}?res=success'),
  shape('sudo-denied', 'type=USER_CMD .{0,600}?res=failed'),
  // Network devices, databases and services. The words of the line name the event.
  shape(
    'failed-login',
    String.raw`%SEC_LOGIN-\d-LOGIN_FAILED:.{0,60}?\[user: (?<actor>[^\]]{0,64})\] \[Source: (?<source>${ip})\]`,
  ),
  shape(
    'successful-login',
    String.raw`%SEC_LOGIN-\d-LOGIN_SUCCESS:.{0,60}?\[user: (?<actor>[^\]]{0,64})\] \[Source: (?<source>${ip})\]`,
  ),
  shape(
    'blocked-connection',
    String.raw`%SEC-6-IPACCESSLOG\w{0,3}: list \S{1,40} denied \w{1,8} (?<source>${ip})(?:\(\d{1,5}\))?.{0,40}? -> (?<target>${ip}(?:\(\d{1,5}\))?)`,
  ),
  shape('failed-login', String.raw`Login failed for user '?(?<actor>[^'\s]{1,64})'? from host '?(?<source>${ip})`),
  shape('failed-login', String.raw`login failure for user (?<actor>\S{1,64}) from (?<source>${ip})`),
  shape('successful-login', String.raw`user (?<actor>\S{1,64}) logged in from (?<source>${ip})`),
  shape(
    'failed-login',
    String.raw`Bad (?:password|PAM password) attempt for '(?<actor>[^']{1,64})' from (?<source>\d{1,3}(?:\.\d{1,3}){3})`,
  ),
  shape(
    'successful-login',
    String.raw`(?:Password|Pubkey|PAM password) auth succeeded for '(?<actor>[^']{1,64})' .{0,80}?from (?<source>\d{1,3}(?:\.\d{1,3}){3})`,
  ),
  shape('failed-login', 'password authentication failed for user "(?<actor>[^"]{1,64})"'),
  shape('failed-login', `Access denied for user '(?<actor>[^']{1,64})'@'(?<source>[^']{1,64})'`),
  shape(
    'failed-login',
    String.raw`user "?(?<actor>[^":\s]{1,64})"?:? (?:was not found|password mismatch|authentication failure).{0,200}?client: (?<source>${ip})`,
  ),
  shape(
    'failed-login',
    String.raw`\[client (?<source>\d{1,3}(?:\.\d{1,3}){3})(?::\d{1,5})?\].{0,40}? user (?<actor>\S{1,64}): authentication failure`,
  ),
  shape(
    'failed-login',
    String.raw`\(\?@(?<source>${ip})\) \[WARNING\] Authentication failed for user \[(?<actor>[^\]]{1,64})\]`,
  ),
  shape('failed-login', String.raw`User \[(?<actor>[^\]]{1,64})\] from \[(?<source>${ip})\] failed to (?:log|sign) in`),
  shape(
    'successful-login',
    String.raw`User \[(?<actor>[^\]]{1,64})\] from \[(?<source>${ip})\] (?:logged|signed) in successfully`,
  ),
  shape(
    'failed-login',
    String.raw`(?<actor>[\w.@-]{1,64})/(?<source>${ip}):\d{1,5} .{0,40}?(?:AUTH_FAILED|TLS Auth Error)`,
  ),
  shape(
    'failed-login',
    String.raw`(?:^|\s)(?<source>\d{1,3}(?:\.\d{1,3}){3}):\d{1,5} TLS Auth Error: Auth Username/Password verification failed`,
  ),
  shape(
    'successful-login',
    String.raw`\[(?<actor>[^\]]{1,64})\] Peer Connection Initiated with \[AF_INET6?\](?<source>\d{1,3}(?:\.\d{1,3}){3})`,
  ),
  shape('failed-login', String.raw`Cannot login (?<actor>[^\s@]{1,64})@(?<source>${ip})`),
  shape('successful-login', String.raw`User (?<actor>[^\s@]{1,64})@(?<source>${ip}) logged in`),
  shape('failed-login', String.raw`authentication failure; rhost=(?<source>${ip}) user=(?<actor>\S{1,64})`),
  shape(
    'failed-login',
    String.raw`(?:Login failed: '?|Authentication failure for |Authentication attempt for unknown user |Invalid login (?:for|from) )(?<actor>[^\s'(]{1,64})'? (?:\(Remote IP: '?|from )(?<source>${ip})`,
  ),
  shape(
    'account-locked',
    String.raw`(?:pam_faillock\([^)]{1,40}\): (?:Consecutive login failures for user (?<actor>\S{1,64}) account temporarily locked|User \S{1,64} account (?:temporarily )?locked))`,
  ),
];

/** Every line that a pattern can match contains one of these, so most lines are skipped quickly. */
export const messageNeedles =
  /Failed |Invalid user|authentication failure|Accepted |sudo|new user|new account|delete user|account deleted|password |to group|temporarily locked|tally|auth failed|Login|LOGIN|SASL|%ASA|%FTD|SRC=|filterlog| FOUND|type=(?:USER|ADD|DEL)_|%SEC|login failure|logged in|Bad p|auth succeeded|Access denied|authentication failed|not found|password mismatch|failed to |signed in|AUTH_FAILED|Auth Error|Authentication |Invalid login|locked|Peer Connection|Cannot login|REJECT OK|SESSION_DENY/;
