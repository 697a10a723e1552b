import {
  askedOf,
  CATALOG_KINDS,
  CATALOG_STREAMS,
  type CatalogKind,
  type CatalogStream,
  type RefreshCursor,
} from '../../domain/streams/catalog-refresh.ts';
import type { StreamStarts } from '../../intake/stream-starts.ts';
import type { CatalogCount, CatalogLedger } from '../../ledger/mirror/catalog-ledger.ts';
import type { StreamLedger } from '../../ledger/streams/stream-ledger.ts';

/**
 * The state of one of the vendor's two catalogs (of its order API and its sales API) and of its refreshes. A refresh is one complete
 * reading of a catalog. Instants are ISO.
 */
export type CatalogPart = {
  readonly stream: CatalogStream;
  /** When the running refresh started; null if none is running. */
  readonly runningSince: string | null;
  readonly begunAt: string | null;
  readonly doneAt: string | null;
  /**
   * The parts of the catalog that the last refresh could not read. Their rows in the CRM were not deactivated, although the refresh did not
   * see them.
   */
  readonly failed: readonly string[];
  /** The number of catalog rows that Salesforce refuses, by reason. */
  readonly refused: Readonly<Record<string, number>>;
};

export type CatalogStatus = {
  readonly tenant: string;
  readonly parts: readonly CatalogPart[];
  readonly kinds: readonly (Omit<CatalogCount, 'object'> & { readonly kind: CatalogKind })[];
};

type StatusLedger = Pick<StreamLedger, 'cursor' | 'streamReads'> & Pick<CatalogLedger, 'countCatalog'>;

/** The status of the tenant's catalog, read from the ledger (Lockstep's database) only. */
export async function catalogStatus(ledger: StatusLedger, tenant: string): Promise<CatalogStatus> {
  const kinds = Object.keys(CATALOG_KINDS) as readonly CatalogKind[];
  const [reads, counts] = await Promise.all([ledger.streamReads(tenant), ledger.countCatalog(tenant, kinds)]);
  const parts = await Promise.all(
    CATALOG_STREAMS.map(async (stream): Promise<CatalogPart> => {
      const cursor = (await ledger.cursor(tenant, stream)) as RefreshCursor | null;
      return {
        stream,
        runningSince: cursor?.refresh ?? null,
        begunAt: cursor?.begunAt ?? null,
        doneAt: cursor?.doneAt ?? null,
        failed: cursor?.failed ?? [],
        refused: reads.find((read) => read.stream === stream)?.refusedRows ?? {},
      };
    }),
  );
  return {
    tenant,
    parts,
    kinds: kinds.map((kind) => {
      const { shown = 0, pending = 0, held = {} } = counts.find(({ object }) => object === kind) ?? {};
      return { kind, shown, pending, held };
    }),
  };
}

export type CatalogAsked = {
  readonly tenant: string;
  /** The catalogs whose refresh was started now. A catalog that is being refreshed is not listed; it is refreshed once more afterwards. */
  readonly begun: readonly CatalogStream[];
};

/**
 * Requests that the tenant's catalogs be read from the vendor now. If a refresh (a complete reading) is running, another refresh follows
 * it. `at`: the present instant, ISO.
 */
export async function refreshCatalog(
  { ledger, starts }: { readonly ledger: Pick<StreamLedger, 'saveCursor'>; readonly starts: StreamStarts },
  tenant: string,
  at: string,
): Promise<CatalogAsked> {
  const begun: CatalogStream[] = [];
  for (const stream of CATALOG_STREAMS) {
    await ledger.saveCursor(tenant, askedOf(stream), { at }, at);
    if (await starts.start(tenant, stream)) begun.push(stream);
  }
  return { tenant, begun };
}
