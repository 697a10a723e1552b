/** One gauge of a scrape. `set` is called once for each set of labels. */
export interface Gauge<Label extends string> {
  set(labels: Readonly<Record<Label, string>>, value: number): void;
}

/** The gauges for one scrape by Prometheus. Each scrape makes new gauges, so that labels disappear once they do not apply any more. */
export interface GaugeText {
  gauge<Label extends string = never>(name: string, help: string, ...labels: readonly Label[]): Gauge<Label>;
  /** The lines in Prometheus' text format, in the order in which the gauges were made. */
  text(): string;
}

/**
 * Writes gauges as text without a Prometheus registry, because a registry would need much of the worker's time for tens of thousands of
 * gauges.
 */
export function gaugeText(): GaugeText {
  const parts: string[][] = [];
  return {
    gauge: (name, help, ...names) => {
      const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`];
      parts.push(lines);
      return {
        set: (labels, value) => {
          const pairs = names.map((label) => `${label}="${escaped(labels[label])}"`);
          lines.push(pairs.length === 0 ? `${name} ${value}` : `${name}{${pairs.join()}} ${value}`);
        },
      };
    },
    text: () => parts.map((lines) => `${lines.join('\n')}\n`).join(''),
  };
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));
}
