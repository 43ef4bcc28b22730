/**
 * Techniques of MITRE ATT&CK that a report describes without their numbers. Only behaviours that one technique covers, in English,
 * German and French; a report that gives numbers is taken at its word.
 */
import { type Document, sentenceAt } from '../../document/document.ts';
import { scopeOf } from '../../document/scope.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { isSetAside } from './mention.ts';
import { findTopics } from './report-topics.ts';

export interface Behaviour extends Range {
  readonly id: string;
}

/** @see MITRE ATT&CK Enterprise, names and descriptions of the techniques */
const behaviours: readonly (readonly [string, RegExp])[] = [
  [
    'T1566.001',
    /spear-?phishing attachment|(?:phishing|malicious) (?:e-?mails? )?(?:with|containing|carrying) (?:an? |the )?(?:\p{L}+ )?(?:attachment|document)s?|(?:schädliche[nrms]?|präparierte[nrms]?) (?:e-?mail-?)?anh[aä]ng\w*|pièce jointe (?:malveillante|piégée)/giu,
  ],
  [
    'T1566.002',
    /spear-?phishing link|phishing (?:e-?mails?|messages?) (?:with|containing) (?:an? |the )?(?:\p{L}+ )?links?|lien (?:de hameçonnage|malveillant)/giu,
  ],
  ['T1110.003', /password[- ]spray\w*|passwort-?spraying|pulvérisation de mots de passe/giu],
  ['T1110.004', /credential[- ]stuffing|bourrage d['’]identifiants/giu],
  ['T1110', /brute[- ]forc\w*|(?:attaque )?par force brute/giu],
  [
    'T1003.001',
    /(?:dump\w*|read\w*|extract\w*|access\w*) (?:of |the )?(?:memory of |credentials from )?(?:the )?lsass|lsass (?:memory|dump)\w*/giu,
  ],
  ['T1003.003', /ntds\.dit/giu],
  ['T1550.002', /pass[- ]the[- ]hash/giu],
  ['T1558.003', /kerberoast\w*/giu],
  ['T1558.001', /golden[- ]tickets?/giu],
  ['T1003.006', /dcsync/giu],
  [
    'T1486',
    /(?:data|files?|servers?|hosts?|systems?|volumes?|shares?) (?:\p{L}+ ){0,3}(?:were|was|had been|being) encrypted|encrypted (?:the |all |\d+ )?(?:files?|servers?|data|hosts?|systems?|volumes?)|verschlüsselte[n]? (?:\p{L}+ ){0,3}(?:server|dateien|daten|systeme)|serveurs? chiffrés/giu,
  ],
  [
    'T1490',
    /(?:shadow cop(?:y|ies)|volume snapshots?) (?:\p{L}+ ){0,2}(?:were |was )?(?:deleted|removed)|(?:deleted?|removed?|deleting) (?:the |all )?(?:volume )?(?:shadow cop(?:y|ies)|backups?)|schattenkopien (?:\p{L}+ ){0,2}gelöscht|copies instantanées/giu,
  ],
  ['T1053.005', /scheduled tasks?|geplante[nr]? aufgaben?|tâches? planifiées?/giu],
  ['T1021.001', /(?:via|over|by|using|through|with) (?:rdp|remote desktop)|per rdp|par rdp/giu],
  [
    'T1059.001',
    /(?:encoded |malicious |obfuscated )?powershell (?:script|command|downloader|cradle)s?|powershell-?(?:skript|befehl)\w*|script powershell/giu,
  ],
  ['T1505.003', /web ?shells?/giu],
  [
    'T1190',
    /exploit(?:ed|ing|s|ation of)? (?:\p{L}+ ){0,4}(?:public-facing|internet-facing|vpn|web ?(?:server|application|mail)|gateway|portal|appliance|firewall)|(?:sql|command) injection (?:was |were )?(?:exploited|used)/giu,
  ],
  [
    'T1195.002',
    /supply[- ]chain (?:attack|compromise)|(?:trojani[sz]ed|backdoored|malicious) (?:update|package|dependency|installer)s?/giu,
  ],
  ['T1621', /mfa (?:fatigue|bombing|push[- ]bombing)|push[- ]bombing/giu],
  [
    'T1133',
    /(?:exposed|external) (?:vpn|remote (?:access|desktop|services?)|rdp)|portail (?:\p{L}+ ){0,5}exposé sur internet|fernwartungsportal|fernzugang/giu,
  ],
  [
    'T1078',
    /(?:stolen|compromised|leaked|valid|reused|purchased) (?:\p{L}+ ){0,2}(?:credentials?|accounts?|passwords?)|gestohlene[nrs]? (?:\p{L}+ ){0,1}(?:zugangsdaten|kennw\p{L}+|passw\p{L}+|konten)|gültige konten|identifiants (?:\p{L}+ )?(?:volés|valides|compromis)/giu,
  ],
  [
    'T1562.001',
    /(?:disabled?|disabling|turned off|switched off|stopped) (?:the )?(?:edr|antivirus|anti-virus|defender|endpoint protection|security (?:tools|software))/giu,
  ],
  ['T1070.001', /(?:cleared|deleted|wiped) (?:the )?(?:windows |security |event )*event logs?/giu],
];
/** An exploited vulnerability of a system that is reached from outside. */
const exploited = /(?:exploit\w*|used|leverag\w*|abus\w*|ausgenutzt|ausnutzung|exploit[ée]e?s?)/iu;
const facing =
  /(?:vpn|gateway|portal|firewall|load balancer|web ?(?:server|mail|application)|internet|appliance|exchange|citrix|loadbalancer|lastverteiler|pare-feu|équilibreur de charge|passerelle|portail|serveur web)/iu;

/** Ordered by position, each technique once. @param hasNumbers whether the text gives numbers of techniques */
export function findBehaviours(document: Document, hasNumbers: boolean): Behaviour[] {
  const topics = findTopics(document);
  const isSuggested = (at: number) => {
    const range = topics[indexAt(topics, at) ?? -1];
    return (
      range?.topic === 'actions' ||
      range?.topic === 'sample' ||
      /recommend|empfehl|recommand|mitigation/i.test(range?.title ?? '')
    );
  };
  const found = new Map<string, Behaviour>();
  const add = (id: string, start: number, end: number) => {
    if (found.has(id) || isSuggested(start) || isSetAside(document.text, start, end)) return;
    const scope = scopeOf(document, { start, end });
    if (scope.isNegated || scope.isSupposed) return;
    found.set(id, { id, start, end });
  };
  for (const match of document.text.matchAll(/CVE-\d{4}-\d{4,19}/g)) {
    const sentence = sentenceAt(document, match.index);
    const written = document.text.slice(sentence.start, Math.min(sentence.end, sentence.start + 800));
    if (exploited.test(written) && facing.test(written)) add('T1190', match.index, match.index + match[0].length);
  }
  if (!hasNumbers)
    for (const [id, pattern] of behaviours)
      for (const match of document.text.matchAll(pattern)) add(id, match.index, match.index + match[0].length);
  // A technique is not repeated as the one above it: spraying is brute force.
  return [...found.values()].filter(({ id }) => ![...found.keys()].some((other) => other.startsWith(`${id}.`)));
}
