import type { AccountKey, OrderAccounts } from '../../domain/record/order-accounts.ts';
import type { LinkRule } from '../link-rules.ts';
import { CHARGE_LINE_MIRROR } from './charge-line-mirror.ts';
import { ORDER_MIRROR } from './order-mirror.ts';

/** The order's lookup field that refers to its opportunity. */
export const OPPORTUNITY = 'Opportunity__c';

/** A purchase order number links an order only to an opportunity of the order's customer, because users may enter any number. */
const CUSTOMER = { of: 'AccountId', is: 'Sold_To_Account__c', problem: 'PO_Reference_Problem__c' };

const SITES = { soldTo: 'Sold_To', billTo: 'Bill_To' } as const;

/**
 * For each object, the rules that find the Salesforce records for its lookup fields. `poReference`: the opportunity's field with the
 * partner's purchase order number; null if the tenant has no such field. An order that names no deal of the vendor is linked to its
 * opportunity by this number instead.
 */
export function orderLinkRules(
  accounts: OrderAccounts,
  poReference: string | null = null,
): Readonly<Record<string, readonly LinkRule[]>> {
  const [from, unless] = ['Bill_To_PO_Reference__c', 'Vendor_Opportunity_Id__c'];
  return {
    [ORDER_MIRROR.object]: [
      ...accounts.soldTo.map((key) => accountRule(SITES.soldTo, key)),
      ...accounts.billTo.map((key) => accountRule(SITES.billTo, key)),
      ...(poReference === null
        ? []
        : [{ field: OPPORTUNITY, from, unless, object: 'Opportunity', by: poReference, customer: CUSTOMER }]),
    ],
    [CHARGE_LINE_MIRROR.object]: [
      {
        field: 'Product__c',
        from: 'Product_Number__c',
        object: 'Product2',
        by: 'Vendor_Product_Number__c',
        isExact: true,
      },
    ],
  };
}

function accountRule(site: string, key: AccountKey): LinkRule {
  const rule = { field: `${site}_Account__c`, object: 'Account' };
  if (key === 'name') return { ...rule, from: `${site}_Site_Name__c`, by: 'Name' };
  if (key === 'local-name') return { ...rule, from: `${site}_Site_Local_Name__c`, by: 'Name' };
  return { ...rule, from: `${site}_Site_Id__c`, by: key === 'site-id' ? 'Vendor_Site_Id__c' : key };
}
