import type { Base } from './base.ts';
import type { RefusedClaim } from './claim.ts';
import type { Issue } from './issue.ts';
import type { LinkState } from './link-state.ts';
import type { LinkedBy } from './linked-by.ts';
import type { VendorObservation } from './observation.ts';
import type { PickedSide } from './pick.ts';
import type { Reported } from './reported.ts';
import type { WaitReason } from './wait-reason.ts';

/** The `retryAt` of a link after an operator's order to retry it: the beginning of 1970, so that the retry is due at once. */
export const MANUAL_RETRY = new Date(0).toISOString();

/** A deal's link: the pair of its CRM record and its vendor record, with the state that Lockstep stores for it. */
export type Link = {
  readonly tenant: string;
  /** The link's identity: the first id under which Lockstep saw the deal. It never changes, and is also part of the workflow's id. */
  readonly key: string;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  readonly base: Base | null;
  readonly vendorObservation: VendorObservation | null;
  /**
   * The kind of write to the vendor whose outcome is unknown. Unless it is `no`, Lockstep must read or search the vendor before the next
   * decision.
   */
  readonly vendorInDoubt: 'no' | 'create' | 'update';
  /**
   * Since when Lockstep has been searching the vendor for a record that it may have created itself, ISO; null if it does not search. The
   * search begins when a create is refused with ERR801 (the reference exists already), or when the answer to a create was lost.
   */
  readonly adoptingSince: string | null;
  /**
   * The number of changes that were reported for the link. Work on the link reads the number at its start and stores it in
   * `observedGeneration` at its end. While the two differ, the link is due: a change is not synced yet.
   */
  readonly generation: number;
  readonly observedGeneration: number;
  /**
   * Whether a search reported a change at the vendor that was not read yet. While true, work that reads only the CRM does not complete the
   * sync.
   */
  readonly vendorDue: boolean;
  readonly issues: readonly Issue[];
  /** Since when a known change has been waiting, ISO; null if no change waits. */
  readonly waitingSince: string | null;
  /** Why a known change waits, if the last work on the record failed; else null. */
  readonly waitingFor: WaitReason | null;
  /**
   * Since when all work on the record has failed, ISO, so that the record is left to later retries. Null while the remote systems answer.
   */
  readonly failingSince: string | null;
  /** When waiting work is retried automatically, ISO; null if nothing waits. */
  readonly retryAt: string | null;
  /** What the CRM's users see of the record; null if it was never reported. */
  readonly reported: Reported | null;
  /**
   * Since when another writer has been sending the CRM a report that a change of the record waits, ISO; absent if no writer does. Work on
   * the record must send its own report afterwards.
   */
  readonly waitReportedSince?: string;
  /**
   * Whether the record became due (got a change to sync) together with many others, so that its CRM calls may wait seconds to share
   * requests.
   */
  readonly inBurst?: true;
  /** Whether the tenant's lane (the workflow for many records) processes the record. The lane may already have read the vendor's change. */
  readonly inLane?: true;
  /**
   * The side that an operator preferred when linking the pair; absent if the operator named none. Its value wins in fields on which the
   * sides have never agreed.
   */
  readonly firstPick?: PickedSide;
  /** The CRM ids that the deal had before, oldest first (see `WithFormerIds`). Absent if the id never changed. */
  readonly formerIds?: readonly string[];
  /** How the pair came to be; absent for an unlinked record, and for pairs that an earlier release linked. */
  readonly linkedBy?: LinkedBy;
  /** The vendor id that a user entered in the opportunity and that Lockstep refused; absent or null if there is none. */
  readonly refusedClaim?: RefusedClaim | null;
  /** When the ledger was last restored from a backup, ISO; absent if the link was made later. */
  readonly restoredAt?: string;
  readonly updatedAt: string;
  /** How often an outcome of a step was stored on the link; 0 for a new link. With `newestPlan` this is its version for optimistic locking. */
  readonly version: number;
  /** The id of the only plan that may still be sent; absent if the last decision was to write nothing. */
  readonly newestPlan?: string;
};
