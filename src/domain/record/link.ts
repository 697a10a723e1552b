import type { Base } from './base.ts';
import type { RefusedClaim } from './claim.ts';
import type { Issue } from './issue.ts';
import type { LinkState } from './link-state.ts';
import type { VendorObservation } from './observation.ts';
import type { PickedSide } from './pick.ts';
import type { Reported } from './reported.ts';
import type { WaitReason } from './wait-reason.ts';

/** The `retryAt` of a link that an operator ordered to retry: the epoch, so that the retry is always due. */
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
  /** When the vendor first answered ERR801 to a create, or a create's answer was lost; null if no adoption is under way. */
  readonly adoptingSince: string | null;
  /** Intake increments `generation`; a settle sets `observedGeneration` to the value at the start of its work. Due while they differ. */
  readonly generation: number;
  readonly observedGeneration: number;
  /** A search reported a change at the vendor that has not been read yet, so an observation of the CRM alone cannot settle the link. */
  readonly vendorDue: boolean;
  readonly issues: readonly Issue[];
  /** Since when a known change has been waiting, ISO; null if no change waits. */
  readonly waitingSince: string | null;
  /** Why a known change waits, if the record's last work has failed; else null. */
  readonly waitingFor: WaitReason | null;
  /** Since when all of the record's work has failed, for a record that is parked for that reason, ISO. Null while the remotes answer. */
  readonly failingSince: string | null;
  /** When waiting work is retried automatically, ISO; null if nothing waits. */
  readonly retryAt: string | null;
  /** What the CRM's users see of the record; null if it was never reported. */
  readonly reported: Reported | null;
  /** Since when another writer has been reporting that the change waits, ISO; absent if none is. The sync must report after it. */
  readonly waitReportedSince?: string;
  /** The record became due in a burst, so its CRM calls may wait seconds to share requests. If absent, they must not wait. */
  readonly inBurst?: true;
  /** Whether the tenant's lane processes the record. The lane may then have read the vendor's change already. */
  readonly inLane?: true;
  /** The side that an operator preferred for fields without a base, when linking the pair; absent if none was preferred. */
  readonly firstPick?: PickedSide;
  /** The vendor id that a user entered and that was refused; absent or null if none was. */
  readonly refusedClaim?: RefusedClaim | null;
  /** When the ledger was last restored from a backup, ISO; absent if that was before the link was made. */
  readonly restoredAt?: string;
  readonly updatedAt: string;
  /** The id of the plan that may be sent; absent if the last decision writes nothing. */
  readonly newestPlan?: string;
};
