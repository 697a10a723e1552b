import { sql } from 'kysely';
import type { ShownCode } from '../../domain/mapping/index.ts';
import type { Store } from '../core/store.ts';
import type { NotedCode } from './stream-ledger.ts';

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

type CodeRow = {
  tenant: string;
  field: ShownCode['field'];
  code: string;
  readings: string;
  first_at: Date;
  last_at: Date;
};

/** What was counted, by field. */
export async function notedCodes(store: Store, tenant: string): Promise<readonly NotedCode[]> {
  return (await notedCodesOf(store, [tenant])).get(tenant) ?? [];
}

/** What was counted of several tenants, by field; those of which nothing was are left out. */
export async function notedCodesOf(
  { db }: Store,
  tenants: readonly string[],
): Promise<ReadonlyMap<string, readonly NotedCode[]>> {
  const { rows } = await sql<CodeRow>`
    select tenant, field, code, readings, first_at, last_at from vendor_codes
    where tenant = any(${[...tenants]}::text[]) order by tenant, field, code`.execute(db);
  return new Map(
    Object.entries(Object.groupBy(rows, ({ tenant }) => tenant)).map(([tenant, own = []]) => [
      tenant,
      own.map(toNotedCode),
    ]),
  );
}

function toNotedCode({ field, code, readings, first_at, last_at }: CodeRow): NotedCode {
  return {
    ...{ field, code, readings: Number(readings) },
    ...{ since: first_at.toISOString(), at: last_at.toISOString() },
  };
}
