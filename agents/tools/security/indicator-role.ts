/**
 * Whether a document gives an address, a hash or a file as one of the attacker, or merely mentions it. An indicator of compromise
 * is listed or defanged as one, or belongs to a clause about an attack; a contact, a reference, a version and the reader's own
 * systems are not indicators.
 */
import { type Document, sentenceAt } from '../../document/document.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { parseIpv4, scopeOfIpv4 } from './addresses.ts';
import { analyzeLog } from './log-analysis.ts';
import { readLog } from './log-reader.ts';
import type { LogRecord } from './log-record.ts';
import { isLog } from './log-share.ts';
import { isQuotedMail } from './quoted-mail.ts';
import { findTopics, type TopicRange } from './report-topics.ts';

export type IndicatorRole = 'attacker' | 'mentioned';

/** The attacker's acts and tools, in English, German, French, Spanish, Italian and Dutch. */
const attack =
  /(?<!\p{L})(?:c2|c&c|command[- ]and[- ]control|beacon\w*|malicious|malware|payload|loader|dropper|implant|backdoor|web ?shell|trojan|ransom(?:ware)?(?: note)?|phish\w*|lure|attackers?|threat actor|intruders?|adversary|exfiltrat\w*|download(?:s|ed) (?:from|a|the)|dropp(?:ed|ing)|drops|exploit(?:ed|s)? from|unauthori[sz]ed|persist(?:s|ence|ed)|suspicious|brute[- ]force\w*|spray\w*|scann(?:ed|ing|er) (?:from|by)|connect(?:s|ed|ing|ions?) to|resolv(?:es|ed)|hosted (?:on|at)|stolen|impersonat\w*|typosquat\w*|angreifer\w*|verb(?:and|anden|indet) sich (?:mit|zu)|trägt sich|trug sich|legt\p{L}* [^.]{0,40} ab|cargador|se copia como|se conecta|mando y control|chargeur|se connecte à|serveur de commande|si collega|si connette|server di comando|verbindt met|carregador|liga-se a|schad(?:software|code|datei)\w*|schädlich\w*|nachgeladen|nachlad\w*|zugriffe? (?:kam|kamen|erfolgte\w*) von|erpresser\w*|verschlüssel(?:er|ungstrojaner)|hintertür|steuerungsserver|abgeflossen|malveillant\w*|attaquants?|implant|charge utile|t[ée]l[ée]charg\w*|communique avec|chiffreur|rançon\w*|hameçonnage|exfiltr[ée]\w*|malicios[oa]s?|atacantes?|descarg\w*|dannos[oi]|attaccant[ei]|scaricat\w*|kwaadaardig\w*|aanvallers?)(?!\p{L})/iu;
/** What makes an observable harmless, or somebody else's. */
const harmless =
  /(?<!\p{L})(?:ignore|disregard|ignorier\p{L}*|ignorez|ignorar|ignorare|negeer|shared cdn|estrane[oa] ai fatti|ajen[oa] a los hechos|étrangère? aux faits|unbeteiligt\w*|sinkhole|do not block|don['’]t block|da non bloccare|nicht (?:zu )?sperren|ne pas bloquer|no bloquear|niet blokkeren|legittim[oaie]|legítim[oa]s?|legitimate|genuine|authentic|official|unrelated|echte[nrs]? (?:server|domain|adresse)|authentiques?|auténtic[oa]s?|autentic[oaie]|benign|harmless|false positives?|whitelist\w*|allow-?list\w*|known good|public (?:resolver|dns|toolchain)|no infrastructure|no indicators?|not (?:an )?(?:indicators?|malicious|part|related|infrastructure)|are ours|is ours|our (?:own|scans?|scanners?|repository|tests?|systems?|infrastructure)|(?:is|are|was|were) the (?:portal|victim|client|server|proxy|gateway|domain controllers?)\w*|(?:of|belong\w* to) the (?:victim|client|customer|organi[sz]ation|testers?|company)|vpn (?:pool|egress) of|for example|e\.g\.|such as our|see also|references?|further reading|advisory|patch(?:ed)?|checksum of (?:the|this)|hash of this|legitim\w*|harmlos\w*|unbedenklich\w*|fehlalarm\w*|ist das .{1,20} selbst|eigene[nrs]?|prüfsumme|des opfers|gehört (?:zu|zum|zur) (?:uns|kunden|opfer)|l[ée]gitimes?|outil syst[èe]me|du pr[ée]sent rapport|ne sont pas|n['’]est pas|de la victime|faux positifs?|leg[ií]tim[oa]s?|falsos? positivos?|legittim[oi]|legitiem\w*)(?!\p{L})/iu;
