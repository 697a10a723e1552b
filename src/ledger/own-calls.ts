import { sql } from 'kysely';
import type { Ledger } from './ledger.ts';
import { noteRestored } from './restores.ts';
import { plainly, type Store } from './store.ts';

/** What is about the ledger as a whole. */
export function ownCalls(store: Store): Pick<Ledger, 'noteRestored' | 'sizeBytes' | 'ping' | 'close'> {
  return {
    noteRestored: (at) => plainly(() => noteRestored(store, at)),
    sizeBytes: () =>
      plainly(async () => {
        const { rows } = await sql<{
          bytes: string;
        }>`select pg_database_size(current_database()) as bytes`.execute(store.db);
        return Number(rows[0]?.bytes);
      }),
    ping: () =>
      plainly(async () => {
        await sql`select 1`.execute(store.db);
      }),
    close: () => store.db.destroy(),
  };
}
