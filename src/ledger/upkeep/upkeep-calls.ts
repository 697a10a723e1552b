import { sql } from 'kysely';
import { useDataKeys } from '../core/data-keys.ts';
import { plainCalls, plainly, type Store } from '../core/store.ts';
import { noteRestored } from '../links/restores.ts';
import { erasePerson } from './erase-person.ts';
import { sealingKeysInUse } from './reseal.ts';
import { keepRetention } from './retention.ts';
import type { UpkeepLedger } from './upkeep-ledger.ts';

export function upkeepCalls(store: Store): Omit<UpkeepLedger, 'reseal'> {
  return {
    ...plainCalls(store, { useDataKeys, sealingKeysInUse, erasePerson, noteRestored, keepRetention }),
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
