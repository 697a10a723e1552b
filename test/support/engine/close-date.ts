import type { Raw } from './http.ts';
import type { World } from './world.ts';

/** The last day of the quarter in which all stories begin. Salesforce gives it to each opportunity that a conversion creates. */
const QUARTER_END = '2027-03-31';

/**
 * The close date that users chose for an opportunity: the lead's date as long as the deal has not moved to the opportunity that a
 * conversion created, and the opportunity has the date that Salesforce chose; otherwise the opportunity's date.
 */
export async function chosenCloseDate({ crm, ledger, tenant }: World, { Id, CloseDate }: Raw): Promise<unknown> {
  if (CloseDate !== QUARTER_END) return CloseDate;
  const lead = (await crm.list('Lead')).find((row) => row['ConvertedOpportunityId'] === Id);
  if (lead === undefined || !lead['Vendor_Close_Date__c']) return CloseDate;
  const link = await ledger.findLinkByIds(tenant, { crmId: String(Id) });
  return link?.formerIds?.includes(String(lead['Id'])) ? CloseDate : lead['Vendor_Close_Date__c'];
}
