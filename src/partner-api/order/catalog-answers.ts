import type { HasExtra } from '../extra.ts';
import type { Coded } from './values/coded.ts';

/** The price lists of a country (order spec 2.13). */
export interface PriceListCountry extends HasExtra {
  /** Code of the country: 3 capital letters (ISO3). (order spec 2.13) */
  readonly countryCode?: string | null;
  /** Name of the country. (order spec 2.13) */
  readonly countryName?: string | null;
  /** The price lists of the country. (order spec 2.13) */
  readonly priceLists: readonly PriceList[];
}

/** A price list of a country (order spec 2.13). */
export interface PriceList extends HasExtra {
  /** Id of the price list: an integer. (order spec 2.13) */
  readonly id: number;
  /** Name of the price list. (order spec 2.13) */
  readonly name?: string | null;
  /** Currency of the prices in the list: 3 uppercase letters (ISO 4217). (order spec 2.13) */
  readonly currency?: string | null;
  /** Whether a future version of the price list is declared. (order spec 2.13) */
  readonly hasFuturePriceList?: boolean | null;
  /** When the future version of the price list takes effect: a date; null if none is declared. (order spec 2.13) */
  readonly effectiveDate?: string | null;
}

/** An accreditation of the partner (order spec 2.14). An accreditation of the type portfolio has only an id, a name and a type. */
export interface Accreditation extends HasExtra {
  /** Id of the accreditation. (order spec 2.14) */
  readonly id: string;
  /** Name of the accreditation. (order spec 2.14) */
  readonly name: string;
  /** `I` (industry process experience) or `R` (portfolio) in v1; `Industry Process Experience` or `Portfolio` in v0. (order spec 2.14) */
  readonly accreditationType: Coded | null;
  /**
   * Only of industry process experiences: `On Premise` or `Public Cloud` in v0; a code in v1, whose list is not shown. (order spec 2.14)
   */
  readonly deploymentType: Coded | null;
  /** Industry solution experience of the accreditation, with id and name. (order spec 2.14) */
  readonly industrySolutionExperience?: IdAndName | null;
  /** Release of the solution, with id and name. (order spec 2.14) */
  readonly solutionRelease?: IdAndName | null;
  /** Industry of the accreditation, with id and name. (order spec 2.14) */
  readonly industry?: IdAndName | null;
}

/** The id and name of an object to which an accreditation refers (order spec 2.14). */
export interface IdAndName extends HasExtra {
  /** Id of the object. (order spec 2.14) */
  readonly id?: string | null;
  /** Name of the object. (order spec 2.14) */
  readonly name?: string | null;
}

/** The prices of a product (order spec 2.15). */
export interface ProductPrice extends HasExtra {
  /** Product number. (order spec 2.15) */
  readonly number: string;
  /** The prices of the product, by type of revenue. (order spec 2.15) */
  readonly prices: readonly Price[];
}

/** A price of a product (order spec 2.15), as decimal strings. */
export interface Price extends HasExtra {
  /** Type of revenue, such as `YLC` for a yearly license charge (2.10). (order spec 2.15) */
  readonly revenueType: Coded | null;
  /** List price of one unit, in the currency of the price list: 2 decimals. (order spec 2.15) A decimal string. */
  readonly dsListPrice: string;
  /** Discount of the partner in percent: 10 decimals. (order spec 2.15) A decimal string. */
  readonly distributorDiscountPercentage: string;
  /** Price for the partner, in the currency of the price list: 2 decimals. (order spec 2.15) A decimal string. */
  readonly distributorPrice: string;
  /**
   * Discount of the partner in the first year, in percent: 10 decimals. Only for products that are eligible. (order spec 2.15) A decimal
   * string.
   */
  readonly firstYearDiscountPercentage: string | null;
  /**
   * Price for the partner in the first year, in the currency of the price list: 2 decimals. Only for products that are eligible. (order
   * spec 2.15) A decimal string.
   */
  readonly firstYearDiscountPrice: string | null;
}

/** A product in one release (order spec 2.16). A product that is in several releases has one entry for each release. */
export interface ProductInformation extends HasExtra {
  /** Product number. The same one may come once per release. (order spec 2.16) */
  readonly number: string;
  /** Short code of the product (trigram). (order spec 2.16) */
  readonly trigram?: string | null;
  /** Type of the product, as a code (2.11). (order spec 2.16) */
  readonly type: Coded | null;
  /**
   * Usual level of support: `A` advantage, `B` to be completed, `N` none, `S` secure, `Z` not applicable, `L` specific. (order spec 2.16)
   */
  readonly defaultSupportLevel: Coded | null;
  /** How the product is licensed, as a code, such as `NAM` for a named user. (order spec 2.16) */
  readonly licensingScheme: Coded | null;
  /** Offering that the product belongs to, as a code (2.12). (order spec 2.16) */
  readonly dsOffering: Coded | null;
  /** Flag about remote access; the document does not explain it. (order spec 2.16) */
  readonly remoteAccess?: boolean | null;
  /** Flag about extended enterprise users; the document does not explain it. (order spec 2.16) */
  readonly extendedEnterpriseUser?: boolean | null;
  /** Name of the latest release that is commercially available. (order spec 2.16) */
  readonly release?: string | null;
  /** Name of the product. (order spec 2.16) */
  readonly name?: string | null;
  /** Commercial prerequisite of the product, which depends on the release; may be empty. (order spec 2.16) */
  readonly prerequisite?: string | null;
  /**
   * Availability of the product: 1 general, 2 limited, 3 controlled, 4 partner, 5 pre, 6 deprecated, 7 technical component. (order spec
   * 2.16)
   */
  readonly availabilityStatus?: number | null;
  /** Product family: at most 50 characters. (order spec 2.16) */
  readonly portfolio?: string | null;
}

/** One part of a package or offer (order spec 2.17). */
export interface PackageContent extends HasExtra {
  /** Product number of a part of the package or offer. (order spec 2.17) */
  readonly number: string;
  /** Product family of the part. (order spec 2.17) */
  readonly portfolio: string;
  /** Name of the release of the part. (order spec 2.17) */
  readonly release: string;
  /** How often the package or offer contains the part: an integer. (order spec 2.17) */
  readonly quantity: number;
}

/** A new API key and its hash (order spec 2.18). The vendor shows the key only once. */
export interface GeneratedApiKey extends HasExtra {
  /** Hash of the key: exactly 60 characters. Send the vendor this hash, and never the key. (order spec 2.18) */
  readonly hashed_key: string;
  /** The new key: exactly 64 characters. The vendor shows it only this once; keep it like a password. (order spec 2.18) */
  readonly api_key: string;
}
