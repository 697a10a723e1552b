import { expect, it } from 'vitest';
import { CORE, MISTAKES } from '../../scripts/package/mistakes.ts';
import { toCreateInput, toUpdateInput } from '../../src/partner-api/index.ts';
import { failureOf, MINIMAL_CREATE, usePartnerApi } from '../support/partner-api/partner-api-fixture.ts';

const fixture = usePartnerApi();

it.each(MISTAKES)('refuses $at before a request is spent, and names $nearest', async ({ call, at, nearest }) => {
  const outcome: Promise<unknown> = new Function('api', 'core', `return ${call}`)(fixture.api, CORE);
  const error = await failureOf(outcome);
  expect(error).toMatchObject({ kind: 'invalid', sent: 'no', code: 'INPUT' });
  expect(error.fields).toContain(at);
  if (nearest !== undefined) expect(error.nearest).toMatchObject({ [at]: nearest });
  if (nearest !== undefined) expect(error.message).toContain(`${at} (did you mean ${nearest}?)`);
  expect(fixture.server.requests).toEqual([]);
});

it('says of a name that is near to none where it belongs, and repeats none that may be data', async () => {
  const { leadOpportunity } = MINIMAL_CREATE;
  const core = { ...leadOpportunity, zzzzzz: 1, 'ann@example.com': 2 };
  const input = { ...MINIMAL_CREATE, leadOpportunity: core } as typeof MINIMAL_CREATE;
  const error = await failureOf(fixture.api.createLeadOpportunity(input));
  expect(error.fields).toEqual(['leadOpportunity.zzzzzz', 'leadOpportunity.(unknown)']);
  expect(error.nearest).toEqual({ 'leadOpportunity.zzzzzz': null, 'leadOpportunity.(unknown)': null });
  expect(error.message).toContain('leadOpportunity.zzzzzz (not a documented field: see `extra`)');
  expect(JSON.stringify(error) + error.message).not.toContain('ann@');
});

it('sends what is in extra beside the documented fields, at every level', async () => {
  fixture.server.script({ status: 201, body: { dsLeadOpportunityId: 'DS-1', info: {} } });
  const { leadOpportunity, customerLegalEntity } = MINIMAL_CREATE;
  await fixture.api.createLeadOpportunity({
    ...MINIMAL_CREATE,
    leadOpportunity: { ...leadOpportunity, extra: { region: { code: 'EMEA', extra: 'stays' } } },
    offerLines: [{ offerNameId: 'O', extra: { discount: 3 } }],
    customerLegalEntity: { ...customerLegalEntity, extra: { segment: null } },
    extra: { dryRun: true },
  });
  expect(fixture.server.requests[0]?.body).toEqual({
    ...MINIMAL_CREATE,
    leadOpportunity: { ...leadOpportunity, region: { code: 'EMEA', extra: 'stays' } },
    offerLines: [{ offerNameId: 'O', discount: 3 }],
    customerLegalEntity: { ...customerLegalEntity, segment: null },
    dryRun: true,
  });
});

it('does not let extra say a documented field twice', async () => {
  const input = { id: 'DS-1', leadOpportunity: { partnerLeadOpportunityId: 'X', extra: { name: 'N' } } };
  const error = await failureOf(fixture.api.updateLeadOpportunity(input));
  expect(error).toMatchObject({ kind: 'invalid', fields: ['leadOpportunity.extra.name'] });
});

it('takes a body that was mapped by name, with fields of tomorrow in any object of it', async () => {
  const lines = [{ offerNameId: 'O', discount: 3 }];
  const body = { ...MINIMAL_CREATE, offerLines: lines, dryRun: true, extra: { of: 'the vendor’s' } };
  expect(toCreateInput(body)).toEqual({
    ...MINIMAL_CREATE,
    offerLines: [{ offerNameId: 'O', extra: { discount: 3 } }],
    extra: { dryRun: true, extra: { of: 'the vendor’s' } },
  });
  fixture.server.script({ status: 201, body: { dsLeadOpportunityId: 'DS-1', info: {} } }, { body: { info: {} } });
  await fixture.api.createLeadOpportunity(toCreateInput(body));
  const changes = { leadOpportunity: { partnerLeadOpportunityId: 'X', region: 'EMEA' } };
  await fixture.api.updateLeadOpportunity(toUpdateInput('DS-1', changes));
  expect(fixture.server.requests.map((request) => request.body)).toEqual([body, changes]);
});
