import { z } from 'zod';
import { isoDateTime } from './date-schemas.ts';
import { described } from './described.ts';
import { CORE_DATES, CORE_LISTS, CORE_TEXTS, type CoreText } from './lead-opportunity.ts';
import { accepted, type Checked, PROBLEMS, refused, sandboxInvalid } from './problem.ts';
import { withNullsAsUnset } from './shown-nulls.ts';

/** The closed set of v0 (sales spec 2.5). The codes of v1 are not documented, so any text is accepted there. */
const V0_REVENUE_TYPES = ['UPFRONT', 'RENTAL_BOOKING', 'SUPPORT_SERVICES', 'SERVICES_SIGNING'] as const;

const id = z.string().min(1);

const requiredCore = {
  name: z.string(),
  status: id,
  closeDate: isoDateTime,
  currency: z.string().regex(/^[A-Z]{3}$/, 'not exactly 3 uppercase letters'),
};

/** Optional texts, lists and dates of the core. Other keys are dropped. */
const optionalCore = {
  ...optional(Object.keys(CORE_TEXTS) as CoreText[], z.string()),
  ...optional(CORE_LISTS, z.array(z.string())),
  ...optional(CORE_DATES, isoDateTime),
};

function optional<K extends string, T extends z.ZodType>(keys: readonly K[], type: T) {
  return Object.fromEntries(keys.map((key) => [key, type.optional()])) as Record<K, z.ZodOptional<T>>;
}

const createCore = z.object(
  described('leadOpportunity', { ...optionalCore, partnerLeadOpportunityId: id, ...requiredCore }),
);
const updateCore = z.object(
  described('leadOpportunity', {
    ...optionalCore,
    partnerLeadOpportunityId: id,
    ...z.object(requiredCore).partial().shape,
  }),
);

const nullableText = z.string().nullable();

const legalEntity = z.object(
  described('legalEntity', {
    id: nullableText.optional(),
    dunsNumber: nullableText.optional(),
    vatNumber: nullableText.optional(),
    registrationId: nullableText.optional(),
    name: nullableText,
    city: nullableText,
    country: nullableText,
    addressLine1: nullableText.optional(),
    statePrefecture: nullableText.optional(),
    addressLine2: nullableText.optional(),
    zipCode: nullableText.optional(),
    websiteUrl: nullableText.optional(),
  }),
);

const customerContact = z.object(
  described('customerContact', {
    phoneNumber: z.string().optional(),
    salutation: z.string().optional(),
    jobTitle: z.string().optional(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
  }),
);

const partnerContact = z.object(
  described('partnerContact', {
    salesRepEmail: z.string(),
    salesRepFirstName: z.string(),
    salesRepLastName: z.string(),
  }),
);

const lineBase = { amount: z.number().optional(), offerNameId: id };
const OFFER_LINES = {
  v0: z.array(z.object(described('offerLine', { ...lineBase, revenueType: z.enum(V0_REVENUE_TYPES).optional() }))),
  v1: z.array(z.object(described('offerLine', { ...lineBase, revenueType: z.string().optional() }))),
} as const;

export type ApiVersion = keyof typeof OFFER_LINES;

const contacts = {
  customerContacts: z.array(customerContact).optional(),
  partnerContacts: z.array(partnerContact).optional(),
};

function bodies<L extends (typeof OFFER_LINES)[ApiVersion]>(lines: L) {
  return {
    create: z.object(
      described('createRequest', {
        partnerId: id,
        leadOpportunity: createCore,
        offerLines: lines.min(1) as L,
        customerLegalEntity: legalEntity,
        ...contacts,
      }),
    ),
    update: z.object(
      described('createRequest', {
        partnerId: z.string().optional(),
        leadOpportunity: updateCore,
        offerLines: lines.optional(),
        customerLegalEntity: legalEntity.optional(),
        ...contacts,
      }),
    ),
  };
}

/** Request bodies of create and update (sales spec 4.1, 4.2). Fields that are not listed are ignored. */
export const BODIES = { v0: bodies(OFFER_LINES.v0), v1: bodies(OFFER_LINES.v1) } as const;

export type CreateBody = z.infer<(typeof BODIES)['v1']['create']>;
export type UpdateBody = z.infer<(typeof BODIES)['v1']['update']>;

/**
 * Checks a body against a schema. An invalid date-time is ERR805. Any other fault gets the code for undocumented refusals, and a message
 * with its path.
 */
export function checkBody<T>(schema: z.ZodType<T>, body: unknown): Checked<T> {
  const result = schema.safeParse(withNullsAsUnset(body));
  if (result.success) return accepted(result.data);
  if (result.error.issues.some((issue) => isBadDate(issue, body))) return refused(PROBLEMS.badDate);
  const issue = result.error.issues[0];
  const place = issue?.path.join('.') || 'body';
  return refused(sandboxInvalid(`${place}: ${issue?.message ?? 'invalid'}.`));
}

function isBadDate(issue: z.core.$ZodIssue, body: unknown): boolean {
  const [section, field] = issue.path;
  if (section !== 'leadOpportunity' || !CORE_DATES.some((date) => date === field)) return false;
  const core = (body as { leadOpportunity: Record<string, unknown> }).leadOpportunity;
  return Object.hasOwn(core, String(field));
}
