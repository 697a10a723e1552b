import { describe, expect, test } from 'vitest';
import { afterCrmWrite, crmWrite, observeCrm } from '../../../../src/domain/mapping/index.ts';
import type { Observed, OfferLine } from '../../../../src/domain/record/canonical.ts';
import type { CrmGraph } from '../../../../src/domain/record/crm-graph.ts';
import {
  ACCOUNT,
  bareConfig,
  crmGraph,
  lineRow,
  mappingConfig,
  OPPORTUNITY,
  without,
} from '../../../support/mapping/fixtures.ts';

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
    expect(result.issues[0]?.message).toContain(`The vendor has no ${field}`);
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
    expect(result.issues[0]?.message).toContain('Opportunity.Vendor_Campaign_Code__c');
    expect(result.issues[1]?.message).toContain('Opportunity.Vendor_Status__c');
  });

  test('nor is a multi-select', () => {
    const graph = crmGraph({}, { opportunity: without(OPPORTUNITY, 'Vendor_Competitors__c') });
    const { write: made, issues } = write({ competitors: ['ACME'] }, graph);
    expect(made).toBeNull();
    expect(issues).toMatchObject([{ code: 'crm-refused', field: 'competitors' }]);
  });

  test('a code that a multi-select cannot hold is reported', () => {
    const result = write({ competitors: ['A;B'] });
    expect(result.write).toBeNull();
    expect(result.issues).toMatchObject([{ code: 'no-code-for-value', field: 'competitors' }]);
    expect(result.issues[0]?.message).toContain('competitors contains a semicolon');
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

  test('one line changed and another added is one write of both', () => {
    const { write: made } = write({
      offerLines: [{ ...A, amount: '90' }, B, { ...B, offerNameId: 'OFFER-C' }],
    });
    expect(made?.lines).toEqual({
      create: [{ 'Product2.Vendor_Offer_Id__c': 'OFFER-C', Quantity: 1, TotalPrice: 250 }],
      update: [{ Id: idA, TotalPrice: 90 }],
      delete: [],
    });
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
    ['RENTAL_Y', null, { Vendor_Revenue_Type__c: null }],
    ['', null, null],
    [null, null, null],
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
    expect(result.issues[0]?.message).toContain('has no offerNameId');
  });

  test('lines that may not be seen are left alone', () => {
    const lines = [without(lineRow('L1', 'OFFER-A', 1, null), 'TotalPrice')];
    const result = write({ offerLines: [] }, crmGraph({}, { lines }));
    expect(result.write).toBeNull();
    expect(result.issues).toMatchObject([{ code: 'crm-refused', field: 'offerLines' }]);
    expect(result.issues[0]?.message).toContain('permission set Lockstep_Integration');
  });

  describe('ids that the target carries', () => {
    const twins = crmGraph({}, { lines: [lineRow('L1', 'TWIN', 1, null), lineRow('L2', 'TWIN', 2, null)] });
    const twin = (amount: string, crmLineId?: string): OfferLine => ({
      offerNameId: 'TWIN',
      amount,
      revenueType: null,
      ...(crmLineId && { crmLineId }),
    });

    test.each<[string, OfferLine[], unknown]>([
      [
        'pair before content does',
        [twin('2', 'L1'), twin('1', 'L2')],
        {
          update: [
            { Id: 'L1', TotalPrice: 2 },
            { Id: 'L2', TotalPrice: 1 },
          ],
          delete: [],
        },
      ],
      [
        'leave the line of the same content to the lines that carry none',
        [twin('5'), twin('2', 'L1')],
        {
          update: [
            { Id: 'L2', TotalPrice: 5 },
            { Id: 'L1', TotalPrice: 2 },
          ],
          delete: [],
        },
      ],
      [
        'are final: a line that nobody carries is gone, though its content is that of a kept one',
        [twin('2', 'L1')],
        { update: [{ Id: 'L1', TotalPrice: 2 }], delete: ['L2'] },
      ],
      [
        'pair once; the second that carries one pairs by content',
        [twin('3', 'L1'), twin('2', 'L1')],
        { update: [{ Id: 'L1', TotalPrice: 3 }], delete: [] },
      ],
    ])('%s', (_, offerLines, expected) => {
      expect(write({ offerLines }, twins).write?.lines).toEqual({ create: [], ...(expected as object) });
    });

    test('keep the line from others, also where its offer is another and the line is made anew', () => {
      const lines = [lineRow('L1', 'TWIN', 1, null)];
      const offerLines = [{ ...twin('1', 'L1'), offerNameId: 'OTHER' }, twin('1')];
      expect(write({ offerLines }, crmGraph({}, { lines })).write?.lines).toMatchObject({
        create: [{ 'Product2.Vendor_Offer_Id__c': 'OTHER' }, { 'Product2.Vendor_Offer_Id__c': 'TWIN' }],
        update: [],
        delete: ['L1'],
      });
    });

    test('mean nothing where the CRM has no such line', () => {
      expect(write({ offerLines: [twin('2', 'GONE'), twin('1')] }, twins).write).toBeNull();
    });
  });

  test('a row that has no id yet is no partner of a line, and is not deleted', () => {
    const lines = [without(lineRow('', 'OFFER-X', 1, null), 'Id'), lineRow('L1', 'OFFER-A', 1, null)];
    const offerLines = [{ offerNameId: 'OFFER-A', amount: '5', revenueType: null }];
    expect(write({ offerLines }, crmGraph({}, { lines })).write?.lines).toEqual({
      create: [],
      update: [{ Id: 'L1', TotalPrice: 5 }],
      delete: [],
    });
  });

  test('a revenue type without a code stays, whatever the line before it has', () => {
    const lines = [lineRow('L1', 'OFFER-A', 1, null), lineRow('L2', 'OFFER-B', 1, 'Not mapped')];
    const offerLines = ['OFFER-A', 'OFFER-B'].map((offerNameId) => ({
      offerNameId,
      amount: '1',
      revenueType: null,
    }));
    expect(write({ offerLines }, crmGraph({}, { lines })).write).toBeNull();
  });
});
