/** The times that bound an incident: start of the impact, detection, mitigation and end, and the lengths between them. */
import type { Document } from '../../document/document.ts';
import { indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { isQuotedMail } from './quoted-mail.ts';
import { findTopics } from './report-topics.ts';
import { type TimelineEntry, timelineOf } from './timeline.ts';

export type IncidentPoint = 'start' | 'detection' | 'mitigation' | 'end';

export interface IncidentTime extends Range {
  readonly point: IncidentPoint;
  /** As printed, without conversion between time zones. */
  readonly date: string;
  readonly time: string;
  /** Whether the entry names the point ("mitigated"), and not only an event that usually marks it ("service restored"). */
  readonly isNamed: boolean;
}

export interface IncidentDuration extends Range {
  readonly of: 'impact' | 'detection' | 'mitigation';
  readonly minutes: number;
  readonly isStated: boolean;
}

/** Labels that name the point itself: "Impact start", "(mitigated)", "Detected at". */
const named: Readonly<Record<IncidentPoint, RegExp>> = {
  start:
    /(?<!\p{L})(?:(?:start|onset|beginning) of (?:the )?(?:impact|incident|outage|disruption|attack|intrusion)|(?:impact|incident|outage|disruption|attack) (?:start(?:s|ed)?|beg[ia]n(?:s|ning)?)|(?:start(?:ed)?|began) (?:at|returning|failing|to (?:fail|return|time out))|start time|de storing begon|(?:aanvang|begin) van (?:de |het )?(?:storing|incident|aanval|uitval)|początek (?:awarii|incydentu)|(?:awaria|incydent) rozpocz\p{L}+|störningen (?:började|inleddes)|(?:driftstoppet|hændelsen) begyndte|a falha começou|início d[oa] (?:incidente|falha)|(?:beginn|anfang|start) (?:der|des|von) (?:\w+ )?(?:störung|vorfalls?|ausfalls?|angriffs?|beeinträchtigung|unterbrechung|auswirkung\w*)|störungsbeginn|d[ée]but (?:de l['’]|du |de la |des )(?:incident|panne|interruption|attaque|impact|perturbations?)|inicio del? (?:incidente|impacto)|inizio (?:dell['’])?(?:incidente|impatto))/iu,
  detection:
    /(?<!\p{L})(?:(?:time of )?detection(?: time)?|detected(?: at)?|discovered|entdeckung|entdeckt|erkannt|festgestellt|d[ée]tect[ée]e?s?|d[ée]tection|d[ée]couverte?|constat[ée]e?|detecci[óo]n|detectado|rilevat[oa]|rilevamento|ontdekt|ontdekking|gedetecteerd|wykryt[oay]|wykrycie|detetad[oa]|deteção|upptäckt\p{L}*|opdaget|oppdaget)(?!\p{L})/iu,
  mitigation:
    /(?<!\p{L})(?:mitigat(?:ed|ion)|contain(?:ed|ment)|impact (?:end(?:s|ed)?|over)|end of (?:the )?impact|service(?:s)? (?:fully )?restored|eingedämmt|eindämmung|ende der (?:beeinträchtigung|auswirkung\w*|störung)|endigu[ée]e?|contenue?|maîtris[ée]e?|fin de l['’](?:impact|interruption)|r[ée]tabli(?:e|ssement)?s?|mitigado|mitigaci[óo]n|mitigazione|mitigação|mitigatie|contenci[óo]n|contenido|ripristinat[oa]|hersteld|verholpen|usunięt[oay]|mitigad[oa]|åtgärda\p{L}*|afhjulpet|utbedret|retour à la normale|rétablissement du service|restablecimiento)(?!\p{L})/iu,
  end: /(?<!\p{L})(?:incident (?:is |was )?(?:formally |officially )?(?:closed|ended|over|resolved)|(?:end|close|closure|resolution) of (?:the )?incident|incident end|declared (?:over|closed|resolved)|all[- ]clear|vorfall (?:\w+ )?(?:beendet|geschlossen|abgeschlossen)|(?:ende|abschluss) des vorfalls|entwarnung|(?:fin|cl[ôo]ture) d(?:e l)?['’]incident|incident (?:clos|cl[ôo]tur[ée]|termin[ée])|(?:fin|cierre) del incidente|incidente (?:cerrado|chiuso))(?!\p{L})/iu,
};

/** Events that usually mark the point where no entry names it. */
const typical: Readonly<Record<IncidentPoint, RegExp>> = {
  start:
    /(?<!\p{L})(?:first (?:\w+ ){0,3}(?:delivered|received|sent)|(?:comienza|empieza|se inicia|comienzo|inicia|inizia|comincia|commence|débute|démarre|beginnt|begint|rozpoczyna|começa)(?:n|ent)? (?:el|la|los|las|il|lo|le|les|der|die|das|de|het|o|a) |first (?:\w+ ){0,2}(?:errors?|failures?|requests? fail\w*|timeouts?|log(?:in|on)s?|access|sign[- ]?ins?|impact)|(?:errors?|error rates?|failures?|latency|timeouts?|requests?|queries|pods|customers|users)(?!\p{L}).{0,40}(?<!\p{L})(?:begin|start|began|started|fail(?:ing|s|ed)?|ris(?:e|es|ing)|rose|spik(?:e|es|ed|ing)|increas(?:e|es|ed|ing)|climb(?:s|ed)?)|(?:saw|see|experienced|received|had) (?:\w+ )?(?:errors?|failures?|timeouts?|problems)|(?:could|can) (?:not|no longer) (?:\w+ )?(?:log|sign|pay|order|reach|access|connect|open|use)|(?:goes|went|go) (?:down|offline)|unavailable|outage begins|erste[rns]? (?:\w+ ){0,2}(?:fehler\w*|anmeldung\w*|zugriff\w*|zeitüberschreitungen|ausfälle|meldung\w*)|nicht (?:mehr )?erreichbar|premi(?:er|ère)s? (?:acc[èe]s|connexions?|erreurs?|[ée]checs?)|indisponibles?|primer(?:os?|as?)? (?:errores|acceso|fallos)|prim[ioae] (?:errori|accesso))/iu,
  detection:
    /(?<!\p{L})(?:reported by|(?:we )?learn(?:ed|t) (?:of|about)|detectan?|descubren?|avisan?|advierten?|prévien(?:t|nent)|signalent|détectent?|constatent?|découvrent?|melde[nt]|entdeckt|erkennt|stellt fest|rileva(?:no)?|segnala(?:no)?|avvisa(?:no)?|scopre|deteta[m]?|ontdekt|merkt|meldt|zauważa|alert(?:s|ed)?|alarms?|page[sd]?|paged|pager|pagerduty|notic(?:e[sd]?|ing)|on-?call (?:is |was )?(?:engineer )?(?:notified|paged|alerted)|(?:first )?(?:customer|user|support) (?:reports?|tickets?|complaints?)|alarm\w*|alarmiert|bemerk(?:t|te|en)|alert(?:e|és?)|notifi(?:ed|es)|signal(?:e|ée?|ement)|alerta|allarme|melding)(?!\p{L})/iu,
  mitigation:
    /(?<!\p{L})(?:can (?:\w+ ){0,2}(?:again|once more)|(?:peuvent|peut) (?:à nouveau|de nouveau)|à nouveau (?:accessibles?|disponibles?|opérationnel\p{L}*)|puede[n]? (?:volver a|de nuevo|otra vez)|vuelve[n]? a (?:estar|funcionar)|können (?:\p{L}+ ){0,3}wieder|di nuovo (?:disponibil\p{L}|operativ\p{L}|raggiungibil\p{L})|novamente (?:disponíve\p{L}+|acessíve\p{L}+)|weer (?:bereikbaar|beschikbaar)|passwords? reset|sessions? (?:revoked|terminated)|back to (?:normal|baseline)|return(?:s|ed)? to (?:normal|baseline)|normal(?:i[sz]ed)? (?:again|levels)|recover(?:s|ed|y)?\b|(?:fully )?operational|restored|(?:service|traffic|error rates?|latency) .{0,30}normal|wieder (?:normal|erreichbar|verfügbar|hergestellt|in betrieb)|wiederhergestellt|normalisiert|behoben|isolated|disconnected|taken off(?:line| the network)|revoked|gesperrt|isoliert|vom netz|isol[ée]e?s?|d[ée]connect[ée]e?s?|aislad[oa]s?|isolat[oaie]|retour (?:à|a) la normale|r[ée]tabl\w+|recuperad[oa]|restablecid[oa]|ripristin\w+)/iu,
  end: /(?<!\p{L})(?:servici\p{L}+ (?:totalmente )?(?:restablecid|recuperad|normalizad)[oa]s?|fully restored|resolved|closed|incident (?:is )?over|beendet|geschlossen|abgeschlossen|r[ée]solu|clos|cl[ôo]tur[ée]e?|cerrado|cierre|chiuso|chiusura|afgesloten|afsluiting|gesloten|zamknięt[aey]|zamknięcie|encerrad[oa]|encerramento|avslutad\p{L}?|afsluttet|avsluttet)(?!\p{L})/iu,
};

/** Entries that report what did not belong to the incident, or only its handling. */
const unrelated =
  /(?<!\p{L})(?:unrelated|not related|no relation|ohne zusammenhang|sans lien|sin relaci[óo]n|false alarm|fehlalarm|ruled out|scheduled|routine|geplant\w*|planm(?:ä|ae)(?:ß|ss)ig\w*)(?!\p{L})/iu;
const partial =
  /(?<!\p{L})(?:partial(?:ly)?|teilweise|partiel\w*|starts?|begins?|beginnt|attempt\w*|versuch\w*|fails?|still|again fails)(?!\p{L})/iu;

export interface IncidentReadings {
  readonly times: readonly IncidentTime[];
  readonly durations: readonly IncidentDuration[];
  /** Lengths that the report states in two ways. */
  readonly contested: readonly IncidentDuration['of'][];
}

const known = new WeakMap<Document, IncidentReadings>();

/** One time for each point, only those that an entry of the chronology or a labelled line states. */
export function findIncidentTimes(document: Document): IncidentReadings {
  const read = known.get(document) ?? readIncidentTimes(document);
  known.set(document, read);
  return read;
}

function readIncidentTimes(document: Document): IncidentReadings {
  const entries = timelineOf(document);
  const times: IncidentTime[] = [];
  const add = (point: IncidentPoint, entry: TimelineEntry | undefined) => {
    if (entry?.date !== undefined && !times.some((known) => known.point === point))
      times.push({
        point,
        date: entry.date,
        time: entry.time,
        isNamed: named[point].test(entry.what),
        start: entry.start,
        end: entry.end,
      });
  };
  const topics = findTopics(document);
  const isOther = ({ start }: Range) => topics[indexAt(topics, start) ?? -1]?.topic === 'sample';
  const usable = entries.filter(
    (entry) => !unrelated.test(entry.what) && !isOther(entry) && !isQuotedMail(document, entry.start),
  );
  const span = statedSpan(document);
  const start =
    usable.find(({ what }) => named.start.test(what)) ??
    usable.find(({ time }) => time === span?.from) ??
    usable.find(({ what }) => typical.start.test(what));
  add('start', start);
  const later =
    start === undefined ? usable : usable.filter((entry) => entry !== start && keyOf(entry) >= keyOf(start));
  const detection =
    later.find(({ what }) => named.detection.test(what)) ?? later.find(({ what }) => typical.detection.test(what));
  add('detection', detection);
  const afterwards = detection === undefined ? later : later.filter((entry) => keyOf(entry) >= keyOf(detection));
  const ended = afterwards.findLast(({ what }) => named.end.test(what));
  const mitigation =
    afterwards.find(({ time }) => time === span?.to) ??
    afterwards.find(({ what }) => named.mitigation.test(what) && !/\b(?:plan|proposed|discuss)/i.test(what)) ??
    afterwards.findLast(
      (entry) =>
        entry !== ended && entry !== detection && typical.mitigation.test(entry.what) && !partial.test(entry.what),
    );
  add('mitigation', mitigation);
  add('end', ended ?? afterwards.findLast((entry) => entry !== mitigation && typical.end.test(entry.what)));
  return { times, ...durationsOf(document, times) };
}

/** The entry that names the detection itself, as opposed to an alert that nobody may have read. */
export function findDetection(document: Document): Range | undefined {
  const detected = findIncidentTimes(document).times.find(({ point }) => point === 'detection');
  return detected?.isNamed === true ? detected : undefined;
}

/** "An outage lasting 1 hour and 48 minutes, from 16:58 to 18:46 UTC": the times whose entries begin and end the impact. */
function statedSpan({ text }: Document): { readonly from: string; readonly to: string } | undefined {
  const found = [
    ...text.matchAll(
      /(?<!\p{L})(?:outage|impact|downtime|disruption|störung|ausfall|panne|interruption)(?!\p{L})[^.;\n]{0,80}?(?:(?<!\p{L})(?=\p{L})|(?=\())(?:from\s|between\s|von\s|de\s|\()(\d\d:\d\d)(?:\s(?:UTC|GMT))?\s?(?:to|and|until|bis|à|[-–—])\s?(\d\d:\d\d)(?!\d)/giu,
    ),
  ];
  const [only] = found;
  return found.length === 1 ? { from: only![1]!, to: only![2]! } : undefined;
}

const keyOf = ({ date, time }: Pick<TimelineEntry, 'date' | 'time'>) => `${date ?? ''} ${time}`;

const pairs = [
  { of: 'impact', from: 'start', to: 'mitigation' },
  { of: 'detection', from: 'start', to: 'detection' },
  { of: 'mitigation', from: 'detection', to: 'mitigation' },
] as const;

/** A stated length takes precedence over the one computed from two times. */
function durationsOf(
  document: Document,
  times: readonly IncidentTime[],
): Pick<IncidentReadings, 'durations' | 'contested'> {
  const stated = statedDurations(document);
  const contested = pairs.flatMap(({ of }) => (lengthsOf(stated, of).size > 1 ? [of] : []));
  const durations = pairs.flatMap(({ of, from, to }): IncidentDuration[] => {
    const known = stated.filter((one) => one.of === of);
    if (known.length > 0) return contested.includes(of) ? [] : [known[0]!];
    const [first, last] = [from, to].map((point) => times.find((time) => time.point === point));
    // A length between points of which either is only likely would be as doubtful as both together.
    if (first === undefined || last === undefined || (!first.isNamed && !last.isNamed)) return [];
    const minutes = Math.round((instantOf(last) - instantOf(first)) / 60_000);
    return minutes <= 0 ? [] : [{ of, minutes, isStated: false, start: last.start, end: last.end }];
  });
  return { durations, contested };
}

const lengthsOf = (stated: readonly IncidentDuration[], of: IncidentDuration['of']): ReadonlySet<number> =>
  new Set(stated.flatMap((one) => (one.of === of ? [one.minutes] : [])));

const instantOf = ({ date, time }: IncidentTime) => Date.parse(`${date}T${time.length === 5 ? `${time}:00` : time}Z`);

const unitMinutes = (unit: string) =>
  /^(?:d|days?|tage?n?|jours?|j|d[ií]as?|giorn[io]|dagen)$/iu.test(unit)
    ? 1440
    : /^(?:h|hrs?|hours?|std|stunden?|heures?|horas?|or[ae]|uur)$/iu.test(unit)
      ? 60
      : 1;
const unit = String.raw`(?:d|days?|tage?n?|jours?|h|hrs?|hours?|std|stunden?|heures?|horas?|or[ae]|uur|m|mins?|minutes?|minuten|minutos?|minuti|minuut)(?!\p{L})`;
const length = String.raw`(\d{1,4})[\s\u00a0-]?(${unit})\.?(?:[\s\u00a0]?(?<=\d[\s\u00a0]?h[\s\u00a0]?)(\d\d)(?!\d|[.,:]\d|[\s\u00a0]?\p{L})|(?:,|[ \u00a0]|[ ]?(?:and|und|et|y|e|en)[ ])[ ]{0,2}(\d{1,2})[\s\u00a0-]?(${unit}))?`;
const lengthShape = new RegExp(
  `${length}|(?<![\\d:])(?<hours>\\d{1,3}):(?<minutes>[0-5]\\d)(?=\\s?(?:h|hrs?|hours?|std|stunden|heures|horas|ore|uur|\\(?hh?:mm\\)?)(?!\\p{L}))`,
  'giu',
);

/** Words before a length; the last one before it decides. */
const statedCues: readonly (readonly [IncidentDuration['of'], RegExp])[] = [
  [
    'detection',
    /(?:time to (?:detect|detection|discover\p{L}*|notice)|\bttd\b|\bmttd\b|detection time|until (?:it was )?(?:detected|detection|discover\p{L}+|noticed)|(?:detected|discovered|noticed) (?:only )?after|(?:went|remained) (?:undetected|unnoticed)(?: for)?|bis zur (?:entdeckung|erkennung)|zeit bis zur (?:entdeckung|erkennung)|(?:entdeckungs|erkennungs)(?:zeit|dauer)|(?:entdeckt|bemerkt|erkannt) nach|(?:temps|d[ée]lai) (?:de|avant) d[ée]tection|jusqu['’]à la d[ée]tection|d[ée]tect[ée]e? (?:après|au bout de)|tiempo (?:de|hasta la) detecci[óo]n|hasta la detecci[óo]n|detectad[oa] a los|tempo di (?:rilevamento|rilevazione)|rilevat[oa] dopo|detectietijd|tijd tot (?:detectie|ontdekking)|ontdekt na|czas (?:do )?wykrycia|wykryt[oay] po|tempo (?:de|até à) dete[cç]\p{L}+|detetad[oa] após|tid till (?:upptäckt|detektering)|upptäckt\p{L}* efter|tid til opdagelse|opdaget efter)/giu,
  ],
  [
    'mitigation',
    /(?:time to (?:mitigat\w+|recover\w*|contain\w*)|\bttm\b|from detection (?:to|until)|von der (?:entdeckung|erkennung)|(?:bis zur )?(?:eindämmung|wiederherstellung|behebung)|(?:temps|d[ée]lai) de (?:r[ée]tablissement|restauration|rem[ée]diation|confinement)|de la d[ée]tection|(?:between|zwischen|entre|tra|tussen|od) (?:the |la |der |de |el |il )?(?:detection|entdeckung|erkennung|d[ée]tection|detecci[óo]n|rilevamento|detectie|wykrycia)(?!\p{L})|tiempo de (?:mitigaci[óo]n|restablecimiento|recuperaci[óo]n|contenci[óo]n)|desde la detecci[óo]n|tempo di (?:ripristino|mitigazione|contenimento)|dal rilevamento|hersteltijd|van(?:af)? (?:de )?(?:detectie|ontdekking)|czas (?:usunięcia|przywrócenia)|tempo de (?:mitigação|recuperação)|da deteção|från upptäckt|fra opdagelse)/giu,
  ],
  [
    'impact',
    /(?:(?:total|overall) (?:impact|outage|downtime)|(?:impact|outage|downtime) (?:in total|overall)|impact duration|duration(?: of (?:the )?(?:impact|outage|incident|disruption))?|(?:impact|outage|downtime|disruption|incident) (?:lasted|time)|lasted|(?:outage|disruption|downtime) (?:lasting|of)|(?:down|offline|unavailable|unreachable|inaccessible) for|(?:unavailab\p{L}+|indisponibilit[ée]|ausfallzeit|nichtverfügbarkeit|indisponibilidad|indisponibilità|onbeschikbaarheid)|(?:gesamt)?dauer|dauerte|dur[ée]e|a dur[ée]|duraci[óo]n|durata|duur|duração|czas trwania|niedostępności|varaktighet|varighed|varighet)/giu,
  ],
];
/** Words after a length. */
const statedAfter: readonly (readonly [IncidentDuration['of'], RegExp])[] = [
  [
    'detection',
    /^ (?:to detect|until (?:detection|it was (?:detected|noticed))|before (?:anyone|anybody|we|it was|they) (?:noticed|detected|discovered)|bis zur (?:entdeckung|erkennung)|avant (?:la |sa )?d[ée]tection|hasta la detecci[óo]n|fino al rilevamento|tot (?:de )?(?:detectie|ontdekking)|do wykrycia|até à deteção|till upptäckt|til opdagelse)(?!\p{L})/iu,
  ],
  ['mitigation', /^ (?:from detection to|to mitigate|von der (?:entdeckung|erkennung) bis)(?!\p{L})/iu],
  ['impact', /^ (?:of (?:downtime|outage|impact)|outage)(?!\p{L})/iu],
];

/** The cue that ends nearest to the length. */
function cueOf(before: string, after: string): IncidentDuration['of'] | undefined {
  const following = statedAfter.find(([, pattern]) => pattern.test(after))?.[0];
  if (following !== undefined) return following;
  let nearest: { readonly of: IncidentDuration['of']; readonly at: number } | undefined;
  for (const [of, pattern] of statedCues) {
    const at = [...before.matchAll(pattern)].at(-1)?.index;
    if (at !== undefined && (nearest === undefined || at > nearest.at)) nearest = { of, at };
  }
  return nearest?.of;
}

const otherIncident =
  /(?<!\p{L})(?:comparable|similar|previous(?:ly)?|earlier|last (?:year|month)|in (?:20[01]\d)|(?:outage|incident|disruption|störung|ausfall|panne|interrupción|interruzione) (?:of|in|vom|im|de|di) (?:last |the )?(?:\p{Lu}\p{L}{2,9}|20\d\d)|target|goal|slo|sla|objective|would have|could have|vergleichbar\w*|früher\w*|vorherig\w*|ziel|hätte|indiquait|annonçait|stated earlier|first (?:version|report)|(?:version|fassung|versión|versione) \d|erste fassung|ursprünglich|originally|decía|indicaba|riportava|instead of|statt|au lieu de|pr[ée]c[ée]dents?|objectif|aurait)(?!\p{L})/iu;

function statedDurations(document: Document): IncidentDuration[] {
  const { text, sentences } = document;
  const found: IncidentDuration[] = [];
  let last = 0;
  for (const match of text.matchAll(lengthShape)) {
    const sentence = sentences[indexAt(sentences, match.index) ?? -1];
    const from = last;
    last = match.index + match[0].length;
    if (sentence === undefined || isQuotedMail(document, match.index)) continue;
    // Another length ends what the words before it say.
    const before = text.slice(Math.max(sentence.start, from, match.index - 120), match.index);
    const after = text.slice(last, Math.min(sentence.end, last + 60)).replace(/\s+/g, ' ');
    const clause = before
      .replace(/\s+/g, ' ')
      .split(/[.;]\s|,\s(?=von|from|de la|and then)/u)
      .at(-1)!;
    if (otherIncident.test(clause)) continue;
    const of = cueOf(clause, after);
    if (of === undefined) continue;
    const { hours, minutes: rest } = match.groups ?? {};
    const minutes =
      hours !== undefined
        ? Number(hours) * 60 + Number(rest)
        : Number(match[1]) * unitMinutes(match[2]!) +
          Number(match[3] ?? 0) +
          (match[4] === undefined ? 0 : Number(match[4]) * unitMinutes(match[5] ?? 'm'));
    found.push({ of, minutes, isStated: true, start: match.index, end: match.index + match[0].length });
  }
  return found;
}
