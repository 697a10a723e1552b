import type { Base } from './base.ts';
import type { RefusedClaim } from './claim.ts';
import type { Issue } from './issue.ts';
import type { LinkState } from './link-state.ts';
import type { LinkedBy } from './linked-by.ts';
import type { VendorObservation } from './observation.ts';
import type { PickedSide } from './pick.ts';
import type { Reported } from './reported.ts';
import type { WaitReason } from './wait-reason.ts';

/** The `retryAt` of a link after an operator has ordered a retry: the beginning of 1970, so that the retry is due at once. */
export const MANUAL_RETRY = new Date(0).toISOString();

/** A deal's link: the pair of its CRM record and its vendor record, with the state that Lockstep stores for it. */
export type Link = {
  readonly tenant: string;
  /** The link's identity: the first id under which Lockstep saw the deal. The key never changes, and is also part of the workflow's id. */
  readonly key: string;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  readonly base: Base | null;
  readonly vendorObservation: VendorObservation | null;
  /**
   * The kind of write to the vendor whose outcome is unknown; `no` if there is none. Unless it is `no`, Lockstep must read or search the
   * vendor's record before it decides again.
   */
  readonly vendorInDoubt: 'no' | 'create' | 'update';
  /**
   * Since when Lockstep has been searching the vendor for a record that it may have created itself, ISO; null if it does not search. The
   * search begins when a create is refused with ERR801 (the reference exists already), or when the answer to a create was lost.
   */
  readonly adoptingSince: string | null;
  /**
   * `generation`: how often a change was reported for the link. Work on the link stores the number that it read at its start as
   * `observedGeneration` at its end. While the two differ, the link is due: a change is not synced yet.
   */
  readonly generation: number;
  readonly observedGeneration: number;
  /**
   * Whether a change at the vendor was reported and the vendor's record was not read since. While true, work that reads only the CRM does
   * not complete the sync.
   */
  readonly vendorDue: boolean;
  readonly issues: readonly Issue[];
  /** Since when a known change has been waiting, ISO; null if no change waits. */
  readonly waitingSince: string | null;
  /** Why a known change waits, if the last work on the record failed; else null. */
  readonly waitingFor: WaitReason | null;
  /**
   * Since when every attempt to work on the record has failed, ISO. Such a record is tried again at growing intervals. Null while the
   * remote systems answer.
   */
  readonly failingSince: string | null;
  /** When Lockstep works on the waiting record again, even without a new change, ISO; null if nothing waits for a retry. */
  readonly retryAt: string | null;
  /** What CRM users see about the sync of the record; null if Lockstep has never shown them anything about the record. */
  readonly reported: Reported | null;
  /**
   * Set while the activity that reports waiting records to CRM users may be writing to the CRM that a change of this record waits. The
   * value is the time, ISO, at which this activity announced its write. After that write, the record's workflow writes the record's new
   * state, so that CRM users do not keep seeing the wait.
   */
  readonly waitReportedSince?: string;
  /**
   * Whether the record became due (got a change to sync) together with many others. Its CRM calls may then wait some seconds, so that one
   * request contains several records.
   */
  readonly inBurst?: true;
  /**
   * Whether the tenant's lane (the workflow for many records) processes the record. The lane may then have read a newer state of the
   * vendor's record than the ledger (Lockstep's database) has, so the record's own workflow reads the vendor before it decides.
   */
  readonly inLane?: true;
  /**
   * The side that an operator preferred when linking the two records; absent if the operator named none. The value of this side wins in
   * fields on which the sides have never agreed.
   */
  readonly firstPick?: PickedSide;
  /**
   * The CRM ids that the deal had before its present one, oldest first: ids of converted or merged leads, and ids in previous orgs. Absent
   * if the id never changed.
   */
  readonly formerIds?: readonly string[];
  /**
   * How the CRM record and the vendor record came to be linked. Absent for an unlinked record, and for pairs that an earlier release
   * linked.
   */
  readonly linkedBy?: LinkedBy;
  /** The vendor id that a user entered in the opportunity and that Lockstep refused, with the reason. Absent or null if there is none. */
  readonly refusedClaim?: RefusedClaim | null;
  /**
   * When the ledger (Lockstep's database) was last restored from a backup, ISO; absent if the link was made later. The base (last agreed
   * values) has its own `restoredAt`: the last restore after which both sides were compared with it. If the two times differ, that
   * comparison is still due, because the restored base may lack newer agreements.
   */
  readonly restoredAt?: string;
  readonly updatedAt: string;
  /**
   * How often a step of the work on the record has changed the stored link; 0 for a new link. Together with `newestPlan`, this number is
   * the link's version for optimistic locking.
   */
  readonly version: number;
  /**
   * The id of the only plan (stored decision with its write) that may still be sent to the CRM or the vendor. Absent if the last decision
   * was to write nothing.
   */
  readonly newestPlan?: string;
};
