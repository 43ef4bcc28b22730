/** Spending by day as bars. The table below it has the same figures for people who cannot see the chart. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { UsageSum } from '../api/answers.ts';
import { formatMoney } from '../parts/format.ts';

const height = 200;
const daySeconds = 86_400;

export interface SpendChartProps {
  readonly from: string;
  readonly to: string;
  readonly days: readonly UsageSum[];
}

export function SpendChart({ from, to, days }: SpendChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current!;
    const chart = new uPlot(optionsOf(element), seriesOf({ from, to, days }), element);
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [from, to, days]);
  return <div ref={place} class="chart" role="img" aria-label="Spending by day; the table has the figures" />;
}

/** Every day of the range, also those without requests. */
function seriesOf({ from, to, days }: SpendChartProps): uPlot.AlignedData {
  const first = Date.parse(from) / 1000;
  const count = (Date.parse(to) / 1000 - first) / daySeconds + 1;
  const prices = new Map(days.map(({ day, price_micro_dollars: price }) => [day, price]));
  const times = Array.from({ length: count }, (_, index) => first + index * daySeconds);
  const values = times.map((time) => (prices.get(new Date(time * 1000).toISOString().slice(0, 10)) ?? 0) / 1e6);
  return [times, values];
}

const dayAxis = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A canvas needs the color that a variable has in the theme. */
function colorOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`;
  return getComputedStyle(element).color;
}

function optionsOf(element: HTMLElement): uPlot.Options {
  const color = (name: string) => colorOf(element, name);
  const axis = { stroke: color('--soft'), grid: { stroke: color('--line'), width: 1 }, ticks: { show: false } };
  return {
    ...{ width: element.clientWidth, height, legend: { show: false }, cursor: { show: false } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    axes: [
      { ...axis, values: (_, ticks) => ticks.map((tick) => dayAxis.format(tick * 1000)) },
      { ...axis, size: 70, values: (_, ticks) => ticks.map((tick) => formatMoney(tick * 1e6)) },
    ],
    scales: {
      x: { range: (_, low, high) => [low - daySeconds / 2, high + daySeconds / 2] },
      y: { range: (_, _low, high) => [0, Math.max(high * 1.1, 0.0001)] },
    },
    series: [
      {},
      {
        fill: color('--accent'),
        stroke: color('--accent'),
        paths: uPlot.paths.bars!({ size: [0.7, 40] }),
        points: { show: false },
      },
    ],
  };
}
