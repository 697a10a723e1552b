import type { LinkChange } from '../../domain/evolve/change.ts';
import type { CrmGraph } from '../../domain/record/crm-graph.ts';
import type { Link } from '../../domain/record/link.ts';
import type { Plan } from '../../domain/record/plan.ts';
import type { LinkVersion } from '../links/link-ledger.ts';

/** What is left of a plan whose outcome is known. */
export type SettledPlan = { readonly next: 'settled' };

export type StoredPlan = {
  readonly id: string;
  readonly tenant: string;
  readonly key: string;
  readonly createdAt: string;
  /** When the CRM and the vendor were read for this plan; null for a side it does not rest on. */
  readonly crmReadAt: string | null;
  readonly vendorReadAt: string | null;
  /** The CRM graph the plan rests on, so that a vendor read of the same round can decide again without a second CRM read. */
  readonly graph: CrmGraph | null;
  /** `generation` when the work began. */
  readonly generation: number;
  readonly plan: Plan | SettledPlan;
  /** Set by `markSent` before the remote call leaves. */
  readonly sentAt: string | null;
  readonly outcome: string | null;
};

/** Everything that one step settles, applied in one transaction; `planId`: the plan whose outcome it tells. */
export type Settlement = LinkChange & {
  readonly at: string;
  readonly planId?: string;
  /**
   * What the outcome does to the link where the plan is its newest no more, or, without a plan, where it is not as `expected`, by the
   * link as it is; absent or null: nothing. The vendor's side is due then; without a plan the CRM's.
   */
  readonly ifStale?: (link: Link) => LinkChange | null;
  /** As its writer knows the link: where another has settled or planned anything since, nothing is settled but `ifStale`. */
  readonly expected?: LinkVersion;
  /** With `expected`: the mark of what its users were told, as its writer knows it; that is no change of the link itself. */
  readonly reportedBefore?: string | null;
  /** Its users are still to be told of this: in the lane it stays until they were, and `unconfirmedReports` gives it elsewhere, whoever dies. */
  readonly reportDue?: true;
  /** Mark of what users were told, as its writer knows it, after which this is no news: told another meanwhile, they are still to be told. */
  readonly noNewsAfter?: string | null;
  /** Its users were told all there is. */
  readonly isReported?: true;
  /** How often the link had been given to the lane when the lane began this work: with its last mark it leaves, unless it was given since. */
  readonly laneGeneration?: number;
};

/** What a write needs to leave. */
export type Sending = {
  readonly at: string;
  /** What is not known of the vendor's record from now on; null for a write to the CRM. */
  readonly uncertain: 'create' | 'update' | null;
  /** The plan rests on no observation from before. */
  readonly notBefore: string;
};

/** What is about to be done to a link, whether it has left, and what came of it. */
export interface PlanLedger {
  /** Rejects with LedgerError `CHANGED` where another writer has settled or planned anything of the link since it was as `expected`. */
  savePlan(
    tenant: string,
    plan: Omit<StoredPlan, 'id' | 'tenant' | 'sentAt' | 'outcome' | 'plan'> & { readonly plan: Plan },
    expected?: LinkVersion,
  ): Promise<string>;
  loadPlan(tenant: string, planId: string): Promise<StoredPlan | null>;
  /** When a write of the link left last, ISO, whatever came of it; null where none is known. */
  lastSentAt(tenant: string, key: string): Promise<string | null>;
  /**
   * Notes that the plan's write is about to leave and that its outcome is unknown until settled, in one
   * transaction. False when it had already left once, when it is not its link's newest or rests on an observation from
   * before `notBefore`, or when it is a create and the link has a counterpart by now, or was separated from one: then
   * nothing may be sent, and the record is observed again.
   */
  markSent(tenant: string, planId: string, sending: Sending): Promise<boolean>;
  settle(tenant: string, key: string, settlement: Settlement): Promise<Link>;
}
