import type { LinkChange } from '../../domain/evolve/change.ts';
import type { CrmGraph } from '../../domain/record/crm-graph.ts';
import type { Link } from '../../domain/record/link.ts';
import type { Plan } from '../../domain/record/plan.ts';
import type { Reported } from '../../domain/record/reported.ts';
import type { LinkVersion } from '../links/link-ledger.ts';

/** A plan whose outcome is known. Its content is deleted. */
export type SettledPlan = { readonly next: 'settled' };

export type StoredPlan = {
  readonly id: string;
  readonly tenant: string;
  readonly key: string;
  readonly createdAt: string;
  /** When the CRM and the vendor were read for this plan; null for a side that was not needed for it. */
  readonly crmReadAt: string | null;
  readonly vendorReadAt: string | null;
  /**
   * The CRM records on which the plan is based. After a read of the vendor, Lockstep can decide again with these records, without reading
   * the CRM again.
   */
  readonly graph: CrmGraph | null;
  /** The link's count of changes at the start of the work that led to this plan. */
  readonly generation: number;
  readonly plan: Plan | SettledPlan;
  /** When the plan's write was about to be sent (`markSent`); null before that. */
  readonly sentAt: string | null;
  readonly outcome: string | null;
};

/** The outcome of one step, stored in one transaction. `planId`: the plan that was executed. */
export type Settlement = LinkChange & {
  readonly at: string;
  readonly planId?: string;
  /**
   * Called if another writer has changed the link since this writer read it. An outcome with `planId` is stale if the link has a newer
   * plan; an outcome without it, if the link's version is not `expected`. Returns the change to store instead of the outcome, or null to
   * store none. With such a change the link becomes due: on the vendor's side if there is a `planId`, otherwise on the CRM's side.
   */
  readonly ifStale?: (link: Link) => LinkChange | null;
  /**
   * The version of the link that the writer has read. If another writer has changed the link since, `ifStale` decides what is stored;
   * without `ifStale`, the call throws `CHANGED`.
   */
  readonly expected?: LinkVersion;
  /**
   * For the outcome of a report to CRM users: what they saw before the report, as far as the writer knows. It is compared in addition to
   * `expected`, because a report does not change the link's version.
   */
  readonly reportedBefore?: Reported | null;
  /**
   * Whether CRM users must still get a report about this outcome. A link in the lane (the workflow for many records) stays there until the
   * report is sent. For any other link, the ledger notes that the result of a report is not known yet.
   */
  readonly reportDue?: true;
  /**
   * For a step that changes nothing for CRM users: what they see, as far as the writer knows. If another writer has sent them a different
   * report since, a new report becomes due.
   */
  readonly noNewsAfter?: Reported | null;
  /** Whether all reports that were due have been sent to CRM users. */
  readonly isReported?: true;
  /**
   * The link's `lane_generation` when the lane (the workflow for many records) began to process the link. With the outcome the link leaves
   * the lane, unless it was put into the lane again since.
   */
  readonly laneGeneration?: number;
};

/** An outcome with the key of its link. */
export type KeyedSettlement = { readonly key: string; readonly settlement: Settlement };

/** A plan that is to be stored. */
export type NewPlan = Omit<StoredPlan, 'id' | 'tenant' | 'sentAt' | 'outcome' | 'plan'> & { readonly plan: Plan };

/** An update whose plan is stored only when it is sent. `expected`: the version of the link on which the plan is based. */
export type PlannedSending = {
  readonly id: string;
  readonly plan: NewPlan;
  readonly sending: Sending;
  readonly expected: LinkVersion;
};

/** The conditions under which the write of a plan may be sent. */
export type Sending = {
  readonly at: string;
  /**
   * The kind of vendor write that is about to be sent; null for a write to the CRM. Until the outcome is stored, the link says that a write
   * of this kind is in doubt.
   */
  readonly uncertain: 'create' | 'update' | null;
  /** The write may be sent only if the plan's readings of both sides are from this instant (ISO) or later. */
  readonly notBefore: string;
  /** The write may be sent only if the link still has this version (see `LinkVersion`); if absent, at any version. */
  readonly version?: number;
};

/** Stores the plans of writes and their outcomes, and changes links by these outcomes. */
export interface PlanLedger {
  /** Stores a plan. Throws LedgerError `CHANGED` if another writer has changed the link since the version `expected`. */
  savePlan(tenant: string, plan: NewPlan, expected?: LinkVersion): Promise<string>;
  loadPlan(tenant: string, planId: string): Promise<StoredPlan | null>;
  /** When a write of the link was last sent, ISO, whatever its outcome; null if no write is known. */
  lastSentAt(tenant: string, key: string): Promise<string | null>;
  /**
   * Stores that a plan's write is about to be sent. Returns false if it must not be sent: it was sent before, there is a newer plan, the
   * link has another version than `version`, or a reading for the plan is older than `notBefore`. A create is also refused if the link already has a record on that side, or if an
   * operator separated the link from such a record. The caller then reads both sides again.
   */
  markSent(tenant: string, planId: string, sending: Sending): Promise<boolean>;
  /**
   * Stores the plan of an update that is about to be sent, without its values, with one statement. Returns false if the update must not be
   * sent: another writer has changed the link, or a reading for the plan is older than `notBefore`.
   */
  sendPlan(tenant: string, planned: PlannedSending): Promise<boolean>;
  /** Does the same as `sendPlan` for many plans, with one statement. The result has one entry for each plan. */
  sendPlans(tenant: string, planned: readonly PlannedSending[]): Promise<readonly boolean[]>;
  settle(tenant: string, key: string, settlement: Settlement): Promise<Link>;
  /**
   * Stores many outcomes like `settle`, with few statements. The result for an outcome is null if it was not stored; the caller then calls
   * `settle` for it. The result is an error if the outcome may have been stored.
   */
  settleTogether(tenant: string, settlements: readonly KeyedSettlement[]): Promise<readonly (Link | null | Error)[]>;
}
