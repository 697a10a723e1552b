import type { CpuProfile } from './parts.ts';
import { PARTS, timeByPart } from './parts.ts';

/** One line of the table. `msPerChange`: processor time; null where the system does not show it. */
export type Row = { readonly part: string; readonly msPerChange: number | null };

/** Processor time in ms used during the samples; null where the system does not show it. */
export type Taken = {
  readonly temporalServer: number | null;
  readonly postgres: number | null;
  readonly receiver: number | null;
  /** The worker's threads, by name. */
  readonly worker: ReadonlyMap<string, number> | null;
};

/** Threads of Temporal's SDK that talk to the server and run no JavaScript. */
const OF_SDK = /^(tokio|temporal|worker-core|rt-)/;
/** Helper threads of V8 and Node: parallel garbage collection, compiling, files, host names, cryptography. */
const HELPERS = /^(V8Worker|libuv-worker|node-V8|DelayedTask|SignalInspector)/;

/** The parts of a change by their time, the largest first. */
export function rowsOf(profiles: readonly CpuProfile[], taken: Taken, changes: number): readonly Row[] {
  const sampledMs = partsMs(profiles);
  const { sdk, helpers, javaScript } = threadsOf(taken.worker);
  const all = [...sampledMs.values()].reduce((sum, ms) => sum + ms, 0);
  // Samples are taken by the clock, so they include time in which a busy machine did not run the thread; the scale removes it.
  const scale = javaScript === null || all === 0 ? 1 : javaScript / all;
  const rows: readonly (readonly [string, number | null])[] = [
    ["Temporal's server", taken.temporalServer],
    ['PostgreSQL', taken.postgres],
    ['receiver (a process of its own)', taken.receiver],
    ["worker: Temporal's client, native", sdk],
    ["worker: V8's helper threads", helpers],
    ...[...sampledMs].map(([part, ms]) => [`worker: ${part}`, ms * scale] as const),
  ];
  return rows
    .map(([part, ms]) => ({ part, msPerChange: ms === null ? null : ms / changes }))
    .toSorted((one, other) => (other.msPerChange ?? 0) - (one.msPerChange ?? 0));
}

function partsMs(profiles: readonly CpuProfile[]): ReadonlyMap<string, number> {
  const times = profiles.map((profile) => timeByPart(profile).parts);
  return new Map(PARTS.map((part) => [part, times.reduce((sum, one) => sum + one[part], 0) / 1000]));
}

function threadsOf(threads: Taken['worker']): Readonly<Record<'sdk' | 'helpers' | 'javaScript', number | null>> {
  if (threads === null) return { sdk: null, helpers: null, javaScript: null };
  const sumOf = (is: (name: string) => boolean): number =>
    [...threads].filter(([name]) => is(name)).reduce((sum, [, ms]) => sum + ms, 0);
  return {
    sdk: sumOf((name) => OF_SDK.test(name)),
    helpers: sumOf((name) => HELPERS.test(name)),
    javaScript: sumOf((name) => !OF_SDK.test(name) && !HELPERS.test(name)),
  };
}

/** The result for one way of changes. */
export type Profiled = { readonly way: string; readonly changes: number; readonly rows: readonly Row[] };

/** A table with a line per part and its milliseconds per change for each way, in the order of the first way. */
export function shareTable(profiled: readonly Profiled[]): string {
  const parts = profiled[0]?.rows.map(({ part }) => part) ?? [];
  const columns = profiled.map(({ way, changes, rows }) => {
    const ms = new Map(rows.map(({ part, msPerChange }) => [part, msPerChange]));
    const all = [...ms.values()].reduce((sum: number, one) => sum + (one ?? 0), 0);
    return [way, ...parts.map((part) => ms.get(part)?.toFixed(2) ?? 'unknown'), all.toFixed(2), `${changes}`];
  });
  const lefts = ['ms a change', ...parts, 'all of it', 'changes'];
  const widthOf = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));
  const line = (left: string, row: number): string =>
    [left.padEnd(widthOf(lefts)), ...columns.map((texts) => (texts[row] ?? '').padStart(widthOf(texts)))].join('  ');
  return [...lefts.map(line), ''].join('\n');
}
