import type { StageRow } from '../record/mapping-config.ts';
import { STATUS_NAMES, STATUSES, type StatusName } from '../values/status.ts';

/**
 * The default stage table: the stages of Salesforce's standard sales process, each with the vendor's status. For each status, one row is
 * `inbound`: when the vendor reports the status, the CRM moves to the stage of this row.
 */
export const DEFAULT_STAGES: readonly (StageRow & { readonly status: StatusName })[] = STATUS_NAMES.flatMap((status) =>
  STATUSES[status].stages.map((stage, place) => ({ stage, status, inbound: place === 0 })),
);
