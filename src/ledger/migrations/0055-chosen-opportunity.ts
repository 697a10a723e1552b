import { type Kysely, sql } from 'kysely';

/** `chosen`: the CRM id of the opportunity to which an operator linked an order. The opportunity that the vendor names comes before it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mirror_rows add column chosen text`.execute(db);
}
