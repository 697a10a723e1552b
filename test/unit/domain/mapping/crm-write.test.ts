import { describe, expect, test } from 'vitest';
import { afterCrmWrite, crmWrite, observeCrm } from '../../../../src/domain/mapping/index.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import type { CrmGraph } from '../../../../src/domain/record/crm-graph.ts';
import { fieldWords } from '../../../../src/domain/record/field-labels.ts';
import {
  ACCOUNT,
  bareConfig,
  crmGraph,
  mappingConfig,
  OPPORTUNITY,
  without,
} from '../../../support/mapping/fixtures.ts';

const config = mappingConfig();

function write(changes: Observed, graph: CrmGraph = crmGraph(), tenant = config): ReturnType<typeof crmWrite> {
  return crmWrite(changes, graph, { config: tenant });
}

describe('scalars and sets', () => {
  test.each([
    ['name', 'New', 'Name', 'New'],
    ['dsOwnerEmail', 'x@v.test', 'Vendor_Owner_Email__c', 'x@v.test'],
    ['dsOwnerEmail', null, 'Vendor_Owner_Email__c', null],
    ['forecastCategory', 'SAFE', 'Vendor_Forecast_Category__c', 'SAFE'],
    ['forecastCategory', 'X_NEW', 'Vendor_Forecast_Category__c', 'X_NEW'],
    ['closeDate', '2026-07-01', 'CloseDate', '2026-07-01'],
    ['cometCampaignCode', null, 'Vendor_Campaign_Code__c', null],
    ['cometCampaignCode', ' ', 'Vendor_Campaign_Code__c', null],
    ['reasonWon', ['A', 'B'], 'Vendor_Reasons_Won__c', 'A;B'],
    ['reasonWon', [], 'Vendor_Reasons_Won__c', null],
    ['reasonLost', ['FUNC_GAP'], 'Vendor_Reasons_Lost__c', 'FUNC_GAP'],
    ['competitors', ['ACME'], 'Vendor_Competitors__c', 'ACME'],
    ['reasonWonLostComment', 'why', 'Vendor_Reason_Comment__c', 'why'],
    ['gtmTacticId', 'G', 'Vendor_GTM_Tactic__c', 'G'],
    ['description', null, 'Description', null],
    ['nextMilestone', 'Call', 'Vendor_Next_Milestone__c', 'Call'],
    ['nextMilestoneDate', null, 'Vendor_Next_Milestone_Date__c', null],
  ])('%s %j writes %s %j', (field, value, target, expected) => {
    expect(write({ [field]: value } as Observed)).toEqual({
      write: {
        opportunityId: OPPORTUNITY['Id'],
        ifUnmodifiedSince: OPPORTUNITY['SystemModstamp'],
        opportunity: { [target]: expected },
        lines: { create: [], update: [], delete: [] },
        account: null,
      },
      issues: [],
    });
  });

  test.each([
    ['dsOwnerEmail', 'PSM@vendor.test'],
    ['reasonWon', ['LWR_IMPL_COST', 'SOLUTION_FUNCT']],
    ['reasonLost', []],
    ['gtmTacticId', null],
    ['closeDate', '2026-06-30'],
  ])('%s %j is there already', (field, value) => {
    expect(write({ [field]: value } as Observed).write).toBeNull();
  });

  test.each([
    ['no date', '30.06.2026'],
    ['empty', null],
  ])('a date is written over what is %s', (_, CloseDate) => {
    expect(write({ closeDate: '2026-07-01' }, crmGraph({ CloseDate })).write?.opportunity).toEqual({
      CloseDate: '2026-07-01',
    });
  });

  test('names of the CRM stay where they stand for the code', () => {
    const graph = crmGraph({ Vendor_Forecast_Category__c: 'LONGSHOT', Vendor_Reasons_Lost__c: 'NO_PROJECT' });
    expect(write({ forecastCategory: 'LONG', reasonLost: ['NO_PROJ'] }, graph).write).toBeNull();
    expect(write({ reasonLost: ['FUNC_GAP', 'NO_PROJ'] }, graph).write?.opportunity).toEqual({
      Vendor_Reasons_Lost__c: 'FUNC_GAP;NO_PROJECT',
    });
  });

  test.each(['name', 'closeDate'] as const)('the CRM requires %s, so it keeps its value', (field) => {
    const result = write({ [field]: null });
    expect(result.write).toBeNull();
    expect(result.issues).toMatchObject([{ code: 'cannot-be-cleared', field }]);
    expect(result.issues[0]?.message).toContain(`The vendor emptied the ${fieldWords(field)}`);
  });

  test('a field that the user may not see is not written, and reported', () => {
    const graph = crmGraph({}, { opportunity: without(OPPORTUNITY, 'Vendor_Campaign_Code__c', 'Vendor_Status__c') });
    const result = write({ cometCampaignCode: 'C2', status: 'OPPY_OPEN' }, graph);
    expect(result.write).toBeNull();
    expect(result.issues).toMatchObject([
      { code: 'field-hidden', field: 'cometCampaignCode' },
      { code: 'field-hidden', field: 'status' },
    ]);
    expect(result.issues[0]?.message).toContain('"Vendor: campaign code"');
    expect(result.issues[1]?.message).toContain('"Vendor: status"');
  });

  test('nor is a multi-select', () => {
    const graph = crmGraph({}, { opportunity: without(OPPORTUNITY, 'Vendor_Competitors__c') });
    const { write: made, issues } = write({ competitors: ['ACME'] }, graph);
    expect(made).toBeNull();
    expect(issues).toMatchObject([{ code: 'field-hidden', field: 'competitors' }]);
  });

  test('a code that a multi-select cannot hold is reported', () => {
    const result = write({ competitors: ['A;B'] });
    expect(result.write).toBeNull();
    expect(result.issues).toMatchObject([{ code: 'no-code-for-value', field: 'competitors' }]);
    expect(result.issues[0]?.message).toContain('in competitors contains a semicolon');
  });
});

