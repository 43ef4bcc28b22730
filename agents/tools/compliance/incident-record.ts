/** The course of an incident that a notice reports: when it began, was found and ended, who was notified when, how many persons it affects. */
import type { FoundDate } from '../text/dates.ts';
import { oncePer } from '../text/once-per.ts';
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { documentTypeOf } from './document-types.ts';
import type { Clause, Reading } from './reading.ts';
import { hasCue, isAside } from './sense.ts';

export type IncidentEventKind =
  | 'occurred'
  | 'detected'
  | 'ended'
  | 'authority-notified'
  | 'persons-notified'
  | 'controller-notified';

export interface IncidentEvent {
  readonly event: IncidentEventKind;
  /** ISO date. */
  readonly date: string;
  readonly range: Range;
}

export interface IncidentRecord {
  readonly events: readonly IncidentEvent[];
  /** The persons affected, as far as the document says. */
  readonly persons?: { readonly count: number; readonly range: Range };
}

/** Only of a notice: other documents speak of incidents that did not happen to them. */
export const findIncident = oncePer((reading: Reading): IncidentRecord => {
  if (documentTypeOf(reading)?.type !== 'breach-notice') return { events: [] };
  const sent = sentOn(reading);
  const events = [...(sent === undefined ? [] : [sent]), ...coursesOf(reading, sent?.date)].filter(
    (each, index, all) => all.findIndex(({ event }) => event === each.event) === index,
  );
  const persons = personsOf(reading);
  return {
    events: events.sort((a, b) => a.range.start - b.range.start),
    ...(persons === undefined ? {} : { persons }),
  };
});

const authority =
  /(?<!\p{L})(?:commissioner|supervisory authority|data protection (?:authority|commission)|ico|cnil|aepd|garante|autoriteit persoonsgegevens|aufsichtsbehörde|datenschutzbehörde|landesbeauftragte\p{L}*|bfdi|baylda|lfdi|agencia española|commission nationale|secretary|hhs|health and human services|office for civil rights|attorney general)(?!\p{L})/iu;
const individuals =
  /(?<!\p{L})dear (?:customer|patient|member|colleague|student|mr|ms|mrs|sir or madam customer|valued)|(?:sehr geehrte kundin|liebe kund|chère? client|estimad\p{L}{1,2} client|gentile client|beste klant|geachte klant|dear <<)|involved your (?:personal )?information|your information may/iu;
const dateLabel = /^(?:date|datum|fecha|data|date of (?:notice|notification|letter))$/iu;

/** The date of the letter, by whom it is addressed to. */
function sentOn({ clauses, document }: Reading): IncidentEvent | undefined {
  const top = clauses.slice(0, 16);
  const line =
    top.find(({ label }) => label !== undefined && dateLabel.test(label)) ??
    top.find(
      (clause) =>
        clause.text.trim().length < 60 && datesOf(document.dates, clause).length === 1 && clause.row === undefined,
    ) ??
    top.find((clause) => clause.row !== undefined && datesOf(document.dates, clause).length === 1);
  const date = line === undefined ? undefined : datesOf(document.dates, line)[0];
  if (date === undefined || line === undefined) return undefined;
  const head = top.map(({ text }) => text).join('\n');
  const addressee =
    top.find(
      ({ label }) =>
        label !== undefined && /^(?:to|an|aan|à|a|para|destinataire|destinatario|empfänger)$/iu.test(label),
    )?.text ?? head;
  const isToProcessorsController =
    /(?<!\p{L})(?:as your (?:data )?processor|als (?:ihr|ihre) auftragsverarbeiter|en (?:tant que|qualité de) (?:votre )?sous-traitant|como (?:su )?encargado|in qualità di (?:vostro )?responsabile|als uw verwerker|artikel 33,? lid 2|article 33\(2\)|art\. 33 abs\. 2|article 33,? paragraphe 2|artículo 33\.2|art\. 33,? par(?:\.|agrafo) 2)(?!\p{L})/iu.test(
      clauses
        .slice(0, 30)
        .map(({ text }) => text.replaceAll('´', "'"))
        .join('\n'),
    );
  const event = isToProcessorsController
    ? 'controller-notified'
    : individuals.test(head)
      ? 'persons-notified'
      : authority.test(addressee)
        ? 'authority-notified'
        : undefined;
  return event === undefined ? undefined : { event, date: date.iso, range: { start: line.start, end: line.end } };
}

