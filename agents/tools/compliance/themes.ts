/**
 * The requirements of control frameworks as themes, each shared by several controls of several frameworks. A document addresses
 * a theme if its wording says so. Phrases are in the syntax of `compilePhrases`.
 */
import { phraseList as list } from '../text/phrases.ts';

export interface Theme {
  readonly id: string;
  readonly title: string;
  readonly wording: readonly string[];
}

/** @param wording of `phraseList` */
function theme(id: string, title: string, wording: string): Theme {
  return { id, title, wording: list(wording) };
}

export const allThemes: readonly Theme[] = [
  theme(
    'governance',
    'Security policy and governance',
    `
    information security policy|policies; security policy|policies; isms; information security management; approved by ~3 management|board;
    policy ~4 reviewed ~2 annually|yearly; security governance; statement of applicability`,
  ),
  theme(
    'roles',
    'Roles and management responsibility',
    `
    ciso; chief information security; security officer; management body; roles and responsibilities; board ~4 oversees|responsible|approves|accountable;
    segregation of duties; information security committee; responsible for information security; tone at the top; organisational|organizational structure`,
  ),
  theme('dpo', 'Data protection officer', `data protection officer; dpo; privacy officer`),
  theme(
    'risk',
    'Risk management',
    `
    risk assessment*; risk management; risk register; risk treatment; risk analysis|analyses; risk appetite; risk owner*; risk methodology`,
  ),
  theme(
    'threat_intel',
    'Threat intelligence',
    `threat intelligence; threat feed*; threat landscape; cert ~2 advisories; information sharing ~4 threat*`,
  ),
  theme(
    'assets',
    'Asset inventory and classification',
    `
    asset inventory; inventory of ~4 assets|hardware|software|systems; asset register; asset management; classification of ~2 information|data; information|data classification;
    labelling|labeling ~2 information|data; acceptable use; return of ~2 assets; cmdb; data flow diagram*`,
  ),
  theme(
    'access',
    'Access control',
    `
    access control*; least privilege; need to know; role based access; rbac; access right* ~6 reviewed|review|revoked|granted; access review*; user access; authorisation|authorization ~3 access;
    joiner ~4 leaver*; user provisioning; deprovision*; recertif*`,
  ),
  theme(
    'privileged',
    'Privileged access',
    `privileged access|account*|user*; administrator account*|access; admin account*; break glass; pam; privileged utility`,
  ),
  theme(
    'identity',
    'Identity and authentication',
    `
    identity management; unique ~2 id|identifier|user|account*; single sign on; sso; multi factor; multifactor; mfa; two factor; 2fa; password policy; passwords ~6 characters|length|complex*|hashed; passkey*; strong authentication; account lockout`,
  ),
  theme(
    'encryption',
    'Cryptography',
    `
    encrypt* ~6 rest|transit; encrypted ~4 using|with|at|in; encryption; tls; aes; cryptograph*; pseudonymis*; pseudonymiz*; data masking|masked; tokenis*|tokeniz*; truncat* ~4 pan|number*`,
  ),
  theme(
    'keys',
    'Key management',
    `key management; key rotation; rotate* ~4 keys; hardware security module; hsm; kms; certificate management; cryptographic keys`,
  ),
  theme(
    'logging',
    'Logging',
    `audit log*; audit trail*; log* ~4 retained|collected|stored|protected|events|activity|activities|access; logging; event log*; clock synchroni*; ntp; time synchroni*`,
  ),
  theme(
    'monitoring',
    'Monitoring and detection',
    `
    siem; security monitoring; monitored ~4 continuously|24|anomal*; continuous monitoring; intrusion detection|prevention; ids; ips; anomaly detection; edr; xdr; soc team|analysts; file integrity; alert* ~4 reviewed|triaged|security`,
  ),
  theme(
    'vulnerabilities',
    'Vulnerability and patch management',
    `
    vulnerability management; vulnerabilit* ~6 scan*|remediat*|patched|assessed; vulnerability scan*; patch management; patches|patched ~4 within|applied|installed; security update*; asv scan*; cve ~4 monitor*; bug bounty; vulnerability disclosure`,
  ),
  theme(
    'testing',
    'Security testing',
    `
    penetration test*; pentest*; red team*; threat led penetration; tlpt; security testing; security test*; resilience testing; scenario based test*; segmentation test*`,
  ),
  theme(
    'configuration',
    'Secure configuration',
    `
    hardening|hardened; configuration management; secure configuration*; baseline configuration*; configuration baseline*; configuration standard*; default password*; vendor default*; cis benchmark*; web filtering; software installation`,
  ),
  theme(
    'change',
    'Change management',
    `change management; change control; change advisory; changes ~4 approved|tested|reviewed; change request*; release management`,
  ),
  theme(
    'development',
    'Secure development',
    `
    secure development; sdlc; code review*; secure coding; sast; dast; static analysis; peer review* ~3 code; development ~4 test ~4 production; separate* ~4 environment*; threat model*; security by design; outsourced development; source code ~4 access|repositor*; web application firewall; waf`,
  ),
  theme(
    'malware',
    'Protection against malware',
    `malware; anti virus; antivirus; anti malware; antimalware; endpoint protection; phishing protection`,
  ),
  theme(
    'network',
    'Network security',
    `
    firewall*; network segmentation; segmented network*; network segregation; network security; vpn; dmz; zero trust; network diagram*; wireless ~3 secur*|network*|access; ddos; security ~2 gateway*`,
  ),
  theme(
    'dlp',
    'Prevention of data leakage',
    `data leakage; data loss prevention; dlp; exfiltration ~4 prevent*|detect*; removable media; usb ~4 block*|disabled|control*`,
  ),
  theme(
    'incident',
    'Incident management',
    `
    incident response; incident management; incident handling; incidents ~4 classified|reported|recorded|escalated|triaged; security incident* ~6 procedure|plan|team|process; lessons learned; post incident; root cause; forensic*|evidence collection; csirt`,
  ),
  theme(
    'breach_notice',
    'Notification of breaches and incidents',
    `
    notif* ~8 supervisory authority|authorities|csirt|regulator*; breach* ~8 notif*; notif* ~6 breach*; within 72|24 hours; within seventy two hours; early warning; report* ~6 major ~3 incident*; report* ~8 competent authority; inform* ~4 data subjects; breach register`,
  ),
  theme(
    'continuity',
    'Business continuity',
    `
    business continuity; bcp; continuity plan*; disaster recovery; recovery time objective; rto; rpo; recovery point objective; business impact analysis; crisis management; ict readiness; failover; redundan*; fallback; capacity management|planning; availability ~3 target|commitment*`,
  ),
  theme(
    'backup',
    'Backup',
    `backup*; back ups; restore test*; restor* ~4 tested|test; immutable ~2 cop*; offsite cop*`,
  ),
  theme(
    'supplier',
    'Suppliers and third parties',
    `
    supplier* ~6 assess*|review*|security|risk|agreement*|monitor*|register; vendor management|risk|assessment*; third party ~3 risk|provider*|management|assessment*|register; sub processor*; subprocessor*; outsourc* ~4 policy|register|risk; supply chain ~3 security|risk; register of information; due diligence ~4 supplier*|vendor*|provider*; service provider* ~4 monitor*|list|agreement*|compliance`,
  ),
  theme(
    'ict_contracts',
    'Contract terms with ICT providers',
    `
    exit strateg*; exit plan*; right* of ~3 audit|inspection|access; audit right*; service level*; contractual ~4 security|provisions|arrangements; critical or important function*; concentration risk; termination rights; security requirements ~6 contract*|agreement*`,
  ),
  theme(
    'cloud',
    'Cloud services',
    `cloud service* ~8 security|policy|requirements|exit|selected|approved|responsib*; cloud security; shared responsibility; cloud provider* ~6 assess*|certif*|region*`,
  ),
  theme(
    'training',
    'Awareness and training',
    `
    awareness training; security awareness; training ~6 annually|yearly|employees|staff|personnel|onboarding; trained ~4 annually|yearly|on; phishing simulation*; privacy training; management body ~6 training; security champion*`,
  ),
  theme(
    'people',
    'Personnel security',
    `
    background check*; screening ~4 employees|candidates|staff; background verification; disciplinary ~2 process|procedure|action|measures; confidentiality agreement*; nda; ndas; non disclosure agreement*; terms of employment; code of conduct; offboarding; termination of employment; whistle*`,
  ),
  theme(
    'remote',
    'Remote work and devices',
    `remote work*; home office; teleworking; mobile device*; mdm; byod; laptop* ~4 encrypt*|managed|locked; endpoint device*; remote access`,
  ),
  theme(
    'physical',
    'Physical security',
    `
    physical security; physical access; badge*|keycard*; visitor* ~3 log*|escort*|register*; cctv; video surveillance; server room*; data centre* ~6 certif*|access|guard*; data center* ~6 certif*|access|guard*; clear desk; clean desk; clear screen; uninterruptible; ups; fire suppression; fire detection; equipment ~4 maintenance|disposal|protected; cabling`,
  ),
  theme(
    'disposal',
    'Retention and deletion',
    `
    retention period*|schedule|policy; retained ~4 for|no longer|until; delet* ~6 after|within|when|data|information; erasure ~4 data|media|disk*; disposal of ~3 media|equipment; secure disposal|destruction; shredd*; wiped; storage limitation`,
  ),
  theme(
    'audit',
    'Audit, compliance and review',
    `
    internal audit*; independent review*; audit programme|program|plan; external audit*; compliance review*; management review*; corrective action*; nonconformit*; control* ~4 effectiveness; legal ~4 requirements ~4 identified|register|monitored; documented ~3 procedures|operating; project* ~4 security; contact* ~3 authorit*; special interest group*; intellectual property`,
  ),
  theme(
    'communication',
    'Communication and transfer of information',
    `information transfer; secure file transfer; email security; dmarc; dkim; secured communication*; emergency communication*; encrypted email; communication ~4 stakeholders|customers|internal; crisis communication*; system description`,
  ),
  theme(
    'legal_basis',
    'Legal basis and principles',
    `legal basis; lawful basis; legitimate interest*; consent ~6 withdraw*|obtained|given|recorded; article|art 6; purpose limitation; data minimisation|minimization; lawfulness; explicit consent; special categor*`,
  ),
  theme(
    'transparency',
    'Information of data subjects',
    `privacy notice*; privacy policy; privacy statement; informed ~6 processing|personal; transparency; article|art 13|14; cookie notice|banner; notice to data subjects`,
  ),
  theme(
    'subject_rights',
    'Rights of data subjects',
    `
    data subject* ~4 right*|request*; request*|rights of|by|from ~2 data subject*; right of access; right to erasure; right to be forgotten; data portability; subject access request*; dsar*; rectification; right to object; automated decision*; access|erasure|deletion requests ~6 within|answered|handled`,
  ),
  theme(
    'records',
    'Records of processing',
    `record* of processing; ropa; processing register; register of processing; article|art 30; data inventory; data map*`,
  ),
  theme(
    'dpia',
    'Impact assessment',
    `impact assessment*; dpia*; article|art 35; privacy by design; data protection by design; privacy ~2 default; prior consultation`,
  ),
  theme(
    'processors',
    'Processors',
    `data processing agreement*; processor agreement*; dpa ~4 signed|concluded|with; dpas; article|art 28; processor* ~6 instructions|contract*|guarantees; joint controller*`,
  ),
  theme(
    'transfers',
    'Transfers to third countries',
    `standard contractual clauses; sccs; adequacy decision; third countr*; binding corporate rules; transfer impact assessment*; data privacy framework; transfers outside|abroad; processed|stored ~6 eu|eea|europe`,
  ),
  theme(
    'card_data',
    'Stored card data',
    `
    cardholder data; primary account number*; sensitive authentication data; card numbers ~6 stored|tokenis*|tokeniz*|masked|encrypted; cvv|cvc ~6 not ~3 stored; pan ~4 masked|truncat*|encrypted|unreadable|tokenis*|tokeniz*; saq; payment page script*`,
  ),
  theme(
    'processing_integrity',
    'Integrity of processing',
    `input validation; data validation; processing integrity; reconciliation*; quality assurance ~4 data|output; completeness and accuracy; data quality; error handling`,
  ),
];