describe('status', () => {
  test.each([
    ['OPPY_OPEN', 'Perception Analysis', false, { Vendor_Status__c: 'OPPY_OPEN' }],
    ['OPPY_OPEN', 'Prospecting', false, { Vendor_Status__c: 'OPPY_OPEN', StageName: 'Value Proposition' }],
    ['OPPY_OPEN', 'Closed Won', false, { Vendor_Status__c: 'OPPY_OPEN', StageName: 'Value Proposition' }],
    ['OPPY_VALID', 'Prospecting', false, { Vendor_Status__c: 'OPPY_VALID', StageName: 'Proposal/Price Quote' }],
    ['MYSTERY', 'Prospecting', false, { Vendor_Status__c: 'MYSTERY' }],
    ['WON', 'Prospecting', false, { Vendor_Status__c: 'WON' }],
    ['WON', 'Prospecting', true, { Vendor_Status__c: 'WON', StageName: 'Closed Won' }],
    ['WON', 'Closed Won', true, { Vendor_Status__c: 'WON' }],
    ['OPPY_LOST', 'Prospecting', false, { Vendor_Status__c: 'OPPY_LOST' }],
    ['OPPY_LOST', 'Prospecting', true, { Vendor_Status__c: 'OPPY_LOST', StageName: 'Closed Lost' }],
  ])('%s over %s, closing %s', (status, StageName, closeFromVendor, expected) => {
    const result = write({ status }, crmGraph({ StageName }), mappingConfig({ closeFromVendor }));
    expect(result.write?.opportunity).toEqual(expected);
  });

  test('known raw and by stage: nothing to write', () => {
    expect(write({ status: 'OPPY_OPEN' }, crmGraph({ Vendor_Status__c: 'OPPY_OPEN' })).write).toBeNull();
    expect(write({ status: null }).write).toBeNull();
  });

  test.each([null, ''])('a status of %j says nothing, whatever the CRM and the tenant have', (status) => {
    const graph = crmGraph({ Vendor_Status__c: 'OPPY_OPEN' });
    expect(write({ status }, graph)).toEqual({ write: null, issues: [] });
    expect(write({ status }, graph, bareConfig())).toEqual({ write: null, issues: [] });
  });

  test('a stage that the user may not see is not moved', () => {
    const graph = crmGraph({}, { opportunity: without(OPPORTUNITY, 'StageName') });
    expect(write({ status: 'QUALIFIED' }, graph).write?.opportunity).toEqual({
      Vendor_Status__c: 'QUALIFIED',
    });
  });
});

describe('company, contacts, owner and currency', () => {
  test.each([null, ''])('an empty site id, here %j, is filled', (Vendor_Site_Id__c) => {
    const graph = crmGraph({}, { account: { ...ACCOUNT, Vendor_Site_Id__c } });
    const result = write({ customerSiteId: 'SITE-1' }, graph);
    expect(result.write?.account).toEqual({ id: ACCOUNT['Id'], fields: { Vendor_Site_Id__c: 'SITE-1' } });
    expect(result.write?.opportunity).toEqual({});
  });

  test.each([
    ['set', { ...ACCOUNT, Vendor_Site_Id__c: 'OTHER' }],
    ['hidden', without(ACCOUNT, 'Vendor_Site_Id__c')],
    ['of no account', null],
  ])('a site id that is %s is left alone', (_, account) => {
    expect(write({ customerSiteId: 'SITE-1' }, crmGraph({}, { account })).write).toBeNull();
  });

  test('once filled, the account reads as before, with the site id', () => {
    const { write: made } = write({ customerSiteId: 'SITE-1' });
    if (made === null) throw new Error('expected a write');
    const usual = observeCrm(crmGraph(), config).record;
    expect(observeCrm(afterCrmWrite(crmGraph(), made), config).record).toEqual({
      ...usual,
      customerSiteId: 'SITE-1',
    });
  });
});
