import type { OperationRoute } from '../operations.ts';

/** A request body or path id that the sandbox accepts unchanged in every generated world. */
type Example = { readonly body?: object; readonly id?: string };

const CREATE = {
  partnerId: 'P000123',
  leadOpportunity: {
    partnerLeadOpportunityId: '006Hs00001EXAMPLEA',
    name: 'Turbine housing',
    status: 'OPPY_OPEN',
    closeDate: '2027-03-31T00:00:00.000Z',
    currency: 'EUR',
  },
  offerLines: [{ amount: 12500, offerNameId: 'OFR-DES-001' }],
  customerLegalEntity: { name: 'Northwind Turbines', city: 'Lyon', country: 'FR' },
};

const EXAMPLES: Readonly<Record<string, Example>> = {
  createLeadOpportunity: { body: CREATE },
  updateLeadOpportunity: {
    id: 'LO-00000001',
    body: {
      leadOpportunity: {
        partnerLeadOpportunityId: '006Hs00000EXAMPLEA',
        nextMilestone: 'Technical review',
        nextMilestoneDate: '2027-01-15T00:00:00.000Z',
      },
    },
  },
  readLeadOpportunity: { id: 'LO-00000001' },
  searchLeadOpportunities: {
    body: {
      data: [
        { modifiedDate: { fromDate: '2026-01-01T00:00:00.000Z', toDate: '2026-01-08T00:00:00.000Z' } },
        { partnerLeadOpportunityId: ['006Hs00001EXAMPLEA'] },
      ],
    },
  },
  searchOrders: { body: { billToPoReferences: ['REF-000001', 'REF-000002'] } },
  readOrder: { id: 'PO-00000001' },
  searchProductPrices: {
    body: { accreditationType: 'R', accreditationId: 'PF1', priceListId: 1, priceListStatus: 'C' },
  },
  searchProductInformation: { body: { accreditationType: 'I', accreditationId: 'IPE1' } },
  searchPackageContent: { body: { number: 'END-1021', release: 'R2026x' } },
};

/** The example of a route; empty if the operation has neither an id nor a body. */
export function exampleOf(route: OperationRoute): Example {
  const { id, body } = EXAMPLES[route.operation] ?? {};
  if (route.operation !== 'createLeadOpportunity') {
    return { ...(id !== undefined && { id }), ...(body !== undefined && { body }) };
  }
  // A reference can be used only once, so each version has its own.
  const core = {
    ...CREATE.leadOpportunity,
    partnerLeadOpportunityId: route.label === 'v0' ? '006Hs00000EXAMPLEA' : '006Hs00001EXAMPLEA',
  };
  return { body: { ...CREATE, leadOpportunity: core } };
}
