import { expect, it, vi } from 'vitest';
import { type DeprecatedUse, LEAD_STATUSES, REVENUE_TYPES_V0 } from '../../src/partner-api/index.ts';
import { MINIMAL_CREATE, usePartnerApi } from '../support/partner-api/partner-api-fixture.ts';

const fixture = usePartnerApi();
const path = (version: string, rest = '') => `/sales/api4partners/${version}/leads-opportunities${rest}`;
const update = { id: 'DS-1', leadOpportunity: { partnerLeadOpportunityId: 'X' } };

/** Each operation is reported once in the life of a process, so this file has one test of it. */
it('offers v0 of create, update and read, and reports each as deprecated once', async () => {
  const uses: DeprecatedUse[] = [];
  const first = fixture.connect({ onDeprecated: (use) => uses.push(use) });
  const second = fixture.connect({ onDeprecated: (use) => uses.push(use) });
  const ok = {
    body: { info: { success: true }, dsLeadOpportunityId: 'DS-1', data: { leadOpportunity: {} } },
  };
  fixture.server.script(ok, ok, ok, ok, ok);
  const v0 = { apiVersion: 'v0' } as const;
  await first.createLeadOpportunity(MINIMAL_CREATE, v0);
  await first.createLeadOpportunity(MINIMAL_CREATE, v0);
  await second.updateLeadOpportunity(update, v0);
  await second.readLeadOpportunity({ id: 'DS-1' }, v0);
  await second.createLeadOpportunity(MINIMAL_CREATE, v0);
  expect(fixture.server.requests.map((request) => request.path)).toEqual([
    path('v0'),
    path('v0'),
    path('v0', '/DS-1'),
    path('v0', '/DS-1'),
    path('v0'),
  ]);
  expect(uses).toEqual([
    { operation: 'createLeadOpportunity', template: path('v0'), replacement: path('v1') },
    { operation: 'updateLeadOpportunity', template: path('v0', '/{id}'), replacement: path('v1', '/{id}') },
    { operation: 'readLeadOpportunity', template: path('v0', '/{id}'), replacement: path('v1', '/{id}') },
  ]);
});

it('uses v1 by default, and then reports nothing', async () => {
  const onDeprecated = vi.fn();
  const api = fixture.connect({ onDeprecated });
  const body = { info: { success: true }, data: { leadOpportunity: {} } };
  fixture.server.script({ body }, { body });
  await api.readLeadOpportunity({ id: 'DS-1' });
  await api.readLeadOpportunity({ id: 'DS-1' }, { apiVersion: 'v1' });
  expect(fixture.server.requests.map((request) => request.path)).toEqual([path('v1', '/DS-1'), path('v1', '/DS-1')]);
  expect(onDeprecated).not.toHaveBeenCalled();
});

it('lists the documented codes as data', () => {
  expect(Object.keys(LEAD_STATUSES)).toEqual(['LEAD_OPEN', 'QUALIFIED', 'ACCEPTED', 'OPPY_OPEN', 'WON']);
  expect(REVENUE_TYPES_V0).toContain('RENTAL_BOOKING');
});
