import { setImmediate } from 'node:timers/promises';
import type { FleetLedger } from '../../../src/ledger/stats/stats-ledger.ts';
import type { streamMetrics } from '../../../src/operator/metrics/stream-metrics.ts';
import type { StatusLedger } from '../../../src/operator/status/status.ts';

/** The ledger calls of the metrics, answered by the status ledger. */
export function ofFleet(ledger: StatusLedger): Parameters<typeof streamMetrics>[0] {
  return {
    ...ledger,
    streamTimes: async (tenants) =>
      [...(await ledger.streamReadsOf(tenants))].flatMap(([tenant, reads]) =>
        reads.map(({ stream, readAt }) => ({ tenant, stream, readAt, foundAt: null })),
      ),
  };
}

/** An answer that is equal for each tenant; no tenant is left out. */
export function sameOfEach<T>(answer: T) {
  return async (tenants: readonly string[]): Promise<ReadonlyMap<string, T>> =>
    new Map(tenants.map((tenant) => [tenant, answer]));
}

/** Cursor parts that are equal for each tenant. */
export function partsIn(positions: Readonly<Record<string, unknown>>): FleetLedger['cursorParts'] {
  return async (tenants, parts) =>
    tenants.flatMap((tenant) =>
      parts.flatMap((part) => {
        const value = part.path.reduce(
          (at, name) => (at as Record<string, unknown> | null | undefined)?.[name],
          positions[part.stream],
        );
        return value === undefined || value === null ? [] : [{ tenant, ...part, value }];
      }),
    );
}

/** A wrapper of the ledger that records its calls and answers each in a later turn of the event loop. */
export function watched<L extends object>(ledger: L) {
  const asked = { most: 0, calls: [] as { readonly name: string; readonly args: readonly unknown[] }[] };
  let now = 0;
  const calls = Object.entries(ledger).map(([name, call]) => [
    name,
    async (...args: unknown[]) => {
      asked.calls.push({ name, args });
      now += 1;
      asked.most = Math.max(asked.most, now);
      await setImmediate();
      now -= 1;
      return (call as (...args: unknown[]) => Promise<unknown>)(...args);
    },
  ]);
  return { asked, ledger: Object.fromEntries(calls) as L };
}
