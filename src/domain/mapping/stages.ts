import type { StageRow } from '../record/mapping-config.ts';
import { STATUS_NAMES, STATUSES, type StatusName } from '../values/status.ts';

/**
 * The default stage table: Salesforce's standard sales process, from the table of statuses. In each status one row is `inbound`: the stage
 * to which the CRM moves when the vendor reports the status. The first row is the stage of an imported deal whose status has no stage.
 */
export const DEFAULT_STAGES: readonly (StageRow & { readonly status: StatusName })[] = STATUS_NAMES.flatMap((status) =>
  STATUSES[status].stages.map((stage, place) => ({ stage, status, inbound: place === 0 })),
);