const contact =
  /(?<!\p{L})(?:(?:contact|questions?|feedback|write to|report (?:\p{L}+ )?to|reach|e-?mail us|mailto|support|press|psirt|pgp|rückfragen|kontakt|ansprechpartner\p{L}*|fragen an|courriel de contact|contacter|contacto|contatto|author|autor|verfasser|signed[- ]off[- ]by)(?!\p{L})\s{0,3}[:@]?|(?:from|to|cc)\s{0,2}:)\s{0,3}[\p{L}\s.,<(-]{0,24}$/iu;
const ownMailbox =
  /^(?:security|info|support|contact|press|psirt|c?irt|cert|soc|cti|abuse|research|report|privacy|dpo|isb|datenschutz|kontakt|quality|legal|help)@/i;
const version =
  /(?<!\p{L})(?:v|ver\.?|versions?|release|build|firmware|fassung|stand|logiciel|update(?:d|ing)? (?:\p{L}+ )?to|through|bis|prior to|before|fixed in|ab|à partir de|banner|runs?|running|powered by|built with|generator)\s{0,3}[\p{L}\d.]{0,20}\s?$/iu;

const startKey =
  /\\(?:Run|RunOnce|RunServices|Services|Winlogon|Image File Execution Options|AppInit_DLLs|Userinit|StartupApproved|Schedule)(?:\\|$)/i;

/** "Webmail services targeted by the malware": what a section lists is the attacker's victim. */
const ofVictims =
  /(?<!\p{L})(?:target(?:ed|s|ing)?|victims?|affected|impersonated|legitimate|abused|references?|ziele?|angegriffen\p{L}*|betroffen\p{L}*|visée?s?|cibl[ée]e?s?|victimes?|afectad[oa]s|v[ií]ctimas?|colpit[ie]|vittim[ae]|getroffen|slachtoffers?)(?!\p{L})/iu;
/** "Gained access to the database (": the name that follows is the attacked system's. */
const attackedBefore =
  /(?<!\p{L})(?:access(?:ed)?(?: to)?|breached|compromised|targeted|against|into|zugriff auf|zugang zu|accès à|acceso a|accesso a|toegang tot)\s(?:the|our|its|their|a|an|die|den|das|unsere\p{L}?|la|le|el|il|de|het)\s[\p{L}\s-]{0,40}[(`\s]{0,3}$/iu;
/** "The blog post is available at …". */
const readingBefore =
  /(?<!\p{L})(?:blog ?posts?|articles?|write-?up|white ?paper|available|published|read more|beitrag|artikel|veröffentlicht|publiée?|disponible|publicad[oa]|pubblicat[oa]|gepubliceerd)(?!\p{L})[^.;]{0,80}$/iu;
/** Hashes and the files next to them are listed in a document on indicators because they identify the attacker's files. */
const ofFiles = new Set(['md5', 'sha1', 'sha256', 'sha384', 'sha512', 'file']);

/** The roles of ranges in one document. */
export class IndicatorRoles {
  readonly #document: Document;
  readonly #topics: readonly TopicRange[];
  /** Of a log, the attacking addresses and the records of malware and of installed services. */
  readonly #log: { readonly addresses: ReadonlySet<string>; readonly records: readonly Range[] } | undefined;
  /** Whether the document is about an attack at all: an advisory, a configuration and a commit are not. */
  readonly #isAttack: boolean;
  /** Whether the title of the whole document says that it lists indicators. */
  readonly #isList: boolean;

  /** @param source of the document as the caller sent it, in which logs are read */
  constructor(document: Document, source: string) {
    this.#document = document;
    this.#topics = findTopics(document);
    this.#log = isLog(source) ? attacksIn(source) : undefined;
    this.#isAttack = this.#topics.some(({ topic }) => topic === 'indicators') || attack.test(document.text);
    this.#isList = this.#topics[0]?.topic === 'indicators' && this.#topics[0].start < 200;
  }

  /** @param range of the plain text */
  roleOf({ start, end }: Range, kind: string, wasDefanged: boolean): IndicatorRole {
    if (this.#log !== undefined) {
      const placed = this.#document.spanOf({ start, end });
      const isOfAttack =
        this.#log.addresses.has(this.#document.text.slice(start, end)) ||
        (this.#log.records.some((record) => record.start <= placed.start && placed.end <= record.end) &&
          !isOwnHost(this.#document.text.slice(start, end)));
      return isOfAttack ? 'attacker' : 'mentioned';
    }
    if (!this.#isAttack) return wasDefanged ? 'attacker' : 'mentioned';
    if (isQuotedMail(this.#document, start)) return 'mentioned';
    const { topic, title = '' } = this.#topics[indexAt(this.#topics, start) ?? -1] ?? {};
    const { before, after } = this.#contextOf(start, end);
    if (topic === 'own-infrastructure' || topic === 'sample') return 'mentioned';
    if (harmless.test(before) || harmless.test(after)) return 'mentioned';
    if (!wasDefanged) {
      if (kind === 'ipv4' && version.test(before)) return 'mentioned';
      if (contact.test(before.slice(-48))) return 'mentioned';
      if (attackedBefore.test(before) || isOwnHost(this.#document.text.slice(start, end))) return 'mentioned';
      // The target of a link with a text: `https://example.org[…]` in AsciiDoc.
      if (kind === 'url' && (this.#document.text[end] === '[' || readingBefore.test(before))) return 'mentioned';
      if (kind === 'email' && ownMailbox.test(this.#document.text.slice(start, end))) return 'mentioned';
    }
    if (wasDefanged || topic === 'indicators') return 'attacker';
    if (this.#isListed(start) && !ofVictims.test(title)) {
      if (attack.test(title)) return 'attacker';
      if (this.#isList && ofFiles.has(kind) && hashBeside.test(this.#rowAt(start))) return 'attacker';
    }
    // A key under which Windows starts programs is named in a report on an attack because the attacker made it.
    if (kind === 'registry' && startKey.test(this.#document.text.slice(start, end))) return 'attacker';
    return attack.test(before) || attack.test(after) ? 'attacker' : 'mentioned';
  }

  /** Whether an item of a list, a row or a line begins with the position, apart from marks. */
  #isListed(start: number): boolean {
    const { blocks, text } = this.#document;
    const block = blocks[indexAt(blocks, start) ?? -1];
    if (block?.kind === 'table') return true;
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    return /^[\s\p{P}\p{S}\d]{0,12}$/u.test(text.slice(Math.max(lineStart, start - 40), start)) || this.#isRow(start);
  }

  /** A line with two bars, also where no table was recognised. */
  #isRow(start: number): boolean {
    return this.#rowAt(start).split(/[|\t]/).length > 2;
  }

  #rowAt(start: number): string {
    const { text } = this.#document;
    const from = Math.max(text.lastIndexOf('\n', start - 1) + 1, start - 300);
    const feed = text.indexOf('\n', start);
    return text.slice(from, Math.min(feed === -1 ? text.length : feed, start + 300));
  }

  /** Of a table the row; else the sentence, cut at clauses that begin anew. */
  #contextOf(start: number, end: number): { readonly before: string; readonly after: string } {
    const { text, blocks } = this.#document;
    const block = blocks[indexAt(blocks, start) ?? -1];
    const sentence = sentenceAt(this.#document, start);
    const from = Math.max(sentence.start, start - 240);
    const to = Math.max(end, Math.min(sentence.end, end + 200));
    // A value on its own line belongs to the unfinished line above it.
    const above = blocks[(indexAt(blocks, start) ?? 0) - 1];
    const opening =
      block !== undefined &&
      start - block.start < 4 &&
      above?.kind === 'paragraph' &&
      !/[.!?:]$/.test(text.slice(above.start, above.end))
        ? `${text.slice(Math.max(above.start, above.end - 160), above.end)} `
        : '';
    const [before, after] = [opening + text.slice(from, start), text.slice(end, to)].map((part) =>
      part.replace(/\s+/g, ' '),
    );
    if (block?.kind === 'table') return { before: before!, after: after! };
    return {
      before: before!.split(/[;]\s|,\s(?:but|while|whereas|however|aber|während|mais|tandis que)\s/u).at(-1)!,
      after: after!.split(/[;]\s|,\s(?:but|while|whereas|however|aber|während|mais|tandis que)\s/u)[0]!,
    };
  }
}

/** The records of these events reach to the next record, because Windows prints the details below the number. */
function attacksIn(text: string) {
  const records = readLog(text);
  return {
    addresses: new Set([...analyzeLog(records).attackers.map(({ address }) => address), ...refusedPeers(records)]),
    records: records.flatMap(({ event, start, end }, index) =>
      event === 'malware-detected' || event === 'service-installed'
        ? [{ start, end: Math.max(end, Math.min(records[index + 1]?.start ?? text.length, start + 3000)) }]
        : [],
    ),
  };
}

/** Blocked packets of one address from outside are a probe, and blocked connections to one outside a call home. */
const refusedMin = 3;
const publicResolver = /^(?:1\.[01]\.[01]\.[123]|8\.8\.[48]\.[48]|9\.9\.9\.\d{1,3}|208\.67\.22[02]\.22[02])$/;

function refusedPeers(records: readonly LogRecord[]): string[] {
  const counts = new Map<string, number>();
  for (const { event, source, target, count } of records) {
    if (event !== 'blocked-connection' || source === undefined) continue;
    const peer = isOutside(source) ? source : (target?.split(/[ /(]/, 1)[0] ?? '');
    if (isOutside(peer) && !publicResolver.test(peer)) counts.set(peer, (counts.get(peer) ?? 0) + count);
  }
  return [...counts].flatMap(([peer, count]) => (count >= refusedMin ? [peer] : []));
}

function isOutside(address: string): boolean {
  const octets = parseIpv4(address);
  return octets !== undefined && ['public', 'documentation'].includes(scopeOfIpv4(octets));
}

const isOwnHost = (value: string) => /\.(?:local|lan|intern(?:al)?|corp|home)$|\.intern(?:al)?\./i.test(value);
const hashBeside = /(?<![0-9A-Za-z])(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})(?![0-9A-Za-z])/i;
