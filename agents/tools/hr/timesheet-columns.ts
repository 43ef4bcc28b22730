/** The columns of a time record by content: times worked, breaks, hours worked, hours planned, balances. */
import { normaliseName } from '../financial/line-items.ts';

export type Role =
  | 'date'
  | 'worker'
  | 'start'
  | 'end'
  | 'range'
  | 'pause'
  | 'pauseStart'
  | 'pauseEnd'
  | 'worked'
  | 'other';

/** The content of each column of a table. */
export interface Columns {
  readonly date: number | undefined;
  readonly worker: number | undefined;
  readonly pause: number | undefined;
  /** Pairs of columns with the start and the end of a break. */
  readonly pauses: readonly (readonly [number, number])[];
  /** Pairs of columns with the start and the end of a work period; the same column twice for "07:00-15:00". */
  readonly stretches: readonly (readonly [number, number])[];
  /** Columns without times at which work started or ended. */
  readonly excluded: ReadonlySet<number>;
  /** Hours worked in the row, as printed. */
  readonly stated: number | undefined;
  /** Whether the hours worked are printed as a number of minutes. */
  readonly isInMinutes: boolean;
  /** Columns under headings that are not known. */
  readonly unknown: readonly number[];
  /** Whether all times of the table are planned, and none is a time worked. */
  readonly isPlan: boolean;
  readonly count: number;
}

const dateHeading =
  /^(?:date|day|datum|tag|den|jour|fecha|data|giorno|dia|dag|date worked|shift date|work date|work day|workday|weekday|night of|shift|datums|data pracy|dzien|dzien tygodnia|dato|dagur|paiva|den v mesici|tag datum|datum tag|day date|date day|jour date|giorni|dias|jours|dias do mes|dia do mes|dia mes|day of week|start date|date of shift|date of work|arbeitstag|kalendertag|jornada)$/;
const workerHeading =
  /^(?:employee|worker|name|employee name|staff|staff name|staff member|operative|driver|carer|nurse|werknemer|medewerker|naam|trabajador|trabajadora|empleado|empleada|nombre|dipendente|nome|mitarbeiter|mitarbeiterin|mitarbeitende|mitarbeitender|beschaftigte|beschaftigter|kollege|kollegin|arbeitnehmer|zamestnanec|jmeno|salarie|nom|noms|nom et prenom|collaborateur|collaboratrice|collaborator|colaborador|colaboradora|trabalhador|trabalhadora|funcionario|empregado|lavoratore|lavoratrice|pracownik|imie i nazwisko|nazwisko|zamestnanci|anstalld|namn|medarbejder|medarbetare|navn|ansatt|ansat|lonmodtager|tyontekija|nimi|team member|resource|user|associate|crew member|full name|surname|porter|guard|consultant|contractor|technician|assistant|cleaner|watchman|helper|intern|trainee|student|user name|persona|person|personne|agent)(?: (?:a|o|or|e|in|es|as|name))?$/;
/** What a heading of a row or a column of a time record stands for. */
export function timeRole(heading: string): Role {
  return roleOf(normaliseName(words(heading.slice(0, 80))), false);
}

/** Whether a heading stands above the names of people. */
export function isPersonHeading(heading: string): boolean {
  return workerHeading.test(normaliseName(words(heading.slice(0, 80))));
}

/** Whether a heading is that of times or of hours, also of planned ones. */
export function isTimeHeading(heading: string): boolean {
  const name = normaliseName(words(heading.slice(0, 80)));
  return (
    roleOf(name, false) !== 'other' ||
    planned.test(name) ||
    actual.test(name) ||
    startHeading.test(name) ||
    endHeading.test(name)
  );
}

const planned =
  /\b(?:plan(?:ned)?|scheduled?|sched|rostere?d?|rota|expected|target|contract(?:ed|ual)?|standard|soll\w*|sollzeit|geplant\w*|dienstplan|vertrag\w*|prevue?s?|theoriques?|previst[oa]s?|teoric[oa]s?|programmat[oei]|gepland\w*|rooster)\b/;
const actual =
  /\b(?:actual(?:ly)?|worked|clock(?:ed)?|real(?:es)?|ist|istzeit|reelle?s?|effectue\w*|trabajad[oa]s?|effettiv[oei]|lavorat[oei]|gewerkte?|werkelijke?)\b/;
