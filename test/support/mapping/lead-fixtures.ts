import { DEFAULT_STAGES } from '../../../src/domain/mapping/index.ts';
import { ESSENTIAL_LEAD_FIELDS, LEAD_FIELDS } from '../../../src/domain/mapping/leads/lead-fields.ts';
import { graphOfLead, type LeadRow } from '../../../src/domain/mapping/leads/lead-graph.ts';
import { DEFAULT_LEAD_STATUSES, stagesBesideLeads } from '../../../src/domain/mapping/leads/lead-mapping.ts';
import type { CrmFields, CrmGraph } from '../../../src/domain/record/crm-graph.ts';
import type { MappingConfig } from '../../../src/domain/record/mapping-config.ts';
import { mappingConfig } from './fixtures.ts';

export const LEAD_ID = '00Q000000000001AAA';

/** The mapping of a tenant that syncs leads. */
export function leadsConfig(change: Partial<NonNullable<MappingConfig['leads']>> = {}): MappingConfig {
  return mappingConfig({
    stages: stagesBesideLeads(DEFAULT_STAGES),
    leads: { statuses: DEFAULT_LEAD_STATUSES, offer: 'OFFER-A', imports: false, ...change },
  });
}

/** A shared lead with every field that the vendor asks for. */
export const LEAD: CrmFields = {
  ...Object.fromEntries(
    [...ESSENTIAL_LEAD_FIELDS, ...Object.values(LEAD_FIELDS).flatMap((fields) => Object.values(fields))].map((name) => [
      name,
      null,
    ]),
  ),
  Id: LEAD_ID,
  IsDeleted: false,
  IsConverted: false,
  SystemModstamp: '2026-03-01T10:00:00.123Z',
  LastModifiedDate: '2026-03-01T10:00:00.000Z',
  OwnerId: '005000000000001AAA',
  Company: 'Initech',
  Street: '1 Main Street\nFloor 2',
  City: 'Lyon',
  Country: 'France',
  FirstName: 'Ann',
  LastName: 'Example',
  Email: 'ann@example.com',
  Status: 'Working - Contacted',
  CurrencyIsoCode: 'EUR',
  Description: 'Replace the core',
  Vendor_Share__c: true,
  Vendor_Close_Date__c: '2026-06-30',
};

/** The lead with these fields, in the form of a deal's records. */
export function leadGraph(
  fields: CrmFields = {},
  parts: Partial<LeadRow> = {},
  offer: string | null = 'OFFER-A',
): CrmGraph {
  const row = { fields: { ...LEAD, ...fields }, product: null, owner: null, sync: null, ...parts };
  return graphOfLead(row, offer, '2026-03-01T10:00:05.000Z');
}
