/** Records with one line per event: someone comes or leaves at a time. */
import type { Range } from '../text/span.ts';
import { clockTimes } from './clock-times.ts';

export interface Punch extends Range {
  readonly worker: string;
  /** Minutes since 1970-01-01. */
  readonly at: number;
  readonly isIn: boolean;
}

const comes =
  /(?<![\p{L}])(?:clock(?:ed)?[- ]?in|check(?:ed)?[- ]?in|punch[- ]?in|sign(?:ed)?[- ]?in|log(?:ged)?[- ]?in|in|arriv\w*|start|kommen|kommt|ein|entrée|arrivée|entrada|entrata|ingresso|binnen)(?![\p{L}])/iu;
const leaves =
  /(?<![\p{L}])(?:clock(?:ed)?[- ]?out|check(?:ed)?[- ]?out|punch[- ]?out|sign(?:ed)?[- ]?out|log(?:ged)?[- ]?out|out|left|leaves?|end|gehen|geht|aus|sortie|départ|salida|uscita|buiten)(?![\p{L}])/iu;

const pauseWord = String.raw`(?:breaks?|lunch|meal|rest|pausen?|pausa|pauze|repas|déjeuner|descanso|comida|pranzo|rast|frokost|przerw\p{L}|intervalo)`;
const begins = `(?:start|begin|beginn|begins|beginning|out|début|inicio|inizio|inicio de|od|von|from)`;
const finishes = `(?:end|ende|ends|finish|back|return|in|fin|fine|einde|slut|koniec|bis|to|over)`;
const either = (word: string) =>
  new RegExp(
    String.raw`(?<!\p{L})(?:${pauseWord}[ -]{1,3}(?:de |di )?${word}|${word}(?: of| de| di| der| la| du)?(?: the)?[ -]{1,3}${pauseWord})(?!\p{L})`,
    'iu',
  );
/** "Break start" ends a work period, "break end" begins the next one. */
const pauseBegins = either(begins);
const pauseEnds = either(finishes);

/** @returns undefined if the line names no direction, or both */
function directionOf(line: string): boolean | undefined {
  const [isPause, isWork] = [pauseBegins.test(line), pauseEnds.test(line)];
  if (isPause !== isWork) return isWork;
  const isIn = comes.test(line);
  return isPause || isIn === leaves.test(line) ? undefined : isIn;
}

/** @returns undefined unless the line has one time of day and one direction */
export function punchOfLine(line: string, cells: readonly string[], day: number, range: Range): Punch | undefined {
  if (line.length > 160) return undefined;
  const times = clockTimes(line.replace(/:\d\d:\d\d\b/u, (time) => time.slice(0, 3)));
  const isIn = directionOf(line);
  if (times.length !== 1 || isIn === undefined) return undefined;
  const worker = nameOf(cells.length >= 3 ? cells : [line]);
  return { worker, at: day * 1_440 + times[0]!, isIn, ...range };
}

function nameOf(cells: readonly string[]): string {
  for (const cell of cells) {
    const match = /\p{Lu}[\p{L}'’-]+(?:,? (?:van|von|de|der|da|di|del|\p{Lu}[\p{L}'’-]*)){1,3}/u.exec(cell)?.[0];
    if (match !== undefined && !/badge|door|gate|terminal/iu.test(match)) return match.replace(/ (?:IN|OUT)$/u, '');
  }
  return '';
}

/** Pairs each arrival with the next departure of the same person within 18 hours. */
export function pairPunches(punches: readonly Punch[]): (Range & { worker: string; from: number; to: number })[] {
  const open = new Map<string, Punch>();
  const found: (Range & { worker: string; from: number; to: number })[] = [];
  for (const punch of [...punches].sort((a, b) => a.at - b.at || Number(a.isIn) - Number(b.isIn))) {
    const start = open.get(punch.worker);
    if (punch.isIn) {
      open.set(punch.worker, punch);
      continue;
    }
    open.delete(punch.worker);
    if (start !== undefined && punch.at - start.at <= 18 * 60 && punch.at > start.at)
      found.push({
        worker: punch.worker,
        from: start.at,
        to: punch.at,
        start: start.start,
        end: Math.max(start.end, punch.end),
      });
  }
  return found;
}
