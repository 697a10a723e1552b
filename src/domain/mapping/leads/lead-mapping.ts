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
 * The tenant's mapping in its form for leads: lead statuses instead of stages, the fields of the CRM package, and lines that only the
 * vendor gets, because a lead has none. Fields that a tenant maps for itself exist on opportunities only.
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
 * The stage table of opportunities for a tenant that syncs leads. For each stage that the table maps to a lead's status, adds a row with
 * `OPPY_OPEN` (open opportunity), which is sent instead, because the deal is no lead any more. If the vendor shows a lead's status, the CRM
 * still gets the same stage.
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
