/** The shipped alerts and dashboards name metrics that exist. `test/system/monitoring.test.ts` evaluates them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deployFolder, metricNames, readAlerts, readDashboards } from '../support/server/monitoring-files.ts';

const reference = readFileSync(join(deployFolder, '../docs/reference/health-and-metrics.md'), 'utf8');
const dashboards = readDashboards();
const alerts = readAlerts();

/** Default metrics of prom-client, which the reference does not list one by one. */
const defaults = ['cloister_process_cpu_seconds_total', 'cloister_process_resident_memory_bytes'];

function undocumented(expr: string): string[] {
  const isLag = (name: string) => /^cloister_nodejs_eventloop_lag_(mean|p50|p90|p99|max)_seconds$/.test(name);
  const isListed = (name: string) => new RegExp(`\`${name}[{\`]`).test(reference);
  return metricNames(expr).filter((name) => !isListed(name) && !defaults.includes(name) && !isLag(name));
}

describe('the alerts', () => {
  const text = readFileSync(join(deployFolder, 'prometheus/alerts.yml'), 'utf8');
  const tests = readFileSync(join(deployFolder, 'prometheus/alerts.test.yml'), 'utf8');

  it('are read completely', () => {
    expect(alerts.length).toBe(text.match(/- alert:/g)?.length);
    expect(alerts.length).toBeGreaterThan(10);
  });

  it.each(alerts)(
    '$name uses documented metrics, and has a test that fires and one that is silent',
    ({ name, expr }) => {
      expect(undocumented(expr)).toEqual([]);
      const [fires, isSilent] = ['fires', 'is silent'].map(
        (kind) => tests.split(`- name: ${name} ${kind}\n`)[1]?.split('- name:')[0],
      );
      expect(fires).toContain('exp_labels:');
      expect(isSilent).toContain('exp_alerts: []');
    },
  );
});

describe.each(dashboards)('the dashboard $title', ({ uid, file, panels }) => {
  it('has an id like its file, and panels with different ids', () => {
    expect(file).toBe(`${uid}.json`);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(panels.length).toBeGreaterThan(10);
  });

  it('has panels that fit into the grid and do not overlap', () => {
    const taken = new Map<string, string>();
    for (const { title, gridPos } of panels) {
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.get(`${x} ${y}`), title).toBeUndefined();
          taken.set(`${x} ${y}`, title);
        }
    }
  });

  it.each(panels)('$title uses documented metrics', ({ targets }) => {
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr } of targets) {
      expect(metricNames(expr).length).toBeGreaterThan(0);
      expect(undocumented(expr)).toEqual([]);
    }
  });
});
