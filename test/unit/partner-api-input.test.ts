import { describe, expect, it } from 'vitest';
import type {
  CreateLeadOpportunityInput,
  SearchLeadOpportunitiesInput,
  UpdateLeadOpportunityInput,
} from '../../src/partner-api/index.ts';
import { failureOf, MINIMAL_CREATE, usePartnerApi } from '../support/partner-api/partner-api-fixture.ts';

const fixture = usePartnerApi();
const core = MINIMAL_CREATE.leadOpportunity;

/** What a JavaScript caller, whom no compiler holds back, might send. */
async function refused(call: Promise<unknown>, fields: string[]): Promise<void> {
  const error = await failureOf(call);
  expect(error).toMatchObject({ kind: 'invalid', sent: 'no', code: 'INPUT', status: null, fields });
  expect(fixture.server.requests).toEqual([]);
}

describe('an input that breaks a documented rule is refused before a request is spent', () => {
  it.each([
    [{ partnerId: undefined }, ['partnerId']],
    [{ partnerId: '' }, ['partnerId']],
    [{ leadOpportunity: { ...core, partnerLeadOpportunityId: '' } }, ['leadOpportunity.partnerLeadOpportunityId']],
    [{ leadOpportunity: { ...core, name: undefined } }, ['leadOpportunity.name']],
    [{ leadOpportunity: { ...core, status: undefined } }, ['leadOpportunity.status']],
    [{ leadOpportunity: { ...core, closeDate: undefined } }, ['leadOpportunity.closeDate']],
    [{ leadOpportunity: { ...core, currency: 'eur' } }, ['leadOpportunity.currency']],
    [{ leadOpportunity: { ...core, currency: 'EURO' } }, ['leadOpportunity.currency']],
    [{ leadOpportunity: { ...core, currency: 'EUR\n' } }, ['leadOpportunity.currency']],
    [{ leadOpportunity: { ...core, reasonWon: 'ONE' } }, ['leadOpportunity.reasonWon']],
    [{ offerLines: [] }, ['offerLines']],
    [{ offerLines: [{ amount: 1 }] }, ['offerLines[0].offerNameId']],
    [{ offerLines: [{ offerNameId: 'O', amount: Number.NaN }] }, ['offerLines[0].amount']],
    [{ customerLegalEntity: undefined }, ['customerLegalEntity']],
    [{ customerLegalEntity: { name: 'A', city: null } }, ['customerLegalEntity.country']],
    [{ customerContacts: [{ email: 'a@example.com', firstName: 'A' }] }, ['customerContacts[0].lastName']],
    [{ partnerContacts: [{}] }, ['salesRepEmail', 'salesRepFirstName', 'salesRepLastName'].map(inFirstPartner)],
  ])('create with %j', async (change, fields) => {
    const input = { ...MINIMAL_CREATE, ...change } as CreateLeadOpportunityInput;
    await refused(fixture.api.createLeadOpportunity(input), fields);
  });

  it.each([
    [{ leadOpportunity: {} }, ['leadOpportunity.partnerLeadOpportunityId']],
    [{ leadOpportunity: { partnerLeadOpportunityId: 'X', currency: '' } }, ['leadOpportunity.currency']],
    [{}, ['leadOpportunity']],
  ])('update with %j', async (body, fields) => {
    const input = { id: 'DS-1', ...body } as UpdateLeadOpportunityInput;
    await refused(fixture.api.updateLeadOpportunity(input), fields);
  });

  it.each(['', '.', '..'])('read of the id %j, which would be another path', async (id) => {
    await refused(fixture.api.readLeadOpportunity({ id }), ['id']);
  });

  it.each([
    [[], ['data']],
    [[{}], ['data[0]']],
    [[{ modifiedDate: { fromDate: '2026-11-01T00:00:00.000Z' } }], ['data[0].modifiedDate.toDate']],
    [
      [{ modifiedDate: { fromDate: '', toDate: '' } }],
      ['fromDate', 'toDate'].map((key) => `data[0].modifiedDate.${key}`),
    ],
    [[{ partnerLeadOpportunityId: 'one' }], ['data[0].partnerLeadOpportunityId']],
    [[{ modifiedDate: { fromDate: 'F', toDate: 'T' }, partnerLeadOpportunityId: '' }], ['data[0]']],
  ])('search for %j', async (data, fields) => {
    await refused(fixture.api.searchLeadOpportunities({ data } as SearchLeadOpportunitiesInput), fields);
  });

  it.each([
    [{ top: 0 }, ['top']],
    [{ skip: -1 }, ['skip']],
    [{ skip: 0.5, top: Number.NaN }, ['skip', 'top']],
  ])('portfolio page %j', async (input, fields) => {
    await refused(fixture.api.searchPortfolioItems(input), fields);
  });
});

describe('an input that cannot become a request is refused as invalid', () => {
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  const throwing = {
    get name(): string {
      throw new Error('quotes data');
    },
  };
  it.each([
    ['a circle', { extra: { note: circular } }],
    ['a BigInt', { extra: { note: 1n } }],
    ['a toJSON that throws', { extra: { note: { toJSON: () => throwing.name } } }],
    ['a toJSON that gives nothing', { extra: { toJSON: () => undefined } }],
    ['a getter that throws', { leadOpportunity: throwing }],
  ])('create with %s', async (_what, change) => {
    await refused(fixture.api.createLeadOpportunity({ ...MINIMAL_CREATE, ...change } as never), ['(body)']);
  });

  it('read of an id that is no Unicode text', async () => {
    await refused(fixture.api.readLeadOpportunity({ id: '\ud800' }), ['(path)']);
  });

  it.each([undefined, null, 'text'])('list of orders by %j', async (input) => {
    const error = await failureOf(fixture.api.allOrders(input as never).next());
    expect(error).toMatchObject({ kind: 'invalid', sent: 'no' });
    expect(fixture.server.requests).toEqual([]);
  });

  it('list of orders by a range that is null', async () => {
    const error = await failureOf(fixture.api.allOrders({ lastUpdateDateTime: null } as never).next());
    expect(error).toMatchObject({ kind: 'invalid', sent: 'no', fields: ['lastUpdateDateTime'] });
  });
});

describe('what the documents leave open is sent', () => {
  const answer = { status: 201, body: { dsLeadOpportunityId: 'DS-1', info: { success: true } } };
  it.each([
    [{ leadOpportunity: { ...core, status: 'TENANT_CODE', closeDate: '2026-12-31' } }],
    [{ offerLines: [{ offerNameId: 'O', amount: -5, revenueType: 'YEARLY_CODE' }] }],
    [{ customerLegalEntity: { name: null, city: null, country: null, id: null } }],
  ])('create with %j', async (change) => {
    fixture.server.script(answer);
    const input = { ...MINIMAL_CREATE, ...change };
    await fixture.api.createLeadOpportunity(input);
    expect(fixture.server.requests[0]?.body).toEqual(input);
  });
});

function inFirstPartner(key: string): string {
  return `partnerContacts[0].${key}`;
}
