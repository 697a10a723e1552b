import type { CrmLimits } from '../../domain/record/crm-limits.ts';
import type { OrderAccounts } from '../../domain/record/order-accounts.ts';
import { type Judgment, ok } from './finding.ts';

/**
 * Judges whether orders can find their deals by the purchase order number. The org must have the opportunity field with that number. The
 * tenant file must say how the account of an order's customer is found.
 */
export function judgePoReference(
  field: string,
  { soldTo }: Pick<OrderAccounts, 'soldTo'>,
  described: CrmLimits,
): readonly Judgment[] {
  if (soldTo.length === 0)
    return [
      {
        verdict: 'warns',
        what: 'orders.accounts.soldTo is empty, so no order has a customer, and none finds its deal by its purchase order number',
        repair: 'list the keys of the account in orders.accounts.soldTo, such as site-id, or leave it out',
      },
    ];
  if (described['Opportunity']?.[field] !== undefined)
    return [ok(`orders find their deals by the purchase order number in Opportunity.${field}`)];
  return [
    {
      verdict: 'warns',
      what: `Opportunity.${field} does not exist or is hidden from us, so no order finds its deal by its purchase order number`,
      repair: `let the integration user read Opportunity.${field}, or correct orders.poReference of the tenant file`,
    },
  ];
}
