/**
 * The invariants, checked from what the two simulators show and were asked. Shares no code with the engine: its tables
 * are written out here once more.
 */
import { type Deal, FIELDS, type Field, STAGE_OF } from './deals.ts';
import type { World } from './load.ts';

type Row = { readonly id: string; readonly fields: Readonly<Record<string, unknown>> };

export type Records = {
  readonly leads: readonly Row[];
  readonly opportunities: readonly Row[];
  readonly lines: readonly Row[];
  readonly syncs: readonly Row[];
};

export async function observeDeal({ vendor, crm }: World): Promise<Records> {
  const alive = (rows: readonly Row[]): readonly Row[] => rows.filter(({ fields }) => fields['IsDeleted'] !== true);
  return {
    leads: await vendor.records<Row>('leadOpportunity'),
    opportunities: alive(await crm.records<Row>('Opportunity')),
    lines: alive(await crm.records<Row>('OpportunityLineItem')),
    syncs: alive(await crm.records<Row>('Lockstep_Sync__c')),
  };
}

/** What is not as it must be once both sides have converged; one sentence each. `before`: what the sides held at first. */
export function findDifferences(deals: readonly Deal[], now: Records, before: Records): readonly string[] {
  return [
    ...count('vendor records', now.leads.length - before.leads.length, deals.length),
    ...count('opportunities', now.opportunities.length - before.opportunities.length, deals.length),
    ...deals.flatMap((deal) => differencesOf(deal, now)),
  ];
}

function count(what: string, found: number, expected: number): readonly string[] {
  return found === expected ? [] : [`there are ${found} new ${what}, and should be ${expected}`];
}

function differencesOf(deal: Deal, now: Records): readonly string[] {
  const title = `deal ${deal.number} (created at the ${deal.origin}, ${deal.crmId ?? '?'} = ${deal.vendorId ?? '?'})`;
  const leads = now.leads.filter(({ id, fields }) =>
    deal.origin === 'vendor' ? id === deal.vendorId : fields['partnerLeadOpportunityId'] === deal.crmId,
  );
  const opportunities = now.opportunities.filter(({ id, fields }) =>
    deal.origin === 'crm' ? id === deal.crmId : fields['Vendor_Id__c'] === deal.vendorId,
  );
  const [lead] = leads;
  const [opportunity] = opportunities;
  if (leads.length !== 1 || opportunities.length !== 1 || lead === undefined || opportunity === undefined) {
    return [`${title}: ${leads.length} vendor records and ${opportunities.length} opportunities`];
  }
  return [...pairDifferences(lead, opportunity, now), ...fieldDifferences(deal, lead, opportunity, now)].map(
    (difference) => `${title}: ${difference}`,
  );
}

function pairDifferences(lead: Row, opportunity: Row, now: Records): readonly string[] {
  const syncs = now.syncs.filter(({ fields }) => fields['Opportunity__c'] === opportunity.id);
  const states = syncs.map(({ fields }) => String(fields['Sync_State__c']));
  return [
    ...(opportunity.fields['Vendor_Id__c'] === lead.id ? [] : ['the opportunity does not name its vendor id']),
    ...(lead.fields['partnerLeadOpportunityId'] === opportunity.id
      ? []
      : ['the vendor record does not name its opportunity']),
    ...(states.join() === 'In sync' ? [] : [`the sync state is "${states.join()}"`]),
  ];
}

function fieldDifferences(deal: Deal, lead: Row, opportunity: Row, now: Records): readonly string[] {
  const vendor = vendorValues(lead);
  const crm = crmValues(opportunity, now);
  return FIELDS.filter((field) => crm[field] !== deal.expected[field] || vendor[field] !== deal.expected[field]).map(
    (field) =>
      `${field} is "${crm[field]}" in the CRM and "${vendor[field]}" at the vendor; ` +
      `the ${deal.editor[field]} wrote "${deal.expected[field]}" last`,
  );
}

function vendorValues({ fields }: Row): Readonly<Record<Field, string>> {
  const lines = (fields['offerLines'] ?? []) as readonly { readonly amount: number | null }[];
  return {
    name: text(fields['name']),
    status: text(fields['status']),
    closeDate: text(fields['closeDate']).slice(0, 10),
    campaign: text(fields['cometCampaignCode']),
    milestone: text(fields['nextMilestone']),
    amount: lines.map(({ amount }) => (amount ?? 0).toFixed(2)).join(' and '),
  };
}

function crmValues({ id, fields }: Row, now: Records): Readonly<Record<Field, string>> {
  const lines = now.lines.filter((line) => line.fields['OpportunityId'] === id);
  const stage = Object.entries(STAGE_OF).find(([, name]) => name === fields['StageName']);
  return {
    name: text(fields['Name']),
    status: stage?.[0] ?? text(fields['StageName']),
    closeDate: text(fields['CloseDate']),
    campaign: text(fields['Vendor_Campaign_Code__c']),
    milestone: text(fields['Vendor_Next_Milestone__c']),
    amount: lines.map((line) => Number(line.fields['TotalPrice']).toFixed(2)).join(' and '),
  };
}

function text(value: unknown): string {
  return value === null || value === undefined ? '' : String(value);
}
