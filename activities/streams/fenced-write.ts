import { randomUUID } from 'node:crypto';
import type { LeavingRow, SettledRow } from '../../src/ledger/mirror/mirror-ledger.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { RowFeed } from './crm-rows.ts';

/** A write leaves within this of being noted, or not at all: a worker may be paused in between. */
const LEAVES_WITHIN_MS = 30_000;
/** Longer than Salesforce works on a request that we have given up: ten minutes at most, and the time to leave. */
const ARRIVES_WITHIN_MS = 11 * 60_000;

/** How rows are given to the CRM, those whose ids these are, and what the ledger is to know of what it answered. */
export type FencedWrite<Answers> = {
  readonly send: (ids: ReadonlySet<string>) => Promise<Answers>;
  readonly settle: (answers: Answers) => Promise<readonly SettledRow[]>;
};

/**
 * Gives rows to the CRM so that a stale writer does no harm. A worker may be paused for minutes and go on, while another writes
 * newer rows: only what is still the ledger's leaves, soon after the ledger was asked; and where two writes of a row were
 * under way at once, its state is given anew when neither can arrive any longer. The ids that left.
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
  // Another may have written these rows meanwhile, and knows nothing of us but that we may.
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

/** Salesforce said no: nothing of the request can arrive later. */
function isRefusal(error: unknown): boolean {
  return error instanceof CrmError && error.kind !== 'transient' && error.kind !== 'unknown';
}
