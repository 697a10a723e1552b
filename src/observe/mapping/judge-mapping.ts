import type { CrmSchema } from '../../domain/record/crm-schema.ts';
import type { ImportAssignment } from '../../domain/record/import-assignment.ts';
import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import type { Crm } from '../../salesforce/crm.ts';
import { judgeMappedFields, objectsAcross } from './judge-fields.ts';
import { judgeLeads, objectsOfLeads } from './judge-leads.ts';
import { judgeLists } from './judge-lists.ts';
import { judgePartnerIds } from './judge-partner-ids.ts';
import { judgeRecordTypes } from './judge-record-types.ts';
import { BESIDE, judgeRequired } from './judge-required.ts';
import { judgeStages, judgeValues } from './judge-values.ts';
import type { Misfit } from './problem.ts';

/** The parts of a tenant's settings that must fit its org: the mapping, and the owner and record types of imported deals. */
export type Mapped = { readonly mapping: MappingConfig; readonly imports: ImportAssignment };

/** All places where a tenant's mapping, or its settings for imported deals, do not fit the org. Pure. */
export function judgeMapping(mapped: Mapped, schema: CrmSchema): readonly Misfit[] {
  const { mapping } = mapped;
  if (schema['Opportunity'] === undefined) return [NO_OPPORTUNITY];
  return [
    ...judgeMappedFields(mapping, schema),
    ...judgeStages(mapping, schema),
    ...judgeValues(mapping, schema),
    ...judgeLists(mapping, schema),
    ...judgeRecordTypes(mapped, schema),
    ...judgeRequired(mapping, schema),
    ...judgePartnerIds(mapping, schema),
    ...judgeLeads(mapping, schema),
  ];
}

const NO_OPPORTUNITY: Misfit = {
  at: ['fields'],
  verdict: 'fails',
  what: 'Opportunity is hidden from the integration user',
  repair: 'assign the permission set Lockstep_Integration to the integration user',
};

/**
 * Reads the org's descriptions of the objects in the mapping. The opportunity's description comes first, because it names the objects
 * behind its lookups.
 */
export async function schemaFor(crm: Pick<Crm, 'schema'>, mapping: MappingConfig): Promise<CrmSchema> {
  const near = await crm.schema(['Opportunity', ...BESIDE, ...objectsOfLeads(mapping)]);
  const across = objectsAcross(mapping, near).filter((object) => near[object] === undefined);
  return across.length === 0 ? near : { ...near, ...(await crm.schema(across)) };
}
