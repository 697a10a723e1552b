import type { AdminRecord } from './http.ts';
import { dateAfter, onlyLead, type StepContext, stepLimits, text } from './steps.ts';
import { waitFor } from './wait.ts';

/** A shared lead, and its record at the vendor. */
export type SharedLead = { readonly id: string; readonly vendorId: string };

/** A sales person shares a lead with the vendor, who qualifies it. */
export async function leadShared(context: StepContext): Promise<SharedLead> {
  const { crm, vendor, catalog, print } = context;
  const [product] = catalog.entries;
  const id = await crm.create('Lead', {
    ...{ FirstName: 'Ida', LastName: 'Berg', Email: 'ida.berg@harz.example', Company: 'Harz Mining' },
    ...{
      Street: 'Marktstr. 1',
      City: 'Goslar',
      PostalCode: '38640',
      Country: 'Germany',
      Status: 'Open - Not Contacted',
    },
    ...{ Vendor_Share__c: true, Vendor_Close_Date__c: dateAfter(context, 90), Vendor_Offer__c: product?.productId },
  });
  print(`  Salesforce: a sales person made the lead "Harz Mining" (${id}) and ticked Vendor_Share__c`);
  const record = await onlyLead(context, id);
  print(`  vendor:     it is there as ${record.id}, status ${text(record, 'status')}`);
  await vendor.admin.edit(record.id, { status: 'QUALIFIED' });
  print(`  vendor:     the sales manager qualifies ${record.id}`);
  return { id, vendorId: record.id };
}

/** The lead follows the vendor, and the sales person converts it: the opportunity goes on with the same vendor record. */
export async function leadConverted(context: StepContext, { id, vendorId }: SharedLead): Promise<void> {
  const { crm, print } = context;
  const rows = (type: string) => crm.admin.records(type);
  const isQualified = ({ id: one, fields }: AdminRecord): boolean =>
    one === id && fields['Vendor_Status__c'] === 'QUALIFIED';
  const lead = await waitFor(
    `the vendor's status on the lead ${id}`,
    async () => (await rows('Lead')).find(isQualified) ?? null,
    stepLimits(context),
  );
  print(`  Salesforce: the lead ${id} is "${text(lead, 'Status')}"; the sales person converts it`);
  const { opportunityId } = await crm.admin.convert(id);
  await waitFor(
    `the vendor id ${vendorId} on the opportunity ${opportunityId}`,
    async () => (await rows('Lockstep_Sync__c')).find((row) => isInSync(row, opportunityId)) ?? null,
    stepLimits(context),
  );
  const [record] = await context.vendor.leadsFor(id);
  print(
    `  vendor:     ${vendorId} is now ${record === undefined ? 'gone' : text(record, 'status')}; it is the opportunity ${opportunityId}`,
  );
}

function isInSync({ fields }: AdminRecord, opportunityId: string): boolean {
  return fields['Opportunity__c'] === opportunityId && fields['Sync_State__c'] === 'In sync';
}
