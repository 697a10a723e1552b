import { type RawBuilder, sql } from 'kysely';
import type { TableRow } from './sealed-columns.ts';
import type { Store } from './store.ts';

type KeyColumn = { readonly name: string; readonly type: string };

/** A row of a table, with an SQL condition that is true for this row only. */
export type PagedRow = { readonly row: TableRow; readonly isThis: RawBuilder<boolean> };

type Asked = {
  readonly limit: number;
  /** The tenant whose rows are read; if absent, the rows of all tenants. */
  readonly tenant?: string;
  /** An SQL condition that limits the rows further. */
  readonly only?: RawBuilder<unknown>;
};

/**
 * The sort columns for reading one tenant's rows of a table whose primary key does not begin with the tenant. An index has these columns,
 * so that a page does not scan the rows of all tenants.
 */
const WITHIN_TENANT: Readonly<Record<string, readonly string[]>> = {
  journal: ['tenant', 'key', 'at', 'seq'],
};

/**
 * Reads a table's rows in pages of `limit` rows, in the order of the primary key (or of `WITHIN_TENANT`). May miss rows that are written
 * while it reads.
 */
export async function* pagesOf(
  { db }: Store,
  table: string,
  { limit, tenant, only }: Asked,
): AsyncGenerator<readonly PagedRow[]> {
  const key = await keyOf(db, table, tenant === undefined ? null : (WITHIN_TENANT[table] ?? null));
  const names = sql.join(key.map(({ name }) => sql.ref(name)));
  const texts = sql.join(key.map(({ name }, n) => sql`${sql.ref(name)}::text as ${sql.ref(keyName(n))}`));
  const ofTenant = tenant === undefined ? NOTHING : sql`and tenant = ${tenant}`;
  const wanted = only === undefined ? NOTHING : sql`and (${only})`;
  for (let beyond = NOTHING; ; ) {
    const { rows } = await sql<TableRow>`
      select ${sql.table(table)}.*, ${texts} from ${sql.table(table)}
      where true ${ofTenant} ${beyond} ${wanted} order by ${names} limit ${limit}`.execute(db);
    const page = rows.map((row) => paged(row, key));
    if (page.length > 0) yield page.map(({ row, isThis }) => ({ row, isThis }));
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    beyond = sql`and (${names}) > (${sql.join(last.values)})`;
  }
}

const NOTHING = sql``;
const keyName = (n: number): string => `key_${n}`;

function paged(found: TableRow, key: readonly KeyColumn[]) {
  const values = key.map(({ type }, n) => sql`${found[keyName(n)]}::${sql.raw(type)}`);
  const same = key.map(({ name }, n) => sql`${sql.ref(name)} = ${values[n]}`);
  const cells = Object.entries(found).filter(([name]) => !key.some((_, n) => name === keyName(n)));
  const row = Object.fromEntries(cells) as TableRow;
  return { row, values, isThis: sql<boolean>`${sql.join(same, sql` and `)}` };
}

/** The columns `named`, or if null the columns of the table's primary key, in order and with their types. */
async function keyOf(db: Store['db'], table: string, named: readonly string[] | null): Promise<readonly KeyColumn[]> {
  const { rows } = await sql<KeyColumn & { keyed: number | null }>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      array_position(i.indkey::int2[], a.attnum) as keyed
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid
    where i.indrelid = to_regclass(quote_ident(${table})) and i.indisprimary and a.attnum > 0
    order by keyed`.execute(db);
  if (named === null) return rows.filter(({ keyed }) => keyed !== null);
  return named.flatMap((name) => rows.find((row) => row.name === name) ?? []);
}
