import type { Intake } from '../../intake/intake.ts';
import type { LinkIds, LinkLedger } from '../../ledger/links/link-ledger.ts';
import type { PauseLedger } from '../../ledger/quota/quota-ledger.ts';
import { findLinkOf, vendorIdOf } from './find-link.ts';
import { type RemoteRecords, UnknownRecord } from './remote-records.ts';
import { type RecordOutcome, whenSettled } from './when-settled.ts';

export type RecordSynced = {
  /**
   * The id that the operator gave. For a record that was included only because of `allParked`: the key of its link (stored pair of CRM
   * record and vendor record).
   */
  readonly id: string;
  /** The id in Temporal of the record's workflow. */
  readonly workflowId: string;
  /** The state of the record after its sync; null if the command does not wait for the sync. */
  readonly outcome: RecordOutcome | null;
};

export type RecordsSynced = {
  readonly shape: 'sync/1';
  readonly tenant: string;
  readonly records: readonly RecordSynced[];
};

/**
 * The records to sync. `crmIds`: 18-character ids of opportunities or leads. `others`: vendor ids, or keys of links (stored pairs of CRM
 * record and vendor record). `allParked`: also all records in the state `parked` (which wait until a user or operator acts), but not those
 * in other waiting states, such as `conflict`.
 */
export type SyncOrder = {
  readonly crmIds: readonly string[];
  readonly others: readonly string[];
  readonly allParked: boolean;
  /** How long to wait until the records are synced, in milliseconds; 0 does not wait. */
  readonly waitMs: number;
};

export type SyncPorts = {
  readonly intake: Pick<Intake, 'requestSync'>;
  readonly ledger: Pick<LinkLedger, 'findLink' | 'findLinkByIds' | 'listLinks'> & Pick<PauseLedger, 'pauses'>;
  readonly remote: RemoteRecords;
  readonly pause: (ms: number) => Promise<void>;
};

/** The maximum number of parked records (which wait until a user or operator acts) that one command syncs. */
const MOST_PARKED = 10_000;

/**
 * Syncs records that an operator chose. Returns once their workflows were signalled. If `waitMs` is not 0, returns once the records are
 * synced or `waitMs` have passed. Throws UnknownRecord before it signals any workflow.
 */
export async function syncRecords(
  ports: SyncPorts,
  tenant: string,
  { crmIds, others, allParked, waitMs }: SyncOrder,
  at: string,
): Promise<RecordsSynced> {
  const { intake, ledger } = ports;
  const wanted = new Map<string, LinkIds>();
  for (const crmId of crmIds) wanted.set(crmId, await opportunityIds(ports, tenant, crmId));
  for (const id of others) wanted.set(id, await otherIds(ports, tenant, id));
  if (allParked) {
    const parked = await ledger.listLinks(tenant, { state: 'parked', limit: MOST_PARKED });
    for (const link of parked) wanted.set(link.key, oneOf(link));
  }
  const woken = new Map<string, string>();
  for (const [id, ids] of wanted) woken.set(id, (await intake.requestSync(tenant, ids, at)).workflowId);
  const outcomes = await whenSettled(ports, tenant, wanted, waitMs);
  const records = [...woken].map(([id, workflowId]) => ({
    id,
    workflowId,
    outcome: outcomes.get(id) ?? null,
  }));
  return { shape: 'sync/1', tenant, records };
}

async function opportunityIds({ ledger, remote }: SyncPorts, tenant: string, crmId: string): Promise<LinkIds> {
  const isKnown = (await ledger.findLinkByIds(tenant, { crmId })) !== null;
  if (!isKnown && (await remote.opportunity(crmId)) === null)
    throw new UnknownRecord(`There is no opportunity ${crmId} in the org of ${tenant}.`);
  return { crmId };
}

async function otherIds({ ledger, remote }: SyncPorts, tenant: string, id: string): Promise<LinkIds> {
  const link = await findLinkOf(ledger, tenant, id);
  if (link !== null) return oneOf(link);
  // The ledger (Lockstep's database) does not know the record: no poll has found it, for example because its last change was before the
  // first poll.
  const vendorId = vendorIdOf(id);
  if (await remote.hasVendorRecord(vendorId)) return { vendorId };
  throw new UnknownRecord(
    `${id} is neither an opportunity id nor a record that is known, and the vendor shows none of that id to ${tenant}.`,
  );
}

type Pair = { readonly crmId: string | null; readonly vendorId: string | null };

function oneOf({ crmId, vendorId }: Pair): LinkIds {
  if (crmId !== null) return { crmId };
  return vendorId === null ? {} : { vendorId };
}
