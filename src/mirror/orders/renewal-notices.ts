import type { CrmFields } from '../../domain/record/crm-graph.ts';
import { EFFECT_FIELDS } from './price-effect.ts';
import { MADE_FIELD, type RenewalNotice } from './renewal-deal.ts';

/**
 * A renewal notice (an order of the vendor that announces a renewal). `shown`: the row in the CRM, with the present values of the fields
 * that Lockstep computes.
 */
export type ShownNotice = RenewalNotice & { readonly shown: CrmFields };

/** The fields of `Vendor_Order__c` (an order in the CRM) from which Lockstep reads a renewal notice. */
export const NOTICE_FIELDS = [
  ...['Vendor_Order_Id__c', 'Status__c', 'Start_Date__c', 'Net_Amount__c', 'Currency__c'],
  ...['Sold_To_Site_Name__c', 'Sold_To_Account__c', 'Opportunity__c', MADE_FIELD],
  ...Object.values(EFFECT_FIELDS.order),
];

/** Reads a renewal notice from its CRM row; empty if the row lacks an id or the day on which the renewal begins. */
export function noticeOf(row: CrmFields): readonly ShownNotice[] {
  const text = (field: string): string | null =>
    typeof row[field] === 'string' && row[field] !== '' ? row[field] : null;
  const [id, order, startDate] = [text('Id'), text('Vendor_Order_Id__c'), text('Start_Date__c')];
  if (id === null || order === null || startDate === null) return [];
  const amount = row['Net_Amount__c'];
  return [
    {
      ...{ id, order, startDate, amount: typeof amount === 'number' ? amount : null },
      ...{ currency: text('Currency__c'), status: text('Status__c'), customer: text('Sold_To_Site_Name__c') },
      ...{ accountId: text('Sold_To_Account__c'), opportunityId: text('Opportunity__c') },
      isMade: text(MADE_FIELD) !== null,
      shown: row,
    },
  ];
}
