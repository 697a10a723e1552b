import { z } from 'zod';
import { described, describedObject } from '../described.ts';
import { CORE_TEXTS, LEGAL_ENTITY_KEYS, READ_ONLY_TEXTS } from '../lead-opportunity.ts';
import { STRICT_CODE } from '../problem.ts';

/** A date-time in the vendor's own form. */
export const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
  .meta({ format: 'date-time' });

const text = z.string().nullable();

function texts<K extends string>(keys: readonly K[]): Record<K, typeof text> {
  return Object.fromEntries(keys.map((key) => [key, text])) as Record<K, typeof text>;
}

const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];

/** The `info` of sales spec 2.9 with one of its two spellings of the time. */
function info<S extends 'timestamp' | 'timeStamp'>(spelling: S, status: number) {
  return describedObject('salesInfo', {
    success: z.literal(status < 400),
    statusCode: z.literal(status),
    traceId: z.string().nullable(),
    ...({ [spelling]: instant } as Record<S, typeof instant>),
  });
}

const error = (...codes: readonly string[]) =>
  describedObject('salesError', { code: z.enum(codes), message: z.string() });
const noResult = describedObject('updateAnswer', {
  partnerLeadOpportunityId: z.null(),
  dsLeadOpportunityId: z.null(),
  action: z.null(),
});

/** The lead-opportunity in the answer of a read (sales spec 2.8). */
const leadOpportunity = describedObject('leadOpportunityReadOnly', {
  dsLeadOpportunityId: z.string(),
  ...described('leadOpportunity', {
    ...texts(keysOf(CORE_TEXTS)),
    reasonWon: z.array(z.string()).nullable(),
    reasonLost: z.array(z.string()).nullable(),
    competitors: z.array(z.string()).nullable(),
  }),
  ...texts(keysOf(READ_ONLY_TEXTS)),
  createdDate: instant,
  modifiedDate: instant,
  offerLines: z.array(
    describedObject('offerLine', {
      amount: z.number().nullable(),
      offerNameId: z.string(),
      revenueType: text,
    }),
  ),
  customerContact: z.array(
    describedObject('customerContact', {
      ...texts(['phoneNumber', 'salutation', 'jobTitle']),
      email: z.string(),
      firstName: z.string(),
      lastName: z.string(),
    }),
  ),
  partnerContact: z
    .array(
      describedObject('partnerContact', {
        salesRepEmail: z.string(),
        salesRepFirstName: z.string(),
        salesRepLastName: z.string(),
      }),
    )
    .nullable(),
  customerLegalEntity: describedObject('legalEntity', texts(LEGAL_ENTITY_KEYS)),
});

const portfolioItem = describedObject('portfolioItem', {
  salesPortfolioType: z.string(),
  salesPortfolioInfrastructure: z.string(),
  salesPortfolioisOrderable: z.boolean(),
  salesPortfolioLevel1: z.string(),
  salesPortfolioLevel2: z.string(),
  salesPortfolioLevel3: z.string(),
  salesPortfolioId: z.string(),
});

const good = info('timeStamp', 200);
/** The error code of all refusals for which the documents show none. */
const OTHER = 'SANDBOX_INVALID';

function refused(status: number, ...codes: readonly string[]) {
  return describedObject('salesEnvelope', {
    data: z.null(),
    info: info('timeStamp', status),
    error: error(...codes),
  });
}

/** Bodies of the sales domain (sales spec 4, 7). */
export const SALES_ANSWERS = {
  created: describedObject('salesEnvelope', {
    ...described('createAnswer', {
      dsLeadOpportunityId: z.string(),
      partnerLeadOpportunityId: z.string(),
      action: z.literal('create'),
    }),
    info: info('timestamp', 201),
    error: z.null(),
  }),
  updated: describedObject('salesEnvelope', {
    info: good,
    error: z.null(),
    data: describedObject('updateAnswer', {
      partnerLeadOpportunityId: z.string(),
      dsLeadOpportunityId: z.string(),
      action: z.literal('update'),
    }),
  }),
  read: describedObject('salesEnvelope', {
    error: z.null(),
    info: good,
    data: describedObject('readAnswer', { leadOpportunity }),
  }),
  found: describedObject('salesEnvelope', {
    info: good,
    error: z.null(),
    data: z.array(describedObject('searchAnswer', { dsLeadOpportunityId: z.array(z.string()) })).length(1),
  }),
  portfolio: describedObject('salesEnvelope', {
    info: describedObject('salesInfo', {
      success: z.literal(true),
      statusCode: z.literal(200),
      estimatedSearchCount: z.int(),
      timeStamp: instant,
    }),
    data: z.array(portfolioItem),
  }),
  createRefused: refused(400, 'ERR801', OTHER),
  updateRefused: refused(400, OTHER),
  searchRefused: refused(400, 'ERROR_043', OTHER),
  portfolioRefused: describedObject('salesEnvelope', {
    info: info('timeStamp', 400),
    error: error('ERROR_004', OTHER),
  }),
  strictRefused: refused(400, STRICT_CODE),
  portfolioStrictRefused: describedObject('salesEnvelope', {
    info: info('timeStamp', 400),
    error: error(STRICT_CODE),
  }),
  outOfScope: refused(500, 'ERROR_048'),
  badDate: describedObject('salesEnvelope', {
    info: info('timeStamp', 406),
    error: error('ERR805'),
    data: noResult,
  }),
  unavailable: describedObject('salesEnvelope', {
    info: info('timestamp', 503),
    error: error('ERR899'),
    data: noResult,
  }),
} as const;

/** The body of 401, 403 and 429 in both domains. */
export const gatewayMessage = describedObject('gatewayMessage', { message: z.string() });
