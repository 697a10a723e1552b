import type { Base } from './base.ts';
import type { RefusedClaim } from './claim.ts';
import type { Issue } from './issue.ts';
import type { LinkState } from './link-state.ts';
import type { LinkedBy } from './linked-by.ts';
import type { VendorObservation } from './observation.ts';
import type { PickedSide } from './pick.ts';
import type { Reported } from './reported.ts';
import type { WaitReason } from './wait-reason.ts';

/** The `retryAt` of a link that an operator ordered to retry: the epoch, which is always past. */
export const MANUAL_RETRY = new Date(0).toISOString();

/** The durable one-to-one pair of a CRM record and a vendor record, with its stored state. */
export type Link = {
  readonly tenant: string;
  /** The first id under which the deal was seen; also part of the workflow's id. Never changes. */
  readonly key: string;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  readonly base: Base | null;
  readonly vendorObservation: VendorObservation | null;
  /** The kind of a vendor write whose outcome is unknown. The next decision then needs a read (or a search). */
  readonly vendorInDoubt: 'no' | 'create' | 'update';
  /**
   * Since when Lockstep has been searching the vendor for the record of its own create: from the first ERR801 (the reference exists
   * already), or from a lost answer. Null if it does not search.
   */
  readonly adoptingSince: string | null;
  /**
   * Counts the changes that were reported for the link. Work on the link notes the count at its start, and stores it in
   * `observedGeneration` at its end. While the two differ, the link is due: a change is not synced yet.
   */
  readonly generation: number;
  readonly observedGeneration: number;
  /** Whether a search reported a change at the vendor that was not read yet. An observation of the CRM alone then cannot end the work. */
  readonly vendorDue: boolean;
  readonly issues: readonly Issue[];
  /** Since when a known change has been waiting, ISO; null if no change waits. */
  readonly waitingSince: string | null;
  /** Why a known change waits, if the record's last work has failed; else null. */
  readonly waitingFor: WaitReason | null;
  /** For a record that is parked because all its work fails: since when, ISO. Null while the remote systems answer. */
  readonly failingSince: string | null;
  /** When waiting work is retried automatically, ISO; null if nothing waits. */
  readonly retryAt: string | null;
  /** What the CRM's users see of the record; null if it was never reported. */
  readonly reported: Reported | null;
  /**
   * Since when another writer has been reporting to the CRM's users that the change waits, ISO; absent if none is. The work on the record
   * must then send its own report afterwards.
   */
  readonly waitReportedSince?: string;
  /**
   * Whether the record became due (got a change to sync) together with many others, so that its CRM calls may wait seconds to share
   * requests.
   */
  readonly inBurst?: true;
  /** Whether the tenant's lane (the workflow for many records) processes the record. The lane may already have read the vendor's change. */
  readonly inLane?: true;
  /** The side that an operator preferred when linking the pair, for fields on which the sides never agreed; absent if none. */
  readonly firstPick?: PickedSide;
  /** The CRM ids that the deal had before, oldest first (see `WithFormerIds`). Absent if the id never changed. */
  readonly formerIds?: readonly string[];
  /** How the pair came to be; absent for an unlinked record, and for pairs that an earlier release linked. */
  readonly linkedBy?: LinkedBy;
  /** The vendor id that a user entered and that was refused; absent or null if none was. */
  readonly refusedClaim?: RefusedClaim | null;
  /** When the ledger was last restored from a backup, ISO; absent if the link was made later. */
  readonly restoredAt?: string;
  readonly updatedAt: string;
  /** The id of the plan that may be sent; absent if the last decision writes nothing. */
  readonly newestPlan?: string;
};
