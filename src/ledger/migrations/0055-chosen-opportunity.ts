import { type Kysely, sql } from 'kysely';

/**
 * Adds `chosen`: the CRM id of the opportunity to which an operator linked an order. It has no effect if the vendor names an opportunity
 * for the order.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mirror_rows add column chosen text`.execute(db);
}
