import type { Base } from './base.ts';
import type { Issue } from './issue.ts';
import type { LinkState } from './link-state.ts';
import type { VendorObservation } from './observation.ts';
import type { PickedSide } from './pick.ts';
import type { WaitReason } from './wait-reason.ts';

/** `retryAt` of a link that a person has told Lockstep to look at: long ago. */
export const MANUAL_RETRY = new Date(0).toISOString();

/** The durable one-to-one pair of a CRM record and a vendor record, with all that is remembered of it. */
export type Link = {
  readonly tenant: string;
  /** First id under which the deal was seen; the workflow's id. Never changes. */
  readonly key: string;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  readonly base: Base | null;
  readonly vendorObservation: VendorObservation | null;
  /** A write to the vendor left and its outcome is not known: the next decision needs a read (or a search). */
  readonly vendorInDoubt: 'no' | 'create' | 'update';
  /** When the vendor first said ERR801 (or lost our create) for this record; null when adoption is not under way. */
  readonly adoptingSince: string | null;
  /** Intake counts up `generation`; a settle sets `observedGeneration` to the value seen when its work began. Due while they differ. */
  readonly generation: number;
  readonly observedGeneration: number;
  /** A search found the record changed at the vendor, and it was not read since: an observation of the CRM alone settles nothing. */
  readonly vendorDue: boolean;
  readonly issues: readonly Issue[];
  /** Fingerprint of what the vendor refused for good; the same is not sent again. */
  readonly refusedFingerprint: string | null;
  /** The same for the CRM. */
  readonly crmRefusedFingerprint: string | null;
  /** Since when something is known of that is not done, ISO; null where nothing is. */
  readonly waitingSince: string | null;
  /** What that waits for, where its work has failed. */
  readonly waitingFor: WaitReason | null;
  /** Since when neither side has carried its work on, once the record is parked for that; null while they answer. */
  readonly failingSince: string | null;
  /** When something of it that waits is looked at again by itself, a refused change sent again; null where nothing waits. */
  readonly retryAt: string | null;
  /** Fingerprint of what was last reported to the CRM's child record. */
  readonly reported: string | null;
  /** Since when another writer tells users that its change waits, ISO: what they are told in the end comes after that. Absent: none does. */
  readonly waitReportedSince?: string;
  /** It was marked together with many others: its calls to the CRM may wait for theirs, for seconds. Absent: they may not. */
  readonly inBurst?: true;
  /** Its tenant's lane is to carry it, or has begun to: what that has read of the vendor no mark tells. Absent: it is not. */
  readonly inLane?: true;
  /** Whose value a person keeps of each field on which the two sides never agreed; absent where nobody has said. */
  readonly firstPick?: PickedSide;
  /** When the ledger was brought back to an earlier state last, ISO; absent where that was before the link. */
  readonly restoredAt?: string;
  readonly updatedAt: string;
  /** The plan that may leave, by its id; absent where the last decision writes nothing. */
  readonly newestPlan?: string;
};