const pauseHeading =
  /\b(?:breaks?|meal|lunch|pausen?|pausa|pauza|pauze|rast|raster|lunsj|frokost|frokostpause|spisepause|matpaus|tauko|almoco|intervalo|przerwy?|przerwa|dejeuner|pranzo|comida|meals|rest|unterbrechung|ruhepause|mittag|mittagspause|prestavk[ay]|descanso|repas)\b/;
/** In headings of breaks: the person leaves, or comes back. */
const leaving = /\b(?:out|saida|sortie|uscita|salida|ud|ut|uit|gehen|wyjscie|depart)\b/;
const returning =
  /\b(?:in|back|return|regresso|retorno|entrada|entrata|rientro|regreso|vuelta|retour|entree|ind|kommen|volta|powrot)\b/;
const startHeading =
  /^(?:.* )?(?:start|starts|started|begin|beginn|begins|beginning|from|von|in|clock in|time in|on|kommen|kommt|arbeitsbeginn|dienstbeginn|debut|arrivee|de|entree|entrada|inicio|desde|hora inicio|inizio|entrata|dalle|aanvang|van|zacatek|prichod|modt|komme|kommet|ind|fra|borjan|starttid|start tid|begynt|begynner|stempling ind|rozpoczecie|godzina rozpoczecia|przyjscie|wejscie|od|chegada|entradas|ingresso|arrivo|ora inizio|ora entrata|heure debut|heure d arrivee|heure de debut|arrived|arrival|sign in|signed in|punch in|login|log in|shift start|start of shift|beginn uhr|alku|sisaan|dienstantritt|duty start|work start|time start|begin time|hora de entrada|hora entrada|hora de inicio|begintijd|starttijd|hr inicio|von uhr)(?: (?:time|uhrzeit|zeit|hour|h|1|2|3|\d))?$/;
const endHeading =
  /^(?:.* )?(?:end|ends|ended|finish|finished|to|until|bis|out|clock out|time out|off|gehen|geht|ende|arbeitsende|dienstende|fin|depart|sortie|salida|final|hasta|fine|uscita|alle|einde|eind|tot|konec|odchod|gaet|gatt|gar|ud|til|till|slut|slutt|sluttid|stop|stopped|stempling ud|zakonczenie|godzina zakonczenia|wyjscie|do|ate|saidas|saida|uscite|ora fine|ora uscita|heure fin|heure de depart|heure de fin|left|leave|departure|departed|sign out|signed out|punch out|logout|log out|shift end|end of shift|loppu|ulos|dienstschluss|duty end|work end|time stop|time finish|end time|hora de salida|hora salida|hora de fin|hora de saida|hora saida|eindtijd|hr fin|bis uhr|close)(?: (?:time|uhrzeit|zeit|hour|h|1|2|3|\d))?$/;
const workedHeading =
  /^(?:(?:total |net |daily |day )?(?:hours?|hrs|time)(?: worked)?|total(?: hours| h)?|net(?: hours| h)?|worked(?: hours| h)?|actual(?: hours| h)?|hodiny|celkem|stunden|(?:ist|gesamt|netto|arbeits)(?:zeit|stunden|std)?(?: h| std)?|std|heures(?: effectuees| travaillees| effectives)?|effectif|temps effectif|horas(?: trabajadas)?|ore(?: lavorate)?|uren|totaal|totale|gewerkt|gewerkte uren|duree|dauer|duration|ist stunden|ist zeit|arbetad tid|arbetade timmar|arbetstid|tid|timmar|timer|antal timer|arbejdstid|sum|summa|summe|sum timer|arbeidstid|ilosc godzin|godziny|liczba godzin|przepracowane|przepracowane godziny|czas pracy|odpracovano|horas efectivas|horas trabalhadas|total horas|horas totales|ore totali|totale ore|total heures|nombre d heures|nb heures|heures de travail|heures travaillees|net hours worked|work time|working time|hours on duty|paid hrs|total time|tunnit|tyoaika|netto|brutto netto|gesamtstunden|gesamtzeit|aantal uren|totaal uren|uren totaal|total day|day total|daily total|hrs worked|horas dia)(?: h| hrs| std| decimal| dezimal| min| mins| minutes| minuten| minuti| minutos| minuter| minutter| hh mm)?$/;
