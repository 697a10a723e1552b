import type { StageRow } from '../record/mapping-config.ts';
import { STATUS_NAMES, STATUSES, type StatusName } from '../values/status.ts';

/**
 * The default stage table: the stages of Salesforce's standard sales process, with the vendor's statuses. For each status, one row is
 * `inbound`: the CRM moves to its stage when the vendor reports the status. The first row is the stage of an imported deal whose status has
 * no stage.
 */
export const DEFAULT_STAGES: readonly (StageRow & { readonly status: StatusName })[] = STATUS_NAMES.flatMap((status) =>
  STATUSES[status].stages.map((stage, place) => ({ stage, status, inbound: place === 0 })),
);
