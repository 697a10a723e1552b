import type { StageRow } from '../record/mapping-config.ts';
import { STATUS_NAMES, STATUSES, type StatusName } from '../values/status.ts';

/**
 * The stage table of a tenant that gives none: Salesforce's standard sales process, as the table of statuses has it. One
 * row a status is `inbound`: the stage the CRM moves to when the vendor reports it. The first row is where a
 * vendor-created deal begins when its status names no stage.
 */
export const DEFAULT_STAGES: readonly (StageRow & { readonly status: StatusName })[] = STATUS_NAMES.flatMap(
  (status) => STATUSES[status].stages.map((stage, place) => ({ stage, status, inbound: place === 0 })),
);
