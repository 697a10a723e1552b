import { type Catalog, type CrmSide, makeOpportunity, share } from './crm-side.ts';
import type { AdminRecord } from './http.ts';
import type { VendorSide } from './vendor-side.ts';
import { waitFor } from './wait.ts';

/** The input of every step. */
export type StepContext = {
  readonly crm: CrmSide;
  readonly vendor: VendorSide;
  readonly catalog: Catalog;
  /** The day from which calendar dates are counted. */
  readonly today: Date;
  /** Reads the vendor's catalog at once. */
  readonly refreshCatalog: () => Promise<void>;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
};

const STEP_LIMIT_MS = 60_000;
const DAY_MS = 86_400_000;

/** An opportunity created in Salesforce appears at the vendor. Returns its CRM id. */
export async function crmShares(context: StepContext): Promise<string> {
  const id = await deal(context, 'Wind farm simulation', 0);
  await share(context.crm, id);
  context.print(`  Salesforce: a sales person made "Wind farm simulation" (${id}) and ticked Vendor_Share__c`);
  const lead = await onlyLead(context, id);
  context.print(`  vendor:     it is there as ${lead.id}, status ${text(lead, 'status')}, ${lines(lead)} offer lines`);
  await vendorIdInCrm(context, id, lead.id);
  return id;
}

/** The vendor creates the record but its answer is lost; exactly one record remains. */
export async function createAnswerLost(context: StepContext): Promise<string> {
  const id = await deal(context, 'Battery line digital twin', 1);
  await context.vendor.admin.plan({ operation: 'createLeadOpportunity', cut: 'after', times: 1 });
  await share(context.crm, id);
  context.print(`  Salesforce: "Battery line digital twin" (${id}); the vendor's answer to its create gets lost`);
  const lead = await onlyLead(context, id);
  await vendorIdInCrm(context, id, lead.id);
  return id;
}

/** The vendor already has a record with the reference; the record is adopted. */
export async function referenceTaken(context: StepContext): Promise<string> {
  const id = await deal(context, 'Shipyard collaboration', 2);
  const held = await context.vendor.create({
    ...vendorFields(context, 'Shipyard collaboration'),
    partnerLeadOpportunityId: id,
  });
  context.print(`  vendor:     holds the reference ${id} already, as ${held.id}`);
  await share(context.crm, id);
  context.print(`  Salesforce: "Shipyard collaboration" (${id}) is shared; the vendor says that it exists (ERR801)`);
  await vendorIdInCrm(context, id, held.id);
  await onlyLead(context, id);
  return id;
}

/** An edit by the vendor's staff appears in Salesforce. */
export async function vendorEdits(context: StepContext, id: string): Promise<void> {
  const lead = await onlyLead(context, id);
  const nextMilestone = 'Technical workshop on site';
  await context.vendor.admin.edit(lead.id, { nextMilestone });
  context.print(`  vendor:     the sales manager sets the next milestone of ${lead.id}`);
  await waitFor(
    `the vendor's milestone in Salesforce (${id})`,
    async () => (await opportunity(context, id))?.fields['Vendor_Next_Milestone__c'] === nextMilestone || null,
    stepLimits(context),
  );
  context.print(`  Salesforce: ${id} shows "${nextMilestone}"`);
}

/** A deal that begins at the vendor appears in Salesforce. */
export async function vendorCreates(context: StepContext): Promise<void> {
  const name = 'Robotics cell validation';
  const lead = await context.vendor.create(vendorFields(context, name));
  context.print(`  vendor:     the vendor enters "${name}" (${lead.id})`);
  const made = await waitFor(
    `the vendor's new deal ${lead.id} in Salesforce`,
    async () => (await context.crm.opportunities()).find(({ fields }) => fields['Vendor_Id__c'] === lead.id) ?? null,
    stepLimits(context),
  );
  context.print(`  Salesforce: it is there as ${made.id}, stage ${text(made, 'StageName')}`);
  await waitFor(
    `the Salesforce id of ${lead.id} at the vendor`,
    async () => ((await context.vendor.leadsFor(made.id)).length === 1 ? true : null),
    stepLimits(context),
  );
  context.print(`  vendor:     ${lead.id} carries the Salesforce id ${made.id}`);
}

/** A user's edit reaches the vendor: the webhook wakes the engine. */
export async function crmEdits(context: StepContext, id: string): Promise<void> {
  const closeDate = dateAfter(context, 75);
  await context.crm.update('Opportunity', id, {
    CloseDate: closeDate,
    Description: 'Pilot agreed for two sites.',
  });
  context.print(`  Salesforce: the sales person moves ${id} to ${closeDate} and describes it`);
  await waitFor(
    `the new close date of ${id} at the vendor`,
    async () => {
      const [lead] = await context.vendor.leadsFor(id);
      const isThere =
        lead !== undefined &&
        text(lead, 'closeDate').startsWith(closeDate) &&
        text(lead, 'description') === 'Pilot agreed for two sites.';
      return isThere || null;
    },
    stepLimits(context),
  );
  context.print(`  vendor:     both are there`);
}

function deal(context: StepContext, name: string, customer: number): Promise<string> {
  return makeOpportunity(context.crm, context.catalog, { name, customer, closeDate: dateAfter(context, 45) });
}

/** Waits until exactly one vendor record has the reference. */
export function onlyLead(context: StepContext, reference: string): Promise<AdminRecord> {
  return waitFor(
    `exactly one vendor record with the reference ${reference}`,
    async () => {
      const found = await context.vendor.leadsFor(reference);
      return found.length === 1 ? (found[0] ?? null) : null;
    },
    stepLimits(context),
  );
}

async function vendorIdInCrm(context: StepContext, id: string, vendorId: string): Promise<void> {
  await waitFor(
    `the vendor id ${vendorId} on ${id} in Salesforce`,
    async () => (await opportunity(context, id))?.fields['Vendor_Id__c'] === vendorId || null,
    stepLimits(context),
  );
  context.print(`  Salesforce: ${id} carries the vendor id ${vendorId}; one record on each side`);
}

async function opportunity(context: StepContext, id: string): Promise<AdminRecord | null> {
  return (await context.crm.opportunities()).find((one) => one.id === id) ?? null;
}

function vendorFields(context: StepContext, name: string): Record<string, unknown> {
  const [entry] = context.catalog.entries;
  return {
    name,
    status: 'QUALIFIED',
    closeDate: `${dateAfter(context, 60)}T00:00:00.000Z`,
    currency: 'EUR',
    offerLines: [{ offerNameId: entry?.offerId, amount: 12_500 }],
    customerLegalEntity: { name: context.catalog.accounts[0]?.name ?? name, city: null, country: 'France' },
  };
}

/** The time limit of a step. */
export function stepLimits(context: StepContext) {
  return { limitMs: STEP_LIMIT_MS, signal: context.signal };
}

/** The day so many days after the demonstration, `YYYY-MM-DD`. */
export function dateAfter(context: StepContext, days: number): string {
  return new Date(context.today.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

/** The text of a field; empty if it has none. */
export function text(record: AdminRecord, field: string): string {
  const value = record.fields[field];
  return typeof value === 'string' ? value : '';
}

function lines(lead: AdminRecord): number {
  const value = lead.fields['offerLines'];
  return Array.isArray(value) ? value.length : 0;
}
