import type { Intake } from '../intake/intake.ts';
import type { Ledger, LinkIds } from '../ledger/ledger.ts';

export type RecordSynced = {
  /** As it was given; a parked record by its key. */
  readonly id: string;
  /** The workflow that looks at the record; its id is what the Temporal UI knows it by. */
  readonly workflowId: string;
};

export type RecordsSynced = { readonly tenant: string; readonly records: readonly RecordSynced[] };

/** A record that nobody knows. */
export class UnknownRecord extends Error {
  override readonly name = 'UnknownRecord';
}

/** Opportunities by their 18 characters, others by vendor id or key; `allParked`: whatever waits for somebody as well. */
export type SyncOrder = {
  readonly crmIds: readonly string[];
  readonly others: readonly string[];
  readonly allParked: boolean;
};

/** As many as one order wakes. */
const MOST_PARKED = 10_000;

/**
 * Has records looked at again, now, and sends again what was refused. Resolves when the work is on its way; it goes on in
 * Temporal. `at` is an ISO instant. Throws UnknownRecord before anything is woken.
 */
export async function syncRecords(
  { intake, ledger }: { readonly intake: Pick<Intake, 'lookAgain'>; readonly ledger: SyncLedger },
  tenant: string,
  { crmIds, others, allParked }: SyncOrder,
  at: string,
): Promise<RecordsSynced> {
  const wanted = new Map<string, LinkIds>(crmIds.map((crmId) => [crmId, { crmId }]));
  for (const id of others) wanted.set(id, await knownIds(ledger, tenant, id));
  if (allParked) {
    const parked = await ledger.listLinks(tenant, { state: 'parked', limit: MOST_PARKED });
    for (const link of parked) wanted.set(link.key, idsOf(link));
  }
  const records: RecordSynced[] = [];
  for (const [id, ids] of wanted) {
    const { workflowId } = await intake.lookAgain(tenant, ids, at);
    records.push({ id, workflowId });
  }
  return { tenant, records };
}

type SyncLedger = Pick<Ledger, 'findLink' | 'findLinkByIds' | 'listLinks'>;

async function knownIds(ledger: SyncLedger, tenant: string, id: string): Promise<LinkIds> {
  const link = (await ledger.findLinkByIds(tenant, { vendorId: id })) ?? (await ledger.findLink(tenant, id));
  if (link === null)
    throw new UnknownRecord(`${id} is neither an opportunity id nor a record that is known.`);
  return idsOf(link);
}

type Pair = { readonly crmId: string | null; readonly vendorId: string | null };

function idsOf({ crmId, vendorId }: Pair): LinkIds {
  if (crmId !== null) return { crmId };
  return vendorId === null ? {} : { vendorId };
}
