import { randomUUID } from 'node:crypto';
import type { LeavingRow, SettledRow } from '../../src/ledger/mirror/mirror-ledger.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { RowFeed } from './crm-rows.ts';

/**
 * The longest time, in ms, between storing in the ledger that a write will be sent and sending it. A worker that stalls for longer in
 * between must not send the write.
 */
const LEAVES_WITHIN_MS = 30_000;
/** How long, in ms, an abandoned request may still be applied: Salesforce works on it for at most ten minutes, plus the time to send it. */
const ARRIVES_WITHIN_MS = 11 * 60_000;

/** Sends the rows with these ids to the CRM, and converts the answers for the ledger. */
export type FencedWrite<Answers> = {
  readonly send: (ids: ReadonlySet<string>) => Promise<Answers>;
  readonly settle: (answers: Answers) => Promise<readonly SettledRow[]>;
};

/**
 * Writes rows to the CRM, safely even if this worker stalls in between. Sends only rows that are current in the ledger. If two workers may
 * have sent the same row, the ledger marks the row as to be written again. Returns the ids of sent rows.
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
