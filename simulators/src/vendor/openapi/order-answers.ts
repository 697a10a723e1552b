import { z } from 'zod';
import { described, describedObject } from '../described.ts';
import {
  ACCREDITATION_TYPES,
  BILLING_CYCLES,
  CONSENT_STATUSES,
  type CodeTable,
  DEPLOYMENT_TYPES,
  DS_OFFERINGS,
  ORDER_STATUSES,
  PRODUCT_TYPES,
  TIME_ZONES,
  V1_ONLY_STATUS,
} from '../order/codes.ts';
import type { OrderVersion } from '../order/order-shapes.ts';
import { instant } from './sales-answers.ts';

const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .meta({ format: 'date' });
const currency = z.string().regex(/^[A-Z]{3}$/);
const short = (limit: number) => z.string().max(limit);

/** The codes of a table in v1, its names in v0. */
function coded(table: CodeTable, version: OrderVersion, ...more: readonly string[]) {
  return z.enum([...(version === 'v1' ? Object.keys(table) : Object.values(table)), ...more]);
}

const site = describedObject('site', {
  id: short(15),
  name: short(120),
  localName: short(120).optional(),
  locationId: z.int().min(1).max(999),
});

/** The fields of an order's summary (order spec 2.2). */
function summaryShape(version: OrderVersion) {
  const legacy = version === 'v1' ? [V1_ONLY_STATUS] : [];
  return described('orderSummary', {
    transaction: describedObject('transaction', {
      id: short(13),
      type: z.enum(['PO', 'RN']),
      status: coded(ORDER_STATUSES, version, ...legacy),
      description: short(30),
    }),
    businessUnit: describedObject('businessUnit', {
      id: z.string().length(5),
      name: short(25),
      localTimezone: z.enum(TIME_ZONES),
    }),
    billToSite: site,
    soldToSite: site,
    creationDateTime: instant,
    dsReceivedPoDate: day.optional(),
    bookingDateTime: instant.optional(),
    lastUpdateDateTime: instant.optional(),
    currency,
    onlineConsentStatus: coded(CONSENT_STATUSES, version, ''),
    billToSalesRepresentative: z.string().optional(),
    billToPoReference: z.string().optional(),
  });
}

const AMOUNTS = {
  v0: [
    ...['billToNetAmount', 'billToAnnualAmount', 'billToDiscountPercentage', 'billToMarginPercentage'],
    ...['maximumCustomerNetAmount', 'maximumCustomerAnnualAmount', 'minimumCustomerDiscountPercentage'],
  ],
  v1: [
    ...['distributorNetAmount', 'distributorAnnualAmount', 'distributorDiscountPercentage'],
    ...['distributorMaximumMarginPercentage', 'customerMaximumNetAmount', 'customerMaximumAnnualAmount'],
    'customerMinimumDiscountPercentage',
  ],
} as const;

/** The fields of a charge breakdown (order spec 2.5). Sets of values that the documents show in part are open. */
function breakdown(version: OrderVersion) {
  const amounts = Object.fromEntries(AMOUNTS[version].map((name) => [name, z.number()]));
  return describedObject('chargeBreakdown', {
    sequenceNumber: z.int().min(1).max(999),
    installedBaseNumber: short(40).optional(),
    subOrderType: z.string(),
    revenueType: z.string(),
    portfolio: short(50),
    release: short(50),
    product: describedObject('chargedProduct', {
      trigram: z.string(),
      type: coded(PRODUCT_TYPES, version),
      number: z.string(),
      name: z.string(),
      dsOffering: coded(DS_OFFERINGS, version),
    }),
    quantity: z.int().min(1),
    unitListPrice: z.number(),
    totalListPrice: z.number(),
    ...amounts,
    startDate: day,
    endDate: day,
    calculatedStartDate: day,
    calculatedEndDate: day,
    duration: z.number(),
    yearNumber: z.int(),
    coupon: describedObject('coupon', { name: z.string(), discountPercentage: z.number() }).optional(),
    inflation: describedObject('inflation', {
      date: day,
      ratio: z.number(),
      exception: z.string(),
    }).optional(),
  });
}

