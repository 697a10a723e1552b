import type { Clock } from '../core/clock.ts';
import type { Quota } from '../core/quota.ts';
import type { ClassicJobs } from './bulk/classic-jobs.ts';
import type { BulkJobs } from './bulk/jobs.ts';
import type { Capture } from './change-events/capture.ts';
import type { Deployments } from './metadata/deployments.ts';
import type { OrgLimits } from './org-limits/org-limits.ts';
import type { Automations } from './org-rules/automations.ts';
import type { Bell } from './outbound/bells.ts';
import type { Access } from './permissions/access.ts';
import type { Cursors } from './routes/cursors.ts';
import type { ApiVersions } from './routes/data-url.ts';
import type { RecentRows } from './routes/recent.ts';
import type { CrmPackage } from './schema/package.ts';
import type { EditedPicklists } from './setup/edited-picklists.ts';
import type { Dml } from './store/dml.ts';
import type { OpenTransactions } from './store/open-transactions.ts';
import type { Store } from './store/store.ts';

/** The ids of an org that never change, not even by a reset. */
export type OrgIdentity = {
  readonly organizationId: string;
  readonly salesUserId: string;
  readonly integrationUserId: string;
  readonly outboundActionId: string;
};

/** One simulated org with all data that its API uses. */
export type Org = {
  readonly identity: OrgIdentity;
  readonly store: Store;
  /** What the Tooling API shows. */
  readonly tooling: Store;
  readonly dml: Dml;
  readonly transactions: OpenTransactions;
  /** Deployments by the Metadata API; a restart forgets them. */
  readonly deployments: Deployments;
  /** The source that the org was made from. */
  readonly metadata: CrmPackage;
  readonly automations: Automations;
  /** Read-only mode, approval locks, governor limits and concurrent requests. */
  readonly limits: OrgLimits;
  /** A sentence for each part of the metadata that is not simulated. */
  readonly notices: readonly string[];
  /** A sentence for each feature that a client requested and that real orgs have, but this simulator lacks. */
  readonly asked: Set<string>;
  /** The custom notifications that flows have sent, oldest first. */
  readonly bells: Bell[];
  readonly access: Access;
  readonly picklists: EditedPicklists;
  readonly clock: Clock;
  readonly quota: Quota;
  readonly cursors: Cursors;
  readonly recent: RecentRows;
  /** Change Data Capture; captures nothing if no object is selected. */
  readonly changeCapture: Capture;
  readonly bulk: BulkJobs;
  readonly classicBulk: ClassicJobs;
  /** The API versions that REST serves. `initially`: those at the start. */
  readonly apiVersions: { readonly initially: ApiVersions; served: ApiVersions };
  /** Settings of composite graphs. */
  readonly nodes: {
    /** Whether headers of graph nodes, such as conditions, have an effect. */
    takesHeaders: boolean;
  };
};
