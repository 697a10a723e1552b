import { type RawBuilder, sql } from 'kysely';
import { type Sealing, sealedBy } from '../../platform/sealing.ts';
import { isDataKey, placeOf } from '../core/data-keys.ts';
import { SEALED_COLUMNS } from '../core/sealed-columns.ts';
import type { Statement, Store } from '../core/store.ts';
import { type PagedRow, pagesOf } from '../core/table-pages.ts';
import type { Resealed, UpkeepLedger } from './upkeep-ledger.ts';

const AT_ONCE = 500;

export const sealingKeysInUse: Statement<UpkeepLedger, 'sealingKeysInUse'> = async (store) => {
  const counts: Record<string, number> = {};
  const { rows } = await sql<{
    sealed: Buffer;
  }>`select sealed from data_keys where sealed is not null`.execute(store.db);
  for (const { sealed } of rows) counts[sealedBy(sealed)] = (counts[sealedBy(sealed)] ?? 0) + 1;
  for (const [table, columns] of Object.entries(SEALED_COLUMNS))
    for (const column of Object.keys(columns)) await countDirect(store, table, column, counts);
  return counts;
};

/**
 * Adds to `counts`, by key id, the number of values of a column that were encrypted with a sealing key (the key that all processes share)
 * instead of a tenant's data key. Each value begins with the id of its key.
 */
async function countDirect(
  { db }: Store,
  table: string,
  column: string,
  counts: Record<string, number>,
): Promise<void> {
  const { rows } = await sql<{ id: string; n: string }>`
    select convert_from(substring(${sql.ref(column)} from 3 for get_byte(${sql.ref(column)}, 1)), 'UTF8') as id, count(*) as n
    from ${sql.table(table)} where ${isDirect(column)} group by 1`.execute(db);
  for (const { id, n } of rows) counts[id] = (counts[id] ?? 0) + Number(n);
}

/** An SQL condition: the value was encrypted with a sealing key instead of a tenant's data key. The ids of data keys begin with `d:`. */
function isDirect(column: string): RawBuilder<boolean> {
  return sql`${sql.ref(column)} is not null and substring(${sql.ref(column)} from 3 for 2) <> 'd:'::bytea`;
}

/**
 * Encrypts all data keys with the newest sealing key. Then finds values that were encrypted with a sealing key, and encrypts them with
 * their tenant's data key instead. Works page by page. Skips a value that changes meanwhile, and everything that is done already, so the
 * call can be interrupted and repeated.
 */
export async function* reseal(store: Store, newest: Sealing): AsyncGenerator<Resealed> {
  for await (const page of pagesOf(store, 'data_keys', { limit: AT_ONCE, only: sql`sealed is not null` })) {
    let dataKeys = 0;
    for (const row of page) if (await resealKey(store, row, newest)) dataKeys += 1;
    yield { dataKeys, values: 0 };
  }
  for (const [table, columns] of Object.entries(SEALED_COLUMNS)) {
    const only = sql.join(Object.keys(columns).map(isDirect), sql` or `);
    for await (const page of pagesOf(store, table, { limit: AT_ONCE, only })) {
      const tenants = page.flatMap(({ row }) => Object.values(columns).map((placeAt) => placeAt(row).tenant));
      for (const tenant of new Set(tenants)) await store.sealer.fetch(tenant);
      let values = 0;
      for (const row of page) values += await resealRow(store, table, row);
      yield { dataKeys: 0, values };
    }
  }
}

async function resealKey({ db }: Store, { row, isThis }: PagedRow, newest: Sealing): Promise<boolean> {
  const sealed = row['sealed'] as Buffer;
  if (sealedBy(sealed) === newest.id) return false;
  const where = placeOf(row.tenant, String(row['id']));
  const resealed = newest.seal(newest.open(sealed, where), where);
  const { numAffectedRows = 0n } = await sql`
    update data_keys set sealed = ${resealed} where ${isThis} and sealed = ${sealed}`.execute(db);
  return numAffectedRows > 0n;
}

/**
 * Encrypts a row's values with the tenant's data key. Skips a value that has changed since it was read. Returns how many values were
 * encrypted.
 */
async function resealRow({ db, sealer }: Store, table: string, { row, isThis }: PagedRow): Promise<number> {
  let values = 0;
  for (const [column, placeAt] of Object.entries(SEALED_COLUMNS[table] ?? {})) {
    const sealed = row[column] as Buffer | null;
    if (sealed === null || isDataKey(sealedBy(sealed))) continue;
    const resealed = sealer.seal(sealer.open(sealed, placeAt(row)), placeAt(row));
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${resealed}
      where ${isThis} and ${sql.ref(column)} = ${sealed}`.execute(db);
    values += Number(numAffectedRows);
  }
  return values;
}