const minutesHeading = / (?:min|mins|minutes|minuten|minuti|minutos|minuter|minutter)$/;
/** "Overtime", "Saldo": hours that are not the total of the row. */
const hoursHeading =
  /\b(?:saldo|balance|difference|diff|variance|delta|over|overtime|ot|paid|payable|mehr|uberstunden|uberzeit|plus|minus|konto|cumul\w*|kumuliert|ubertrag|supplementaires|extras?|straordinari[eo]?|prescas|overuren|hours?|hrs|total|sum|net|worked|hodiny|celkem|stunden|gesamt|netto|heures|horas|ore|uren|totaal|totale|ist|soll|nacht|night|rest)\b/;

/** "StartTime" of an export is "Start Time". */
const words = (heading: string) => heading.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');

/** @returns undefined if the row is not the heading of a time record */
export function readColumns(row: readonly string[]): Columns | undefined {
  const names = row.map((cell) => normaliseName(words(cell.slice(0, 80))));
  if (names.length < 3) return undefined;
  const hasPlan = names.some((name) => planned.test(name) && !actual.test(name));
  const roles = names.map((name) => roleOf(name, hasPlan));
  // "Shift | In | Out | Break | Net": the heading of the dates may be any word.
  const isOfTimes = roles.includes('start') && roles.includes('end') && /pause|worked/.test(roles.join(' '));
  if (!roles.includes('date') && !isOfTimes) return undefined;
  const at = (role: Role) => roles.flatMap((each, index) => (each === role ? [index] : []));
  const pairs = (from: Role, to: Role) => {
    const [starts, ends] = [at(from), at(to)];
    return starts.length === ends.length ? starts.map((index, nth) => [index, ends[nth]!] as const) : [];
  };
  const ranges = at('range').map((index) => [index, index] as const);
  const stretches = pairs('start', 'end');
  return {
    date: at('date')[0],
    worker: at('worker')[0],
    pause: at('pause')[0],
    pauses: pairs('pauseStart', 'pauseEnd'),
    stretches: stretches.length > 0 ? stretches : ranges,
    excluded: new Set([...at('other').filter((index) => isExcluded(names[index]!)), ...at('pause'), ...at('worked')]),
    stated: at('worked')[0] ?? at('range')[0],
    isInMinutes: minutesHeading.test(names[at('worked')[0] ?? names.length] ?? ''),
    unknown: at('other').filter((index) => names[index] !== '' && !isExcluded(names[index]!)),
    isPlan: hasPlan && stretches.length === 0 && ranges.length === 0,
    count: names.length,
  };
}

function isExcluded(name: string): boolean {
  return planned.test(name) || hoursHeading.test(name) || pauseHeading.test(name);
}

function roleOf(name: string, hasPlan: boolean): Role {
  if (dateHeading.test(name)) return 'date';
  if (workerHeading.test(name)) return 'worker';
  // "Week start" is no time of the day.
  if (/^(?:week|(?:pay )?period|woche|semaine|semana|settimana) (?:start|begin|end|from|to|of|no|nr)/.test(name))
    return 'other';
  if (planned.test(name) && !actual.test(name)) return 'other';
  if (pauseHeading.test(name)) {
    if (/\bpaid\b/.test(name) && !/\bunpaid\b/.test(name)) return 'other';
    // "Lunch out" is when the break begins.
    if (leaving.test(name)) return 'pauseStart';
    if (returning.test(name)) return 'pauseEnd';
    return startHeading.test(name) ? 'pauseStart' : endHeading.test(name) ? 'pauseEnd' : 'pause';
  }
  if (/^(?:regresso|retorno|rientro|regreso|retour|return|back|volta|powrot|tilbage|tillbaka)$/.test(name))
    return 'pauseEnd';
  if (startHeading.test(name)) return 'start';
  if (endHeading.test(name)) return 'end';
  // Next to "Planned", a column "Worked" may contain "07:00-15:30"; `stretchOf` then reads it.
  if (hasPlan && /^(?:actual|worked|ist|clocked|times? worked|actual (?:shift|times?)|shift worked)$/.test(name))
    return 'range';
  return workedHeading.test(name) ? 'worked' : 'other';
}

/**
 * In records aligned by blanks, a wide heading may stand one column to the right of its values. Moves the value below it.
 * @param heads the cells of the heading row
 */
export function belowHeadings(cells: readonly string[], heads: readonly string[]): readonly string[] {
  if (cells.length !== heads.length) return cells;
  const moved = [...cells];
  for (let at = 1; at < moved.length; at += 1) {
    const isShifted = heads[at] !== '' && heads[at - 1] === '' && moved[at] === '' && moved[at - 1] !== '';
    if (isShifted) [moved[at - 1], moved[at]] = ['', moved[at - 1]!];
  }
  return moved;
}
