import type { FieldGroup } from './field-group.ts';

/** The fields of price lists, accreditations, products and API keys, by the object that has them. */
export const CATALOG_FIELDS = {
  priceListCountry: {
    section: 'order spec 2.13',
    fields: {
      countryCode: 'Code of the country: 3 capital letters (ISO3).',
      countryName: 'Name of the country.',
      priceLists: 'The price lists of the country.',
    },
  },
  priceList: {
    section: 'order spec 2.13',
    fields: {
      id: 'Id of the price list: an integer.',
      name: 'Name of the price list.',
      currency: 'Currency of the prices in the list: 3 uppercase letters (ISO 4217).',
      hasFuturePriceList: 'Whether a future version of the price list is declared.',
      effectiveDate: 'When the future version of the price list takes effect: a date; null if none is declared.',
    },
  },
  accreditation: {
    section: 'order spec 2.14',
    fields: {
      id: 'Id of the accreditation.',
      name: 'Name of the accreditation.',
      accreditationType:
        '`I` (industry process experience) or `R` (portfolio) in v1; `Industry Process Experience` or `Portfolio` in v0.',
      deploymentType:
        'Only of industry process experiences: `On Premise` or `Public Cloud` in v0; a code in v1, whose list is not shown.',
      industrySolutionExperience: 'Industry solution experience of the accreditation, with id and name.',
      solutionRelease: 'Release of the solution, with id and name.',
      industry: 'Industry of the accreditation, with id and name.',
    },
  },
  idAndName: {
    section: 'order spec 2.14',
    fields: { id: 'Id of the object.', name: 'Name of the object.' },
  },
  productPrice: {
    section: 'order spec 2.15',
    fields: { number: 'Product number.', prices: 'The prices of the product, by type of revenue.' },
  },
  price: {
    section: 'order spec 2.15',
    fields: {
      revenueType: 'Type of revenue, such as `YLC` for a yearly license charge (2.10).',
      dsListPrice: 'List price of one unit, in the currency of the price list: 2 decimals.',
      distributorDiscountPercentage: 'Discount of the partner in percent: 10 decimals.',
      distributorPrice: 'Price for the partner, in the currency of the price list: 2 decimals.',
      firstYearDiscountPercentage:
        'Discount of the partner in the first year, in percent: 10 decimals. Only for products that are eligible.',
      firstYearDiscountPrice:
        'Price for the partner in the first year, in the currency of the price list: 2 decimals. Only for products that are eligible.',
    },
  },
  productInformation: {
    section: 'order spec 2.16',
    fields: {
      number: 'Product number. The same one may come once per release.',
      trigram: 'Short code of the product (trigram).',
      type: 'Type of the product, as a code (2.11).',
      defaultSupportLevel:
        'Usual level of support: `A` advantage, `B` to be completed, `N` none, `S` secure, `Z` not applicable, `L` specific.',
      licensingScheme: 'How the product is licensed, as a code, such as `NAM` for a named user.',
      dsOffering: 'Offering that the product belongs to, as a code (2.12).',
      remoteAccess: 'Flag about remote access; the document does not explain it.',
      extendedEnterpriseUser: 'Flag about extended enterprise users; the document does not explain it.',
      release: 'Name of the latest release that is commercially available.',
      name: 'Name of the product.',
      prerequisite: 'Commercial prerequisite of the product, which depends on the release; may be empty.',
      availabilityStatus:
        'Availability of the product: 1 general, 2 limited, 3 controlled, 4 partner, 5 pre, 6 deprecated, 7 technical component.',
      portfolio: 'Product family: at most 50 characters.',
    },
  },
  packageContent: {
    section: 'order spec 2.17',
    fields: {
      number: 'Product number of a part of the package or offer.',
      portfolio: 'Product family of the part.',
      release: 'Name of the release of the part.',
      quantity: 'How often the package or offer contains the part: an integer.',
    },
  },
  generatedApiKey: {
    section: 'order spec 2.18',
    fields: {
      hashed_key: 'Hash of the key: exactly 60 characters. Send the vendor this hash, and never the key.',
      api_key: 'The new key: exactly 64 characters. The vendor shows it only this once; keep it like a password.',
    },
  },
  accreditationCriteria: {
    section: 'order spec 4.6, 4.7',
    fields: {
      accreditationType: '`R` (portfolio) or `I` (industry process experience). Required.',
      accreditationId: 'Id of the accreditation: at most 15 uppercase letters and digits. Required.',
    },
  },
  priceSearch: {
    section: 'order spec 4.6',
    fields: {
      priceListId: 'Id of the price list: at most 2 digits. Required.',
      priceListStatus:
        'Selects the price list by its status, 1 character: default `C`; examples also use `F`. The meanings are not shown.',
    },
  },
  contentSearch: {
    section: 'order spec 4.8',
    fields: {
      number: 'Product number of the package or offer: at most 20 characters. Required.',
      release: 'Name of the release: at most 50 characters. Required.',
    },
  },
  catalogQuery: {
    section: 'order spec 4.5 to 4.7',
    fields: {
      skip: 'How many rows to skip: an integer from 0; default 0.',
      top: 'How many rows to give at most: an integer from 1 to 100; default 100.',
    },
  },
  contentQuery: {
    section: 'order spec 4.8',
    fields: {
      skip: 'How many rows to skip: an integer from 0; default 0.',
      top: 'How many rows to give at most: an integer from 1 to 10; default 10.',
    },
  },
} as const satisfies Readonly<Record<string, FieldGroup>>;
