import type { CrmNames } from '../domain/record/mapping-config.ts';
import type { Audits } from '../intake/audits.ts';
import type { Backfills } from '../intake/backfill.ts';
import type { Guards } from '../intake/guard.ts';
import type { Intake } from '../intake/intake.ts';
import type { Rotation } from '../intake/rotation.ts';
import type { StreamStarts } from '../intake/stream-starts.ts';
import type { Undos } from '../intake/undo.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { NoticesSetup } from '../notices/read-notices-file.ts';
import type { Send } from '../notices/send.ts';
import type { Diagnosis } from '../operator/doctor/finding.ts';
import type { Addresses } from '../operator/explain/explain-record.ts';
import type { OrgReads } from '../operator/mapping/org-reads.ts';
import type { PlanRemotes } from '../operator/plan/make-plan.ts';
import type { PlanRuns } from '../operator/plan/plan-runs.ts';
import type { FindOrderPorts } from '../operator/records/find-order.ts';
import type { RemoteRecords } from '../operator/records/remote-records.ts';
import type { ResolvePorts } from '../operator/records/resolve-conflict.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { LoadOptions } from '../platform/tenant-file.ts';
import type { Roster } from '../platform/tenant-roster.ts';
import type { Crm } from '../salesforce/crm.ts';

/** A workflow run in Temporal. `url`: its page in the Temporal UI; null if the address of the Temporal UI is unknown. */
export type Run = {
  readonly workflowId: string;
  readonly status: string;
  readonly startedAt: string;
  readonly url: string | null;
};

/** Read access to a tenant's two remote systems, with the org's description (its objects and fields) and the names of opportunities. */
export type ConsoleReads = PlanRemotes & {
  readonly crm: OrgReads & Pick<Crm, 'rowsWith' | 'ordersWithoutDeal'>;
  readonly vendor: FindOrderPorts['vendor'];
};

/**
 * The functions and resources through which the console's requests reach the ledger (Lockstep's database), Temporal and the remote systems.
 * The process keeps connections open between requests.
 */
export type ConsolePorts = {
  readonly roster: () => Roster;
  /** The tenant with this name. Throws `UnknownTenant` if this process has none. */
  readonly tenant: (name: string) => Tenant;
  readonly ledger: Ledger;
  readonly intake: () => Promise<Intake>;
  readonly guards: () => Promise<Guards>;
  readonly rotation: () => Promise<Rotation>;
  readonly backfills: () => Promise<Backfills>;
  readonly audits: () => Promise<Audits>;
  readonly streamStarts: () => Promise<StreamStarts>;
  /** The dry runs (plans) that this process makes for its users. */
  readonly plans: PlanRuns;
  readonly undos: () => Promise<Undos>;
  readonly readable: (tenant: Tenant) => ConsoleReads;
  /**
   * Opens read access to a tenant's remote systems. The reads also return the fields that a draft of the mapping uses. The caller must call
   * `close` at the end.
   */
  readonly readableWith: (
    tenant: Tenant,
    draft: CrmNames,
  ) => { readonly remotes: ConsoleReads; readonly close: () => Promise<void> };
  /** Runs the checks of `lockstep doctor` about a tenant, from this process. */
  readonly diagnose: (tenant: Tenant) => Promise<Diagnosis>;
  /**
   * The options with which this process reads the declarations of tenants (tenant files that are stored in the database): which secrets and
   * simulators a declaration may use.
   */
  readonly load: () => LoadOptions;
  /** The org's description (its objects and fields), read at most once a minute for each tenant. */
  readonly org: (tenant: Tenant) => OrgReads;
  /** Whether administrators publish mappings in the ledger, or only download them as files, which are then deployed. */
  readonly mappingsIn: 'ledger' | 'file';
  /**
   * Reads the changes of the registry (the table of tenants in Lockstep's database) now instead of at the next interval, so that the next
   * page shows a change that was just made.
   */
  readonly refreshTenants: () => Promise<void>;
  readonly remote: (tenant: Tenant) => RemoteRecords & Pick<ResolvePorts, 'setInCrm'>;
  /** Addresses at which a person can view a tenant's records. */
  readonly addresses: (tenant: Tenant) => Addresses;
  /**
   * The runs in Temporal that worked on the record, newest first. `at`: the instants at which Lockstep worked on the record, ISO. The
   * result contains the runs of the record's own workflow. If none of them ran at an instant in `at`, the tenant's lane (the workflow for
   * many records) did the work. The result then also contains the lane's runs at that instant. Empty if Temporal has no runs or does not
   * answer.
   */
  readonly runsOf: (tenant: Tenant, key: string, at: readonly string[]) => Promise<readonly Run[]>;
  /** The notices file, if this process has one, and the function that sends a test message to one of its channels. */
  readonly notices: { readonly setup: NoticesSetup | null; readonly send: Send };
  readonly now: () => string;
  readonly pause: (ms: number) => Promise<void>;
};
