/** A common mistake: the call as a user would write it, the wrong field, and the documented field that was meant. */
type Mistake = { readonly call: string; readonly at: string; readonly nearest?: string };

const create = (change: string): string =>
  `api.createLeadOpportunity({ partnerId: 'P', leadOpportunity: core, offerLines: [{ offerNameId: 'O' }], customerLegalEntity: { name: 'A', city: null, country: null }, ${change} })`;
const update = (core: string, more = ''): string =>
  `api.updateLeadOpportunity({ id: 'DS-1', leadOpportunity: { partnerLeadOpportunityId: 'X', ${core} }, ${more} })`;
const search = (criterion: string): string => `api.searchLeadOpportunities({ data: [${criterion}] })`;
const period = (bounds: string): string => search(`{ modifiedDate: { ${bounds} } }`);
const DAY = "'2026-11-01T00:00:00.000Z'";

/** Values that the calls of the table use. */
export const CORE = {
  partnerLeadOpportunityId: 'X',
  name: 'N',
  status: 'LEAD_OPEN',
  closeDate: '2026-12-31T00:00:00.000Z',
  currency: 'EUR',
};

/** Misspelt names, and names that belong to another object. */
const SPELLING: readonly Mistake[] = [
  {
    call: update("nextMileStone: 'Review'"),
    at: 'leadOpportunity.nextMileStone',
    nearest: 'leadOpportunity.nextMilestone',
  },
  {
    call: update("forcastCategory: 'UPSIDE'"),
    at: 'leadOpportunity.forcastCategory',
    nearest: 'leadOpportunity.forecastCategory',
  },
  { call: update('', "offerLine: [{ offerNameId: 'O' }]"), at: 'offerLine', nearest: 'offerLines' },
  { call: create('customerContact: []'), at: 'customerContact', nearest: 'customerContacts' },
  { call: create("name: 'N'"), at: 'name', nearest: 'leadOpportunity.name' },
  {
    call: create("offerLines: [{ offerNameId: 'O', Amount: 5 }]").replace("offerLines: [{ offerNameId: 'O' }], ", ''),
    at: 'offerLines[0].Amount',
    nearest: 'offerLines[0].amount',
  },
  {
    call: search("{ partnerLeadOppotunityId: ['X'] }"),
    at: 'data[0].partnerLeadOppotunityId',
    nearest: 'data[0].partnerLeadOpportunityId',
  },
  {
    call: period(`from: ${DAY}, toDate: ${DAY}`),
    at: 'data[0].modifiedDate.from',
    nearest: 'data[0].modifiedDate.fromDate',
  },
  { call: 'api.searchPortfolioItems({ Top: 5 })', at: 'Top', nearest: 'top' },
  {
    call: `api.searchOrders({ installedBaseNumber: 'IB', creationDatetime: { from: ${DAY} } })`,
    at: 'creationDatetime',
    nearest: 'creationDateTime',
  },
  {
    call: "api.searchProductPrices({ accreditationType: 'R', accreditationId: 'A', priceListId: 1, priceListState: 'C' })",
    at: 'priceListState',
    nearest: 'priceListStatus',
  },
  { call: "api.readOrder({ id: 'PO-1', version: 'v0' })", at: 'version' },
  { call: 'api.searchPriceLists({ top: 5 })', at: 'top' },
];

/** Values whose shape differs from the documented one. */
const SHAPE: readonly Mistake[] = [
  { call: update("reasonWon: 'STRNG_VAL_PROP'"), at: 'leadOpportunity.reasonWon' },
  { call: update('closeDate: new Date()'), at: 'leadOpportunity.closeDate' },
  { call: update('', "offerLines: { offerNameId: 'O' }"), at: 'offerLines' },
  { call: update('', "offerLines: [{ offerNameId: 'O', amount: '12.50' }]"), at: 'offerLines[0].amount' },
  {
    call: update('', "customerLegalEntity: { name: 'A', city: 'Paris' }"),
    at: 'customerLegalEntity.country',
  },
  { call: search("{ partnerLeadOpportunityId: 'X' }"), at: 'data[0].partnerLeadOpportunityId' },
  { call: `api.searchOrders({ lastUpdateDateTime: ${DAY} })`, at: 'lastUpdateDateTime' },
  { call: "api.searchOrders({ installedBaseNumber: 'IB', transactionType: 'po' })", at: 'transactionType' },
  {
    call: "api.searchProductInformation({ accreditationType: 'Portfolio', accreditationId: 'A' })",
    at: 'accreditationType',
  },
];

/** All mistakes. The compiler refuses each one, and so does the client at run time, before it sends a request. */
export const MISTAKES: readonly Mistake[] = [...SPELLING, ...SHAPE];

/** A program with all mistakes. Each line must be a compiler error. */
export function programOfMistakes(packageName: string): string {
  const calls = MISTAKES.map(({ call }) => `// @ts-expect-error\n${call};`);
  return [
    `import { createPartnerApi } from '${packageName}';`,
    "const api = createPartnerApi({ salesBaseUrl: 'http://127.0.0.1', apiKey: () => 'key' });",
    `const core = ${JSON.stringify(CORE)};`,
    ...calls,
  ].join('\n');
}
