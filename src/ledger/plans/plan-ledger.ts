import type { LinkChange } from '../../domain/evolve/change.ts';
import type { CrmGraph } from '../../domain/record/crm-graph.ts';
import type { Link } from '../../domain/record/link.ts';
import type { Plan } from '../../domain/record/plan.ts';
import type { Reported } from '../../domain/record/reported.ts';
import type { LinkVersion } from '../links/link-ledger.ts';

/** A plan whose outcome is known, without its deleted content. */
export type SettledPlan = { readonly next: 'settled' };

export type StoredPlan = {
  readonly id: string;
  readonly tenant: string;
  readonly key: string;
  readonly createdAt: string;
  /** When the CRM and the vendor were read for this plan; null for a side whose values did not influence the plan. */
  readonly crmReadAt: string | null;
  readonly vendorReadAt: string | null;
  /** The CRM records that the plan was based on. After a vendor read, the same pass can decide again without a second CRM read. */
  readonly graph: CrmGraph | null;
  /** The link's count of changes when the work on this plan began. */
  readonly generation: number;
  readonly plan: Plan | SettledPlan;
  /** When `markSent` noted that the write is about to be sent; null before that. */
  readonly sentAt: string | null;
  readonly outcome: string | null;
};

/** The outcome of one step, stored in one transaction. `planId`: the plan that was executed. */
export type Settlement = LinkChange & {
  readonly at: string;
  readonly planId?: string;
  /**
   * Called if another writer has changed the link since: with `planId`, if a newer plan exists, else if the link's version is not
   * `expected`. Returns the change to store instead, which also makes the link due: on the vendor's side after a plan, else on the CRM's.
   * Null: no change is stored.
   */
  readonly ifStale?: (link: Link) => LinkChange | null;
  /**
   * The version of the link that the writer has read. If another writer has changed the link since, `ifStale` decides what is stored;
   * without `ifStale`, the call throws `CHANGED`.
   */
  readonly expected?: LinkVersion;
  /**
   * The status that CRM users saw before this report, as far as the writer knows. Compared in addition to `expected`, because a report does
   * not change the link's version.
   */
  readonly reportedBefore?: Reported | null;
  /**
   * Whether a report to CRM users is due. A link in the lane (the workflow for many records) stays there until the report is sent. For
   * other links, the report counts as unconfirmed until then.
   */
  readonly reportDue?: true;
  /**
   * For a step that makes no report due: the status that CRM users see, as far as the writer knows. If another writer has sent a report
   * since, a new report becomes due.
   */
  readonly noNewsAfter?: Reported | null;
  /** Whether all reports that were due have been sent to CRM users. */
  readonly isReported?: true;
  /**
   * The link's `lane_generation` when the lane (the workflow for many records) began to process it. After the outcome the link leaves the
   * lane, unless it was added again since.
   */
  readonly laneGeneration?: number;
};

/** An outcome with the key of its link. */
export type KeyedSettlement = { readonly key: string; readonly settlement: Settlement };

/** A plan that is to be stored. */
export type NewPlan = Omit<StoredPlan, 'id' | 'tenant' | 'sentAt' | 'outcome' | 'plan'> & { readonly plan: Plan };

/** An update whose plan is stored when it is sent. `expected`: the version of the link that the plan rests on. */
export type PlannedSending = {
  readonly id: string;
  readonly plan: NewPlan;
  readonly sending: Sending;
  readonly expected: LinkVersion;
};

/** The conditions under which the write of a plan may be sent. */
export type Sending = {
  readonly at: string;
  /** The kind of vendor write that is in doubt until its outcome is stored; null for a write to the CRM. */
  readonly uncertain: 'create' | 'update' | null;
  /** The sides must not have been read before this instant for the plan (ISO). */
  readonly notBefore: string;
};

/** Stores the plans of writes and their outcomes, and changes links by these outcomes. */
export interface PlanLedger {
  /** Stores a plan. Throws LedgerError `CHANGED` if another writer has changed the link since `expected`. */
  savePlan(tenant: string, plan: NewPlan, expected?: LinkVersion): Promise<string>;
  loadPlan(tenant: string, planId: string): Promise<StoredPlan | null>;
  /** When a write of the link was last sent, ISO, whatever its outcome; null if no write is known. */
  lastSentAt(tenant: string, key: string): Promise<string | null>;
  /**
   * Notes that a plan's write is about to be sent. False if the write must not be sent: it was sent before, a newer plan exists, a reading
   * behind the plan is older than `notBefore`, or the plan creates a record although the link has a counterpart or was separated from one.
   * The caller then reads both sides again.
   */
  markSent(tenant: string, planId: string, sending: Sending): Promise<boolean>;
  /**
   * Stores an update's plan without its values and notes that the update is about to be sent, with one statement. False if the update must
   * not be sent: another writer has changed the link, or a reading behind the plan is older than `notBefore`.
   */
  sendPlan(tenant: string, planned: PlannedSending): Promise<boolean>;
  /** Does for many links what `sendPlan` does for one, with one statement. */
  sendPlans(tenant: string, planned: readonly PlannedSending[]): Promise<readonly boolean[]>;
  settle(tenant: string, key: string, settlement: Settlement): Promise<Link>;
  /**
   * Stores outcomes as `settle` does, with few statements. Null for each outcome that it left alone: call `settle` for it. An error for
   * each outcome that may have been stored.
   */
  settleTogether(tenant: string, settlements: readonly KeyedSettlement[]): Promise<readonly (Link | null | Error)[]>;
}
