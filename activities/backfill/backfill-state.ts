import { BACKFILL_CURSOR, type BackfillState } from '../../src/domain/backfill/backfill.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { failure } from '../support/to-failure.ts';

/** The tenant's backfill as the ledger (Lockstep's database) stores it. Throws a failure of type `BUG` if no backfill was begun. */
export async function backfillOf({ ledger }: ActivityDeps, tenant: string): Promise<BackfillState> {
  const state = await ledger.cursor(tenant, BACKFILL_CURSOR);
  if (state === null) throw failure('BUG', `no backfill of ${tenant} was begun`);
  return state as BackfillState;
}
