import type { LinkChange } from '../../domain/evolve/change.ts';
import type { CrmGraph } from '../../domain/record/crm-graph.ts';
import type { Link } from '../../domain/record/link.ts';
import type { Plan } from '../../domain/record/plan.ts';
import type { Reported } from '../../domain/record/reported.ts';
import type { LinkVersion } from '../links/link-ledger.ts';

/**
 * The content of a stored plan (a decision with the values to send) whose outcome is known. It replaces the plan's former content, which is
 * deleted.
 */
export type SettledPlan = { readonly next: 'settled' };

export type StoredPlan = {
  readonly id: string;
  readonly tenant: string;
  readonly key: string;
  readonly createdAt: string;
  /**
   * When the CRM (`crmReadAt`) and the vendor (`vendorReadAt`) were read for this plan, ISO. Null for the system that the plan did not
   * need.
   */
  readonly crmReadAt: string | null;
  readonly vendorReadAt: string | null;
  /**
   * The CRM records on which the plan is based. After a read of the vendor, Lockstep can decide again with these records, without reading
   * the CRM again. Null if the plan was made without CRM records, was stored only when it was sent (`sendPlan`), or has an outcome.
   */
  readonly graph: CrmGraph | null;
  /**
   * How many changes had been reported for the link when the work that led to this plan began. When the plan's write is done, at most these
   * changes count as synced.
   */
  readonly generation: number;
  readonly plan: Plan | SettledPlan;
  /** When the plan's write was about to be sent (`markSent`); null before that. */
  readonly sentAt: string | null;
  readonly outcome: string | null;
};

/**
 * The outcome of one step (a read, a decision, a write or a report) on a link, with the changes of the link. It is stored in one
 * transaction. `planId`: the plan that was executed; absent if the step executed none.
 */
export type Settlement = LinkChange & {
  readonly at: string;
  readonly planId?: string;
  /**
   * Called if the outcome is stale, which means that another writer has changed the link first. This is so if the link has a newer plan
   * than `planId`, another version than `expected`, or another report than `reportedBefore`. Returns the change to store instead of the
   * outcome, or null to store none. A returned change makes the link due, so that Lockstep reads the written record again. With `planId`, a
   * write at the vendor was sent, so Lockstep reads the vendor. Without it, a report to CRM users was sent, so Lockstep reads the CRM.
   */
  readonly ifStale?: (link: Link) => LinkChange | null;
  /**
   * The version of the link that the writer has read. If another writer has changed the link since, `ifStale` decides what is stored;
   * without `ifStale`, the call throws `CHANGED`.
   */
  readonly expected?: LinkVersion;
  /**
   * Set only if this is the outcome of a report (a write that shows users the sync state): what users saw before it, as far as the writer
   * knows. If the link's `reported` differs, another report was stored meanwhile, and this outcome is stale. The check of `expected` does
   * not notice that, because a report does not change the link's version.
   */
  readonly reportedBefore?: Reported | null;
  /**
   * Set if CRM users must still get a report about this outcome. A link in the lane (the workflow for many records) stays in the lane until
   * the report is sent. For any other link, the ledger notes that a report is on its way and its result is not known.
   */
  readonly reportDue?: true;
  /**
   * Set for a step that changes nothing for CRM users: the last report to CRM users that the writer knows. If another writer has sent a
   * different report since, that report was about an earlier state of the record (for example, that it waits). CRM users then see an
   * outdated report, so a new report becomes due.
   */
  readonly noNewsAfter?: Reported | null;
  /** Set if no report to CRM users is due any more, because all of them have been sent. */
  readonly isReported?: true;
  /**
   * How often the link had been put into the lane (the workflow for many records) when the lane began to process it. The link leaves the
   * lane together with this outcome, unless it was put into the lane again since.
   */
  readonly laneGeneration?: number;
};

/** An outcome with the key of its link. */
export type KeyedSettlement = { readonly key: string; readonly settlement: Settlement };

/** A plan (a decision with the values to send) that is to be stored. */
export type NewPlan = Omit<StoredPlan, 'id' | 'tenant' | 'sentAt' | 'outcome' | 'plan'> & { readonly plan: Plan };

/**
 * An update whose plan (decision) is stored only at the moment when the update is sent. `expected`: the version of the link on which the
 * plan is based.
 */
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
   * The kind of vendor write that is about to be sent; null for a write to the CRM. Until the outcome is stored, the link is marked: a
   * vendor write of this kind is in doubt (may or may not have been applied).
   */
  readonly uncertain: 'create' | 'update' | null;
  /** The write may be sent only if the records on which the plan is based were read at this instant (ISO) or later. */
  readonly notBefore: string;
  /**
   * The version of the link on which the write is based. The write may be sent only if the link still has this version; if absent, at any
   * version.
   */
  readonly version?: number;
};

/** Stores plans (decisions with the values to send) and the outcomes of their writes, and changes links by these outcomes. */
export interface PlanLedger {
  /**
   * Stores a plan (a decision with the values to send) as the newest of its link, and returns the plan's id. Throws LedgerError `CHANGED`
   * if another writer has changed the link since the version `expected`.
   */
  savePlan(tenant: string, plan: NewPlan, expected?: LinkVersion): Promise<string>;
  loadPlan(tenant: string, planId: string): Promise<StoredPlan | null>;
  /** When a write to one of the link's two records was last sent, ISO, whatever its outcome; null if no write is known. */
  lastSentAt(tenant: string, key: string): Promise<string | null>;
  /**
   * Stores that a plan's write is about to be sent. Returns false if the write must not be sent: it was sent before, the link has a newer
   * plan or another version than `version`, or a record was read before `notBefore`. A create at the vendor is also refused if the link
   * already has a vendor record. A create in either system is also refused if an operator separated the link's record from a record of that
   * system. After false, the caller reads both sides again.
   */
  markSent(tenant: string, planId: string, sending: Sending): Promise<boolean>;
  /**
   * Stores the plan of an update that is about to be sent, with one statement. Leaves out the planned values, because Lockstep stores them
   * in the link's base (beside the last agreed values). Returns false if the update must not be sent, because another writer has changed
   * the link, or because a record for the plan was read before `notBefore`.
   */
  sendPlan(tenant: string, planned: PlannedSending): Promise<boolean>;
  /**
   * Stores the plans of many updates that are about to be sent, with one statement. The result has one entry for each plan: false if the
   * update must not be sent (see `sendPlan`).
   */
  sendPlans(tenant: string, planned: readonly PlannedSending[]): Promise<readonly boolean[]>;
  settle(tenant: string, key: string, settlement: Settlement): Promise<Link>;
  /**
   * Stores the outcomes of steps on many links, with few statements. The list has one result for each outcome: the changed link if the
   * outcome was stored; null if it was not stored, and the caller then calls `settle` for it; an `Error` object if a statement failed, so
   * that the outcome may or may not be stored.
   */
  settleTogether(tenant: string, settlements: readonly KeyedSettlement[]): Promise<readonly (Link | null | Error)[]>;
}
