/**
 * Counters and histograms in the Prometheus text format. A worker's metrics come from Temporal's own endpoint; the
 * processes beside it need a handful, which this covers without another dependency.
 */
type Labels = Readonly<Record<string, string>>;

export interface Counter {
  add(labels?: Labels, by?: number): void;
}

export interface Histogram {
  /** Values in the unit that the metric's name ends with. */
  observe(value: number, labels?: Labels): void;
}

export interface Metrics {
  counter(name: string, help: string): Counter;
  histogram(name: string, help: string, buckets: readonly number[]): Histogram;
  /** All metrics, ready to be scraped (`text/plain; version=0.0.4`). */
  text(): string;
}

/** The lines of one metric as they stand now. */
type Family = () => readonly string[];

/** A registry of its own: no state is shared between two servers in one process. */
export function createMetrics(): Metrics {
  const families: Family[] = [];
  return {
    counter: (name, help) => createCounter(name, help, families),
    histogram: (name, help, buckets) => createHistogram(name, help, buckets, families),
    text: () =>
      families
        .flatMap((family) => family())
        .map((line) => `${line}\n`)
        .join(''),
  };
}

function createCounter(name: string, help: string, families: Family[]): Counter {
  const counts = new Map<string, number>();
  families.push(() => [
    ...head(name, help, 'counter'),
    ...[...counts].map(([labels, count]) => `${name}${labels} ${count}`),
  ]);
  return {
    add: (labels = {}, by = 1) => {
      const key = labelText(labels);
      counts.set(key, (counts.get(key) ?? 0) + by);
    },
  };
}

type Series = { readonly labels: Labels; readonly values: number[]; sum: number; count: number };

function createHistogram(
  name: string,
  help: string,
  buckets: readonly number[],
  families: Family[],
): Histogram {
  const all = new Map<string, Series>();
  families.push(() => [
    ...head(name, help, 'histogram'),
    ...[...all.values()].flatMap((series) => seriesLines(name, buckets, series)),
  ]);
  return {
    observe: (value, labels = {}) => {
      const key = labelText(labels);
      const series = all.get(key) ?? { labels, values: buckets.map(() => 0), sum: 0, count: 0 };
      all.set(key, series);
      series.sum += value;
      series.count += 1;
      buckets.forEach((bound, index) => {
        if (value <= bound) series.values[index] = (series.values[index] ?? 0) + 1;
      });
    },
  };
}

function seriesLines(name: string, buckets: readonly number[], series: Series): readonly string[] {
  const { labels, values, sum, count } = series;
  return [
    ...buckets.map(
      (bound, index) => `${name}_bucket${labelText({ ...labels, le: String(bound) })} ${values[index]}`,
    ),
    `${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${count}`,
    `${name}_sum${labelText(labels)} ${sum}`,
    `${name}_count${labelText(labels)} ${count}`,
  ];
}

function head(name: string, help: string, type: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
