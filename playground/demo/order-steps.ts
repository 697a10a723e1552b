import type { AdminRecord } from './http.ts';
import { onlyLead, type StepContext, stepLimits } from './steps.ts';
import { waitFor } from './wait.ts';

/** Ids of the order and the renewal that the vendor entered for a deal. */
export type Entered = { readonly opportunity: string; readonly order: string; readonly renewal: string };

/** The vendor's staff books an order for a deal and announces a renewal. */
export async function vendorOrders(context: StepContext, opportunity: string): Promise<Entered> {
  const { vendor, today, print } = context;
  const lead = await onlyLead(context, opportunity);
  const enter = (id: string, type: 'PO' | 'RN', more: object) =>
    vendor.admin.create('order', {
      transaction: { id, type, status: type === 'PO' ? 'APP' : 'DFT' },
      opportunityId: lead.id,
      currency: 'EUR',
      ...more,
    });
  const [order, renewal] = ['PO-DEMO-1', 'RN-DEMO-1'];
  await enter(order, 'PO', { bookingDateTime: bookedAfter(lead, today), ...charged(12_500, null) });
  await enter(renewal, 'RN', charged(2_000, dateAfter(today, 60)));
  print(`  vendor:     books the order ${order} for ${lead.id}, and announces the renewal ${renewal}`);
  return { opportunity, order, renewal };
}

/** Waits until the opportunity shows the order, the renewal and the booked amount. */
export async function ordersInCrm(context: StepContext, entered: Entered): Promise<void> {
  const { opportunity, order, renewal } = entered;
  const shown = (id: string) =>
    waitFor(
      `the vendor's order ${id} on ${opportunity} in Salesforce`,
      async () => {
        const rows = await context.crm.admin.records('Vendor_Order__c');
        const isThere = ({ fields }: AdminRecord): boolean =>
          fields['Vendor_Order_Id__c'] === id && fields['Opportunity__c'] === opportunity;
        return rows.find(isThere) ?? null;
      },
      stepLimits(context),
    );
  const booked = await shown(order);
  context.print(`  Salesforce: ${order} is there on ${opportunity}, status ${textOf(booked, 'Status__c')}`);
  const announced = await shown(renewal);
  context.print(`  Salesforce: ${renewal} is there, a renewal that starts on ${textOf(announced, 'Start_Date__c')}`);
  const amount = await waitFor(
    `the booked amount on ${opportunity} in Salesforce`,
    async () => {
      const row = (await context.crm.opportunities()).find(({ id }) => id === opportunity);
      const hasBoth = row?.fields['Vendor_Order_Count__c'] === 2;
      return hasBoth ? (row.fields['Vendor_Booked_Amount__c'] ?? null) : null;
    },
    stepLimits(context),
  );
  context.print(`  Salesforce: ${opportunity} shows 2 orders, and ${String(amount)} EUR booked`);
}

/** Now, and not before the vendor has the deal: no order is booked before its deal, and none in the future. */
export function bookedAfter(lead: AdminRecord, today: Date): string {
  const made = Date.parse(textOf(lead, 'createdDate'));
  return new Date(Math.max(today.getTime(), Number.isNaN(made) ? 0 : made)).toISOString();
}

function charged(amount: number, startDate: string | null): object {
  const line = {
    sequenceNumber: 1,
    distributorNetAmount: amount,
    ...(startDate === null ? {} : { startDate }),
  };
  return { licenseChargeConditions: [{ sequenceNumber: 1, licenseChargeBreakdown: [line] }] };
}

function dateAfter(today: Date, days: number): string {
  return new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10);
}

function textOf({ fields }: AdminRecord, field: string): string {
  const value = fields[field];
  return typeof value === 'string' ? value : '';
}
