import type { CrmLine } from './fields.ts';
import type { World } from './world.ts';

/** The opportunities' lines, and a function that adds one. */
export function createCrmLines(crm: World['crm']) {
  let entries: Promise<ReadonlyMap<string, string>> | null = null;

  async function linesOf(opportunityId: string): Promise<readonly CrmLine[]> {
    const [lines, products] = [await crm.list('OpportunityLineItem'), await crm.list('Product2')];
    const offerOf = new Map(products.map((row) => [row['Id'], row['Vendor_Offer_Id__c']]));
    return lines
      .filter((row) => row['OpportunityId'] === opportunityId && row['IsDeleted'] !== true)
      .map((row) => ({
        id: String(row['Id']),
        offer: String(offerOf.get(row['Product2Id'])),
        amount: Number(row['TotalPrice'] ?? 0),
        revenueType: row['Vendor_Revenue_Type__c'] ?? null,
      }));
  }

  /** Price book entries by offer. */
  async function priceBook(): Promise<ReadonlyMap<string, string>> {
    const [rows, products, books] = [
      await crm.list('PricebookEntry'),
      await crm.list('Product2'),
      await crm.list('Pricebook2'),
    ];
    const standard = books.find((book) => book['IsStandard'] === true)?.['Id'];
    const offerOf = new Map(products.map((product) => [product['Id'], product['Vendor_Offer_Id__c']]));
    const own = rows.filter((entry) => entry['Pricebook2Id'] === standard);
    return new Map(own.map((entry) => [String(offerOf.get(entry['Product2Id'])), String(entry['Id'])]));
  }

  async function addLine(opportunityId: string, offer: string, amount: number): Promise<void> {
    entries ??= priceBook();
    const entry = (await entries).get(offer);
    await crm.create('OpportunityLineItem', {
      OpportunityId: opportunityId,
      PricebookEntryId: entry,
      Quantity: 1,
      TotalPrice: amount,
    });
  }

  return { linesOf, addLine };
}
