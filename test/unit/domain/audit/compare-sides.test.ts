import { describe, expect, it } from 'vitest';
import {
  type AgreedLink,
  notCompared,
  unseenAtVendor,
  unseenInCrm,
} from '../../../../src/domain/audit/compare-sides.ts';
import { observeCrm, observeVendor } from '../../../../src/domain/mapping/index.ts';
import type { CrmFields, CrmGraph } from '../../../../src/domain/record/crm-graph.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';

const CONFIG = mappingConfig();
const STAMP = '2027-01-01T00:00:00.000Z';
const LATER = '2027-01-02T00:00:00.000Z';
const EARLIER = '2026-12-01T00:00:00.000Z';

function crm(fields: CrmFields = {}) {
  const graph: CrmGraph = {
    opportunity: { Id: 'C1', Vendor_Share__c: true, Description: 'Agreed', SystemModstamp: STAMP, ...fields },
    account: null,
    lines: [],
    contacts: [],
    owner: null,
    sync: null,
    readAt: STAMP,
  };
  return observeCrm(graph, CONFIG);
}

function vendor(fields: Readonly<Record<string, unknown>> = {}) {
  const raw = {
    description: 'Agreed',
    modifiedDate: STAMP,
    partnerLeadOpportunityId: '006000000000001AAA',
    ...fields,
  };
  return { ...observeVendor(raw, CONFIG, LATER), vendorId: 'V1' };
}

const LINK: AgreedLink = {
  state: 'in-sync',
  crmId: 'C1',
  vendorId: 'V1',
  base: {
    crm: crm().record,
    vendor: vendor().record,
    defaulted: [],
    awaitingEcho: [],
    linePairs: [],
    crmVersion: STAMP,
    vendorVersion: STAMP,
  },
  issues: [],
  generation: 3,
  observedGeneration: 3,
  vendorDue: false,
  vendorInDoubt: 'no',
  vendorObservation: vendor(),
};

describe('the CRM’s side', () => {
  const OTHER = { Description: 'Other' };
  const open = (...issues: AgreedLink['issues']) => ({ issues });
  const FORECAST = 'Vendor_Forecast_Category__c';

  it.each<[what: string, shown: CrmFields, link: Partial<AgreedLink>, differing: readonly string[]]>([
    ['as agreed', {}, {}, []],
    ['another value', OTHER, {}, ['description']],
    ['a value that an open issue of the field explains', OTHER, open(ISSUES.conflict('description')), []],
    ['a value beside one that an issue explains', OTHER, open(ISSUES.conflict('name')), ['description']],
    ['no share any more', { Vendor_Share__c: false }, {}, ['Vendor_Share__c']],
    ['a share of one that left', {}, { state: 'detached' }, ['Vendor_Share__c']],
    ['no share of one that left', { Vendor_Share__c: false, ...OTHER }, { state: 'detached' }, []],
    ['a value that was cleared', { Description: null }, {}, ['description']],
    ['nothing of a deal that has agreed on nothing', OTHER, { base: null }, []],
    ['nothing beside what holds up the whole record', OTHER, open(ISSUES.vendorMissing()), []],
    [
      'a value of which something is told that waits for nobody',
      { Vendor_Owner_Email__c: 'ann@vendor.example' },
      open(ISSUES.notReadable('dsOwnerEmail', 'the owner')),
      ['dsOwnerEmail'],
    ],
    ['a forecast that the vendor does not take', { [FORECAST]: 'COMMIT' }, open(ISSUES.forecastOfVendor(FORECAST)), []],
    ['a field that is hidden from us', { Description: undefined as never }, {}, []],
  ])('shows %s', (_, fields, change, differing) => {
    expect(unseenInCrm({ ...LINK, ...change }, crm(fields), CONFIG)).toEqual(differing);
  });
});

describe('the vendor’s side', () => {
  it.each<[string, Readonly<Record<string, unknown>>, ReturnType<typeof unseenAtVendor>]>([
    ['as read', {}, { fields: [], isNews: false, isRestored: false }],
    [
      'another value',
      { description: 'Other', modifiedDate: LATER },
      { fields: ['description'], isNews: true, isRestored: false },
    ],
    ['a later date alone', { modifiedDate: LATER }, { fields: [], isNews: true, isRestored: false }],
    [
      'an older state',
      { description: 'Older', modifiedDate: EARLIER },
      { fields: ['description'], isNews: true, isRestored: true },
    ],
    ['an older date alone', { modifiedDate: EARLIER }, { fields: [], isNews: true, isRestored: true }],
  ])('shows %s', (_, fields, news) => {
    expect(unseenAtVendor(LINK, vendor(fields), CONFIG)).toEqual(news);
  });

  it.each<[string, Partial<AgreedLink>]>([
    ['has agreed on nothing', { base: null }],
    ['left', { state: 'detached' }],
  ])('is not looked at where a link %s', (_, change) => {
    const shown = vendor({ description: 'Other', modifiedDate: LATER });
    expect(unseenAtVendor({ ...LINK, ...change }, shown, CONFIG)).toEqual({
      fields: [],
      isNews: false,
      isRestored: false,
    });
  });

  it('is news where the ledger has no reading of it', () => {
    expect(unseenAtVendor({ ...LINK, vendorObservation: null }, vendor(), CONFIG).isNews).toBe(true);
  });

  it('shows a changed value without one that does not travel to the CRM, and without a default', () => {
    const base = LINK.base && { ...LINK.base, awaitingEcho: ['forecastCategory'] as const };
    const shown = vendor({ description: 'Other', currency: 'USD', forecastCategory: 'LONG' });
    expect(unseenAtVendor({ ...LINK, base }, { ...shown, version: LATER }, CONFIG).fields).toEqual(['description']);
  });
});

it.each<[string, Partial<AgreedLink>, ReturnType<typeof notCompared>]>([
  ['agrees', {}, null],
  ['is due', { generation: 4 }, 'under-way'],
  ['has to be read', { vendorDue: true }, 'under-way'],
  ['may have been written', { vendorInDoubt: 'update' }, 'under-way'],
  ['has not agreed yet', { state: 'new', base: null }, 'under-way'],
  ['waits as a whole', { state: 'parked', issues: [ISSUES.vendorMissing()] }, 'explained'],
  [
    'waits as a whole and with a field',
    { state: 'parked', issues: [ISSUES.vendorMissing(), ISSUES.conflict('name')] },
    'explained',
  ],
  [
    'has a CRM write on its way',
    { base: LINK.base && { ...LINK.base, inDoubtCrmWrites: { basedOnVersion: STAMP, sent: [] } } },
    'under-way',
  ],
  ['waits before it has agreed', { state: 'parked', base: null, issues: [ISSUES.badCurrency()] }, 'explained'],
  ['waits with one field', { state: 'conflict', issues: [ISSUES.conflict('name')] }, null],
  ['left', { state: 'detached', base: null }, null],
])('a link that %s is compared, or why not', (_, change, why) => {
  expect(notCompared({ ...LINK, ...change })).toBe(why);
});
