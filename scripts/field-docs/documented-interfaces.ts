import type { FieldGroupName } from 'lockstep-simulators/vendor-fields';

/** The field groups that describe an interface of the client, and the client's own texts (`notes`) for fields whose form it changes. */
export type DocumentedInterface = {
  /** Groups in the order in which a field is looked up. */
  readonly groups: readonly FieldGroupName[];
  readonly notes?: Readonly<Record<string, string>>;
};

const DECIMAL = 'A decimal string.';
const decimals = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, DECIMAL]));

/** Every interface of the client whose fields come from the vendor. */
export const DOCUMENTED_INTERFACES: Readonly<Record<string, DocumentedInterface>> = {
  CreateLeadOpportunityInput: { groups: ['createRequest'] },
  UpdateLeadOpportunityInput: { groups: ['recordPath', 'createRequest'] },
  LeadOpportunityOptions: { groups: ['leadOpportunity'] },
  LeadOpportunityToCreate: { groups: ['leadOpportunity'] },
  LeadOpportunityToUpdate: { groups: ['leadOpportunity'] },
  OfferLineInput: { groups: ['offerLine'] },
  LegalEntityInput: { groups: ['legalEntity'] },
  CustomerContactInput: { groups: ['customerContact'] },
  PartnerContactInput: { groups: ['partnerContact'] },
  ReadLeadOpportunityInput: { groups: ['recordPath'] },
  SearchLeadOpportunitiesInput: { groups: ['searchRequest'] },
  ModifiedCriterion: { groups: ['searchRequest'] },
  ReferenceCriterion: { groups: ['searchRequest'] },
  ModifiedPeriod: { groups: ['searchRequest'] },
  SearchPortfolioItemsInput: { groups: ['portfolioQuery'] },
  LeadOpportunity: { groups: ['leadOpportunityReadOnly', 'leadOpportunity'] },
  OfferLine: {
    groups: ['offerLine'],
    notes: {
      amount:
        'A number; the text that was sent where a double would lose digits: `String(amount)` is the exact decimal.',
    },
  },
  LegalEntity: { groups: ['legalEntity'] },
  CustomerContact: { groups: ['customerContact'] },
  PartnerContact: { groups: ['partnerContact'] },
  CreatedLeadOpportunity: { groups: ['createAnswer'] },
  UpdatedLeadOpportunity: { groups: ['updateAnswer'] },
  ReadLeadOpportunity: { groups: ['readAnswer'] },
  FoundLeadOpportunity: { groups: ['searchAnswer'] },
  PortfolioItem: { groups: ['portfolioItem'] },
  SearchOrdersInput: { groups: ['orderSearch', 'orderSearchQuery'] },
  TimeRange: { groups: ['orderSearch'] },
  ReadOrderInput: { groups: ['orderPath'] },
  SearchAccreditationsInput: { groups: ['catalogQuery'] },
  SearchProductPricesInput: { groups: ['priceSearch'] },
  SearchProductInformationInput: { groups: ['accreditationCriteria', 'catalogQuery'] },
  SearchPackageContentInput: { groups: ['contentSearch', 'contentQuery'] },
  OrderSummary: { groups: ['orderSummary'] },
  OrderDetail: { groups: ['orderDetail'] },
  OrderTransaction: { groups: ['transaction'] },
  BusinessUnit: { groups: ['businessUnit'] },
  Site: { groups: ['site'] },
  Agreement: { groups: ['agreement'] },
  LicenseChargeCondition: { groups: ['chargeCondition'] },
  Promotion: { groups: ['promotion'] },
  Waiver: { groups: ['waiver'] },
  LicenseChargeBreakdown: {
    groups: ['chargeBreakdown'],
    notes: decimals(
      ...['unitListPrice', 'totalListPrice', 'duration', 'distributorNetAmount', 'distributorAnnualAmount'],
      ...['distributorDiscountPercentage', 'distributorMaximumMarginPercentage', 'customerMaximumNetAmount'],
      ...['customerMaximumAnnualAmount', 'customerMinimumDiscountPercentage'],
    ),
  },
  ChargedProduct: { groups: ['chargedProduct'] },
  Coupon: { groups: ['coupon'], notes: decimals('discountPercentage') },
  Inflation: { groups: ['inflation'], notes: decimals('ratio') },
  PriceListCountry: { groups: ['priceListCountry'] },
  PriceList: { groups: ['priceList'] },
  Accreditation: { groups: ['accreditation'] },
  IdAndName: { groups: ['idAndName'] },
  ProductPrice: { groups: ['productPrice'] },
  Price: {
    groups: ['price'],
    notes: decimals(
      ...['dsListPrice', 'distributorDiscountPercentage', 'distributorPrice'],
      ...['firstYearDiscountPercentage', 'firstYearDiscountPrice'],
    ),
  },
  ProductInformation: { groups: ['productInformation'] },
  PackageContent: { groups: ['packageContent'] },
  GeneratedApiKey: { groups: ['generatedApiKey'] },
};
