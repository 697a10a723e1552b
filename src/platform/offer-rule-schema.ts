import { z } from 'zod';
import { OFFER_RULE_KEYS, type OfferRuleKey } from '../domain/record/offer-rules.ts';
import { text } from './secret-fields.ts';

const ruleText = text('must be the value of the product’s field, in quotes').min(1);

/**
 * Schema of the rules that assign a vendor's offer to a CRM product. Each key of a rule names a field of the product (`OFFER_RULE_FIELDS`),
 * and the key's value is compared with this field.
 */
export const offerRules = z
  .array(
    z.strictObject(
      {
        offer: text('must be the id of an offer in quotes, or null').nullable(),
        ...(Object.fromEntries(OFFER_RULE_KEYS.map((key) => [key, ruleText.optional()])) as Record<
          OfferRuleKey,
          z.ZodOptional<typeof ruleText>
        >),
      },
      { error: 'must be a rule with its keys, such as { portfolio: "Design", offer: "O-1" }' },
    ),
    { error: 'must be a list of rules, such as - { portfolio: "Design", offer: "O-1" }' },
  )
  .default([]);
