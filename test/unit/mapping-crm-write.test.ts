import { describe, expect, test } from 'vitest';
import type { Observed } from '../../src/domain/canonical.ts';
import type { CrmGraph } from '../../src/domain/crm-graph.ts';
import { crmWrite } from '../../src/domain/mapping/index.ts';
import {
  ACCOUNT,
  crmGraph,
  lineRow,
  mappingConfig,
  OPPORTUNITY,
  without,
} from '../support/mapping-fixtures.ts';

const config = mappingConfig();

function write(
  changes: Observed,
  graph: CrmGraph = crmGraph(),
  tenant = config,
): ReturnType<typeof crmWrite> {
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
  });

  test('a field that the user may not see is not written, and reported', () => {
    const graph = crmGraph(
      {},
      { opportunity: without(OPPORTUNITY, 'Vendor_Campaign_Code__c', 'Vendor_Status__c') },
    );
    const result = write({ cometCampaignCode: 'C2', status: 'OPPY_OPEN' }, graph);
    expect(result.write).toBeNull();
    expect(result.issues).toMatchObject([
      { code: 'crm-refused', field: 'cometCampaignCode' },
      { code: 'crm-refused', field: 'status' },
    ]);
  });

  test('a code that a multi-select cannot hold is reported', () => {
    const result = write({ competitors: ['A;B'] });
    expect(result.write).toBeNull();
    expect(result.issues).toMatchObject([{ code: 'no-code-for-value', field: 'competitors' }]);
  });
});

describe('status', () => {
  test.each([
    ['OPPY_OPEN', 'Perception Analysis', false, { Vendor_Status__c: 'OPPY_OPEN' }],
    ['OPPY_OPEN', 'Prospecting', false, { Vendor_Status__c: 'OPPY_OPEN', StageName: 'Value Proposition' }],
    ['OPPY_OPEN', 'Closed Won', false, { Vendor_Status__c: 'OPPY_OPEN', StageName: 'Value Proposition' }],
    [
      'OPPY_VALID',
      'Prospecting',
      false,
      { Vendor_Status__c: 'OPPY_VALID', StageName: 'Proposal/Price Quote' },
    ],
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
});

describe('company, contacts, owner and currency', () => {
  test('an empty site id is filled', () => {
    const result = write({ customerSiteId: 'SITE-1' });
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

  test('nothing else of them is written', () => {
    const changes: Observed = {
      currency: 'USD',
      customerSiteId: null,
      customerLegalEntity: null,
      customerContacts: [],
      partnerContacts: [],
    };
    expect(write(changes).write).toBeNull();
  });
});

describe('lines', () => {
  const A = { offerNameId: 'OFFER-A', amount: '100.1', revenueType: 'UPFRONT' };
  const B = { offerNameId: 'OFFER-B', amount: '250', revenueType: null };
  const idA = '00k000000000001AAA';
  const idB = '00k000000000002AAA';

  test('the same lines in another order are no write', () => {
    expect(write({ offerLines: [B, A] }).write).toBeNull();
  });

  test('another amount updates the total price only', () => {
    const { write: made } = write({ offerLines: [{ ...A, amount: '90' }, B] });
    expect(made?.opportunity).toEqual({});
    expect(made?.lines).toEqual({ create: [], update: [{ Id: idA, TotalPrice: 90 }], delete: [] });
  });

  test('a new line has its offer, its total price and quantity one', () => {
    const added = { offerNameId: 'OFFER-C', amount: null, revenueType: 'RENTAL_Y' };
    const { write: made } = write({ offerLines: [A, B, { ...B, offerNameId: 'OFFER-D' }, added] });
    expect(made?.lines.create).toEqual([
      { 'Product2.Vendor_Offer_Id__c': 'OFFER-D', Quantity: 1, TotalPrice: 250 },
      {
        'Product2.Vendor_Offer_Id__c': 'OFFER-C',
        Quantity: 1,
        TotalPrice: 0,
        Vendor_Revenue_Type__c: 'RENTAL_Y',
      },
    ]);
  });

  test('a line of an offer that no product carries is parked alone, once for each', () => {
    const offerLines = [
      { ...A, amount: '1' },
      B,
      { ...B, offerNameId: 'OFFER-X' },
      { ...B, offerNameId: 'OFFER-Y' },
    ];
    const unknownOffers = new Set(['OFFER-X', 'OFFER-Y']);
    const context = { config, unknownOffers };
    const result = crmWrite({ offerLines }, crmGraph(), context);
    expect(result.write?.lines).toEqual({ create: [], update: [{ Id: idA, TotalPrice: 1 }], delete: [] });
    expect(result.issues.map((issue) => issue.code)).toEqual(['unknown-offer', 'unknown-offer']);
    expect(result.issues[0]?.message).toContain('OFFER-X');
  });

  test('a line that is gone is deleted, one of another offer made anew', () => {
    expect(write({ offerLines: [A] }).write?.lines).toEqual({ create: [], update: [], delete: [idB] });
    expect(write({ offerLines: [A, { ...B, offerNameId: 'OFFER-D' }] }).write?.lines).toEqual({
      create: [{ 'Product2.Vendor_Offer_Id__c': 'OFFER-D', Quantity: 1, TotalPrice: 250 }],
      update: [],
      delete: [idB],
    });
  });

  test('ids that the target carries come first', () => {
    const target = [
      { ...A, amount: '1', crmLineId: idA },
      { ...B, amount: '100.1', crmLineId: idB },
    ];
    expect(write({ offerLines: target }).write?.lines.update).toEqual([
      { Id: idA, TotalPrice: 1 },
      { Id: idB, TotalPrice: 100.1 },
    ]);
  });

  test.each([
    ['Upfront', null, { Vendor_Revenue_Type__c: null }],
    ['Upfront', 'UPFRONT', null],
    ['Not mapped', null, null],
    ['Not mapped', 'RENTAL_Y', { Vendor_Revenue_Type__c: 'RENTAL_Y' }],
    [null, 'X_NEW', { Vendor_Revenue_Type__c: 'X_NEW' }],
  ])('revenue type %s, the vendor says %s', (held, revenueType, expected) => {
    const lines = [lineRow('L1', 'OFFER-A', 1, held)];
    const offerLines = [{ offerNameId: 'OFFER-A', amount: '1', revenueType }];
    const rows = write({ offerLines }, crmGraph({}, { lines })).write?.lines.update ?? null;
    expect(rows).toEqual(expected === null ? null : [{ Id: 'L1', ...expected }]);
  });

  test('the partner’s own lines stay, and a vendor line without offer is reported', () => {
    const lines = [lineRow('OWN', null, 10, null)];
    const offerLines = [{ offerNameId: null, amount: '10', revenueType: null }];
    const result = write({ offerLines }, crmGraph({}, { lines }));
    expect(result.write).toBeNull();
    expect(result.issues).toMatchObject([{ code: 'unknown-offer', field: 'offerLines' }]);
  });

  test('lines that may not be seen are left alone', () => {
    const lines = [without(lineRow('L1', 'OFFER-A', 1, null), 'TotalPrice')];
    expect(write({ offerLines: [] }, crmGraph({}, { lines })).write).toBeNull();
  });
});
