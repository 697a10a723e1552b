import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { MappingConfig } from '../../domain/record/mapping-config.ts';
import { fieldsOfRules, type OfferRule, ruleOfProduct } from '../../domain/record/offer-rules.ts';
import type { Crm } from '../../salesforce/crm.ts';
import { CrmError } from '../../salesforce/errors.ts';
import type { Misfit } from './problem.ts';

const MOST_NAMED = 5;

/**
 * Problems of the org's products and of the tenant's rules that assign the vendor's offers to products: products that have vendor prices
 * but belong to no offer, rules that fit no product, and rules with an offer that the vendor's portfolio lacks. Throws the CRM's errors.
 */
export async function judgeOffers(
  crm: Pick<Crm, 'productsWithoutOffer' | 'knownOffers'>,
  { offers }: Pick<MappingConfig, 'offers'>,
): Promise<readonly Misfit[]> {
  const products = await crm.productsWithoutOffer(fieldsOfRules(offers)).catch((error: unknown) => {
    // An org that hides the catalog's fields from the integration user has no prices that Lockstep copied from the vendor.
    if (error instanceof CrmError && error.kind === 'schema-mismatch') return [];
    throw error;
  });
  // If the org has no products of the catalog, Lockstep cannot check whether a rule is right.
  const wrong = products.length === 0 ? [] : await judgeRules(crm, products, offers);
  return [...wrong, ...withoutRule(products.filter((product) => ruleOfProduct(product, offers) === undefined))];
}

/**
 * Problems of single rules that assign offers to products: the vendor does not have the rule's offer, or no product fits the rule. Such a
 * rule probably contains a typing error.
 */
async function judgeRules(
  crm: Pick<Crm, 'knownOffers'>,
  products: readonly CrmFields[],
  rules: readonly OfferRule[] = [],
): Promise<readonly Misfit[]> {
  const named = [...new Set(rules.flatMap(({ offer }) => offer ?? []))];
  const known = named.length === 0 ? new Set() : await crm.knownOffers(named);
  const used = new Set(products.map((product) => ruleOfProduct(product, rules)));
  return rules.flatMap((rule, place): readonly Misfit[] => {
    const at = ['offers', place];
    const isUnknown = rule.offer !== null && !known.has(rule.offer);
    return [
      ...(isUnknown
        ? [
            {
              at,
              verdict: 'warns' as const,
              what: `the vendor's portfolio has no offer ${rule.offer}`,
              repair: CORRECT,
            },
          ]
        : []),
      ...(used.has(rule)
        ? []
        : [
            {
              at,
              verdict: 'warns' as const,
              what: `no product fits the rule ${JSON.stringify(rule)}`,
              repair: CORRECT,
            },
          ]),
    ];
  });
}

const CORRECT = 'correct the rule under offers in the tenant file';

function withoutRule(left: readonly CrmFields[]): readonly Misfit[] {
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
