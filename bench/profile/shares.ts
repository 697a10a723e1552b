import type { CpuProfile } from './parts.ts';
import { PARTS, timeByPart } from './parts.ts';

/** One line of the table. `msPerChange`: of processor time; null where the system does not tell. */
export type Row = { readonly part: string; readonly msPerChange: number | null };

/** Processor time in ms that was taken meanwhile; null where the system does not tell. */
export type Taken = {
  readonly temporalServer: number | null;
  readonly postgres: number | null;
  readonly receiver: number | null;
  /** Of the worker's threads, by name. */
  readonly worker: ReadonlyMap<string, number> | null;
};

/** Temporal's SDK talks to the server in threads of its own, which run no JavaScript. */
const OF_SDK = /^(tokio|temporal|worker-core|rt-)/;
/** V8's and Node's helpers: collecting garbage beside the program, compiling, files, names of hosts, cryptography. */
const HELPERS = /^(V8Worker|libuv-worker|node-V8|DelayedTask|SignalInspector)/;

/** Where the time of a change goes, the largest first. */
export function rowsOf(profiles: readonly CpuProfile[], taken: Taken, changes: number): readonly Row[] {
  const sampledMs = partsMs(profiles);
  const { sdk, helpers, javaScript } = threadsOf(taken.worker);
  const all = [...sampledMs.values()].reduce((sum, ms) => sum + ms, 0);
  // Samples are taken by the clock: what the thread did not get of a busy machine is in them, and is taken out again.
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

function threadsOf(
  threads: Taken['worker'],
): Readonly<Record<'sdk' | 'helpers' | 'javaScript', number | null>> {
  if (threads === null) return { sdk: null, helpers: null, javaScript: null };
  const sumOf = (is: (name: string) => boolean): number =>
    [...threads].filter(([name]) => is(name)).reduce((sum, [, ms]) => sum + ms, 0);
  return {
    sdk: sumOf((name) => OF_SDK.test(name)),
    helpers: sumOf((name) => HELPERS.test(name)),
    javaScript: sumOf((name) => !OF_SDK.test(name) && !HELPERS.test(name)),
  };
}

/** The rows as text, one line each, with each one's share of what is known. */
export function shareTable(rows: readonly Row[]): string {
  const all = rows.reduce((sum, { msPerChange }) => sum + (msPerChange ?? 0), 0);
  const width = Math.max(...rows.map(({ part }) => part.length));
  const line = (part: string, share: string, ms: string): string =>
    `${part.padEnd(width)}  ${share.padStart(6)}  ${ms.padStart(9)}`;
  const lines = rows.map(({ part, msPerChange: ms }) =>
    ms === null ? line(part, '', 'unknown') : line(part, `${((100 * ms) / all).toFixed(1)} %`, ms.toFixed(2)),
  );
  return [line('part', 'share', 'ms/change'), ...lines, line('all of it', '', all.toFixed(2)), ''].join('\n');
}
