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
