/** Progress of a long job: a bar that repaints itself on a terminal, a few plain lines elsewhere. */

/** The output: `process.stderr` or a command's `io.stderr`. */
export interface ProgressSink {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressReport {
  /** A new label starts a new bar. */
  readonly label: string;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface ProgressDisplay {
  report(report: ProgressReport): void;
  /** Prints a line above the bar. */
  note(text: string): void;
  /** Ends the bar's line; the next report starts a new bar. */
  finish(): void;
}

const repaintMs = 100;
const lineMs = 1000;
const lineStep = 0.1;
const labelColumnsMin = 12;
const barColumnsMin = 8;
const barColumnsMax = 30;
/** The period over which the rate is averaged: steady, but it follows the network. */
const rateWindowMs = 5000;

/** @param now milliseconds, to compute the rate and the remaining time */
export function createProgress(sink: ProgressSink, { now = Date.now }: { now?: () => number } = {}): ProgressDisplay {
  let label: string | undefined;
  let latest: ProgressReport | undefined;
  let samples: Sample[] = [];
  let shownAt = 0;
  let shownShare = 0;

  const show = (report: ProgressReport, at: number): void => {
    shownAt = at;
    shownShare = share(report);
    const line = formatLine(report, { rate: rateOf(samples), columns: sink.isTTY ? sink.columns || 80 : undefined });
    sink.write(sink.isTTY ? `\r\x1b[2K${line}` : `${line}\n`);
  };

  const finish = (): void => {
    if (latest !== undefined && share(latest) !== shownShare) show(latest, now());
    if (label !== undefined && sink.isTTY) sink.write('\n');
    label = undefined;
    latest = undefined;
  };

  return {
    report(report) {
      const at = now();
      if (report.label !== label) {
        finish();
        label = report.label;
        samples = [];
        shownAt = sink.isTTY ? 0 : at;
        shownShare = 0;
      }
      latest = report;
      samples = withSample(samples, { at, bytes: report.bytesDone });
      const waited = at - shownAt;
      const due = sink.isTTY ? waited >= repaintMs : waited >= lineMs && share(report) - shownShare >= lineStep;
      if (due) show(report, at);
    },
    note(text) {
      if (sink.isTTY && label !== undefined) sink.write('\r\x1b[2K');
      sink.write(`${text}\n`);
      shownAt = 0;
    },
    finish,
  };
}

/** `1.25 GB`; decimal units, as disks and networks are sold. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** power;
  const decimals = power === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(decimals)} ${units[power]}`;
}

interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/** Keeps one sample per repaint and drops samples outside the window. */
function withSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const [oldest, ...rest] = samples;
  if (oldest === undefined || sample.bytes < oldest.bytes) return [sample];
  const kept = sample.at - oldest.at > rateWindowMs && rest.length > 0 ? rest : [...samples];
  const last = kept.at(-1)!;
  if (kept.length > 1 && sample.at - kept.at(-2)!.at < repaintMs) kept.pop();
  return sample.at === last.at && kept.length === 1 ? kept : [...kept, sample];
}

/** @returns bytes per second, or undefined if there are too few samples */
function rateOf(samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at <= first.at) return undefined;
  return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
}

function share({ bytesDone, bytesTotal }: ProgressReport): number {
  return bytesTotal > 0 ? Math.min(1, bytesDone / bytesTotal) : 0;
}

function formatLine(
  report: ProgressReport,
  { rate, columns }: { rate: number | undefined; columns: number | undefined },
): string {
  const { label, bytesDone, bytesTotal } = report;
  const facts = [
    `${String(Math.floor(share(report) * 100)).padStart(3)}%`,
    `${formatBytes(bytesDone)} of ${formatBytes(bytesTotal)}`,
    ...(rate === undefined ? [] : [`${formatBytes(Math.round(rate))}/s`]),
    ...(rate === undefined || rate <= 0 || bytesDone >= bytesTotal
      ? []
      : [`${formatSeconds((bytesTotal - bytesDone) / rate)} left`]),
  ].join('  ');
  if (columns === undefined) return `${label}  ${facts}`;
  const labelColumns = Math.max(labelColumnsMin, columns - facts.length - barColumnsMin - 5);
  const shortLabel = label.length > labelColumns ? `${label.slice(0, labelColumns - 1)}…` : label;
  const barColumns = Math.max(0, Math.min(barColumnsMax, columns - shortLabel.length - facts.length - 5));
  const filled = Math.round(barColumns * share(report));
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barColumns - filled)}`;
  return `${shortLabel}  ${bar}  ${facts}`.slice(0, columns - 1);
}

function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const padded = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(whole % 60)}` : `${minutes}:${padded(whole % 60)}`;
}
