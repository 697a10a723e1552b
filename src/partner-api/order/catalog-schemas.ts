import { z } from 'zod';
import { answerObject, flag, list, listOf, part, text } from '../schema/answer.ts';
import type { ApiVersion } from '../versions.ts';
import type {
  Accreditation,
  GeneratedApiKey,
  IdAndName,
  PackageContent,
  Price,
  PriceList,
  PriceListCountry,
  ProductInformation,
  ProductPrice,
} from './catalog-answers.ts';
import { coded } from './coded.ts';
import { decimal, optionalDecimal, PRICE_DIGITS, RATIO_DIGITS } from './decimals.ts';
import { REVENUE_TYPES } from './values/charges.ts';
import {
  ACCREDITATION_TYPES,
  DEPLOYMENT_TYPES,
  LICENSING_SCHEMES,
  OFFERINGS,
  PRODUCT_TYPES,
  SUPPORT_LEVELS,
} from './values/products.ts';

const idAndName = part(answerObject<IdAndName>({ id: text, name: text }));

const priceList = answerObject<PriceList>({
  id: z.number(),
  name: text,
  currency: text,
  hasFuturePriceList: flag,
  effectiveDate: text,
});

/** Schema of a country with its price lists (order spec 2.13). */
export const priceListCountry = answerObject<PriceListCountry>({
  countryCode: text,
  countryName: text,
  priceLists: list(priceList).transform((lists) => lists ?? []),
});

/** Makes the schema of an accreditation (order spec 2.14). An accreditation of the type portfolio has only an id, a name and a type. */
export function accreditation(version: ApiVersion) {
  return answerObject<Accreditation>({
    id: z.string(),
    name: z.string(),
    accreditationType: coded(ACCREDITATION_TYPES, version),
    deploymentType: coded(DEPLOYMENT_TYPES, version),
    industrySolutionExperience: idAndName,
    solutionRelease: idAndName,
    industry: idAndName,
  });
}

/**
 * Schema of a product's prices (order spec 2.15). The discount and price for the first year (`firstYear…`) are present only for products
 * that are eligible for this discount.
 */
export const productPrice = answerObject<ProductPrice>({
  number: z.string(),
  prices: listOf(
    answerObject<Price>({
      revenueType: coded(REVENUE_TYPES, 'v1'),
      dsListPrice: decimal(PRICE_DIGITS),
      distributorDiscountPercentage: decimal(RATIO_DIGITS),
      distributorPrice: decimal(PRICE_DIGITS),
      firstYearDiscountPercentage: optionalDecimal(RATIO_DIGITS),
      firstYearDiscountPrice: optionalDecimal(PRICE_DIGITS),
    }),
  ),
});

/**
 * Schema of product information (order spec 2.16): one entry for each release of a product. Its codes are those of v1 although the
 * operation is v0.
 */
export const productInformation = answerObject<ProductInformation>({
  number: z.string(),
  trigram: text,
  type: coded(PRODUCT_TYPES, 'v1'),
  defaultSupportLevel: coded(SUPPORT_LEVELS, 'v1'),
  licensingScheme: coded(LICENSING_SCHEMES, 'v1'),
  dsOffering: coded(OFFERINGS, 'v1'),
  remoteAccess: flag,
  extendedEnterpriseUser: flag,
  release: text,
  name: text,
  prerequisite: text,
  availabilityStatus: z.number().nullish(),
  portfolio: text,
});

/** Schema of a component of a package or offer (order spec 2.17). */
export const packageContent = answerObject<PackageContent>({
  number: z.string(),
  portfolio: z.string(),
  release: z.string(),
  quantity: z.number(),
});

/**
 * Schema of a generated API key with its hash (order spec 2.18). The vendor shows the key only this once. Only the hash may be given to
 * others.
 */
export const generatedApiKey = answerObject<GeneratedApiKey>({
  hashed_key: z.string().length(60),
  api_key: z.string().length(64),
});
