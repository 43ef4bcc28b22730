/**
 * Names of the weaknesses, tactics and techniques that reports cite most often, for readable findings. Taken from MITRE's
 * public catalogues (CWE Top 25 of 2024 and related entries; ATT&CK Enterprise v15), shortened; not complete.
 */

/** @param number of the CWE entry */
export function nameOfCwe(number: number): string | undefined {
  return cweNames.get(String(number));
}

/** @param id of a tactic, a technique or a sub-technique, whose name follows that of its technique */
export function nameOfAttack(id: string): string | undefined {
  const exact = attackNames.get(id);
  if (exact !== undefined) return exact;
  return attackNames.get(id.split('.')[0]!);
}

const cweNames = parseNames(`
16 configuration
20 improper input validation
22 path traversal
23 relative path traversal
77 command injection
78 OS command injection
79 cross-site scripting
89 SQL injection
90 LDAP injection
91 XML injection
94 code injection
98 remote file inclusion
113 HTTP response splitting
116 improper output encoding
117 log injection
119 memory buffer bounds
120 classic buffer overflow
121 stack-based buffer overflow
122 heap-based buffer overflow
125 out-of-bounds read
134 format string
190 integer overflow
191 integer underflow
200 exposure of sensitive information
209 information in error messages
250 execution with unnecessary privileges
259 hard-coded password
269 improper privilege management
276 incorrect default permissions
284 improper access control
285 improper authorization
287 improper authentication
290 authentication bypass by spoofing
295 improper certificate validation
306 missing authentication for critical function
307 no limit on authentication attempts
311 missing encryption of sensitive data
319 cleartext transmission
321 hard-coded cryptographic key
326 inadequate encryption strength
327 broken or risky cryptography
330 insufficient randomness
345 insufficient verification of authenticity
346 origin validation error
347 improper verification of signature
352 cross-site request forgery
362 race condition
367 time-of-check time-of-use
384 session fixation
400 uncontrolled resource consumption
401 memory leak
404 improper resource release
415 double free
416 use after free
426 untrusted search path
427 uncontrolled search path element
434 unrestricted upload of dangerous file
444 HTTP request smuggling
476 NULL pointer dereference
494 download of code without integrity check
501 trust boundary violation
502 deserialization of untrusted data
521 weak password requirements
522 insufficiently protected credentials
532 sensitive information in log file
552 files accessible to external parties
601 open redirect
611 XML external entity
613 insufficient session expiration
614 cookie without Secure flag
617 reachable assertion
639 authorization bypass through user-controlled key
640 weak password recovery
668 exposure of resource to wrong sphere
693 protection mechanism failure
732 incorrect permission assignment
754 improper check for exceptional conditions
755 improper handling of exceptional conditions
770 allocation without limits
787 out-of-bounds write
798 hard-coded credentials
829 inclusion from untrusted control sphere
835 infinite loop
843 type confusion
862 missing authorization
863 incorrect authorization
908 use of uninitialized resource
912 hidden functionality
916 weak password hash effort
917 expression language injection
918 server-side request forgery
922 insecure storage of sensitive information
942 permissive cross-domain policy
1004 cookie without HttpOnly flag
1021 improper restriction of rendered UI layers
1104 unmaintained third-party components
1188 insecure default initialization
1321 prototype pollution
1333 inefficient regular expression
1392 default credentials
`);

const attackNames = parseNames(`
TA0043 Reconnaissance
TA0042 Resource Development
TA0001 Initial Access
TA0002 Execution
TA0003 Persistence
TA0004 Privilege Escalation
TA0005 Defense Evasion
TA0006 Credential Access
TA0007 Discovery
TA0008 Lateral Movement
TA0009 Collection
TA0010 Exfiltration
TA0011 Command and Control
TA0040 Impact
T1003 OS Credential Dumping
T1005 Data from Local System
T1018 Remote System Discovery
T1021 Remote Services
T1021.001 Remote Desktop Protocol
T1021.002 SMB/Windows Admin Shares
T1021.004 SSH
T1027 Obfuscated Files or Information
T1036 Masquerading
T1040 Network Sniffing
T1041 Exfiltration Over C2 Channel
T1046 Network Service Discovery
T1047 Windows Management Instrumentation
T1048 Exfiltration Over Alternative Protocol
T1049 System Network Connections Discovery
T1053 Scheduled Task/Job
T1055 Process Injection
T1056 Input Capture
T1057 Process Discovery
T1059 Command and Scripting Interpreter
T1059.001 PowerShell
T1059.003 Windows Command Shell
T1059.004 Unix Shell
T1068 Exploitation for Privilege Escalation
T1070 Indicator Removal
T1070.001 Clear Windows Event Logs
T1071 Application Layer Protocol
T1071.001 Web Protocols
T1074 Data Staged
T1078 Valid Accounts
T1082 System Information Discovery
T1083 File and Directory Discovery
T1087 Account Discovery
T1090 Proxy
T1095 Non-Application Layer Protocol
T1098 Account Manipulation
T1102 Web Service
T1105 Ingress Tool Transfer
T1110 Brute Force
T1110.001 Password Guessing
T1110.003 Password Spraying
T1110.004 Credential Stuffing
T1112 Modify Registry
T1133 External Remote Services
T1134 Access Token Manipulation
T1136 Create Account
T1140 Deobfuscate/Decode Files or Information
T1189 Drive-by Compromise
T1190 Exploit Public-Facing Application
T1195 Supply Chain Compromise
T1199 Trusted Relationship
T1204 User Execution
T1210 Exploitation of Remote Services
T1218 System Binary Proxy Execution
T1219 Remote Access Software
T1486 Data Encrypted for Impact
T1485 Data Destruction
T1489 Service Stop
T1490 Inhibit System Recovery
T1496 Resource Hijacking
T1498 Network Denial of Service
T1499 Endpoint Denial of Service
T1505 Server Software Component
T1505.003 Web Shell
T1528 Steal Application Access Token
T1530 Data from Cloud Storage
T1531 Account Access Removal
T1543 Create or Modify System Process
T1543.003 Windows Service
T1547 Boot or Logon Autostart Execution
T1548 Abuse Elevation Control Mechanism
T1550 Use Alternate Authentication Material
T1552 Unsecured Credentials
T1555 Credentials from Password Stores
T1558 Steal or Forge Kerberos Tickets
T1560 Archive Collected Data
T1562 Impair Defenses
T1566 Phishing
T1566.001 Spearphishing Attachment
T1566.002 Spearphishing Link
T1567 Exfiltration Over Web Service
T1569 System Services
T1570 Lateral Tool Transfer
T1571 Non-Standard Port
T1572 Protocol Tunneling
T1573 Encrypted Channel
T1574 Hijack Execution Flow
T1583 Acquire Infrastructure
T1587 Develop Capabilities
T1588 Obtain Capabilities
T1589 Gather Victim Identity Information
T1595 Active Scanning
T1598 Phishing for Information
T1621 MFA Request Generation
T1657 Financial Theft
`);

function parseNames(lines: string): ReadonlyMap<string, string> {
  return new Map(
    lines
      .trim()
      .split('\n')
      .map((line) => {
        const space = line.indexOf(' ');
        return [line.slice(0, space), line.slice(space + 1)] as const;
      }),
  );
}
