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

/** A registry of its own: no state is shared between two servers in one process. */
export function createMetrics(): Metrics {
  const families: (() => readonly string[])[] = [];

  function counter(name: string, help: string): Counter {
    const counts = new Map<string, number>();
    families.push(() => [
      ...head(name, help, 'counter'),
      ...[...counts].map(([key, count]) => `${name}${key} ${count}`),
    ]);
    return {
      add: (labels = {}, by = 1) => {
        const key = labelText(labels);
        counts.set(key, (counts.get(key) ?? 0) + by);
      },
    };
  }

  function histogram(name: string, help: string, buckets: readonly number[]): Histogram {
    const series = new Map<string, { labels: Labels; values: number[]; sum: number; count: number }>();
    families.push(() => [
      ...head(name, help, 'histogram'),
      ...[...series.values()].flatMap(({ labels, values, sum, count }) => [
        ...buckets.map(
          (bound, index) => `${name}_bucket${labelText({ ...labels, le: String(bound) })} ${values[index]}`,
        ),
        `${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${count}`,
        `${name}_sum${labelText(labels)} ${sum}`,
        `${name}_count${labelText(labels)} ${count}`,
      ]),
    ]);
    return {
      observe: (value, labels = {}) => {
        const key = labelText(labels);
        const one = series.get(key) ?? { labels, values: buckets.map(() => 0), sum: 0, count: 0 };
        series.set(key, one);
        one.sum += value;
        one.count += 1;
        buckets.forEach((bound, index) => {
          if (value <= bound) one.values[index] = (one.values[index] ?? 0) + 1;
        });
      },
    };
  }

  return {
    counter,
    histogram,
    text: () =>
      families
        .flatMap((family) => family())
        .map((line) => `${line}\n`)
        .join(''),
  };
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
