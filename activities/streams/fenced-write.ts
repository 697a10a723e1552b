import { randomUUID } from 'node:crypto';
import type { LeavingRow, SettledRow } from '../../src/ledger/mirror/mirror-ledger.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { RowFeed } from './crm-rows.ts';

/**
 * How long, in ms, a write may wait between its announcement in the ledger (Lockstep's database) and its request. If a worker stalls for
 * longer in between, it must not send the write.
 */
const LEAVES_WITHIN_MS = 30_000;
/**
 * For how long, in ms, Salesforce may still apply a request that was abandoned: Salesforce works on a request for at most ten minutes; the
 * rest is the time to send it.
 */
const ARRIVES_WITHIN_MS = 11 * 60_000;

/**
 * The two parts of a write: `send` sends the rows with these ids to the CRM, and `settle` converts the CRM's answers to results that the
 * ledger (Lockstep's database) stores.
 */
export type FencedWrite<Answers> = {
  readonly send: (ids: ReadonlySet<string>) => Promise<Answers>;
  readonly settle: (answers: Answers) => Promise<readonly SettledRow[]>;
};

/**
 * Writes rows to the CRM, safely even if this worker stalls in between. Sends only rows whose values are still current in the ledger
 * (Lockstep's database). If two workers may have sent one row, the ledger notes that the row must be written again. Returns the ids of the
 * sent rows.
 */
export async function fenced<Answers>(
  feed: RowFeed,
  rows: readonly LeavingRow[],
  { send, settle }: FencedWrite<Answers>,
): Promise<ReadonlySet<string>> {
  const { deps, runtime, into } = feed;
  const { tenant } = runtime.tenant;
  const id = randomUUID();
  const at = deps.now();
  const until = new Date(Date.parse(at) + ARRIVES_WITHIN_MS).toISOString();
  const ids = new Set(await deps.ledger.markLeaving(tenant, into.object, rows, { id, at, until }));
  const settled = (answeredRows: readonly SettledRow[]) =>
    deps.ledger.settleMirrored(tenant, into.object, answeredRows, { id, at: deps.now() });
  const notUnderWay = () => settled([...ids].map((row) => ({ id: row, isTaken: false })));
  if (ids.size === 0) return ids;
  // After such a delay, another writer may have written these rows.
  if (Date.parse(deps.now()) - Date.parse(at) > LEAVES_WITHIN_MS) return new Set();
  const answers = await send(ids).catch(async (error: unknown) => {
    if (isRefusal(error)) await notUnderWay();
    throw error;
  });
  try {
    await settled(await settle(answers));
  } catch (error) {
    if (error instanceof CrmError) await notUnderWay();
    throw error;
  }
  return ids;
}

/** Whether Salesforce refused the request, so that it cannot be applied later. */
function isRefusal(error: unknown): boolean {
  return error instanceof CrmError && error.kind !== 'transient' && error.kind !== 'unknown';
}
