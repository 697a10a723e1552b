import type { AdminRecord } from './http.ts';
import { type StepContext, stepLimits } from './steps.ts';
import { waitFor } from './wait.ts';

/** The vendor's price list in the currency of the demo org. */
const PRICE_LIST = '1';

/** Triggers a read of the vendor's catalog at once, as an operator would. */
export async function catalogAsked(context: StepContext): Promise<void> {
  const ask = () => context.refreshCatalog().then(() => true as const);
  await waitFor('nobody is reading the catalog', () => ask().catch(() => null), stepLimits(context));
  context.print('  operator:   asks for the products and prices of the vendor');
}

/** Waits until Salesforce has a vendor price in the price book of the vendor's price list. */
export async function catalogInCrm(context: StepContext): Promise<void> {
  const entries = await waitFor(
    "a price of the vendor's in Salesforce",
    async () => {
      const rows = await context.crm.admin.records('PricebookEntry');
      const own = rows.filter((row) => textOf(row, 'Vendor_Entry_Key__c').startsWith(`${PRICE_LIST}/`));
      return own.length === 0 ? null : own;
    },
    stepLimits(context),
  );
  const [entry] = entries.toSorted((a, b) => (textOf(a, 'ProductCode') < textOf(b, 'ProductCode') ? -1 : 1));
  const books = await context.crm.admin.records('Pricebook2');
  const book = books.find(({ id }) => id === entry?.fields['Pricebook2Id']);
  if (entry === undefined || book === undefined) return;
  const { UnitPrice: price, Vendor_Partner_Price__c: own } = entry.fields;
  context.print(`  Salesforce: the price book "${textOf(book, 'Name')}" has ${entries.length} prices of the vendor's`);
  context.print(
    `  Salesforce: ${textOf(entry, 'ProductCode')} "${textOf(entry, 'Name')}" is ${String(price)} EUR, ${String(own)} EUR for us`,
  );
}

function textOf({ fields }: AdminRecord, field: string): string {
  const value = fields[field];
  return typeof value === 'string' ? value : '';
}
