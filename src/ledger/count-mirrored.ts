import { sql } from 'kysely';
import type { MirrorCounts } from './mirror-ledger.ts';
import type { Store } from './store.ts';

export async function countMirrored(store: Store, tenant: string): Promise<MirrorCounts> {
  const { rows } = await sql<Record<keyof MirrorCounts, string>>`select
    (select count(*) from mirror_rows where tenant = ${tenant} and master is null and taken and seen is null) as shown,
    (select count(*) from due_details where tenant = ${tenant}) as "toRead",
    (select count(*) from mirror_rows where tenant = ${tenant} and pending is not null and seen is null) as "toWrite"`.execute(
    store.db,
  );
  const [counts] = rows;
  return {
    shown: Number(counts?.shown),
    toRead: Number(counts?.toRead),
    toWrite: Number(counts?.toWrite),
  };
}

/** Those of some objects of which there is a row. */
export async function mirroredObjects(
  store: Store,
  tenant: string,
  objects: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ object: string }>`select object from unnest(${[...objects]}::text[]) as object
    where exists (select from mirror_rows m where m.tenant = ${tenant} and m.object = object.object)`.execute(
    store.db,
  );
  return rows.map(({ object }) => object);
}
