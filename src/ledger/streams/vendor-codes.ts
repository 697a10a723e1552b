import { sql } from 'kysely';
import type { ShownCode } from '../../domain/mapping/index.ts';
import type { Statement, Store } from '../core/store.ts';
import type { NotedCode, StreamLedger } from './stream-ledger.ts';

/**
 * The maximum number of unknown codes that the ledger stores for a tenant; further codes are dropped. These are codes in fields of vendor
 * records, such as a status, that Lockstep cannot translate. A vendor that sends one unknown code often sends many.
 */
const MOST_CODES = 500;

export const noteCodes: Statement<StreamLedger, 'noteCodes'> = async ({ db }, tenant, codes, at) => {
  const [fields, texts] = [codes.map(({ field }) => field), codes.map(({ code }) => code)];
  await sql`insert into vendor_codes as v (tenant, field, code, first_at, last_at)
    select ${tenant}, shown.field, shown.code, ${at}::timestamptz, ${at}::timestamptz
    from unnest(${fields}::text[], ${texts}::text[]) as shown (field, code)
    where exists (select from vendor_codes o where o.tenant = ${tenant} and o.field = shown.field and o.code = shown.code)
       or (select count(*) from vendor_codes o where o.tenant = ${tenant}) < ${MOST_CODES}
    order by shown.field, shown.code
    on conflict (tenant, field, code) do update
    set readings = v.readings + 1, last_at = greatest(v.last_at, excluded.last_at)`.execute(db);
};

type CodeRow = {
  tenant: string;
  field: ShownCode['field'];
  code: string;
  readings: string;
  first_at: Date;
  last_at: Date;
};

export const notedCodes: Statement<StreamLedger, 'notedCodes'> = async (store, tenant) => {
  return (await notedCodesOf(store, [tenant])).get(tenant) ?? [];
};

/**
 * The stored unknown codes, by tenant: codes in fields of vendor records, such as a status, that Lockstep cannot translate. Tenants without
 * such codes are left out.
 */
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
