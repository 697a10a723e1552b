import type { TestLedger } from '../ledger/postgres.ts';

/** A copy of all rows of one tenant, like a backup. */
export interface LedgerCopy {
  /** Restores the ledger to the copy; later writes are lost. */
  restore(): Promise<void>;
}

type Query = TestLedger['query'];
let copies = 0;

/** Copies all of the ledger's rows of a tenant at this moment. */
export async function copyLedger(query: Query, tenant: string): Promise<LedgerCopy> {
  copies += 1;
  const name = (table: string): string => `copy_${copies}_${table}`;
  const tables = await tablesOf(query);
  for (const table of tables)
    await query(`create table ${name(table)} as select * from ${table} where tenant = '${tenant}'`);
  return {
    restore: async () => {
      for (const table of tables.toReversed()) await query(`delete from ${table} where tenant = $1`, [tenant]);
      for (const table of tables) {
        const columns = await storedColumns(query, table);
        await query(`insert into ${table} (${columns}) overriding system value select ${columns} from ${name(table)}`);
      }
    },
  };
}

/** The columns of a table but those that PostgreSQL computes, which a backup leaves out too. */
async function storedColumns(query: Query, table: string): Promise<string> {
  const rows = await query(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map((row) => String(row['name'])).join(', ');
}

/** The tables, with referenced tables first. */
async function tablesOf(query: Query): Promise<readonly string[]> {
  const rows = await query(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
     where a.attname = 'tenant' and c.relkind in ('r', 'p') and not c.relispartition and c.relname !~ '^copy_'
       and c.relnamespace = 'public'::regnamespace
     order by not exists (select from pg_constraint f where f.contype = 'f' and f.confrelid = c.oid), 1`,
  );
  return rows.map((row) => String(row['name']));
}
