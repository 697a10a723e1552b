import { share } from './crm-side.ts';
import type { AdminRecord } from './http.ts';
import { onlyLead, type StepContext, stepLimits } from './steps.ts';
import { waitFor } from './wait.ts';

/** The vendor's price list in the currency of the demo org. */
const PRICE_LIST = '1';
const DAY_MS = 86_400_000;

/** A deal on the price book of a mirrored price list reaches the vendor with its offer. */
export async function priceBookDeal(context: StepContext): Promise<void> {
  const { crm, catalog, today, print } = context;
  const { book, entry, offer } = await waitFor(
    "an offer in the price book of the vendor's price list",
    () => offerInBook(context),
    stepLimits(context),
  );
  const [account] = catalog.accounts;
  const id = await crm.create('Opportunity', {
    ...{ Name: 'Rail depot layout', StageName: 'Qualification', AccountId: account?.id, Pricebook2Id: book.id },
    CloseDate: new Date(today.getTime() + 45 * DAY_MS).toISOString().slice(0, 10),
  });
  const line = { OpportunityId: id, PricebookEntryId: entry.id, Quantity: 1, UnitPrice: 4_000 };
  await crm.create('OpportunityLineItem', line);
  await crm.create('OpportunityContactRole', { OpportunityId: id, ContactId: account?.contactId, IsPrimary: true });
  await share(crm, id);
  print(
    `  Salesforce: "Rail depot layout" (${id}) sells an offer from the price book "${String(book.fields['Name'])}"`,
  );
  const lead = await onlyLead(context, id);
  print(`  vendor:     it is there as ${lead.id}, with the offer ${offer}`);
}

type Offered = { readonly book: AdminRecord; readonly entry: AdminRecord; readonly offer: string };

/** An active entry of an offer in the price book; null while the catalog lacks one. */
async function offerInBook({ crm }: StepContext): Promise<Offered | null> {
  const books = await crm.admin.records('Pricebook2');
  const book = books.find(({ fields }) => fields['Vendor_Price_List_Key__c'] === PRICE_LIST);
  if (book === undefined) return null;
  const offers = new Map(
    (await crm.admin.records('Product2')).flatMap(({ id, fields }) => {
      const offer = fields['Vendor_Offer_Id__c'];
      return fields['IsActive'] === true && typeof offer === 'string' && offer !== '' ? [[id, offer] as const] : [];
    }),
  );
  const entries = await crm.admin.records('PricebookEntry');
  const entry = entries.find(
    ({ fields }) =>
      fields['Pricebook2Id'] === book.id && fields['IsActive'] === true && offers.has(String(fields['Product2Id'])),
  );
  const offer = offers.get(String(entry?.fields['Product2Id']));
  return entry === undefined || offer === undefined ? null : { book, entry, offer };
}
