import { SEALED_COLUMNS, type TableRow } from '../core/sealed-columns.ts';
import type { Store } from '../core/store.ts';
import { pagesOf } from '../core/table-pages.ts';
import { tenantTables } from './erase.ts';
import type { ExportedRow } from './tenant-ledger.ts';

const AT_ONCE = 500;

/** The parts of a tenant's data that an export leaves out: tables that contain only keys (`true`), and columns that contain secrets. */
const KEPT_BACK: Readonly<Record<string, true | readonly string[]>> = {
  data_keys: true,
  vendor_keys: ['in_use', 'in_use_hash', 'previous', 'waiting', 'waiting_hash'],
  tenants: ['secrets'],
};

/**
 * All rows of a tenant, in pages, without secrets. The rows of one page were read at the same moment, those of different pages at different
 * moments.
 */
export async function* exportRows(store: Store, tenant: string): AsyncGenerator<readonly ExportedRow[]> {
  for (const table of await tenantTables(store)) {
    const kept = KEPT_BACK[table];
    if (kept === true) continue;
    for await (const page of pagesOf(store, table, { limit: AT_ONCE, tenant })) {
      await store.sealer.fetch(tenant);
      yield page.map(({ row }) => ({ table, row: readable(store, table, row, kept ?? []) }));
    }
  }
}

function readable(
  { sealer }: Store,
  table: string,
  row: TableRow,
  kept: readonly string[],
): Readonly<Record<string, unknown>> {
  const places = SEALED_COLUMNS[table] ?? {};
  const cells = Object.entries(row).filter(([column]) => !kept.includes(column));
  return Object.fromEntries(
    cells.map(([column, value]) => {
      const placeOf = places[column];
      return [column, placeOf === undefined || value === null ? value : sealer.open(value as Buffer, placeOf(row))];
    }),
  );
}