/** The fields of a whole order (order spec 2.2 to 2.4). */
function detail(version: OrderVersion) {
  return describedObject('orderDetail', {
    ...summaryShape(version),
    agreement: describedObject('agreement', { type: short(100), reference: short(254).optional() }),
    billToContact: z.string().optional(),
    sboNumber: short(10).optional(),
    customerRequestedArrivalDate: day.optional(),
    dsSalesRepresentative: z.string().optional(),
    isMultiYear: z.boolean(),
    hasExitClause: z.boolean(),
    recurringChargeBillingCycle: coded(BILLING_CYCLES, version),
    ...{ [version === 'v1' ? 'opportunityId' : 'opportunity']: z.string().optional() },
    paymentTerms: short(50).optional(),
    licenseChargeConditions: z.array(
      describedObject('chargeCondition', {
        sequenceNumber: z.int(),
        lineGroup: z.string(),
        onlineInstanceSeatId: z
          .string()
          .regex(/^[A-Za-z0-9]{1,15}$/)
          .optional(),
        orderType: z.string(),
        usageScope: z.string(),
        promotion: describedObject('promotion', {
          id: z.string(),
          name: z.string(),
          combination: z.string(),
        }).optional(),
        waiver: z
          .union([describedObject('waiver', { duration: z.number() }), describedObject('waiver', { endDate: day })])
          .optional(),
        licenseChargeBreakdown: z.array(breakdown(version)),
      }),
    ),
  });
}

const named = describedObject('idAndName', { id: z.string(), name: z.string() });

/** The fields of an accreditation (order spec 2.14). */
function accreditation(version: OrderVersion) {
  return describedObject('accreditation', {
    id: z.string(),
    name: z.string(),
    accreditationType: coded(ACCREDITATION_TYPES, version),
    deploymentType: coded(DEPLOYMENT_TYPES, version).optional(),
    industrySolutionExperience: named.optional(),
    solutionRelease: named.optional(),
    industry: named.optional(),
  });
}

const priceLists = describedObject('priceListCountry', {
  countryCode: currency,
  countryName: z.string(),
  priceLists: z.array(
    describedObject('priceList', {
      id: z.int(),
      name: z.string(),
      currency,
      hasFuturePriceList: z.boolean(),
      effectiveDate: day.nullable(),
    }),
  ),
});

const price = describedObject('price', {
  revenueType: z.string(),
  dsListPrice: z.number(),
  distributorDiscountPercentage: z.number(),
  distributorPrice: z.number(),
  firstYearDiscountPercentage: z.number().optional(),
  firstYearDiscountPrice: z.number().optional(),
});

const information = describedObject('productInformation', {
  number: z.string(),
  trigram: z.string(),
  type: coded(PRODUCT_TYPES, 'v1'),
  defaultSupportLevel: z.enum(['A', 'B', 'N', 'S', 'Z', 'L']),
  licensingScheme: z.string(),
  dsOffering: coded(DS_OFFERINGS, 'v1'),
  remoteAccess: z.boolean(),
  extendedEnterpriseUser: z.boolean(),
  release: z.string(),
  name: z.string(),
  prerequisite: z.string(),
  availabilityStatus: z.int().min(1).max(7),
  portfolio: short(50),
});

const content = describedObject('packageContent', {
  number: z.string(),
  portfolio: z.string(),
  release: z.string(),
  quantity: z.int(),
});

/** The success envelope of order spec 2.1 around a list of items. */
function listOf<T extends z.ZodType>(item: T) {
  return describedObject('orderEnvelope', {
    data: z.array(item),
    info: describedObject('orderInfo', {
      success: z.literal(true),
      statusCode: z.literal(200),
      estimatedSearchCount: z.int(),
    }),
  });
}

/** The error envelope of the order domain (order spec 2.1). */
function refused(status: number, type: string) {
  return describedObject('orderEnvelope', {
    data: z.array(z.never()).max(0),
    info: describedObject('orderInfo', { success: z.literal(false), statusCode: z.literal(status) }),
    error: z.array(
      describedObject('orderError', {
        type: z.literal(type),
        title: z.string(),
        errors: z.array(describedObject('orderError', { detail: z.string(), pointer: z.string() })).optional(),
      }),
    ),
  });
}

/** Bodies of the order domain (order spec 4, 7), by version where the versions differ. */
export const ORDER_ANSWERS = {
  key: describedObject('generatedApiKey', {
    hashed_key: z.string().length(60),
    api_key: z.string().length(64),
  }),
  orders: { v0: listOf(z.strictObject(summaryShape('v0'))), v1: listOf(z.strictObject(summaryShape('v1'))) },
  order: { v0: listOf(detail('v0')), v1: listOf(detail('v1')) },
  accreditations: { v0: listOf(accreditation('v0')), v1: listOf(accreditation('v1')) },
  priceLists: listOf(priceLists),
  prices: listOf(describedObject('productPrice', { number: z.string(), prices: z.array(price) })),
  information: listOf(information),
  content: listOf(content),
  invalid: refused(400, 'errors:vendor:invalidRequest'),
  notFound: refused(404, 'errors:vendor:resourceNotFound'),
} as const;
