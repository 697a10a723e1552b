import { sql } from 'kysely';
import type { Store } from '../core/store.ts';

export type ForgottenKind = 'journal' | 'plans' | 'deliveries';

/** Adds to the stored number of rows that were deleted because their retention ended. Monitoring reads this number. */
export async function countForgotten({ db }: Store, tenant: string, kind: ForgottenKind, rows: number): Promise<void> {
  if (rows === 0) return;
  await sql`
    insert into forgotten_rows (tenant, kind, removed) values (${tenant}, ${kind}, ${rows})
    on conflict (tenant, kind) do update set removed = forgotten_rows.removed + excluded.removed`.execute(db);
}
