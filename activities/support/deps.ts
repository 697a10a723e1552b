import type { BudgetVerdict, CallPurpose } from '../../src/domain/loop/crm-budget.ts';
import type { OperationGroup } from '../../src/domain/loop/operation-groups.ts';
import type { Cause } from '../../src/domain/loop/step.ts';
import type { LinkState } from '../../src/domain/record/link-state.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { PartnerApi } from '../../src/partner-api/index.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import type { Crm } from '../../src/salesforce/crm.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { KeySearches } from './key-searches.ts';

/** One tenant with its two remote systems. */
export type TenantRuntime = { readonly tenant: Tenant; readonly vendor: PartnerApi; readonly crm: Crm };

/** What activities stand on; made once by the worker's composition root. */
export type ActivityDeps = {
  readonly ledger: Ledger;
  /** Throws when this worker does not serve the tenant. */
  readonly runtime: (tenant: string) => TenantRuntime;
  /** Wakes the workflows of these links. `isAgain`: they are found due, and nothing new was told of them. */
  readonly wake: (
    tenant: string,
    keys: readonly string[],
    cause: Cause,
    how?: { readonly isAgain?: boolean },
  ) => Promise<void>;
  /** Leaves a record of the lane to its own workflow. `at`: the present instant, ISO. */
  readonly delegate: (tenant: string, key: string, at: string) => Promise<void>;
  /** Starts the guard of a paused group unless it is already there. */
  readonly startGuard: (tenant: string, group: OperationGroup) => Promise<void>;
  /** Shows in Temporal that a record waits for a person, or that it does no longer. */
  readonly publishStatus: (status: RecordStatusArgs) => Promise<void>;
  /** Has the tenants' clients send this key with what they ask meanwhile. Absent: that of the tenant file alone is sent. */
  readonly withKey?: <T>(apiKey: string, run: () => Promise<T>) => Promise<T>;
  /** Absent: what is sent waits for nobody's search for a key. */
  readonly keySearches?: KeySearches;
  /** Keeps the calls to each tenant's org to its share. Absent: none does. */
  readonly crmBudget?: {
    readonly verdict: (tenant: string, share: number, purpose: CallPurpose) => Promise<BudgetVerdict>;
  };
  /** So many records that are due together share one search in the place of a reading each; 0: also a record alone. Absent: eight. */
  readonly burstFrom?: number;
  /** How many records the lanes of this process have under way. Absent: nobody asks. */
  readonly lanes?: {
    readonly add: (tenant: string, count: number) => void;
    readonly of: (tenant: string) => number;
  };
  /** What came together is carried by lanes. */
  readonly usesLane?: boolean;
  /** Told how each step on a record ended that a lane ran, by the name of its activity. Absent: nobody is. */
  readonly onStep?: (tenant: string, step: string, end: { readonly next: string } | Error | null) => void;
  /** What lanes use of the ledger, where it is not the same for all. */
  readonly laneLedger?: Ledger;
  /** The same of streams whose reads come after those about deals. */
  readonly bulkLedger?: Ledger;
  /** How many records a lane has under way at once. Absent: by the rate of its tenant. */
  readonly laneWidth?: number;
  /** Keeps what a lane asks of the vendor to the rate of its tenant, with all that the process asks. Absent: nothing does. */
  readonly vendorPace?: VendorPace;
  /** Waits until a request to the vendor may leave. Absent: at once. */
  readonly vendorTurn?: (tenant: string) => Promise<void>;
  /** Aborted when the process is about to end: what takes long begins nothing more. */
  readonly stopping?: AbortSignal;
  /** The tenants of this process. Absent: none is read by shards. */
  readonly fleet?: Fleet;
  /** The present instant, ISO. */
  readonly now: () => string;
};

export type VendorPace = {
  /** A request leaves that Temporal's queue has let through. */
  readonly note: (tenant: string, perSecond: number) => void;
  /**
   * Waits for the turn of a request that no queue holds back: what a user waits for goes `first`, before all that came together. Rejects
   * when `signal` is aborted.
   */
  readonly turn: (
    tenant: string,
    perSecond: number,
    signal: AbortSignal,
    who: 'first' | 'others',
  ) => Promise<void>;
};

export type TenantArgs = { readonly tenant: string };
export type RecordArgs = TenantArgs & {
  readonly key: string;
  /** Its requests to the vendor are of bulk work, which takes no more than this share of the quota. */
  readonly share?: number;
};
/** A read of it. `isEcho`: nobody waits for it, as far as is known, and it takes of the vendor's quota what is spare. */
export type ReadArgs = RecordArgs & { readonly isEcho?: true };
/** Where a record stands, by ids, codes and field names. */
export type RecordStatusArgs = RecordArgs & {
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  readonly issues: readonly string[];
};
export type PlanArgs = RecordArgs & { readonly planId: string };
