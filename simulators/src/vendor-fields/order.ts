import type { FieldGroup } from './field-group.ts';

/** The fields of orders and of an order search, by the object that has them. */
export const ORDER_FIELDS = {
  orderSummary: {
    section: 'order spec 2.2',
    fields: {
      transaction: 'What the order is: a purchase order or a renewal notification.',
      businessUnit: "The vendor's business unit of the order.",
      billToSite: 'The legal entity that is invoiced.',
      soldToSite: 'The legal entity of the final customer.',
      creationDateTime: 'When the order was created: a date-time in UTC.',
      dsReceivedPoDate: 'When the vendor received the order: a date, `YYYY-MM-DD`.',
      bookingDateTime: 'When the finance department approved the order: a date-time in UTC.',
      lastUpdateDateTime:
        'When the order was last modified: a date-time in UTC, set by the system on every modification.',
      currency: 'Currency of all amounts: exactly 3 uppercase letters (ISO 4217).',
      onlineConsentStatus:
        'Status of the online consent request: `A` accepted, `T` expired, `X` not applicable, `N` not requested, `R` refused, `S` requested. v0 shows names instead of these letters (2.6). Default: an empty string.',
      billToSalesRepresentative: 'Name of the sales representative of the bill-to site.',
      billToPoReference:
        "The order's id in the bill-to site's own ordering system; shown on the vendor's invoice, if there is one.",
    },
  },
  transaction: {
    section: 'order spec 2.2',
    fields: {
      id: 'Id of the purchase order or renewal notification: at most 13 characters.',
      type: '`PO` (purchase order) or `RN` (renewal notification).',
      status: 'Status of the order: a code in v1, a name in v0 (2.6).',
      description: 'Description of the order: at most 30 characters.',
    },
  },
  businessUnit: {
    section: 'order spec 2.2',
    fields: {
      id: 'Id of the business unit: exactly 5 characters.',
      name: 'Name of the business unit: at most 25 characters.',
      localTimezone: 'Abbreviation of the time zone of the business unit (2.7).',
    },
  },
  site: {
    section: 'order spec 2.2',
    fields: {
      id: 'Id of the legal entity: at most 15 characters.',
      name: 'Registered name of the legal entity in English: at most 120 characters.',
      localName: 'Registered name of the legal entity in the local language: at most 120 characters.',
      locationId: 'Id of the location of the legal entity: an integer from 1 to 999.',
    },
  },
  orderDetail: {
    section: 'order spec 2.3',
    fields: {
      agreement: 'The agreement of the order.',
      billToContact: 'Contact at the bill-to site, as `LASTNAME, Firstname`.',
      sboNumber: 'Number of the special bid offer that the order is based on: at most 10 characters.',
      customerRequestedArrivalDate:
        'Requested delivery date, not binding: a date. Support never starts before it; license keys stay inactive until support starts.',
      dsSalesRepresentative: "The vendor's sales representative, as `LASTNAME, Firstname`.",
      isMultiYear: 'Whether the order is part of a multi-year deal.',
      hasExitClause: 'Whether the agreement has an exit clause that asks for early-termination fees.',
      recurringChargeBillingCycle:
        'How often charges of type ALC and ASC are invoiced: a code in v1, a name in v0 (2.8). Proration uses months of 30 days.',
      opportunityId: 'Id of the sales opportunity that is linked to the order. v0 calls it `opportunity`.',
      opportunity: 'Id of the sales opportunity that is linked to the order. v1 calls it `opportunityId`.',
      paymentTerms: 'Terms of payment, from the finance department: at most 50 characters.',
      licenseChargeConditions: 'The license charge conditions of the order (2.4).',
    },
  },
  agreement: {
    section: 'order spec 2.3',
    fields: {
      type: 'Type of the agreement: at most 100 characters.',
      reference: 'Title of the agreement: at most 254 characters. Only for types whose sub-group is instantiated.',
    },
  },
  chargeCondition: {
    section: 'order spec 2.4',
    fields: {
      sequenceNumber: 'Position of the charge condition: an integer.',
      lineGroup: 'Id of the group to which the line belongs; the document does not explain it.',
      onlineInstanceSeatId: "Id of a cloud platform instance, and of a user's seat: at most 15 letters and digits.",
      orderType: 'Kind of order: a code in v1, a name in v0. The vendor documents only a part of the values (2.9).',
      usageScope: 'Scope of usage; the document lists no values.',
      promotion: 'The promotion of the charge condition.',
      waiver: 'The waiver, a period in which the charge is free or discounted: its duration or its end date.',
      licenseChargeBreakdown: 'The lines of the charge condition (2.5).',
    },
  },
  promotion: {
    section: 'order spec 2.4',
    fields: {
      id: 'Id of the promotion.',
      name: 'Name of the promotion.',
      combination: 'Combination of the promotion; the document does not explain it.',
    },
  },
  waiver: {
    section: 'order spec 2.4',
    fields: {
      duration: 'How long the charge is free or discounted: usually a number of months.',
      endDate: 'Until when the charge is free or discounted: a date, `YYYY-MM-DD`.',
    },
  },
  chargeBreakdown: {
    section: 'order spec 2.5',
    fields: {
      sequenceNumber: 'Number of the line, given by the system: an integer from 1 to 999.',
      installedBaseNumber: 'Id of the installed base of the final customer: at most 40 characters.',
      subOrderType: 'Kind of line: a code in v1, a name in v0. The vendor documents only a part of the values (2.9).',
      revenueType: 'Type of revenue, such as `YLC` for a yearly license charge (2.10).',
      portfolio: 'Product family: at most 50 characters.',
      release: 'Name of the release of the product: at most 50 characters.',
      product: 'The product of the line.',
      quantity: 'Quantity of the product: an integer from 1.',
      unitListPrice: 'List price of one unit of the product, in the currency of the order.',
      totalListPrice: 'List price of the whole quantity, in the currency of the order.',
      distributorNetAmount: 'Net amount for the partner, in the currency of the order. v0: `billToNetAmount`.',
      distributorAnnualAmount: 'Annual amount for the partner, in the currency of the order. v0: `billToAnnualAmount`.',
      distributorDiscountPercentage: 'Discount of the partner in percent. v0: `billToDiscountPercentage`.',
      distributorMaximumMarginPercentage: 'Largest margin of the partner in percent. v0: `billToMarginPercentage`.',
      customerMaximumNetAmount:
        'Largest net amount for the customer, in the currency of the order. v0: `maximumCustomerNetAmount`.',
      customerMaximumAnnualAmount:
        'Largest annual amount for the customer, in the currency of the order. v0: `maximumCustomerAnnualAmount`.',
      customerMinimumDiscountPercentage:
        'Smallest discount of the customer in percent. v0: `minimumCustomerDiscountPercentage`.',
      billToNetAmount: 'Net amount for the partner, in the currency of the order. v1: `distributorNetAmount`.',
      billToAnnualAmount: 'Annual amount for the partner, in the currency of the order. v1: `distributorAnnualAmount`.',
      billToDiscountPercentage: 'Discount of the partner in percent. v1: `distributorDiscountPercentage`.',
      billToMarginPercentage: 'Largest margin of the partner in percent. v1: `distributorMaximumMarginPercentage`.',
      maximumCustomerNetAmount:
        'Largest net amount for the customer, in the currency of the order. v1: `customerMaximumNetAmount`.',
      maximumCustomerAnnualAmount:
        'Largest annual amount for the customer, in the currency of the order. v1: `customerMaximumAnnualAmount`.',
      minimumCustomerDiscountPercentage:
        'Smallest discount of the customer in percent. v1: `customerMinimumDiscountPercentage`.',
      startDate: 'Begin of the charge: a date.',
      endDate: 'End of the charge: a date.',
      calculatedStartDate: 'Begin of the charge as the system calculated it: a date.',
      calculatedEndDate: 'End of the charge as the system calculated it: a date.',
      duration: 'Duration of the charge; the document names no unit.',
      yearNumber: 'Number of a year, an integer; the document does not explain it.',
      coupon: 'The coupon of the line.',
      inflation: 'The inflation of the line.',
    },
  },
  chargedProduct: {
    section: 'order spec 2.5',
    fields: {
      trigram: 'Short code of the product (trigram).',
      type: 'Type of the product: a code in v1, a name in v0 (2.11).',
      number: 'Product number.',
      name: 'Name of the product.',
      dsOffering: 'Offering that the product belongs to: a code in v1, a name in v0 (2.12).',
    },
  },
  coupon: {
    section: 'order spec 2.5',
    fields: { name: 'Name of the coupon.', discountPercentage: 'Discount by the coupon, in percent.' },
  },
  inflation: {
    section: 'order spec 2.5',
    fields: {
      date: 'Date of the inflation; the document does not explain it.',
      ratio: 'Ratio of the inflation; the document does not explain it.',
      exception: 'Exception from the inflation: a text in v0, a code in v1; the document lists neither.',
    },
  },
  orderSearch: {
    section: 'order spec 4.2',
    fields: {
      creationDateTime: 'When the order was created: a window of at most 7 days.',
      bookingDateTime: 'When the finance department approved the order: a window of at most 7 days.',
      lastUpdateDateTime: 'When the order was last modified: a window of at most 3 days.',
      installedBaseNumber: 'Id of an installed base: at most 40 characters.',
      onlineInstanceSeatId: "Id of a cloud platform instance or of a user's seat: at most 15 characters.",
      billToPoReferences: "Order ids of the bill-to site's own system: one at least, each at most 60 characters.",
      transactionType: '`PO` or `RN`; if absent, both.',
      from: 'Begin of the time window: a date-time in UTC, not in the future. If absent, computed from `to`.',
      to: 'End of the time window: a date-time in UTC, later than `from`. If absent, computed from `from`, up to now.',
    },
  },
  orderSearchQuery: {
    section: 'order spec 4.2',
    fields: {
      skip: 'How many orders to skip: an integer from 0; default 0.',
      top: 'How many orders to give at most: an integer from 1 to 100; default 10.',
    },
  },
  orderPath: {
    section: 'order spec 4.3',
    fields: { id: "The vendor's reference of the order; goes into the path." },
  },
} as const satisfies Readonly<Record<string, FieldGroup>>;
