import { FIELD_NAMES } from '../../record/fields.ts';
import type { MappingConfig, StageRow } from '../../record/mapping-config.ts';
import { isLeadId } from '../../record/salesforce-id.ts';
import { STATUSES, type StatusName } from '../../values/status.ts';
import { isOnLead } from './lead-fields.ts';

/** The default stage table for leads: Salesforce's standard lead statuses, each with its status at the vendor (sales spec 2.2). */
export const DEFAULT_LEAD_STATUSES: readonly StageRow[] = [
  { stage: 'Open - Not Contacted', status: 'LEAD_OPEN', inbound: true },
  { stage: 'Working - Contacted', status: 'QUALIFIED', inbound: true },
  { stage: 'Working - Contacted', status: 'ACCEPTED', inbound: true },
  { stage: 'Closed - Not Converted', status: 'LOST', inbound: true },
];

/**
 * The mapping for a CRM record: the tenant's mapping for an opportunity, or the form of it for leads if `crmId` is a lead's id. `crmId`:
 * null if there is no CRM record yet.
 */
export function mappingOf(mapping: MappingConfig, crmId: string | null): MappingConfig {
  return isLeadId(crmId) ? leadMapping(mapping) : mapping;
}

/**
 * The tenant's mapping in its form for leads. It has lead statuses instead of stages. It uses only the fields of the CRM package, because
 * fields that a tenant chose itself exist on opportunities only. Changes of lines, and of fields that leads lack, go only from the CRM to
 * the vendor.
 */
export function leadMapping(mapping: MappingConfig): MappingConfig {
  const { fields: _, importStage: __, leads, ...rest } = mapping;
  if (leads === undefined || mapping.of === 'lead') return mapping;
  const kept = FIELD_NAMES.filter((field) => !isOnLead(field) || field === 'offerLines');
  return {
    ...rest,
    leads,
    of: 'lead',
    stages: leads.statuses,
    directions: { ...rest.directions, ...Object.fromEntries(kept.map((field) => [field, 'to-vendor'] as const)) },
  };
}

/**
 * Completes the stage table of opportunities for a tenant that syncs leads. A row may map an opportunity's stage to a vendor status of
 * leads. Lockstep must not send this status for a deal that is not a lead any more. Therefore a row with the same stage and `OPPY_OPEN`
 * (open opportunity) is added before it. For a stage, Lockstep sends the status of the first row, which is now `OPPY_OPEN`. For a status
 * that the vendor reports, Lockstep uses the `inbound` row. So a lead's status still leads to the stage of the original row.
 */
export function stagesBesideLeads(stages: readonly StageRow[]): readonly StageRow[] {
  return stages.flatMap((row) =>
    isOfLead(row.status) ? [{ stage: row.stage, status: 'OPPY_OPEN', inbound: false }, row] : [row],
  );
}

/** The stage table as the tenant wrote it, without the rows with `OPPY_OPEN` that Lockstep adds to it for a tenant that syncs leads. */
export function stagesOfTable({ stages, leads }: Pick<MappingConfig, 'stages' | 'leads'>): readonly StageRow[] {
  if (leads === undefined) return stages;
  return stages.filter((row, place) => {
    const next = stages[place + 1];
    return next === undefined || next.stage !== row.stage || !isOfLead(next.status);
  });
}

function isOfLead(status: string): boolean {
  return Object.hasOwn(STATUSES, status) && STATUSES[status as StatusName].phase === 'lead';
}
