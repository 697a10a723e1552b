import { FIELD_NAMES } from '../../record/fields.ts';
import type { MappingConfig, StageRow } from '../../record/mapping-config.ts';
import { isLeadId } from '../../record/salesforce-id.ts';
import { STATUSES, type StatusName } from '../../values/status.ts';
import { isOnLead } from './lead-fields.ts';

/** Salesforce's standard lead statuses and their statuses at the vendor (sales spec 2.2). */
export const DEFAULT_LEAD_STATUSES: readonly StageRow[] = [
  { stage: 'Open - Not Contacted', status: 'LEAD_OPEN', inbound: true },
  { stage: 'Working - Contacted', status: 'QUALIFIED', inbound: true },
  { stage: 'Working - Contacted', status: 'ACCEPTED', inbound: true },
  { stage: 'Closed - Not Converted', status: 'LOST', inbound: true },
];

/** The mapping that applies to a CRM record: the tenant's mapping, or its form for leads. `crmId`: null if there is no CRM record yet. */
export function mappingOf(mapping: MappingConfig, crmId: string | null): MappingConfig {
  return isLeadId(crmId) ? leadMapping(mapping) : mapping;
}

/**
 * The tenant's mapping in its form for leads. It has lead statuses instead of stages and only the fields of the CRM package, because fields
 * that a tenant maps itself exist on opportunities only. Lines, and fields that leads lack, go only to the vendor.
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
 * Completes the stage table of opportunities for a tenant that syncs leads. Some stages are mapped to a lead's status, which does not fit a
 * deal that is no lead any more. Before each row of such a stage, a row with `OPPY_OPEN` (open opportunity) is added, and this status is
 * sent instead. If the vendor shows the lead's status, the CRM still gets the stage of the original row.
 */
export function stagesBesideLeads(stages: readonly StageRow[]): readonly StageRow[] {
  return stages.flatMap((row) =>
    isOfLead(row.status) ? [{ stage: row.stage, status: 'OPPY_OPEN', inbound: false }, row] : [row],
  );
}

/** The stage table as the tenant wrote it, without the rows that `stagesBesideLeads` adds. */
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
