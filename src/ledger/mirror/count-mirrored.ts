import { sql } from 'kysely';
import type { Statement, Store } from '../core/store.ts';
import type { MirrorCounts, MirrorLedger } from './mirror-ledger.ts';

const NONE: MirrorCounts = { shown: 0, toRead: 0, toLoad: 0, toWrite: 0 };

export const countMirrored: Statement<MirrorLedger, 'countMirrored'> = async (store, tenant) => {
  return (await countMirroredOf(store, [tenant])).get(tenant) ?? NONE;
};

export async function countMirroredOf(
  { db }: Store,
  tenants: readonly string[],
): Promise<ReadonlyMap<string, MirrorCounts>> {
  const { rows } = await sql<Record<keyof MirrorCounts, string> & { tenant: string }>`select t.tenant,
    (select count(*) from mirror_rows where tenant = t.tenant and master is null and taken and seen is null) as shown,
    (select count(*) from due_details where tenant = t.tenant) as "toRead",
    (select count(*) from due_details where tenant = t.tenant and of_load and tries = 0) as "toLoad",
    (select count(*) from mirror_rows where tenant = t.tenant and pending is not null and seen is null) as "toWrite"
    from unnest(${[...tenants]}::text[]) as t (tenant)`.execute(db);
  return new Map(
    rows.map(({ tenant, shown, toRead, toLoad, toWrite }) => [
      tenant,
      {
        ...{ shown: Number(shown), toRead: Number(toRead) },
        ...{ toLoad: Number(toLoad), toWrite: Number(toWrite) },
      },
    ]),
  );
}

export const mirroredObjects: Statement<MirrorLedger, 'mirroredObjects'> = async (store, tenant, objects) => {
  const { rows } = await sql<{ object: string }>`select object from unnest(${[...objects]}::text[]) as object
    where exists (select from mirror_rows m where m.tenant = ${tenant} and m.object = object.object)`.execute(store.db);
  return rows.map(({ object }) => object);
};
