import { type RawBuilder, sql } from 'kysely';
import { withoutPerson } from '../../domain/record/person.ts';
import { SEALED_COLUMNS } from '../core/sealed-columns.ts';
import type { Store } from '../core/store.ts';
import { type PagedRow, pagesOf } from '../core/table-pages.ts';

/**
 * In how many rows of the ledger a person was found. `past`: the number of finished rows by table. A row is finished if no later sync reads
 * it.
 */
export type PersonFound = {
  readonly past: Readonly<Record<string, number>>;
  /**
   * The number, by table, of rows that contain the person and that later syncs still need. They are never changed, because the CRM or the
   * vendor still shows the person.
   */
  readonly live: Readonly<Record<string, number>>;
  /**
   * Keys of the links whose finished rows (which no later sync reads) contain the person. The caller then searches for the person in the
   * workflow histories of these links.
   */
  readonly pastKeys: readonly string[];
  readonly liveKeys: readonly string[];
};

const AT_ONCE = 500;

/**
 * Tables with values of records, each with the SQL condition for finished rows, which no later sync reads. Only these are erased. Null if a
 * later sync may read every row of the table, so that none is erased.
 */
const TABLES: Readonly<Record<string, RawBuilder<boolean> | null>> = {
  links: sql<boolean>`state in ('detached', 'vendor-missing', 'superseded') and generation = observed_generation`,
  plans: sql<boolean>`not exists (select from links l where l.tenant = plans.tenant and l.newest_plan = plans.id)`,
  journal: sql<boolean>`true`,
  mirror_rows: null,
  row_news: null,
  refused_rows: null,
};

/**
 * Erases a person from all finished rows of a tenant (which no later sync reads): decrypts each value and encrypts it again without the
 * person. Without `erases`, only counts. A row that changes meanwhile is left for the next run. Runs outside a transaction, page by page.
 */
export async function erasePerson(store: Store, tenant: string, email: string, erases: boolean): Promise<PersonFound> {
  const [past, live] = [counter(), counter()];
  await store.sealer.fetch(tenant);
  for (const [table, spare] of Object.entries(TABLES)) {
    const kinds = spare === null ? [] : [{ only: spare, count: past, erases }];
    const needed = spare === null ? sql<boolean>`true` : sql<boolean>`not (${spare})`;
    for (const kind of [...kinds, { only: needed, count: live, erases: false }])
      for await (const page of pagesOf(store, table, { limit: AT_ONCE, tenant, only: kind.only })) {
        await store.sealer.fetch(tenant);
        for (const row of page)
          if (await concerns(store, table, row, email, kind.erases)) kind.count.add(table, row.row['key']);
      }
  }
  return { past: past.rows, live: live.rows, pastKeys: [...past.keys], liveKeys: [...live.keys] };
}

function counter() {
  const rows: Record<string, number> = {};
  const keys = new Set<string>();
  const add = (table: string, key: unknown): void => {
    rows[table] = (rows[table] ?? 0) + 1;
    if (typeof key === 'string') keys.add(key);
  };
  return { rows, keys, add };
}

/**
 * Whether a row contains the person. With `erases`, the person is also removed: the row's columns are encrypted again without the person.
 */
async function concerns(
  { db, sealer }: Store,
  table: string,
  { row, isThis }: PagedRow,
  email: string,
  erases: boolean,
): Promise<boolean> {
  let isFound = false;
  for (const [column, placeAt] of Object.entries(SEALED_COLUMNS[table] ?? {})) {
    const sealed = row[column] as Buffer | null;
    if (sealed === null) continue;
    const { value, found } = withoutPerson(sealer.open(sealed, placeAt(row)), email);
    if (found === 0) continue;
    isFound = true;
    if (erases)
      await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${sealer.seal(value, placeAt(row))}
        where ${isThis} and ${sql.ref(column)} = ${sealed}`.execute(db);
  }
  return isFound;
}
