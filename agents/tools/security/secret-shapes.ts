/**
 * The patterns of credentials, the most specific first. Prefixes and lengths are documented by the issuers; every repetition is
 * bounded and every pattern begins with fixed characters or at a word boundary, so a scan takes linear time.
 */

export interface SecretShape {
  readonly kind: string;
  readonly severity: 'critical' | 'high' | 'medium';
  /** Global. Its group `secret`, if it has one, is the credential; else the whole match is. */
  readonly pattern: RegExp;
  /** Minimum bits per character; below it, the match is treated as an example. */
  readonly entropyMin: number;
  /** Fully redacted, because it was chosen by a person. */
  readonly hidden?: true;
}

export const secretShapes: readonly SecretShape[] = [
  shape('private key (PEM)', 'critical', /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g, 0),
  shape('PuTTY private key', 'critical', /PuTTY-User-Key-File-\d: /g, 0),
  shape('age secret key', 'critical', /AGE-SECRET-KEY-1[0-9A-Z]{58}/g, 3),
  shape('AWS access key id', 'high', /(?<![A-Z0-9])(?:AKIA|ASIA|AROA|AIDA)[A-Z2-7]{16}(?![A-Z0-9])/g, 2.5),
  shape(
    'AWS secret access key',
    'critical',
    /aws.{0,20}?(?:secret|key).{0,12}?[:=]\s{0,3}["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    3.5,
  ),
  shape('GitHub token', 'critical', /(?<!\w)gh[pousr]_[A-Za-z0-9]{36,255}/g, 3),
  shape('GitHub fine-grained token', 'critical', /(?<!\w)github_pat_[A-Za-z0-9_]{60,255}/g, 3),
  shape('GitLab token', 'critical', /(?<!\w)gl(?:pat|dt|rt|ptt|oas|soat|cbt)-[A-Za-z0-9_-]{20,64}/g, 3),
  shape('Slack token', 'critical', /(?<!\w)xox[abeoprs]-[A-Za-z0-9-]{10,250}/g, 2.5),
  shape('Slack webhook', 'high', /hooks\.slack\.com\/(?:services|workflows)\/(?<secret>[A-Za-z0-9/]{20,120})/g, 2.5),
  shape('Discord webhook', 'high', /discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/(?<secret>[\w-]{50,100})/g, 3),
  shape('Teams webhook', 'high', /webhook\.office\.com\/webhookb2\/(?<secret>[\w@/-]{40,250})/g, 3),
  shape('Stripe secret key', 'critical', /(?<!\w)(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}/g, 3),
  shape('Google API key', 'high', /(?<!\w)AIza[A-Za-z0-9_-]{35}(?![\w-])/g, 3),
  shape('Google OAuth secret', 'critical', /(?<!\w)GOCSPX-[A-Za-z0-9_-]{28}/g, 3),
  shape('Anthropic API key', 'critical', /(?<!\w)sk-ant-[A-Za-z0-9_-]{24,200}/g, 3),
  shape('OpenAI API key', 'critical', /(?<!\w)sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{32,200}/g, 3.5),
  shape('Hugging Face token', 'critical', /(?<!\w)hf_[A-Za-z0-9]{30,60}/g, 3),
  shape('npm token', 'critical', /(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)/g, 3),
  shape('PyPI token', 'critical', /(?<!\w)pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,250}/g, 3),
  shape('SendGrid API key', 'critical', /(?<!\w)SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/g, 3),
  shape('Twilio key', 'high', /(?<!\w)SK[0-9a-f]{32}(?!\w)/g, 3),
  shape('Mailgun key', 'high', /(?<!\w)key-[0-9a-f]{32}(?!\w)/g, 3),
  shape('DigitalOcean token', 'critical', /(?<!\w)do[opr]_v1_[0-9a-f]{64}/g, 3),
  shape('Vault token', 'critical', /(?<!\w)hv[sbr]\.[A-Za-z0-9_-]{24,250}/g, 3),
  shape('Telegram bot token', 'high', /(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{33}(?![\w-])/g, 3),
  shape('Shopify token', 'critical', /(?<!\w)shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/g, 3),
  shape('Azure storage key', 'critical', /AccountKey=(?<secret>[A-Za-z0-9+/]{60,90}={0,2})/g, 3.5),
  shape('Azure shared access signature', 'high', /[?&]sig=(?<secret>[A-Za-z0-9%+/]{30,120}={0,2})/g, 3),
  shape('JSON Web Token', 'high', /(?<![\w-])eyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{10,1000}/g, 3),
  shape('bearer token', 'high', /\bBearer\s{1,3}(?<secret>[\w.~+/-]{16,2000}={0,2})/g, 3),
  shape('basic authentication', 'high', /\bBasic\s{1,3}(?<secret>[A-Za-z0-9+/]{12,400}={1,2})/g, 2.5),
  shape(
    'password in a URL',
    'critical',
    /[a-z][a-z0-9+]{1,14}:\/\/[^\s:/@"'<>]{0,64}:(?<secret>[^\s@/"'<>]{3,128})@/gi,
    0,
    true,
  ),
  // "Server=…;Database=…;Password=…", as ADO.NET, ODBC and JDBC write it.
  shape(
    'password in a connection string',
    'critical',
    /(?<![a-z])(?:server|data source|host|addr(?:ess)?|dsn|driver|initial catalog|database|dbname|endpoint)\s?=[^"'\r\n]{0,300}?;\s?(?:password|pwd)\s?=\s?(?<secret>[^;"'\r\n${}<>*]{3,128})/gi,
    0,
    true,
  ),
  shape(
    'password in a connection string',
    'critical',
    /jdbc:[a-z0-9:]{2,40}\/\/[^\s"']{0,200}?[?&;]password=(?<secret>[^&;\s"'${}<>*]{3,128})/gi,
    0,
    true,
  ),
  shape(
    'password hash',
    'medium',
    /\$(?:2[abxy]\$\d{2}\$[./A-Za-z0-9]{53}|[156]\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{22,86}|argon2(?:id|i|d)\$v=\d{1,3}\$[\w=,]{5,40}\$[\w+/]{8,80}\$[\w+/]{16,120})/g,
    2,
    true,
  ),
  shape(
    'password',
    'high',
    /(?<![a-z])(?:password|passwd|passphrase|passwort|heslo|contraseña|mot de passe|pwd(?!=\/))["']?\s{0,3}(?::=|=>|[:=])\s{0,3}(?=["'])(?<secret>"[^"\r\n]{4,128}"|'[^'\r\n]{4,128}')/gi,
    1.5,
    true,
  ),
  shape(
    'password',
    'high',
    /(?<![a-z])(?:password|passwd|passphrase|passwort|heslo|contraseña|mot de passe|pwd(?!=\/))["']?\s{0,3}(?::=|=>|[:=])\s{0,3}(?=[^\s"',;]{0,127}[\d!@#$%^&*_+=~-])(?<secret>[^\s"',;]{4,128})/gi,
    1.5,
    true,
  ),
  // "The account's password (`…`)", "password was `…`": prose quotes the value.
  shape(
    'password',
    'high',
    /(?<![a-z])(?:password|passphrase|passwort|kennwort|contraseña|mot de passe|wachtwoord)(?:\s(?:was|is|war|lautet|lautete|était|est|era|es|is))?\s?\(?[`“„«](?=[^`”“»\s]{0,40}\d)(?=[^`”“»\s]{0,40}[a-z])(?<secret>[^`”“»\s]{6,64})[`”“»]/gi,
    1.5,
    true,
  ),
  // .netrc and the commands of Windows and of databases, where the password follows without a sign.
  shape(
    'password',
    'high',
    /(?<!\w)machine\s{1,4}\S{1,120}\s{1,4}login\s{1,4}\S{1,80}\s{1,4}password\s{1,4}(?<secret>\S{4,128})/gi,
    0,
    true,
  ),
  shape(
    'password',
    'high',
    /(?<!\w)net\s{1,3}use\s[^\r\n]{0,160}?\/u(?:ser)?:\S{1,80}\s{1,3}(?<secret>[^\s/*][^\s]{3,127})/gi,
    0,
    true,
  ),
  shape(
    'password',
    'high',
    /(?<!\w)(?:sshpass\s{1,3}-p\s{0,3}|(?:mysql|mysqldump|mariadb)\s(?:-\S{1,30}\s(?:\w{1,30}\s)?){0,6}?-p(?!\s)|cmdkey\s[^\r\n]{0,120}?\/pass:|(?:docker|podman|helm|nerdctl|skopeo|buildah|oras)\s(?:registry\s)?login\s[^\r\n]{0,120}?(?:-p|--password)[\s=]|az\s(?:login|acr\slogin)\s[^\r\n]{0,120}?(?:-p|--password)[\s=]|oc\slogin\s[^\r\n]{0,120}?(?:-p|--password)[\s=]|redis-cli\s[^\r\n]{0,80}?-a\s|ldap(?:search|modify|add)\s[^\r\n]{0,160}?-w\s|(?:wget|mongo(?:sh|dump|restore)?|influx|nmcli|rabbitmqadmin|mosquitto_(?:pub|sub))\s[^\r\n]{0,160}?(?:--(?:http-|proxy-)?password|-P)[\s=]|htpasswd\s-\w{0,4}b\w{0,4}\s\S{1,80}\s\S{1,60}\s|smbclient\s[^\r\n]{0,120}?-U\s{1,3}[^\s%]{1,60}%|Pgpassword=|PGPASSWORD=|MYSQL_PWD=|psexec\s[^\r\n]{0,120}?-p\s|curl\s[^\r\n]{0,160}?(?:-u|--user)\s{1,3}["']?[^\s:"']{1,64}:)["']?(?<secret>[^\s"'$<>{}]{4,128})/gi,
    1.5,
    true,
  ),
  shape(
    'application key',
    'critical',
    /(?<![a-z])(?:app|encryption|master|signing|cookie|session|jwt|hmac)[_-]?key["']?\s{0,3}[:=]\s{0,3}["']?(?<secret>(?:base64:)?[A-Za-z0-9+/_-]{24,128}={0,2})(?![\w])/gi,
    3.5,
  ),
  shape(
    'assigned secret',
    'high',
    /(?<![a-z])(?:[a-z0-9]{1,20}[_-]){0,4}(?:api[_-]?key|secret|token|access[_-]?key|client[_-]?secret|private[_-]?key|credentials?)["']?\s{0,3}(?::=|=>|[:=])\*{0,2}\s{0,3}["']?(?=[\w.~+/=-]{0,400}\d)(?<secret>[\w.~+/=-]{12,400})/gi,
    3,
  ),
];

function shape(
  kind: string,
  severity: SecretShape['severity'],
  pattern: RegExp,
  entropyMin: number,
  hidden = false,
): SecretShape {
  return { kind, severity, pattern, entropyMin, ...(hidden ? { hidden: true as const } : {}) };
}
