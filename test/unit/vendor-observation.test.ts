import { expect, it } from 'vitest';
import { observeVendor } from '../../src/domain/mapping/index.ts';
import { flattenExtra } from '../../src/partner-api/index.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';
import { usePartnerApi } from '../support/partner-api/partner-api-fixture.ts';
import { echoOfCreate } from '../support/partner-api/vendor-echo.ts';

const fixture = usePartnerApi();
const READ_AT = '2026-03-01T10:00:03.000Z';

const entity = { id: 'S1', name: 'Acme', city: '', country: null, parentId: 'P' };
const BODY = {
  leadOpportunity: {
    partnerLeadOpportunityId: '006000000000001AAA',
    name: 'N',
    status: 'QUALIFIED',
    currency: 'EUR',
  },
  offerLines: [{ offerNameId: 'O', amount: 12.5, discount: 3 }],
  customerLegalEntity: entity,
};

/** The client sets apart what it does not know, and reads unset in one way: nothing of that may change an observation. */
it.each([
  ['a record with fields of tomorrow', { ...echoOfCreate(BODY), newInV1: true, extra: 'a vendor’s field' }],
  ['unset in every spelling', { ...echoOfCreate(BODY), name: '', reasonWon: '', offerLines: '', partnerContact: '' }],
  ['fields that are not shown', { dsLeadOpportunityId: 'DS-1', customerLegalEntity: entity }],
  ['no legal entity', { ...echoOfCreate(BODY), customerLegalEntity: '' }],
])('what the client reads is observed as the vendor sent it: %s', async (_what, leadOpportunity) => {
  fixture.server.script({ body: { info: {}, data: { leadOpportunity } } });
  const { data } = await fixture.api.readLeadOpportunity({ id: 'DS-1' });
  const observed = observeVendor(flattenExtra(data.leadOpportunity), mappingConfig(), READ_AT);
  expect(observed).toStrictEqual(observeVendor(leadOpportunity, mappingConfig(), READ_AT));
});
