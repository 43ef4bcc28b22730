/** Who attacked and who was attacked or tested, by the words with which reports introduce them. */
import type { Document } from '../../document/document.ts';
import { scopeOf } from '../../document/scope.ts';
import type { Range } from '../text/span.ts';
import { findTopics } from './report-topics.ts';

export interface ReportParty extends Range {
  readonly role: 'actor' | 'target';
  readonly name: string;
}

const groupName = String.raw`(?:\p{Lu}{2,}(?: \p{Lu}{1,2}['’]\p{Lu}{2,}| (?:DE|DU|DES|LA|DEL|DI) \p{Lu}{2,})|(?:APT|UNC|FIN|TA|DEV|TEMP)[- ]?\d{1,5}|Storm-\d{3,4}|UAC-\d{4}|\p{Lu}[\p{Lu}\d]{2,}(?:\s\p{Lu}[\p{Lu}\d]{2,}){0,2}|\p{Lu}[\p{L}\d]{2,20}(?:\s\p{Lu}[\p{Ll}\d]{2,20}){0,2})`;
const introduced = new RegExp(
  String.raw`(?i:suivie?s? sous le nom(?: de)?|sous le nom de|désignée?s? (?:comme|sous le nom de)|conocid[oa] como|denominad[oa]|noto come|denominato|bekend als|genaamd|znan\p{L}+ jako|o nazwie|som kallas|kallad|kendt som|kaldet|conhecid[oa] como|indichiamo come|tracciamo come|seguimos como|identificado como|unter dem Namen|rivendicat\p{L} (?:dal|da)|revendiquée? par(?: le)?(?: groupe)?|track(?:s|ed|ing)?(?: (?:it|this|them|the \w+))? (?:internally )?as|known as|call(?:s|ed)?|named|dubbed|attribut\p{L}* (?:\p{L}+ ){0,6}(?:to|an|à)|threat (?:actor|group)|intrusion set|activity cluster|actor group|the (?:hacking |ransomware |espionage )?(?:group|gang|actor)|ransomware (?:group|gang)|Gruppe|Tätergruppe|Akteur|Angreifergruppe|mode op[ée]ratoire|groupe|acteur|grupo|gruppo|groep|grup[ay]|grupie|grupę|gruppen)\s{1,3}[«"“„'(*_]{0,3}\s?(?<name>${groupName})`,
  'gu',
);
const notGroup =
  /^(?:the|this|these|that|our|we|it|of|and|or|in|on|has|had|was|were|is|are|used|which|who|MITRE|ATT|CVE|TLP|SIEM|SOC|EDR|VPN|Domain|Microsoft|Windows|Active|Administrators?|Enterprise|Policy|Initial|Command|Remote|der|die|das|et|de|qui|les)(?!\p{L})/u;
