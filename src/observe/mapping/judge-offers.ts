import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import { fieldsOfRules, ruleOfProduct } from '../../domain/record/offer-rules.ts';
import type { Crm } from '../../salesforce/crm.ts';
import { CrmError } from '../../salesforce/errors.ts';
import type { Misfit } from './problem.ts';

const MOST_NAMED = 5;

/**
 * Problems of the org's products: those with prices that belong to no offer, so that opportunity lines with them are never sent to the
 * vendor. Throws the CRM's errors.
 */
export async function judgeOffers(
  crm: Pick<Crm, 'productsWithoutOffer'>,
  { offers }: Pick<MappingConfig, 'offers'>,
): Promise<readonly Misfit[]> {
  const products = await crm.productsWithoutOffer(fieldsOfRules(offers)).catch((error: unknown) => {
    // An org that does not show us the catalog's fields has no mirrored prices.
    if (error instanceof CrmError && error.kind === 'schema-mismatch') return [];
    throw error;
  });
  const left = products.filter((product) => ruleOfProduct(product, offers) === undefined);
  if (left.length === 0) return [];
  const names = left.slice(0, MOST_NAMED).map((product) => String(product['Vendor_Product_Number__c']));
  const more = left.length - names.length;
  const listed = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return [
    {
      at: ['offers'],
      verdict: 'warns',
      what: `products with prices belong to no offer, so the vendor gets no line of them: ${listed}`,
      repair: 'add rules under offers in the tenant file, or fill in "Vendor: offer id" of the products',
    },
  ];
}
