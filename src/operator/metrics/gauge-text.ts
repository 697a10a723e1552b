/** One gauge of a scrape. Each set of labels is told once. */
export interface Gauge<Label extends string> {
  set(labels: Readonly<Record<Label, string>>, value: number): void;
}

/** The gauges of one scrape, made anew for each: what is over says nothing. */
export interface GaugeText {
  gauge<Label extends string = never>(name: string, help: string, ...labels: readonly Label[]): Gauge<Label>;
  /** In Prometheus' text format, in the order in which the gauges were made. */
  text(): string;
}

/**
 * Gauges as lines. A fleet of a thousand tenants has tens of thousands of them, and a registry that finds each by a hash of its labels
 * would take the worker's time for that at every scrape.
 */
export function gaugeText(): GaugeText {
  const parts: string[][] = [];
  return {
    gauge: (name, help, ...names) => {
      const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`];
      parts.push(lines);
      return {
        set: (labels, value) => {
          const told = names.map((label) => `${label}="${escaped(labels[label])}"`);
          lines.push(told.length === 0 ? `${name} ${value}` : `${name}{${told.join()}} ${value}`);
        },
      };
    },
    text: () => parts.map((lines) => `${lines.join('\n')}\n`).join(''),
  };
}

function escaped(value: string): string {
  return value.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));
}
