import type { CrmFields } from './crm-graph.ts';

/** The product fields that a tenant's offer rule can compare. The keys are the names that the tenant file uses. */
export const OFFER_RULE_FIELDS = {
  product: 'Vendor_Product_Number__c',
  trigram: 'Vendor_Trigram__c',
  portfolio: 'Vendor_Portfolio__c',
  level1: 'Vendor_Portfolio_Level_1__c',
  level2: 'Vendor_Portfolio_Level_2__c',
  level3: 'Vendor_Portfolio_Level_3__c',
  supportLevel: 'Vendor_Support_Level__c',
} as const;

export type OfferRuleKey = keyof typeof OFFER_RULE_FIELDS;
export const OFFER_RULE_KEYS = Object.keys(OFFER_RULE_FIELDS) as readonly OfferRuleKey[];

/**
 * A tenant's rule that assigns vendor offers to products. All products with the rule's values get `offer`, or no vendor offer if `offer` is
 * null. A rule without any value fits every product.
 */
export type OfferRule = { readonly offer: string | null } & { readonly [K in OfferRuleKey]?: string | undefined };

/** The product fields that these offer rules compare, and that Lockstep must therefore read. */
export function fieldsOfRules(rules: readonly OfferRule[] = []): readonly string[] {
  const keys = OFFER_RULE_KEYS.filter((key) => rules.some((rule) => rule[key] !== undefined));
  return keys.map((key) => OFFER_RULE_FIELDS[key]);
}

/**
 * The first offer rule that fits a product; undefined if none does. `product`: a CRM row with the product's fields, in which each field
 * name begins with `prefix`.
 */
export function ruleOfProduct(
  product: CrmFields,
  rules: readonly OfferRule[] = [],
  prefix = '',
): OfferRule | undefined {
  const fits = (rule: OfferRule): boolean =>
    OFFER_RULE_KEYS.every(
      (key) => rule[key] === undefined || product[`${prefix}${OFFER_RULE_FIELDS[key]}`] === rule[key],
    );
  return rules.find(fits);
}
