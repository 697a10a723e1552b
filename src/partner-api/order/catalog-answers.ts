import type { HasExtra } from '../extra.ts';
import type { Coded } from './values/coded.ts';

/** The price lists of a country (order spec 2.13). */
export interface PriceListCountry extends HasExtra {
  readonly countryCode?: string | null;
  readonly countryName?: string | null;
  readonly priceLists: readonly PriceList[];
}

/** A price list of a country (order spec 2.13). */
export interface PriceList extends HasExtra {
  readonly id: number;
  readonly name?: string | null;
  readonly currency?: string | null;
  readonly hasFuturePriceList?: boolean | null;
  readonly effectiveDate?: string | null;
}

/** An accreditation of the partner (order spec 2.14). Portfolio entries have the first three fields only. */
export interface Accreditation extends HasExtra {
  readonly id: string;
  readonly name: string;
  readonly accreditationType: Coded | null;
  readonly deploymentType: Coded | null;
  readonly industrySolutionExperience?: IdAndName | null;
  readonly solutionRelease?: IdAndName | null;
  readonly industry?: IdAndName | null;
}

/** What an accreditation refers to (order spec 2.14). */
export interface IdAndName extends HasExtra {
  readonly id?: string | null;
  readonly name?: string | null;
}

/** The prices of a product (order spec 2.15). */
export interface ProductPrice extends HasExtra {
  readonly number: string;
  readonly prices: readonly Price[];
}

/** A price of a product (order spec 2.15), as decimal strings. */
export interface Price extends HasExtra {
  readonly revenueType: Coded | null;
  readonly dsListPrice: string;
  readonly distributorDiscountPercentage: string;
  readonly distributorPrice: string;
  readonly firstYearDiscountPercentage: string | null;
  readonly firstYearDiscountPrice: string | null;
}

/** A product of one release (order spec 2.16). The same product number may come once per release. */
export interface ProductInformation extends HasExtra {
  readonly number: string;
  readonly trigram?: string | null;
  readonly type: Coded | null;
  readonly defaultSupportLevel: Coded | null;
  readonly licensingScheme: Coded | null;
  readonly dsOffering: Coded | null;
  readonly remoteAccess?: boolean | null;
  readonly extendedEnterpriseUser?: boolean | null;
  readonly release?: string | null;
  readonly name?: string | null;
  readonly prerequisite?: string | null;
  readonly availabilityStatus?: number | null;
  readonly portfolio?: string | null;
}

/** One part of a package or offer (order spec 2.17). */
export interface PackageContent extends HasExtra {
  readonly number: string;
  readonly portfolio: string;
  readonly release: string;
  readonly quantity: number;
}

/** A new key (order spec 2.18). It is shown this once. */
export interface GeneratedApiKey extends HasExtra {
  readonly hashed_key: string;
  readonly api_key: string;
}
