import { type Kysely, sql } from 'kysely';

/**
 * Adds `chosen`: the CRM id of the opportunity to which an operator linked an order. An opportunity that the vendor names for the order
 * takes precedence.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mirror_rows add column chosen text`.execute(db);
}
