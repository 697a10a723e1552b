import type { Raw } from './http.ts';
import type { World } from './world.ts';

/** A shared lead with what the vendor needs. */
export function sharedLead({ crm }: World, fields: Raw = {}): Promise<string> {
  return crm.create('Lead', {
    ...{ FirstName: 'Ida', LastName: 'Berg', Company: 'Bergwerk', Email: 'ida@berg.example' },
    ...{ Street: 'Marktstr. 1', City: 'Goslar', Country: 'DE', Status: 'Open - Not Contacted' },
    ...{ Vendor_Share__c: true, Vendor_Close_Date__c: '2027-05-31' },
    ...fields,
  });
}
