import type { StatusLedger } from '../../../src/operator/status.ts';
import type { streamMetrics } from '../../../src/operator/stream-metrics.ts';

/** What the metrics ask of all tenants at once, as the status asks it of each. */
export function ofFleet(ledger: StatusLedger): Parameters<typeof streamMetrics>[0] {
  return {
    crmUse: ledger.crmUse,
    streamTimes: async (tenants) => {
      const reads = await Promise.all(
        tenants.map(async (tenant) =>
          (await ledger.streamReads(tenant)).map(({ stream, readAt }) => ({
            tenant,
            stream,
            readAt,
            foundAt: null,
          })),
        ),
      );
      return reads.flat();
    },
    cursorParts: async (tenants, parts) => {
      const found = tenants.flatMap((tenant) =>
        parts.map(async (part) => {
          const position: unknown = await ledger.cursor(tenant, part.stream);
          const value = part.path.reduce(
            (at, name) => (at as Record<string, unknown> | null)?.[name],
            position,
          );
          return { tenant, ...part, value };
        }),
      );
      return (await Promise.all(found)).filter(({ value }) => value !== undefined && value !== null);
    },
    notedCodesOf: async (tenants) =>
      new Map(
        await Promise.all(tenants.map(async (tenant) => [tenant, await ledger.notedCodes(tenant)] as const)),
      ),
  };
}
