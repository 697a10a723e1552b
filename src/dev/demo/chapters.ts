import { type Catalog, type CrmSide, makeOpportunity, share } from './crm-side.ts';
import type { AdminRecord } from './http.ts';
import { createAtVendorByStaff, type VendorSide } from './vendor-side.ts';
import { waitFor } from './wait.ts';

/** What all chapters share. */
export type Stage = {
  readonly crm: CrmSide;
  readonly vendor: VendorSide;
  readonly catalog: Catalog;
  /** Calendar dates are counted from here. */
  readonly today: Date;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
};

const STEP_LIMIT_MS = 60_000;
const DAY_MS = 86_400_000;

/** An opportunity made in Salesforce appears at the vendor. Gives its CRM id. */
export async function fromCrm(stage: Stage): Promise<string> {
  const id = await deal(stage, 'Wind farm simulation', 0);
  await share(stage.crm, id);
  stage.print(`  Salesforce: a sales person made "Wind farm simulation" (${id}) and ticked Vendor_Share__c`);
  const lead = await onlyLead(stage, id);
  stage.print(
    `  vendor:     it is there as ${lead.id}, status ${text(lead, 'status')}, ${lines(lead)} offer lines`,
  );
  await vendorIdInCrm(stage, id, lead.id);
  return id;
}

/** The vendor makes the record, and its answer is lost on the way: it still ends as one record. */
export async function answerLost(stage: Stage): Promise<string> {
  const id = await deal(stage, 'Battery line digital twin', 1);
  await stage.vendor.admin.plan({ operation: 'createLeadOpportunity', cut: 'after', times: 1 });
  await share(stage.crm, id);
  stage.print(
    `  Salesforce: "Battery line digital twin" (${id}); the vendor's answer to its create gets lost`,
  );
  const lead = await onlyLead(stage, id);
  await vendorIdInCrm(stage, id, lead.id);
  return id;
}

/** The vendor holds the reference already: its record is adopted. */
export async function referenceTaken(stage: Stage): Promise<string> {
  const id = await deal(stage, 'Shipyard collaboration', 2);
  const held = await createAtVendorByStaff(stage.vendor, {
    ...vendorFields(stage, 'Shipyard collaboration'),
    partnerLeadOpportunityId: id,
  });
  stage.print(`  vendor:     holds the reference ${id} already, as ${held.id}`);
  await share(stage.crm, id);
  stage.print(
    `  Salesforce: "Shipyard collaboration" (${id}) is shared; the vendor says that it exists (ERR801)`,
  );
  await vendorIdInCrm(stage, id, held.id);
  await onlyLead(stage, id);
  return id;
}

/** An edit by the vendor's staff appears in Salesforce. */
export async function vendorEdits(stage: Stage, id: string): Promise<void> {
  const lead = await onlyLead(stage, id);
  const nextMilestone = 'Technical workshop on site';
  await stage.vendor.admin.edit(lead.id, { nextMilestone });
  stage.print(`  vendor:     the sales manager sets the next milestone of ${lead.id}`);
  await waitFor(
    `the vendor's milestone in Salesforce (${id})`,
    async () => (await opportunity(stage, id))?.fields['Vendor_Next_Milestone__c'] === nextMilestone || null,
    limits(stage),
  );
  stage.print(`  Salesforce: ${id} shows "${nextMilestone}"`);
}

/** A deal that begins at the vendor appears in Salesforce. */
export async function vendorImport(stage: Stage): Promise<void> {
  const name = 'Robotics cell validation';
  const lead = await createAtVendorByStaff(stage.vendor, vendorFields(stage, name));
  stage.print(`  vendor:     the vendor enters "${name}" (${lead.id})`);
  const born = await waitFor(
    `the vendor's new deal ${lead.id} in Salesforce`,
    async () =>
      (await stage.crm.opportunities()).find(({ fields }) => fields['Vendor_Id__c'] === lead.id) ?? null,
    limits(stage),
  );
  stage.print(`  Salesforce: it is there as ${born.id}, stage ${text(born, 'StageName')}`);
  await waitFor(
    `the Salesforce id of ${lead.id} at the vendor`,
    async () => ((await stage.vendor.leadsFor(born.id)).length === 1 ? true : null),
    limits(stage),
  );
  stage.print(`  vendor:     ${lead.id} carries the Salesforce id ${born.id}`);
}

/** A user's edit reaches the vendor: the webhook wakes the engine. */
export async function crmEdits(stage: Stage, id: string): Promise<void> {
  const closeDate = dateAfter(stage, 75);
  await stage.crm.update('Opportunity', id, {
    CloseDate: closeDate,
    Description: 'Pilot agreed for two sites.',
  });
  stage.print(`  Salesforce: the sales person moves ${id} to ${closeDate} and describes it`);
  await waitFor(
    `the new close date of ${id} at the vendor`,
    async () => {
      const [lead] = await stage.vendor.leadsFor(id);
      const isThere =
        lead !== undefined &&
        text(lead, 'closeDate').startsWith(closeDate) &&
        text(lead, 'description') === 'Pilot agreed for two sites.';
      return isThere || null;
    },
    limits(stage),
  );
  stage.print(`  vendor:     both are there`);
}

function deal(stage: Stage, name: string, customer: number): Promise<string> {
  return makeOpportunity(stage.crm, stage.catalog, { name, customer, closeDate: dateAfter(stage, 45) });
}

/** Waits until exactly one vendor record carries the reference. */
function onlyLead(stage: Stage, reference: string): Promise<AdminRecord> {
  return waitFor(
    `exactly one vendor record with the reference ${reference}`,
    async () => {
      const found = await stage.vendor.leadsFor(reference);
      return found.length === 1 ? (found[0] ?? null) : null;
    },
    limits(stage),
  );
}

async function vendorIdInCrm(stage: Stage, id: string, vendorId: string): Promise<void> {
  await waitFor(
    `the vendor id ${vendorId} on ${id} in Salesforce`,
    async () => (await opportunity(stage, id))?.fields['Vendor_Id__c'] === vendorId || null,
    limits(stage),
  );
  stage.print(`  Salesforce: ${id} carries the vendor id ${vendorId}; one record on each side`);
}

async function opportunity(stage: Stage, id: string): Promise<AdminRecord | null> {
  return (await stage.crm.opportunities()).find((one) => one.id === id) ?? null;
}

function vendorFields(stage: Stage, name: string): Record<string, unknown> {
  const [entry] = stage.catalog.entries;
  return {
    name,
    status: 'QUALIFIED',
    closeDate: `${dateAfter(stage, 60)}T00:00:00.000Z`,
    currency: 'EUR',
    offerLines: [{ offerNameId: entry?.offerId, amount: 12_500 }],
    customerLegalEntity: { name: stage.catalog.accounts[0]?.name ?? name, city: null, country: 'France' },
  };
}

function limits(stage: Stage) {
  return { limitMs: STEP_LIMIT_MS, signal: stage.signal };
}

function dateAfter(stage: Stage, days: number): string {
  return new Date(stage.today.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

function text(record: AdminRecord, field: string): string {
  const value = record.fields[field];
  return typeof value === 'string' ? value : '';
}

function lines(lead: AdminRecord): number {
  const value = lead.fields['offerLines'];
  return Array.isArray(value) ? value.length : 0;
}
