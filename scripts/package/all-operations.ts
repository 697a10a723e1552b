/**
 * A user's program that calls every operation of the client in every version, against the server at `VENDOR_URL` with the key
 * `VENDOR_API_KEY`. Prints the number of paths that answered. The package tests run it in several kinds of projects.
 */
import {
  type ApiVersion,
  type CreateLeadOpportunityInput,
  createPartnerApi,
  foundIds,
  type LeadOpportunity,
  type OrderDetail,
  type PartnerApi,
  PartnerApiError,
  type Result,
} from '../../src/partner-api/index.ts';

const VERSIONS: readonly ApiVersion[] = ['v0', 'v1'];

const { VENDOR_URL = '', VENDOR_API_KEY = '' } = process.env;
const answered: Result<unknown>[] = [];

function note<Data>(answer: Result<Data>): Data {
  answered.push(answer);
  return answer.data;
}

function both<Data>(call: (apiVersion: ApiVersion) => Promise<Result<Data>>): Promise<Data[]> {
  return Promise.all(VERSIONS.map(async (version) => note(await call(version))));
}

function inputOf(reference: string): CreateLeadOpportunityInput {
  return {
    partnerId: 'P000123',
    leadOpportunity: {
      partnerLeadOpportunityId: reference,
      name: 'Turbine housing',
      status: 'OPPY_OPEN',
      closeDate: '2027-03-31T00:00:00.000Z',
      currency: 'EUR',
    },
    offerLines: [{ amount: 12500, offerNameId: 'OFR-DES-001' }],
    customerLegalEntity: { name: 'Northwind Turbines', city: 'Lyon', country: 'FR' },
  };
}

async function sales(api: PartnerApi): Promise<void> {
  const referenceOf = (version: ApiVersion) => `${version}-${process.pid}-${Date.now()}`;
  const created = await both((apiVersion) =>
    api.createLeadOpportunity(inputOf(referenceOf(apiVersion)), { apiVersion }),
  );
  const [one] = created;
  if (one === undefined) throw new Error('nothing was created');
  const { dsLeadOpportunityId: id, partnerLeadOpportunityId } = one;
  const leadOpportunity = { partnerLeadOpportunityId: partnerLeadOpportunityId ?? '', name: 'Renamed' };
  await both((apiVersion) => api.updateLeadOpportunity({ id, leadOpportunity }, { apiVersion }));
  const read = await both((apiVersion) => api.readLeadOpportunity({ id }, { apiVersion }));
  const leads: LeadOpportunity[] = read.map((answer) => answer.leadOpportunity);
  const offers = leads.flatMap((lead) => lead.offerLines?.map((line) => line.offerNameId) ?? []);
  if (offers.join() !== 'OFR-DES-001,OFR-DES-001') throw new Error(`other offers: ${offers.join()}`);
  const search = { data: [{ partnerLeadOpportunityId: [leadOpportunity.partnerLeadOpportunityId] }] };
  const ids = foundIds(note(await api.searchLeadOpportunities(search)));
  if (!ids.includes(id)) throw new Error('the search does not find what was created');
  note(await api.searchPortfolioItems({ top: 5 }));
}

async function orders(api: PartnerApi): Promise<void> {
  const criteria = { lastUpdateDateTime: { to: new Date().toISOString() }, top: 1 };
  const found = await both((apiVersion) => api.searchOrders(criteria, { apiVersion }));
  const id = found[1]?.[0]?.transaction.id ?? 'PO-00000001';
  const details: OrderDetail[] = await both((apiVersion) => api.readOrder({ id }, { apiVersion }));
  if (details[0]?.opportunityId !== details[1]?.opportunityId) throw new Error('v0 and v1 differ');
}

async function catalog(api: PartnerApi): Promise<void> {
  note(await api.generateApiKey());
  const [country] = note(await api.searchPriceLists());
  await both((apiVersion) => api.searchAccreditations({}, { apiVersion }));
  const of = { accreditationType: 'R', accreditationId: 'PF1' } as const;
  note(await api.searchProductPrices({ ...of, priceListId: country?.priceLists[0]?.id ?? 1, top: 2 }));
  const products = note(await api.searchProductInformation(of));
  const parcel = products.find(({ type }) => type?.code === 'P');
  note(await api.searchPackageContent({ number: parcel?.number ?? '', release: parcel?.release ?? '' }));
}

async function main(): Promise<void> {
  const api = createPartnerApi({
    salesBaseUrl: VENDOR_URL,
    apiKey: () => VENDOR_API_KEY,
    onDeprecated: () => undefined,
  });
  await sales(api);
  await orders(api);
  await catalog(api);
  const refused = await api.readOrder({ id: '' }).catch((error: unknown) => error);
  if (!(refused instanceof PartnerApiError)) throw new Error('an input without an id is not refused');
  console.log(`${answered.length} operations answered`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