function datesOf(dates: readonly FoundDate[], range: Range): FoundDate[] {
  return allWithin(dates, range).filter(({ iso, ambiguous }) => iso.length === 10 && !ambiguous);
}

const shapes: readonly (readonly [IncidentEventKind, RegExp])[] = [
  [
    'controller-notified',
    /(?<!\p{L})(?:(?:our (?:\p{L}+ ){0,3}(?:vendor|processor|supplier|provider|business associate|contractor)|(?:vendor|business associate))(?!\p{L})[^.;]{0,60}?(?:informed|notified|told|alerted) us(?!\p{L})|(?:information|unterrichtung|meldung|benachrichtigung) durch den (?:auftragsverarbeiter|dienstleister)|(?:information|notification|notice) by (?:the )?(?:processor|business associate|vendor)|(?:informé|notifié|avertis?) par le sous-traitant|(?:notificad|avisad|informad)\p{L}{1,2} (?:por el encargado|pelo subcontratante)|dal responsabile|door de verwerker|biträdet (?:informerade|underrättade))/iu,
  ],
  [
    'persons-notified',
    /(?<!\p{L})(?:(?:individuals?|applicants?|customers?|patients?|members?|employees?|persons?|people|data subjects?|pupils|students|residents|users|parents|guests|tenants|those affected|affected \p{L}+)\b.{0,60}(?:were|have been|was) (?:\p{L}+ )?(?:told|informed|notified|written to|contacted)|(?:told|informed|notified|wrote to|contacted) (?:the |all |those )?(?:affected|individuals|customers|patients|data subjects|employees|members)|betroffene\p{L}*.{0,60}(?:informiert|benachrichtigt|angeschrieben|unterrichtet)|personnes concernées.{0,60}(?:informées|averties|prévenues)|(?:interesad|afectad|client|pacient)\p{L}*.{0,60}(?:informad|notificad|comunicad|avisad)\p{L}*|interessati.{0,60}(?:informati|avvisati)|betrokkenen.{0,60}(?:geïnformeerd|ingelicht|op de hoogte))/iu,
  ],
  [
    'authority-notified',
    /(?<!\p{L})(?:(?:notified|reported|informed|filed)(?!\p{L}).{0,60}(?:commissioner|authority|ico|dpc|health and human services|hhs|office for civil rights|attorney general|regulators?)|(?:aufsichtsbehörde|datenschutzbehörde).{0,60}(?:gemeldet|informiert)|(?:cnil|autorité).{0,50}(?:notifiée?|informée?)|notifi\p{L}+ (?:à la cnil|a la aepd|al garante|a la agencia)|(?:autoriteit persoonsgegevens).{0,60}gemeld)(?!\p{L})/iu,
  ],
  [
    'ended',
    /(?<!\p{L})(?:(?:access|attack\p{L}*|exposure|incident|breach|disclosure)(?: had| has| was| were| is)?(?: in fact)? (?:stopped|ended|ceased|terminated|contained)|(?:was|were|has been|have been|we) (?:contained|closed|taken offline|shut down|blocked|revoked|restored|reversed|rolled back|secured|disabled|removed)|no longer (?:possible|accessible|available|publicly)|(?:zugriff|zugang|angriff|abfluss|offenlegung).{0,60}(?:beendet|gesperrt|unterbunden|geschlossen|gestoppt)|(?:abgeschaltet|vom netz genommen|geschlossen|gesperrt|zurückgenommen|behoben)|seitdem|(?:accès|intrusion|fuite|exposition|faille).{0,60}(?:cessé|coupé\p{L}*|stoppé\p{L}*|bloqué\p{L}*|fermé\p{L}*|corrigé\p{L}*|terminé\p{L}*|pris fin)|(?:acceso|brecha|ataque|exposición|incidente).{0,60}(?:cesó|bloque\p{L}*|cerr\p{L}*|interrump\p{L}*|termin\p{L}*|finaliz\p{L}*|corrig\p{L}*)|(?:accesso|attacco|esposizione|violazione|falla).{0,60}(?:cessat\p{L}|bloccat\p{L}|chius\p{L}|interrott\p{L}|terminat\p{L}|corrett\p{L})|(?:toegang|aanval|inzage|lek).{0,60}(?:gestopt|beëindigd|afgesloten|geblokkeerd|gedicht|niet meer mogelijk)|teruggedraaid|sindsdien|offline gehaald|afgesloten)(?!\p{L})/iu,
  ],
  [
    'detected',
    /(?<!\p{L})(?:bec(?:a|o)me aware|became known|detected|discover\p{L}*|noticed|identified|found (?:by|out|on|that)|was found|were alerted|alerted us|told us|reported to us|came to (?:our|the) (?:attention|notice)|learn(?:ed|t)|entdeckt\p{L}*|bemerkt\p{L}*|festgestellt|erlangten? .{0,20}kenntnis|kenntnis (?:erlangt|erhalten)|bekannt geworden|aufgefallen|erfahren|erkannt|découvert\p{L}*|détecté\p{L}*|constaté\p{L}*|pris connaissance|eu connaissance|avons été (?:informés|alertés|avertis)|identifié\p{L}*|signalé\p{L}*|detect(?:ó|ado|ada|amos|aron)|descubr\p{L}*|tuvo conocimiento|tuvimos conocimiento|tuvieron conocimiento|advirti\p{L}*|constat\p{L}*|rilevat\p{L}|scopert\p{L}|venut\p{L} a conoscenza|accort\p{L}|individuat\p{L}|segnalat\p{L}|ontdekt\p{L}*|geconstateerd|vastgesteld|bekend geworden|opgemerkt|kennis (?:genomen|gekregen)|wees .{0,20} op|wezen .{0,20} op|gemeld aan ons|op de hoogte gebracht)(?!\p{L})/iu,
  ],
  [
    'occurred',
    /(?<!\p{L})(?:(?:fell for|clicked|was (?:stolen|lost|sent|misdirected|compromised|published|uploaded|accessed|exposed|encrypted)|were (?:stolen|lost|sent|compromised|published|uploaded|accessed|exposed|encrypted)|sent (?:by mistake|in error|to the wrong)|gained access|obtained access|logged in|broke into|attack(?:er|ers)?|intruder|ransomware|error|mistake|malfunction|began|started|occurred|took place|happened|left (?:on|in)|misconfigur\p{L}*|unauthori[sz]ed|exfiltrat\p{L}*|could (?:see|view|access|read)|read the mailbox|download\p{L}*)|gestohlen|verloren|versehentlich|irrtümlich|fehler\p{L}*|angreifer\p{L}*|zugriff\p{L}*|eingebrochen|verschickt|versandt|verschlüsselt|ereignete|begann|kam es|veröffentlicht|einsehbar|fehlkonfiguration|volé\p{L}*|perdu\p{L}*|erreur|par erreur|attaquant\p{L}*|intrusion|envoyé\p{L}*|chiffré\p{L}*|survenu\p{L}*|débuté|commencé|s'est produit\p{L}*|accessible\p{L}*|publié\p{L}*|robad\p{L}*|perdid\p{L}*|error|atacante\p{L}*|accedi\p{L}*|enviad\p{L}*|envió|cifrad\p{L}*|ocurri\p{L}*|produj\p{L}*|comenz\p{L}*|inici\p{L}*|rubat\p{L}|smarrit\p{L}|errore|aggressor\p{L}|attaccante|inviat\p{L}|cifrat\p{L}|avvenut\p{L}|verificat\p{L}|iniziat\p{L}|pubblicat\p{L}|gestolen|verloren|fout|per ongeluk|aanvaller\p{L}*|verstuurd|versleuteld|plaatsgevonden|begonnen|vond plaats|inzien|ingezien|gepubliceerd|toegang gekregen)(?!\p{L})/iu,
  ],
];

const accessed =
  /(?<!\p{L})(?:access\p{L}*|copied|exfiltrat\p{L}*|download\p{L}*|unauthori[sz]ed|attack\p{L}*|zugriff\p{L}*|kopiert\p{L}*|angreifer\p{L}*|accès|copié\p{L}*|acced\p{L}*|copi\p{L}{2,4}|toegang|gekopieerd|acess\p{L}*|dostęp\p{L}*|åtkomst)(?!\p{L})/iu;

/** That the access itself stopped says more than that something was closed. */
const stopped =
  /(?<!\p{L})(?:(?:access|attack\p{L}*|exposure|intrusion)(?: had| has| was| were)?(?: in fact)? (?:stopped|ended|ceased)|(?:zugriff|angriff).{0,40}(?:beendet|endete)|(?:accès|intrusion).{0,40}(?:cessé|pris fin)|(?:acceso|ataque).{0,40}(?:cesó|terminó|finalizó)|(?:accesso|attacco).{0,40}(?:cessat\p{L}|terminat\p{L})|(?:toegang|aanval).{0,40}(?:gestopt|beëindigd)|niet meer mogelijk|no longer possible|nicht mehr möglich)(?!\p{L})/iu;

/** Background, other organisations and other events. */
const unrelated =
  /(?<!\p{L})(?:by way of background|background|unrelated|not related|(?:has |had |have )?nothing to do with|nichts (?:mit|gemein)|rien à voir avec|nada que ver con|nulla a che (?:fare|vedere)|niets te maken met|another (?:incident|event|organisation)|previous incident|earlier incident|with which we share|had we|if we had|separate(?:ly)? (?:incident|event)|nicht im zusammenhang|anderer vorfall|früherer vorfall|hintergrund|sans (?:lien|rapport)|autre incident|no (?:guarda relación|relacionad\p{L}*)|otro incidente|incidente anterior|non (?:collegat\p{L}|correlat\p{L})|altro incidente|los van|ander incident|eerder incident|niet (?:bij .{0,20}betrokken|gerelateerd)|geen gegevens van|keine daten|aucune donnée de|agreement of|contract of|overeenkomst van|vertrag vom|vereinbarung vom|contrat du|contrato de|contratto del|policy of|since \d{4}|seit \d{4}|depuis \d{4}|desde \d{4}|sinds \d{4})(?!\p{L})/iu;

/** Years before the notice in which an incident can have begun. */
const yearsMax = 2;

function coursesOf({ clauses, document, language }: Reading, sent: string | undefined): IncidentEvent[] {
  const found: IncidentEvent[] = [];
  const isPossible = (iso: string) =>
    sent === undefined || (iso <= sent && Number(sent.slice(0, 4)) - Number(iso.slice(0, 4)) <= yearsMax);
  const blocks = unrelatedBlocks(clauses);
  let startsAt: { readonly date: string; readonly range: Range } | undefined;
  for (const [index, clause] of clauses.entries()) {
    if (
      isAside(clause) ||
      blocks.has(clause.block) ||
      hasCue(clause, language, { start: 0, end: clause.text.length }, 'conditional', 'law')
    )
      continue;
    const dates = datesOf(document.dates, clause).filter(({ iso }) => isPossible(iso));
    if (dates.length === 0 || (sent !== undefined && index < 8 && dates.every(({ iso }) => iso === sent))) continue;
    for (const [event, date] of eventsIn(clause, dates)) {
      const range = { start: clause.start, end: clause.end };
      if (event === 'occurred') {
        if (startsAt === undefined || date < startsAt.date) startsAt = { date, range };
      } else if (event === 'ended' && (stopped.test(clause.text) || dates.length === 2))
        found.unshift({ event, date, range });
      else found.push({ event, date, range });
    }
  }
  const detected = found.find(({ event }) => event === 'detected');
  if (startsAt !== undefined && (detected === undefined || startsAt.date <= detected.date))
    found.push({ event: 'occurred', ...startsAt });
  return found;
}

function unrelatedBlocks(clauses: readonly Clause[]): ReadonlySet<number> {
  return new Set(clauses.filter(({ text }) => unrelated.test(text.replaceAll('´', "'"))).map(({ block }) => block));
}

/** The labels by which forms name the events. */
const labels: readonly (readonly [IncidentEventKind, RegExp])[] = [
  [
    'controller-notified',
    /(?:auftragsverarbeiter|processor|business associate|sous-traitant|encargado|responsabile|verwerker|subcontratante|przetwarzając|biträde)/iu,
  ],
  [
    'persons-notified',
    /(?:betroffene\p{L}* person|betroffenen|data subjects|individuals|personnes concernées|interesados|afectados|interessati|betrokkenen|titulares|osób|registrerade)/iu,
  ],
  [
    'authority-notified',
    /(?:aufsichtsbehörde|authority|autorité|autoridad|autorità|autoriteit|organ nadzorczy|tillsynsmyndighet)/iu,
  ],
  ['ended', /^(?:end|ende|fin|fine|einde|fim|koniec|slut|beendet)(?!\p{L})|(?:ended|stopped|contained)(?: on)?$/iu],
  [
    'detected',
    /(?:discover\p{L}*|detect\p{L}*|aware|bekannt|entdeck\p{L}*|feststellung|kenntnis|découverte|constat\p{L}*|connaissance|detección|conocimiento|scoperta|conoscenza|ontdek\p{L}*|vastgesteld|deteção|stwierdzen\p{L}*|wykryc\p{L}*|upptäck\p{L}*)/iu,
  ],
  [
    'occurred',
    /^(?:start|begin|beginn|beginning|début|inicio|inizio|aanvang|begin|início|początek|början)(?!\p{L})|(?:occurred|date of (?:the )?(?:breach|incident)|zeitpunkt der verletzung|datum van de inbreuk|date de la violation|fecha de la (?:brecha|violación))/iu,
  ],
];

/** "Start of the breach" with its date, in a form. */
function labelledEvent({ label, text, heading }: Clause): IncidentEventKind | undefined {
  if (label !== undefined && !text.includes(':')) {
    const found = labels.find(([, shape]) => shape.test(label))?.[0];
    if (found !== undefined) return found;
  }
  // "8. Notification of the data subjects: [x] done on 4 August".
  return /(?<!\p{L})(?:erfolgt|done|sent|completed|effectuée?|realizada|effettuata|gedaan|feita|dokonano|utförd)(?!\p{L})/iu.test(
    text,
  )
    ? labels.find(([, shape]) => shape.test(`${heading} ${text}`))?.[0]
    : undefined;
}

/** "Copied files between January 27, 2025 and February 18, 2025": the first and the last day. */
const span = /(?<!\p{L})(?:between|from|zwischen|vom|entre|du|del|tra|dal|tussen|van|od|mellan|från)\s{1,3}$/iu;
const spanJoin =
  /^\s{0,3}(?:and|to|until|through|und|bis(?: zum)?|et|au|y|al|hasta|e|a|en|tot(?: en met)?|do|och|till|–|-)\s{1,3}$/iu;

/** Each date with the event whose words are nearest to it; "detected" and "ended" before "occurred". */
function eventsIn(clause: Clause, dates: readonly FoundDate[]): [IncidentEventKind, string][] {
  const text = clause.text.replaceAll('´', "'");
  const found: [IncidentEventKind, string][] = [];
  const labelled = labelledEvent(clause);
  if (labelled !== undefined) return dates.slice(0, 1).map(({ iso }) => [labelled, iso]);
  const [first, second] = dates;
  if (
    dates.length === 2 &&
    clause.row === undefined &&
    span.test(text.slice(0, first!.start - clause.start)) &&
    spanJoin.test(text.slice(first!.end - clause.start, second!.start - clause.start)) &&
    accessed.test(text)
  )
    return [
      ['occurred', first!.iso],
      ['ended', second!.iso],
    ];
  for (const [nth, date] of dates.entries()) {
    const from = nth === 0 ? 0 : dates[nth - 1]!.end - clause.start;
    const to = nth === dates.length - 1 ? text.length : dates[nth + 1]!.start - clause.start;
    const near = clause.row === undefined ? text.slice(from, to) : clause.row.cells.map((cell) => cell.text).join(' ');
    const event = shapes.find(([, shape]) => shape.test(near))?.[0];
    if (event !== undefined) found.push([event, date.iso]);
  }
  return found;
}

const personWords =
  'individuals?|persons?|people|applicants?|customers?|patients?|employees?|members?|data subjects?|users?|residents?|pupils|students?|subscribers|guests|tenants?|consumers?|donors|clients?|policyholders|personen|betroffene[nr]?|kund(?:en|innen)|kundinnen und kunden|patient(?:en|innen)|beschäftigte[n]?|mitarbeiter(?:innen|n)?|mitglieder|nutzer(?:innen|n)?|bewerber(?:innen)?|personnes|clients?|patients?|salariés|usagers|adhérents|utilisateurs|candidats|personas|clientes|pacientes|empleados|usuarios|socios|interesados|afectados|candidatos|persone|clienti|pazienti|dipendenti|utenti|interessati|soci|candidati|betrokkenen|klanten|patiënten|medewerkers|leden|gebruikers|cliënten|werknemers|huurders|sollicitanten';
const counted = new RegExp(
  `(?<![\\d.,])(\\d{1,3}(?:[., \\u00a0]\\d{3})+|\\d{1,7})(?![\\d])\\s{1,3}(?:(?:\\p{L}+\\s){0,2}?)(?:${personWords})(?!\\p{L})`,
  'giu',
);
const affectedWords =
  /(?<!\p{L})(?:affect\p{L}*|concern\p{L}*|involv\p{L}*|impact\p{L}*|exposed|accessed|viewed|held|contained|betroffen\p{L}*|betreffen|betrifft|eingesehen|enthielt\p{L}*|concerné\p{L}*|touché\p{L}*|affecté\p{L}*|impacté\p{L}*|concerne|contenait|afectad\p{L}*|afecta|contenía|accedid\p{L}*|coinvolt\p{L}|interessat\p{L}|riguarda|conteneva|getroffen|ingezien|betreft|betrokken|gelekt|bevatte|ontvreemd|stolen|gestohlen|volé\p{L}*)(?!\p{L})/iu;
const notAffected =
  /(?<!\p{L})(?:not (?:affected|involved|opened|accessed)|in total (?:we )?process|in totaal verwerken|insgesamt verarbeiten|au total.{0,20}traitons|nicht betroffen|n'ont pas été|no (?:se han visto )?afectad|non (?:sono )?(?:stat\p{L} )?coinvolt|niet (?:geopend|getroffen|ingezien)|have applied|kept in another|another system|since \d{4}|or more)(?!\p{L})/iu;

/** The number that the sentence says is affected; of two, the first and the greater. */
/** "In 2023 another clinic of the group reported 650 persons, unrelated to this one." */
const ofOthers =
  /(?<!\p{L})(?:another|an unrelated|ein anderes?|eine andere|une autre|un autre|otra|otro|un.altra|un altro|een andere?) (?:\p{L}{3,20})|(?<!\p{L})(?:unrelated to|ohne zusammenhang|sans (?:lien|rapport)|sin relación|senza (?:alcun )?(?:legame|rapporto)|zonder verband)(?!\p{L})/iu;

/** A first estimate, and the number that replaces it. */
const provisional =
  /(?<!\p{L})(?:initially|originally|first estimate\p{L}*|preliminar\p{L}*|provisional\p{L}*|ursprünglich|zunächst|geschätzt|vorläufig\p{L}*|initialement|d'abord|estimé\p{L}*|inicialmente|en un principio|provisional\p{L}*|inizialmente|aanvankelijk|eerst geschat|początkowo|ursprungligen)(?!\p{L})/iu;
const final =
  /(?<!\p{L})(?:final\p{L}*|confirmed|now|established|steht fest|endgültig\p{L}*|nunmehr|tatsächlich|définitif\p{L}*|confirmé\p{L}*|définitivement|definitiv\p{L}*|confirmad\p{L}*|confermat\p{L}|definitief|vastgesteld|ostatecznie|slutlig\p{L}*)(?!\p{L})/iu;

function personsOf({ clauses, language }: Reading): IncidentRecord['persons'] {
  const blocks = unrelatedBlocks(clauses.filter(({ text }) => !/(?<!\p{L})since \d{4}/iu.test(text)));
  for (const [index, clause] of clauses.entries()) {
    const text = clause.text.replaceAll('´', "'");
    const before = clauses[index - 1];
    const context = `${clause.row?.cells.map((cell) => cell.text).join(' ') ?? ''} ${text} ${clause.heading}`;
    const isCorrected =
      before !== undefined &&
      provisional.test(
        clauses
          .slice(Math.max(0, index - 3), index)
          .map((each) => each.text)
          .join(' '),
      ) &&
      final.test(`${clause.label ?? ''} ${text}`);
    if (
      blocks.has(clause.block) ||
      isAside(clause) ||
      provisional.test(text) ||
      (!affectedWords.test(context) && !isCorrected) ||
      notAffected.test(text) ||
      ofOthers.test(text)
    )
      continue;
    if (hasCue(clause, language, { start: 0, end: clause.text.length }, 'conditional', 'law', 'example')) continue;
    const counts = [...text.matchAll(counted)].map((match) => Number(match[1]!.replace(/[.,\s\u00a0]/g, '')));
    if (counts.length > 0) return { count: Math.max(...counts), range: { start: clause.start, end: clause.end } };
  }
  return undefined;
}
