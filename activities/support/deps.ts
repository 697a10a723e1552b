import type { EditAge } from '../../src/domain/evolve/edit-age.ts';
import type { BudgetVerdict, CallPurpose } from '../../src/domain/loop/crm-budget.ts';
import type { OperationGroup } from '../../src/domain/loop/operation-groups.ts';
import type { Cause } from '../../src/domain/loop/step.ts';
import type { WorkClass } from '../../src/domain/loop/work-class.ts';
import type { LinkState } from '../../src/domain/record/link-state.ts';
import type { StreamName } from '../../src/domain/streams/streams.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { PartnerApi } from '../../src/partner-api/index.ts';
import type { Tenant } from '../../src/platform/tenant.ts';
import type { Crm } from '../../src/salesforce/crm.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { KeySearches } from './key-searches.ts';

/** A tenant with the clients of its two remotes. */
export type TenantRuntime = { readonly tenant: Tenant; readonly vendor: PartnerApi; readonly crm: Crm };

/** What activities depend on. The worker makes it once at its start. */
export type ActivityDeps = {
  readonly ledger: Ledger;
  /** Throws if this worker does not serve the tenant. */
  readonly runtime: (tenant: string) => TenantRuntime;
  /** Wakes the workflows of links. `isAgain`: the links are overdue, and no new change was reported. */
  readonly wake: (
    tenant: string,
    keys: readonly string[],
    cause: Cause,
    how?: { readonly isAgain?: boolean },
  ) => Promise<void>;
  /** Moves a record from the lane (the workflow for many records) to its own workflow. `at`: the present instant, ISO. */
  readonly delegate: (tenant: string, key: string, at: string) => Promise<void>;
  /** Makes a stream be read because of a user's request, at once unless a pause stops the stream. */
  readonly requestStream: (tenant: string, stream: StreamName) => Promise<void>;
  /**
   * Requests that a tenant's due notices to owners are sent. Does not wait, and never rejects: the tenant's upkeep repeats a lost request.
   * If absent, only the upkeep requests them.
   */
  readonly requestNotices?: (tenant: string) => Promise<void>;
  /** Starts the workflow that probes a paused operation group, unless it is running. */
  readonly startGuard: (tenant: string, group: OperationGroup) => Promise<void>;
  /** Shows in Temporal whether a record waits for a person. */
  readonly publishStatus: (status: RecordStatusArgs) => Promise<void>;
  /** Makes vendor clients send this key for requests within `run`. If absent, they always send the key of the tenant file. */
  readonly withKey?: <T>(apiKey: string, run: () => Promise<T>) => Promise<T>;
  /**
   * The running searches for an API key that the vendor accepts. The tenant's other requests wait until its search has ended. If absent,
   * requests do not wait.
   */
  readonly keySearches?: KeySearches;
  /** Limits the calls to each tenant's org. If absent, there is no limit. */
  readonly crmBudget?: {
    readonly verdict: (tenant: string, share: number, purpose: CallPurpose) => Promise<BudgetVerdict>;
  };
  /** With this many due records, one search replaces single reads; 0 means always. Default: eight. */
  readonly burstFrom?: number;
  /** Counts the records in work in this process's lanes (workflows for many records). If absent, nothing counts them. */
  readonly lanes?: {
    readonly add: (tenant: string, count: number) => void;
    readonly of: (tenant: string) => number;
  };
  /** Whether lanes (one workflow of a tenant) process records that change together. */
  readonly usesLane?: boolean;
  /** Called with the result of each step that a lane (the workflow for many records) ran, and with the step's activity name. */
  readonly onStep?: (tenant: string, step: string, end: { readonly next: string } | Error | null) => void;
  /** Called with the age of a user's edit when the edit arrives on the other side. */
  readonly onArrival?: (age: EditAge) => void;
  /** The ledger for lanes (workflows for many records), if they do not use `ledger`. */
  readonly laneLedger?: Ledger;
  /** The ledger for bulk streams, if they do not use `ledger`. */
  readonly bulkLedger?: Ledger;
  /** How many records a lane (the workflow for many records) processes at once. If absent, the tenant's rate decides. */
  readonly laneWidth?: number;
  /**
   * Limits the vendor requests of lanes (workflows for many records) to the tenant's rate, which all requests of the process share. If
   * absent, there is no limit.
   */
  readonly vendorPace?: VendorPace;
  /** Waits until a vendor request may be sent. If absent, requests do not wait. */
  readonly vendorTurn?: (tenant: string) => Promise<void>;
  /** Aborted when the process is about to end. Long activities then start no more work. */
  readonly stopping?: AbortSignal;
  /** The tenants of this process. If absent, the process reads no shards. */
  readonly fleet?: Fleet;
  readonly now: () => string;
};

export type VendorPace = {
  /** Sets the tenant's rate from now on, if it is higher than the rate of a call, because the vendor's quota allows more. */
  readonly raise: (tenant: string, perSecond: number) => void;
  /** Counts a vendor request that Temporal's queue has let through against the tenant's rate. */
  readonly note: (tenant: string, perSecond: number) => void;
  /** Waits until the tenant's rate allows a vendor request. `first`: a user waits for the request. Rejects when `signal` aborts. */
  readonly turn: (tenant: string, perSecond: number, signal: AbortSignal, who: 'first' | 'others') => Promise<void>;
};

export type TenantArgs = { readonly tenant: string };
export type RecordArgs = TenantArgs & {
  readonly key: string;
  /** The class of the work on the record (interactive, burst, bulk or echo); if absent, `interactive`. */
  readonly work?: WorkClass;
  /** Only for local activities: whether Temporal handed the workflow task out a second time, because the first took too long. */
  readonly isRepeated?: true;
};
/** A record's status in ids, codes and field names. */
export type RecordStatusArgs = RecordArgs & {
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  readonly issues: readonly string[];
};
export type PlanArgs = RecordArgs & { readonly planId: string };
