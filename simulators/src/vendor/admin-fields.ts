import { z } from 'zod';
import { refusal } from '../core/refusal.ts';
import { isIsoDateTime, toVendorInstant } from './dates.ts';
import {
  CORE_DATES,
  CORE_TEXTS,
  type CoreText,
  LEGAL_ENTITY_KEYS,
  READ_ONLY_TEXTS,
  type ReadOnlyText,
} from './lead-opportunity.ts';

const text = z.string().nullable().optional();
const list = z.array(z.string()).nullable().optional();
const instant = z.string().refine(isIsoDateTime, 'not an ISO 8601 date-time').transform(toVendorInstant);
const date = instant.nullable().optional();

function textsOf<K extends string>(keys: readonly K[]): Record<K, typeof text> {
  return Object.fromEntries(keys.map((key) => [key, text])) as Record<K, typeof text>;
}

const line = z.strictObject({
  amount: z.number().nullable().optional(),
  offerNameId: z.string(),
  revenueType: text,
});

const customerContact = z.strictObject({
  phoneNumber: text,
  salutation: text,
  jobTitle: text,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
});

const partnerContact = z.strictObject({
  salesRepEmail: z.string(),
  salesRepFirstName: z.string(),
  salesRepLastName: z.string(),
});

/** A lead-opportunity as the admin surface takes it: the read shape of sales spec 2.8, any part of it. */
const leadOpportunityFields = z.strictObject({
  dsLeadOpportunityId: z.string().min(1).optional(),
  partnerId: z.string().min(1).optional(),
  createdDate: instant.optional(),
  modifiedDate: instant.optional(),
  ...textsOf(Object.keys(CORE_TEXTS) as CoreText[]),
  ...(Object.fromEntries(CORE_DATES.map((name) => [name, date])) as Record<(typeof CORE_DATES)[number], typeof date>),
  reasonWon: list,
  reasonLost: list,
  competitors: list,
  ...textsOf(Object.keys(READ_ONLY_TEXTS) as ReadOnlyText[]),
  offerLines: z.array(line).nullable().optional(),
  customerContact: z.array(customerContact).nullable().optional(),
  partnerContact: z.array(partnerContact).nullable().optional(),
  customerLegalEntity: z.strictObject(textsOf(LEGAL_ENTITY_KEYS)).optional(),
});

export type LeadOpportunityFields = z.infer<typeof leadOpportunityFields>;

const portfolioItemFields = z.strictObject({
  salesPortfolioType: z.string().optional(),
  salesPortfolioInfrastructure: z.string().optional(),
  salesPortfolioisOrderable: z.boolean().optional(),
  salesPortfolioLevel1: z.string().optional(),
  salesPortfolioLevel2: z.string().optional(),
  salesPortfolioLevel3: z.string().optional(),
  salesPortfolioId: z.string().min(1).optional(),
});

export type PortfolioItemFields = z.infer<typeof portfolioItemFields>;

/**
 * Checks the fields of a lead-opportunity. The body of a create request (core in `leadOpportunity`, plural contact
 * arrays) is understood too. Throws a refusal that names the field.
 */
export function parseLeadOpportunityFields(fields: Readonly<Record<string, unknown>>): LeadOpportunityFields {
  const { leadOpportunity, customerContacts, partnerContacts, ...rest } = fields;
  const core = typeof leadOpportunity === 'object' && leadOpportunity !== null ? leadOpportunity : {};
  return parse(leadOpportunityFields, {
    ...core,
    ...rest,
    ...(customerContacts !== undefined && { customerContact: customerContacts }),
    ...(partnerContacts !== undefined && { partnerContact: partnerContacts }),
  });
}

/** Checks the fields of a portfolio item. Throws a refusal that names the field. */
export function parsePortfolioItemFields(fields: Readonly<Record<string, unknown>>): PortfolioItemFields {
  return parse(portfolioItemFields, fields);
}

function parse<T>(schema: z.ZodType<T>, fields: unknown): T {
  const result = schema.safeParse(fields);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw refusal(400, `${['fields', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'invalid'}.`);
}
