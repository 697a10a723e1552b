import type { ClassicJob } from './bulk/classic-jobs.ts';
import type { Job } from './bulk/jobs.ts';
import type { BusState } from './change-events/event-bus.ts';
import type { Org } from './org.ts';
import type { LimitsState } from './org-limits/org-limits.ts';
import type { AutomationSource } from './org-rules/automations.ts';
import type { AccessState } from './permissions/access.ts';
import type { ApiVersions } from './routes/data-url.ts';
import type { RecentState } from './routes/recent.ts';
import type { PicklistEdit } from './setup/edited-picklists.ts';

/** The state of an org that is not in rows: bulk jobs, recently viewed rows, settings of the admin surface, change events. */
export type Beside = {
  readonly bulk: readonly Job[];
  readonly classicBulk: readonly ClassicJob[];
  readonly recent: RecentState;
  readonly access: AccessState;
  readonly automations: readonly AutomationSource[];
  /** Absent in state files of versions without this feature. */
  readonly picklists?: readonly PicklistEdit[];
  /** Absent in state files of versions without this feature. */
  readonly changeEvents?: BusState;
  /** Absent in state files of versions without this setting. */
  readonly takesNodeHeaders?: boolean;
  /** Absent in state files of versions without this setting. */
  readonly apiVersions?: ApiVersions;
  /** Absent in state files of versions without this feature. */
  readonly limits?: LimitsState;
};

/** A copy of this state, because jobs change while they run. */
export function captureBeside({
  bulk,
  classicBulk,
  recent,
  access,
  automations,
  picklists,
  changeCapture,
  nodes,
  apiVersions,
  limits,
}: Org): Beside {
  return structuredClone({
    bulk: bulk.all(),
    classicBulk: classicBulk.all(),
    recent: recent.snapshot(),
    access: access.snapshot(),
    automations: automations.list(),
    picklists: picklists.list(),
    changeEvents: changeCapture.bus.snapshot(),
    takesNodeHeaders: nodes.takesHeaders,
    apiVersions: apiVersions.served,
    limits: limits.state(),
  });
}

/** Restores the captured state; parts that were not captured become empty. */
export function putBackBeside(org: Org, beside: Beside | undefined): void {
  org.bulk.load(beside?.bulk ?? []);
  org.classicBulk.load(beside?.classicBulk ?? []);
  org.recent.load(beside?.recent ?? []);
  org.access.load(beside?.access ?? { exceptions: [], shared: [] });
  if (beside?.changeEvents === undefined) org.changeCapture.bus.clear();
  else org.changeCapture.bus.load(beside.changeEvents);
  org.limits.load(beside?.limits);
  org.nodes.takesHeaders = beside?.takesNodeHeaders ?? false;
  org.apiVersions.served = beside?.apiVersions ?? org.apiVersions.initially;
  org.picklists.clear();
  for (const edit of beside?.picklists ?? []) org.picklists.edit(edit);
  org.automations.clear();
  for (const source of beside?.automations ?? []) org.automations.add(source);
}
