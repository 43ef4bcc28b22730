/** The columns of a time record by content: times worked, breaks, hours worked, hours planned, balances. */
import { normaliseName } from '../financial/line-items.ts';

type Role = 'date' | 'worker' | 'start' | 'end' | 'range' | 'pause' | 'pauseStart' | 'pauseEnd' | 'worked' | 'other';

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
  /** Columns under headings that are not known. */
  readonly unknown: readonly number[];
  /** Whether all times of the table are planned, and none is a time worked. */
  readonly isPlan: boolean;
  readonly count: number;
}

const dateHeading = /^(?:date|day|datum|tag|den|jour|fecha|data|giorno|dia|dag|date worked|shift date|work date)$/;
const workerHeading =
  /^(?:employee|worker|name|employee name|staff|staff name|staff member|operative|driver|carer|nurse|werknemer|medewerker|naam|trabajador|trabajadora|empleado|empleada|nombre|dipendente|nome|mitarbeiter|mitarbeiterin|mitarbeitende|mitarbeitender|beschaftigte|beschaftigter|kollege|kollegin|arbeitnehmer|zamestnanec|jmeno|salarie|nom|persona|person|personne|agent)(?: (?:a|o|or|e|in|es|as|name))?$/;
const planned =
  /\b(?:plan(?:ned)?|scheduled?|sched|rostere?d?|rota|expected|target|contract(?:ed|ual)?|standard|soll\w*|sollzeit|geplant\w*|dienstplan|vertrag\w*|prevue?s?|theoriques?|previst[oa]s?|teoric[oa]s?|programmat[oei]|gepland\w*|rooster)\b/;
const actual =
  /\b(?:actual(?:ly)?|worked|clock(?:ed)?|real(?:es)?|ist|istzeit|reelle?s?|effectue\w*|trabajad[oa]s?|effettiv[oei]|lavorat[oei]|gewerkte?|werkelijke?)\b/;
const pauseHeading =
  /\b(?:breaks?|meal|lunch|pausen?|pausa|pauze|unterbrechung|ruhepause|mittag|mittagspause|prestavk[ay]|descanso|repas)\b/;
const startHeading =
  /^(?:.* )?(?:start|starts|started|begin|beginn|begins|beginning|from|von|in|clock in|time in|on|kommen|kommt|arbeitsbeginn|dienstbeginn|debut|arrivee|de|entree|entrada|inicio|desde|hora inicio|inizio|entrata|dalle|aanvang|van|zacatek|prichod)(?: (?:time|uhrzeit|zeit|hour|h|1|2|3|\d))?$/;
const endHeading =
  /^(?:.* )?(?:end|ends|ended|finish|finished|to|until|bis|out|clock out|time out|off|gehen|geht|ende|arbeitsende|dienstende|fin|depart|sortie|salida|final|hasta|fine|uscita|alle|einde|eind|tot|konec|odchod)(?: (?:time|uhrzeit|zeit|hour|h|1|2|3|\d))?$/;
const workedHeading =
  /^(?:(?:total |net |daily |day )?(?:hours?|hrs|time)(?: worked)?|total(?: hours| h)?|net(?: hours| h)?|worked(?: hours| h)?|actual(?: hours| h)?|hodiny|celkem|stunden|(?:ist|gesamt|netto|arbeits)(?:zeit|stunden|std)?(?: h| std)?|std|heures(?: effectuees| travaillees| effectives)?|effectif|temps effectif|horas(?: trabajadas)?|ore(?: lavorate)?|uren|totaal|totale|gewerkt|gewerkte uren|duree|dauer|duration)(?: h| hrs| std)?$/;
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
    if (/\b(?:lunch|meal|break)(?: clock| punch)? out\b|\bout (?:for|to) (?:lunch|meal)/.test(name))
      return 'pauseStart';
    if (/\b(?:lunch|meal|break)(?: clock| punch)? (?:in|back)\b|\bback from/.test(name)) return 'pauseEnd';
    return startHeading.test(name) ? 'pauseStart' : endHeading.test(name) ? 'pauseEnd' : 'pause';
  }
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
