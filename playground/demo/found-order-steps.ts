import type { AdminRecord } from './http.ts';
import { bookedAfter } from './order-steps.ts';
import { onlyLead, type StepContext, stepLimits } from './steps.ts';
import { waitFor } from './wait.ts';

/** An order that names no deal, and the search by which a sales person looks for it. */
export type AskedOrder = { readonly opportunity: string; readonly order: string; readonly search: string };

const PO_REFERENCE = 'WIND-2026-17';

/** The vendor books an order that names no deal, and a sales person searches it by its PO reference. */
export async function orderAsked(context: StepContext, opportunity: string): Promise<AskedOrder> {
  const { crm, vendor, today, print } = context;
  const order = 'PO-DEMO-2';
  const lead = await onlyLead(context, opportunity);
  await vendor.admin.create('order', {
    transaction: { id: order, type: 'PO', status: 'APP' },
    ...{ opportunityId: '', billToPoReference: PO_REFERENCE, currency: 'EUR' },
    bookingDateTime: bookedAfter(lead, today),
  });
  print(`  vendor:     books the order ${order}, which names no deal, for the purchase order ${PO_REFERENCE}`);
  const criteria = { Opportunity__c: opportunity, PO_Reference__c: PO_REFERENCE };
  const search = await crm.create('Lockstep_Order_Search__c', criteria);
  print(`  Salesforce: a sales person presses "Find order" on ${opportunity}, and enters ${PO_REFERENCE}`);
  return { opportunity, order, search };
}

/** Waits for the answer, links the found order, and waits until the opportunity has it. */
export async function orderFound(context: StepContext, asked: AskedOrder): Promise<void> {
  const { crm, print } = context;
  const { opportunity, order, search } = asked;
  const rowOf = (type: string, isIt: (row: AdminRecord) => boolean, what: string): Promise<AdminRecord> =>
    waitFor(what, async () => (await crm.admin.records(type)).find(isIt) ?? null, stepLimits(context));
  const found = await rowOf(
    'Lockstep_Found_Order__c',
    ({ fields }) => fields['Search__c'] === search && fields['Vendor_Order_Id__c'] === order,
    `the order ${order} among the found orders`,
  );
  print(`  Salesforce: the search shows ${order}; the sales person links it to ${opportunity}`);
  await crm.update('Lockstep_Found_Order__c', found.id, { Link__c: true });
  await rowOf(
    'Vendor_Order__c',
    ({ fields }) => fields['Vendor_Order_Id__c'] === order && fields['Opportunity__c'] === opportunity,
    `the order ${order} on ${opportunity}`,
  );
  print(`  Salesforce: ${order} is on ${opportunity}`);
}
