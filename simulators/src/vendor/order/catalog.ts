/** The price lists of one country (order spec 2.13). */
export type CountryPriceLists = {
  readonly countryCode: string;
  readonly countryName: string;
  readonly priceLists: readonly {
    readonly id: number;
    readonly name: string;
    readonly currency: string;
    readonly hasFuturePriceList: boolean;
    readonly effectiveDate: string | null;
  }[];
};

type Named = { readonly id: string; readonly name: string };

/** An accreditation of the partner (order spec 2.14), with v1 codes. Accreditations for a portfolio have only id, name and type. */
export type Accreditation = Named & {
  readonly accreditationType: 'I' | 'R';
  readonly deploymentType?: string;
  readonly industrySolutionExperience?: Named;
  readonly solutionRelease?: Named;
  readonly industry?: Named;
};

/** A list price in the reference currency, in hundredths, with the partner's discounts in percent. */
export type CatalogPrice = {
  readonly revenueType: string;
  readonly listCents: number;
  readonly discountPercentage: number;
  readonly firstYearDiscountPercentage?: number;
};

export type ContentItem = {
  readonly number: string;
  readonly portfolio: string;
  readonly release: string;
  readonly quantity: number;
};

/** A product with all its releases, newest last (order spec 2.15 to 2.17). */
export type Product = {
  readonly number: string;
  readonly trigram: string;
  readonly name: string;
  readonly type: string;
  readonly defaultSupportLevel: string;
  readonly licensingScheme: string;
  readonly dsOffering: string;
  readonly remoteAccess: boolean;
  readonly extendedEnterpriseUser: boolean;
  readonly portfolio: string;
  readonly releases: readonly {
    readonly name: string;
    readonly availabilityStatus: number;
    readonly prerequisite: string;
  }[];
  /** Accreditations that may see the product. */
  readonly accreditationIds: readonly string[];
  readonly prices: readonly CatalogPrice[];
  /** The components of a package or offer, by release. */
  readonly content: Readonly<Record<string, readonly ContentItem[]>>;
};

/** The partner's catalog data. Products are in ascending order of their numbers. */
export type Catalog = {
  readonly priceLists: readonly CountryPriceLists[];
  readonly accreditations: readonly Accreditation[];
  readonly products: readonly Product[];
};