const unlinked =
  /(?<!\p{L})(?:version \d|(?:earlier|previous|first) (?:version|report)\p{L}*|first attributed|initially|originally|zunächst|ursprünglich|erste fassung|initialement|dans un premier temps|inicialmente|inizialmente|aanvankelijk|pierwotnie|ursprungligen|not (?:the same|linked|attributed|related)|no (?:evidence|link|connection|indication)|overlaps?|unlike|similar to|rather than|often (?:linked|cited)|keine? (?:\p{L}+ ){0,3}(?:hinweis\p{L}*|verbindung|zusammenhang|zuordnung)|nicht|aucun\p{L}*|ne permet|n['’]est pas|souvent cit[ée]|ning[úu]n\p{L}*|nessun\p{L}*)(?!\p{L})/iu;

const organization = String.raw`\p{Lu}[\p{L}\d&.'’-]{1,30}(?:[ \n](?:(?:of|de|du|des|la|le|der|für|and|und|et|&|the|van|di|del)[ \n]){0,2}\p{Lu}[\p{L}\d&.'’-]{1,30}){0,6}`;
const client = new RegExp(
  String.raw`(?:(?i:Victim(?: organi[sz]ation)?|Affected (?:organi[sz]ation|company|entity)|Target(?:ed)? organi[sz]ation|Opfer|Betroffene (?:Organisation|Stelle)|Victime|Organisation (?:victime|touchée)|V[íi]ctima|Organizaci[óo]n afectada|Vittima|Ente colpito|Slachtoffer|Getroffen organisatie|Ofiara|Vítima|Client|Customer|Prepared for|Assessed (?:organi[sz]ation|entity)|Commissioned by|On behalf of|Auftraggeber(?:in)?|Kunde|Mandant|Erstellt für|Im Auftrag (?:von|der|des)|Client(?:e)?|Commanditaire|Pour le compte de|B[ée]n[ée]ficiaire|Pr[ée]par[ée] pour|Cliente|Preparado para|Committente|Opdrachtgever|Zamawiający|Zleceniodawca|Uppdragsgivare|Beställare|Oppdragsgiver|Rekvirent)(?i: name)?\s{0,3}[:|\t]\s{0,3}|(?i:Prepared for|Commissioned by|Erstellt für|Préparé pour)\s{1,3}(?:the )?)(?<name>${organization})`,
  'gu',
);
const engaged = new RegExp(
  String.raw`(?<![\p{L}.] )(?<name>${organization})\s(?:\([^)]{2,40}\)\s)?(?:engaged|commissioned|retained|contracted|hired|tasked|beauftragte|hat .{2,40} beauftragt|a (?:mandat[ée]|confi[ée]|missionn[ée])|encarg[óo]|ha incaricato)\b`,
  'gu',
);
/** An organization that is the grammatical subject or object of an attack. */
const legalForm = String.raw`(?:Inc\.?|Corp\.?|LLC|Ltd\.?|Limited|PLC|plc|GmbH|AG|SE|KG|AöR|e\.\s?V\.|S\.?A\.?S?|SARL|N\.?V\.?|B\.?V\.?|S\.?p\.?A\.?|Srl|S\.?L\.?|AB|ASA|Oy)`;
const organizationNoun =
  '(?:Hospital|Clinic|University|College|School|Bank|Council|County|City of|Ministry|Department|Airport|Group|Holdings?|Klinikum|Krankenhaus|Universität|Hochschule|Stadtwerke|Stadt|Landkreis|Ministerium|Sparkasse|Centre hospitalier|Hôpital|Université|Mairie|Ville de|Ministère|Hospital|Universidad|Ayuntamiento|Ospedale|Comune|Ziekenhuis|Gemeente|Waterschap|Szpital|Gmina|Urząd|Diputaci[óo]n|Regi[óo]n|Câmara Municipal|Kommun|Kommune|Housing Association|Trust|Authority|Azienda|Laboratoire|Consorzio|Verband|Genossenschaft)';
const attackedAfter =
  /^[,\s](?:[^.;]{0,80}?\s)?(?:was|were|has been|had been|suffered|confirmed|disclosed|has (?:publicly )?(?:spoken|reported|acknowledged)|had \d|wurde|wurden|erlitt|a [ée]t[ée]|a subi|a fait état|fue|sufrió|è stat[oa]|ha subito|werd)(?!\p{L})[^.;]{0,60}?(?:attack\w*|compromis\w*|breach\w*|encrypt\w*|hit|intrusion|ransomware|incident|copied|stolen|angegriffen|kompromittiert|verschlüsselt|angriff\w*|chiffr\w*|attaqu\w*|victime|atacad\w*|cifrad\w*|colpit\w*|getroffen)/iu;
/** "En Consignaciones Barlovento cifró 37 servidores". */
const actedAfter =
  /^[\s,]{1,2}(?:cifr[óo]|encrypt(?:ed|s)|exfiltrat(?:ed|es)|stole|verschlüsselte[n]?|stahl|chiffra|a (?:chiffré|exfiltré|volé)|ha (?:cifrado|robado|exfiltrado|cifrato|rubato)|cifrò|robó|exfiltró|criptografou|versleutelde)(?!\p{L})/iu;
const placeBefore = /(?<!\p{L})(?:at|in|en|bei|chez|presso|a|em|bij|w)\s$/iu;
const attackedBefore =
  /(?:attack(?:s|ed)? (?:on|against)|intrusion (?:at|into)|breach (?:of|at)|compromise of|ransomware (?:attack )?(?:on|at)|victim(?:s)?(?: \w+){0,3}[,:]|hit|angriff(?:s|es)? auf(?: (?:die|das|den))?|einbruch (?:bei|in)(?: (?:der|dem))?|opfer|attaque (?:contre|de|visant)(?: (?:le|la|l['’]))?|victime[,:]?|ataque (?:a|contra)|attacco (?:a|contro)|the victim is|dr[aä]ng(?:en)? (?:\p{L}+ ){0,3}in (?:das|die) (?:netz|netzwerk|systeme|it) (?:der|des|von)|(?:visé|ciblé|frappé|attaqué|touché|compromis)(?: (?:la société|l['’]entreprise|le groupe|la|le))?|visant (?:la société|l['’]entreprise|la|le)|(?:atacó|comprometió|vulneró|cifró) (?:los (?:sistemas|servidores) )?(?:de(?:l| la| los)?|a(?:l| la)?)|ai danni (?:del|della|dello|di)|contro (?:il|la|lo)|ataque (?:ao|à)|aanval op(?: (?:de|het))?|atak(?:u|iem)? na|attack(?:en)? mot|angreb(?:et)? (?:på|mod)|angrep(?:et)? på|tog sig in (?:hos|i)|in (?:hos|bij)|among the (?:victims|targets)(?: is| was)?|unter den (?:betroffenen|opfern)(?: ist)?(?: die| der| das)?|parmi les victimes(?: figure)?(?: le| la)?|entre las víctimas(?: está| figura)?(?: el| la)?|tra i\s(?:colpiti|le vittime)(?: il| la| lo)?)\s(?:the )?[*_]{0,2}$/iu;

/** Ordered by position, each name once. */
export function findParties(document: Document): ReportParty[] {
  const named = [...actorsOf(document), ...clientsOf(document), ...victimsOf(document)];
  const found = named.some(({ role }) => role === 'target') ? named : [...named, ...issuerOf(document)];
  const seen = new Set<string>();
  return found.filter(({ role, name }) => !seen.has(`${role} ${name}`) && seen.add(`${role} ${name}`) !== undefined);
}

/** More are not compared. */
const candidatesMax = 30;

/** The group that the report introduces and then mentions most often; a group that it sets apart is none. */
function actorsOf(document: Document): ReportParty[] {
  const { text } = document;
  const candidates = new Map<string, Range>();
  for (const match of text.matchAll(introduced)) {
    const name = match.groups!.name!.replace(/\s+/g, ' ');
    // With the flag i, `\p{Lu}` matches small letters too.
    if (!/^\p{Lu}/u.test(name) || notGroup.test(name) || !isGroupForm(name)) continue;
    const start = match.index + match[0].length - match.groups!.name!.length;
    const before = text
      .slice(Math.max(0, start - 160), start)
      .split(/[.;]\s/u)
      .at(-1)!;
    if (unlinked.test(before) || scopeOf(document, { start, end: start + name.length }).isNegated) continue;
    if (!candidates.has(name) && candidates.size < candidatesMax)
      candidates.set(name, { start, end: start + name.length });
  }
  const ranked = [...candidates]
    .map(([name, range]) => ({ name, range, count: Math.min(99, text.split(name).length - 1) }))
    .sort((a, b) => b.count - a.count);
  const [first] = ranked;
  return first === undefined ? [] : [{ role: 'actor', name: first.name, ...first.range }];
}

/** Capitals, a number of a vendor, or two capitalised words; one capitalised word alone is too often something else. */
function isGroupForm(name: string): boolean {
  return (
    /^(?:(?:APT|UNC|FIN|TA|DEV|TEMP)[- ]?\d|Storm-\d|UAC-\d)/.test(name) ||
    /^\p{Lu}[\p{Lu}\d]{3,}(?:\s\p{Lu}[\p{Lu}\d'’]+)*$/u.test(name) ||
    /^\p{Lu}{2,3}\s\p{Lu}[\p{Lu}\d]{2,}$/u.test(name) ||
    /^\p{Lu}\p{Ll}+\s\p{Lu}\p{Ll}+$/u.test(name)
  );
}

function clientsOf({ text }: Document): ReportParty[] {
  const head = text.slice(0, 5000);
  for (const shape of [client, engaged]) {
    for (const match of head.matchAll(shape)) {
      const written = match.groups!.name!;
      const name = written
        .replace(/\s+/g, ' ')
        .replace(/^(?:The|Die|Der|Das|Le|La|Les)\s/u, '')
        .replace(/[.,]$/, '');
      if (!/\p{L}{3}/u.test(name) || /^(?:We|It|They|Confidential|Public|Internal)$/iu.test(name)) continue;
      const start = match.index + match[0].indexOf(written);
      return [{ role: 'target', name, start, end: start + written.length }];
    }
  }
  return [];
}

const organizations = new RegExp(
  String.raw`(?<![\p{L}\d])(?:${organization}[ \n]${legalForm}(?![\p{L}])|(?:${organization}[ \n])?${organizationNoun}(?:[ \n](?:(?:of|de|du|des|del|della|di|do|da|dos|van|von|w|la|le|der|für)[ \n]){0,2}\p{Lu}[\p{L}'’-]{1,30}){0,4})`,
  'gu',
);

const capitalised =
  /(?<![\p{L}\d])\p{Lu}[\p{L}\d&.'’-]{1,30}(?: (?:(?:of|de|du|des|la|der|für|and|und|et|y|&|van|di|del) )?\p{Lu}[\p{L}\d&'’-]{1,30}){1,4}/gu;

function victimsOf(document: Document): ReportParty[] {
  const { text } = document;
  const acted = [...text.slice(0, 60_000).matchAll(capitalised)].filter(
    ({ index, 0: name }) =>
      placeBefore.test(text.slice(Math.max(0, index - 12), index)) &&
      actedAfter.test(text.slice(index + name.length, index + name.length + 40)),
  );
  for (const match of [...acted, ...text.slice(0, 60_000).matchAll(organizations)]) {
    // "the network of …": the owner is attacked.
    const owned =
      /^(?:Netz(?:werk)?|Systeme?|Server|Network|Systems?)\s(?:der|des|von|of)\s(?:the\s)?/u.exec(match[0])?.[0] ?? '';
    const [start, end] = [match.index + owned.length, match.index + match[0].length];
    const isVictim =
      acted.includes(match) ||
      attackedAfter.test(text.slice(end, end + 160)) ||
      attackedBefore.test(text.slice(Math.max(0, start - 60), start));
    if (!isVictim || scopeOf(document, { start, end }).isNegated) continue;
    const name = match[0]
      .slice(owned.length)
      .replace(/\s+/g, ' ')
      .replace(/^(?:The|Die|Der|Das|Le|La|Les)\s/u, '')
      // A full stop after "SA" ends the sentence, after "S.A." it belongs to the name.
      .replace(/(?<=\p{L}{2})\.$/u, '');
    if (name.split(' ').length < 2) continue;
    return [{ role: 'target', name, start, end }];
  }
  return [];
}

/** "MUTUELLE DES TROIS RIVIÈRES - DSI": capitals at the beginning that name no kind of report. */
function letterhead(head: string): RegExpExecArray | null {
  const match = /^\s{0,20}(?<name>\p{Lu}[\p{Lu}\d'’&.]+(?: [\p{Lu}\d'’&.]+){1,6}?)(?= [-–—|] | {3,}|\t|\n)/u.exec(head);
  return match === null || reportWords.test(match.groups!.name!) ? null : match;
}

const reportWords =
  /(?<!\p{L})(?:report|review|post-?mortem|incident|security|alert|advisory|confidential|internal|draft|summary|rapport|compte|revue|bericht|vorfall|sicherheit\p{L}*|vertraulich|intern|informe|alerta|revisión|confidencial|relazione|avviso|riservato|verslag|melding|raport)(?!\p{L})/iu;

/** The organization in the head of a report with a chronology or a cause reports on itself, unless it is one on threats. */
function issuerOf(document: Document): ReportParty[] {
  const head = document.text.slice(0, 400);
  if (/(?<!\p{L})(?:threat|research|advisory|menaces?|bedrohung\p{L}*|penetration|cert|csirt)(?!\p{L})/iu.test(head))
    return [];
  if (!findTopics(document).some(({ topic }) => topic === 'timeline' || topic === 'cause')) return [];
  const match = new RegExp(organizations.source, 'u').exec(head) ?? letterhead(head);
  if (match === null) return [];
  return [
    {
      role: 'target',
      name: match[0].trim().replace(/\s+/g, ' '),
      start: match.index,
      end: match.index + match[0].length,
    },
  ];
}
