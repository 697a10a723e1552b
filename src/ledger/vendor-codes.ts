import { sql } from 'kysely';
import type { ShownCode } from '../domain/mapping/index.ts';
import type { Store } from './store.ts';
import type { NotedCode } from './watch-ledger.ts';

/** A vendor that makes codes up makes many: of a tenant so many are told apart, and the rest is not kept. */
const MOST_CODES = 500;

/** Counts codes that a reading has shown. */
export async function noteCodes(
  { db }: Store,
  tenant: string,
  codes: readonly ShownCode[],
  at: string,
): Promise<void> {
  const [fields, texts] = [codes.map(({ field }) => field), codes.map(({ code }) => code)];
  await sql`insert into vendor_codes as v (tenant, field, code, first_at, last_at)
    select ${tenant}, shown.field, shown.code, ${at}::timestamptz, ${at}::timestamptz
    from unnest(${fields}::text[], ${texts}::text[]) as shown (field, code)
    where exists (select from vendor_codes o where o.tenant = ${tenant} and o.field = shown.field and o.code = shown.code)
       or (select count(*) from vendor_codes o where o.tenant = ${tenant}) < ${MOST_CODES}
    order by shown.field, shown.code
    on conflict (tenant, field, code) do update
    set readings = v.readings + 1, last_at = greatest(v.last_at, excluded.last_at)`.execute(db);
}

/** What was counted, by field. */
export async function notedCodes({ db }: Store, tenant: string): Promise<readonly NotedCode[]> {
  type Row = { field: ShownCode['field']; code: string; readings: string; first_at: Date; last_at: Date };
  const { rows } = await sql<Row>`select field, code, readings, first_at, last_at from vendor_codes
    where tenant = ${tenant} order by field, code`.execute(db);
  return rows.map(({ field, code, readings, first_at, last_at }) => ({
    field,
    code,
    readings: Number(readings),
    since: first_at.toISOString(),
    at: last_at.toISOString(),
  }));
}
