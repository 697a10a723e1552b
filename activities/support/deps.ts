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

/** The functions and objects that activities need. The worker makes them once at its start. */
export type ActivityDeps = {
  readonly ledger: Ledger;
  /** Throws if this worker does not serve the tenant. */
  readonly runtime: (tenant: string) => TenantRuntime;
  /**
   * Wakes the workflows of records: signals running ones, and starts the others. `isAgain`: the records are overdue, and no new change was
   * reported.
   */
  readonly wake: (
    tenant: string,
    keys: readonly string[],
    cause: Cause,
    how?: { readonly isAgain?: boolean },
  ) => Promise<void>;
  /**
   * Syncs due (not yet synced) records in the calling activity if they are few, and wakes (signals or starts) the workflows of all other
   * records. Only an activity that reads streams has this function. If absent, the workflows of all records are woken.
   */
  readonly syncLone?: (tenant: string, keys: readonly string[], cause: Cause) => Promise<void>;
  /** Moves a record from the lane (the workflow for many records) to its own workflow. `at`: the present instant, ISO. */
  readonly delegate: (tenant: string, key: string, at: string) => Promise<void>;
  /**
   * Requests a read of a stream (a regular read of changed rows), because a user asked for it. The stream is read at once, unless a pause
   * stops it.
   */
  readonly requestStream: (tenant: string, stream: StreamName) => Promise<void>;
  /**
   * Requests that a tenant's due notices to the owners of deals are sent, for example that the vendor has accepted a deal. Does not wait,
   * and never rejects: the tenant's upkeep repeats a lost request. If absent, only the upkeep requests them.
   */
  readonly requestNotices?: (tenant: string) => Promise<void>;
  /**
   * Starts the workflow that tests whether a paused operation group (requests that fail together) works again, unless that workflow is
   * running.
   */
  readonly startGuard: (tenant: string, group: OperationGroup) => Promise<void>;
  /** Shows a record in Temporal's list of waiting records if it waits for a person; otherwise removes it from that list. */
  readonly publishStatus: (status: RecordStatusArgs) => Promise<void>;
  /** Makes vendor clients send this key for requests within `run`. If absent, they always send the key of the tenant file. */
  readonly withKey?: <T>(apiKey: string, run: () => Promise<T>) => Promise<T>;
  /**
   * The running searches for an API key that the vendor accepts (a search tries the tenant's keys in turn). While such a search runs for a
   * tenant, the tenant's other requests wait. If absent, requests do not wait.
   */
  readonly keySearches?: KeySearches;
  /** The budget of calls to each tenant's org (the part of the daily calls that Lockstep may use). If absent, there is no limit. */
  readonly crmBudget?: {
    readonly verdict: (tenant: string, share: number, purpose: CallPurpose) => Promise<BudgetVerdict>;
  };
  /** How many records must be due so that one vendor search replaces reads of single records; 0 means any number. Default: eight. */
  readonly burstFrom?: number;
  /** Counts the records that this process's lanes (workflows for many records) are processing. If absent, nothing counts them. */
  readonly lanes?: {
    readonly add: (tenant: string, count: number) => void;
    readonly of: (tenant: string) => number;
  };
  /** Whether records that change together are processed in one workflow of the tenant (the lane) instead of one workflow each. */
  readonly usesLane?: boolean;
  /** Called with the result of each step that a lane (the workflow for many records) ran, and with the step's activity name. */
  readonly onStep?: (tenant: string, step: string, end: { readonly next: string } | Error | null) => void;
  /** Called with the age of a user's edit when Lockstep has written the edit to the other side. */
  readonly onArrival?: (age: EditAge) => void;
  /** The ledger (Lockstep's database) with connections of its own for lanes (workflows for many records). If absent, lanes use `ledger`. */
  readonly laneLedger?: Ledger;
  /**
   * The ledger (Lockstep's database) with connections of its own for streams (regular reads) that read many rows. If absent, these streams
   * use `ledger`.
   */
  readonly bulkLedger?: Ledger;
  /** How many records a lane (the workflow for many records) processes at once. If absent, the tenant's rate decides. */
  readonly laneWidth?: number;
  /**
   * Limits the vendor requests of lanes (workflows for many records) to the tenant's rate. The other requests of the process count against
   * this rate too. If absent, there is no limit.
   */
  readonly vendorPace?: VendorPace;
  /** Waits until the tenant's request rate allows a vendor request. If absent, requests do not wait. */
  readonly vendorTurn?: (tenant: string) => Promise<void>;
  /** Aborted when the process is about to end. Long activities then start no more work. */
  readonly stopping?: AbortSignal;
  /** The tenants of this process. If absent, the process reads no shards (groups of tenants). */
  readonly fleet?: Fleet;
  readonly now: () => string;
};

export type VendorPace = {
  /**
   * Sets the requests per second that the vendor's quota allows the tenant. `note`, which counts a request, and `turn`, which waits for a
   * request's turn, also get a rate from their caller (`perSecond`). They use the higher rate of the two.
   */
  readonly raise: (tenant: string, perSecond: number) => void;
  /**
   * Counts a vendor request against the tenant's requests per second. Called for requests whose rate Temporal's task queue has already
   * limited.
   */
  readonly note: (tenant: string, perSecond: number) => void;
  /**
   * Waits until the tenant's rate allows a vendor request. `who`: `first` if a user waits for the request, otherwise `others`. Rejects when
   * `signal` aborts.
   */
  readonly turn: (tenant: string, perSecond: number, signal: AbortSignal, who: 'first' | 'others') => Promise<void>;
};

export type TenantArgs = { readonly tenant: string };
export type RecordArgs = TenantArgs & {
  readonly key: string;
  /** The urgency class of the work on the record (interactive, burst, bulk or echo); if absent, `interactive`. */
  readonly work?: WorkClass;
  /**
   * Only for local activities: true if Temporal gave the workflow task to a worker a second time, because the first worker took too long.
   * The worker then refuses the local activity, and the workflow starts an ordinary activity instead.
   */
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
