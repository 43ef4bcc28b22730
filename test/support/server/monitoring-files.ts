/** The expressions of the shipped alerts and dashboards. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const deployFolder = join(import.meta.dirname, '../../../deploy');

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

export interface Dashboard {
  readonly file: string;
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly Panel[];
}

export function readDashboards(): readonly Dashboard[] {
  const folder = join(deployFolder, 'grafana/dashboards');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.map((file) => ({ file, ...JSON.parse(readFileSync(join(folder, file), 'utf8')) }));
}

export interface Alert {
  readonly name: string;
  readonly expr: string;
}

/** The alerts, which are written with one line for each expression. */
export function readAlerts(): readonly Alert[] {
  const text = readFileSync(join(deployFolder, 'prometheus/alerts.yml'), 'utf8');
  const found = text.matchAll(/- alert: (\w+)\n\s+expr: (?:'([^']*)'|"([^"\\]*)")\n/g);
  return [...found].map(([, name, single, double]) => ({ name: name!, expr: (single ?? double)! }));
}

/** The names of metrics in an expression, without the suffixes of histograms. */
export function metricNames(expr: string): readonly string[] {
  const names = expr.match(/\b(cloister_|vllm:)[a-z0-9_]+/g) ?? [];
  return [...new Set(names.map((name) => name.replace(/_(bucket|sum|count)$/, '')))];
}

/** Each selector of an expression: the name of its series, and the labels that it matches. */
export function selectors(expr: string): readonly { readonly series: string; readonly labels: readonly string[] }[] {
  return [...expr.matchAll(/\b((?:cloister_|vllm:)[a-z0-9_]+|up)(?:\{([^}]*)\})?/g)].map(
    ([, series, matchers = '']) => ({
      series: series!,
      labels: [...matchers.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
    }),
  );
}
