import { type Kysely, sql } from 'kysely';

const TABLES = ['cursors', 'seen_rows', 'parked_rows'] as const;

/**
 * Renames cursors after their streams (`pollVendor`, `checkVendorRecords`, `sweepSalesforce`), and changes the stream names in stored rows
 * likewise, so that each stream has its own cursor and rows.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of TABLES) {
    const table = sql.table(name);
    await sql`update ${table} set stream = 'pollVendor' where stream = 'vendor-opportunities'`.execute(db);
    await sql`update ${table} set stream = 'checkVendorRecords' where stream = 'vendor-linked'`.execute(db);
    await sql`update ${table} set stream = 'sweepSalesforce' || substr(stream, 4) where stream like 'crm:%'`.execute(
      db,
    );
  }
}
