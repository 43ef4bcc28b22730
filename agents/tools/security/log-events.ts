/** Security events in log lines, by the wording of common programs and by Windows event numbers. */

export interface EventKind {
  readonly kind: string;
  readonly severity: 'high' | 'medium' | 'low';
  /** ATT&CK technique that the event indicates, without proving it. */
  readonly attack?: string;
  /** Whether it is a login event. */
  readonly login?: 'failure' | 'success';
  /** The line must contain one of these, in this spelling. */
  readonly needles: readonly string[];
  /** Must also match if the needles alone are not specific enough. */
  readonly pattern?: RegExp;
}

/** Programs in which a person logs in at the machine: PAM's session is the only report. */
export const consolePrograms =
  'login|gdm(?:-\\w+)?|lightdm|sddm|xdm|kdm|xrdp-sesman|vsftpd|proftpd|remote|rlogin|telnet';

/** @see Microsoft, "Appendix L: Events to Monitor"; OpenSSH's, PAM's and sudo's own messages */
export const eventKinds: readonly EventKind[] = [
  {
    kind: 'failed login',
    severity: 'medium',
    attack: 'T1110',
    login: 'failure',
    needles: [
      'Failed password',
      'authentication failure',
      'Invalid user',
      'Login failed',
      'login failed',
      'Failed login',
    ],
  },
  windows('failed login (Windows 4625)', 'medium', '4625', 'T1110', 'failure'),
  {
    kind: 'successful login',
    severity: 'low',
    attack: 'T1078',
    login: 'success',
    needles: [
      'Accepted password',
      'Accepted publickey',
      'Accepted keyboard-interactive',
      'Login successful',
      'login successful',
      'session opened for user',
    ],
    // Jobs of cron and commands of sudo open sessions, too, and SSH reports its logins itself.
    pattern: new RegExp(String.raw`Accepted |[Ll]ogin successful|pam_unix\((?:${consolePrograms}):session\)`),
  },
  windows('successful login (Windows 4624)', 'low', '4624', 'T1078', 'success'),
  windows('login with explicit credentials (Windows 4648)', 'medium', '4648', 'T1078'),
  windows('special privileges assigned (Windows 4672)', 'low', '4672', 'T1078'),
  windows('process created (Windows 4688)', 'low', '4688', 'T1059'),
  windows('service installed (Windows 7045)', 'high', '7045', 'T1543.003'),
  windows('service installed (Windows 4697)', 'high', '4697', 'T1543.003'),
  windows('scheduled task created (Windows 4698)', 'medium', '4698', 'T1053'),
  windows('user account created (Windows 4720)', 'medium', '4720', 'T1136'),
  windows('member added to security group (Windows 4728/4732/4756)', 'medium', '(?:4728|4732|4756)', 'T1098'),
  windows('account locked out (Windows 4740)', 'medium', '4740', 'T1110'),
  windows('audit log cleared (Windows 1102)', 'high', '1102', 'T1070.001'),
  windows('Kerberos pre-authentication failed (Windows 4771)', 'medium', '4771', 'T1110', 'failure'),
  windows('Kerberos service ticket requested (Windows 4769)', 'low', '4769', 'T1558'),
  { kind: 'use of sudo', severity: 'low', attack: 'T1548', needles: ['sudo:'], pattern: /COMMAND=/ },
  {
    kind: 'refused sudo',
    severity: 'high',
    attack: 'T1548',
    needles: ['NOT in sudoers', 'incorrect password attempt'],
  },
  { kind: 'user account created', severity: 'medium', attack: 'T1136', needles: ['new user: name=', 'useradd['] },
  { kind: 'out of memory', severity: 'medium', needles: ['Out of memory: Kill', 'oom-killer'] },
  { kind: 'program crashed', severity: 'medium', needles: ['segfault at', 'core dumped', 'general protection fault'] },
  {
    kind: 'port scan or dropped packets',
    severity: 'low',
    attack: 'T1046',
    needles: ['port scan', '[UFW BLOCK]', 'IN=eth'],
    pattern: /BLOCK|DROP|DENY|scan/,
  },
  {
    kind: 'path traversal in a request',
    severity: 'high',
    attack: 'T1190',
    needles: ['../', '..%2f', '..%2F', '%2e%2e'],
    pattern: /(?:GET|POST|HEAD|PUT) /,
  },
  {
    kind: 'SQL injection in a request',
    severity: 'high',
    attack: 'T1190',
    needles: ['UNION', 'union', "' OR", '%27', 'sleep(', 'SLEEP('],
    pattern:
      /(?:GET|POST) .{0,600}?(?:union(?:\s|%20|\+){1,3}(?:all|select)|(?:'|%27)(?:\s|%20|\+){0,3}or\b|sleep\(\d)/i,
  },
  {
    kind: 'lookup expression in a request (Log4Shell)',
    severity: 'high',
    attack: 'T1190',
    needles: ['${jndi:', '%24%7Bjndi', '${${'],
  },
  { kind: 'script in a request', severity: 'medium', attack: 'T1190', needles: ['<script', '%3Cscript', '%3cscript'] },
  {
    kind: 'encoded PowerShell',
    severity: 'high',
    attack: 'T1059.001',
    needles: ['-enc', '-Enc', '-EncodedCommand', 'FromBase64String'],
    pattern: /powershell|pwsh|FromBase64String/i,
  },
  {
    kind: 'shadow copies deleted',
    severity: 'high',
    attack: 'T1490',
    needles: ['delete shadows', 'Delete Shadows', 'shadowcopy delete'],
  },
  {
    kind: 'credential dumping tool',
    severity: 'high',
    attack: 'T1003',
    needles: ['mimikatz', 'Mimikatz', 'sekurlsa', 'lsass.dmp', 'procdump'],
  },
  {
    kind: 'malware found',
    severity: 'high',
    needles: ['malware detected', 'Malware detected', 'Threat detected', ' FOUND'],
    pattern: /detected|: .{1,200}? FOUND/i,
  },
  {
    kind: 'certificate or TLS failure',
    severity: 'low',
    needles: ['certificate verify failed', 'certificate has expired', 'handshake failure'],
  },
  {
    kind: 'access denied',
    severity: 'low',
    needles: ['Permission denied', 'Access denied', 'access denied', 'permission denied'],
  },
];

function windows(
  kind: string,
  severity: EventKind['severity'],
  number: string,
  attack: string,
  login?: 'failure' | 'success',
): EventKind {
  return {
    kind,
    severity,
    attack,
    ...(login === undefined ? {} : { login }),
    needles: ['Event', 'event'],
    pattern: new RegExp(String.raw`\bevent[_ ]?(?:id|code)?["']?\s?[:=]?\s?["']?${number}(?!\d)`, 'i'),
  };
}
