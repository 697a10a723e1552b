import { describe, expect, it } from 'vitest';
import { baseAfterLedgerRestore, isLedgerRestored } from '../../../../src/domain/base/after-ledger-restore.ts';
import { type Base, EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import type { CrmObservation, VendorObservation } from '../../../../src/domain/record/observation.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';

const RESTORED = '2026-05-01T13:00:00.000Z';
const [BEFORE, SINCE] = ['2026-05-01T10:00:00.000Z', '2026-05-01T12:00:00.000Z'];
const BASE: Base = {
  ...EMPTY_BASE,
  crm: { name: 'Deal', description: 'agreed', nextMilestone: 'agreed' },
  vendor: { name: 'Deal', description: 'agreed', nextMilestone: 'agreed' },
  crmVersion: BEFORE,
  vendorVersion: BEFORE,
};
const VENDOR_ID = 'v-1';
const CRM_ID = '006000000000001AAA';

function crmAt(version: string, description: string, vendorId: string | null = VENDOR_ID): CrmObservation {
  return {
    record: { name: 'Deal', description, nextMilestone: 'agreed' },
    issues: [],
    graph: { opportunity: { Id: CRM_ID, SystemModstamp: version, Vendor_Id__c: vendorId } },
  } as unknown as CrmObservation;
}

function vendorAt(version: string, description: string, reference: string | null = CRM_ID) {
  const record = { name: 'Deal', description, nextMilestone: 'agreed' };
  return { record, version, reference } as unknown as VendorObservation;
}

function baseAfter(base: Base | null, crm: CrmObservation, vendor: VendorObservation): Base | null {
  const link = { base, restoredAt: RESTORED, vendorId: VENDOR_ID, crmId: CRM_ID };
  return baseAfterLedgerRestore(link, crm, vendor, mappingConfig());
}

describe('the base after the ledger was brought back', () => {
  it.each([
    ['neither side has moved', BEFORE, 'agreed', BEFORE, 'agreed', undefined],
    ['the vendor alone has moved', BEFORE, 'agreed', SINCE, 'new', undefined],
    ['the CRM alone has moved', SINCE, 'new', BEFORE, 'agreed', undefined],
    ['both have moved, to the same', SINCE, 'new', SINCE, 'new', undefined],
    ['both have moved, and differ', SINCE, 'new', SINCE, 'other', ['description']],
    ['both have moved, and one shows what was agreed', SINCE, 'agreed', SINCE, 'new', ['description']],
  ])('%s', (_, crmVersion, inCrm, vendorVersion, atVendor, ancestorUnknown) => {
    const base = baseAfter(BASE, crmAt(crmVersion, inCrm), vendorAt(vendorVersion, atVendor));
    expect(base).toMatchObject({ restoredAt: RESTORED, crm: BASE.crm, vendor: BASE.vendor });
    expect(base?.ancestorUnknown).toEqual(ancestorUnknown);
    expect(isLedgerRestored({ restoredAt: RESTORED, base })).toBe(false);
  });

  it('knows a pair that is forgotten by the id that one side has of the other, and no other pair', () => {
    const [forgotten, met] = [
      baseAfter(null, crmAt(SINCE, 'new', null), vendorAt(SINCE, 'other')),
      baseAfter(null, crmAt(SINCE, 'new', null), vendorAt(SINCE, 'other', null)),
    ];
    expect(forgotten).toMatchObject({ ancestorUnknown: ['description'], restoredAt: RESTORED });
    expect(met).toBeNull();
  });

  it('knows one by the vendor’s id in the CRM, and none where both ids are wanting', () => {
    const vendor = vendorAt(SINCE, 'other', null);
    expect(baseAfter(null, crmAt(SINCE, 'new'), vendor)).toMatchObject({ ancestorUnknown: ['description'] });
    const link = { base: null, restoredAt: RESTORED, vendorId: VENDOR_ID, crmId: null };
    expect(baseAfterLedgerRestore(link, crmAt(SINCE, 'new', null), vendor, mappingConfig())).toBeNull();
  });

  it('is what the ledger has of a pair, though neither side names the other, and of one that was not brought back', () => {
    const [crm, vendor] = [crmAt(BEFORE, 'agreed', null), vendorAt(BEFORE, 'agreed', null)];
    expect(baseAfter(BASE, crm, vendor)).toEqual({ ...BASE, restoredAt: RESTORED });
    const link = { base: BASE, vendorId: VENDOR_ID, crmId: CRM_ID };
    expect(baseAfterLedgerRestore(link, crm, vendor, mappingConfig())).toBe(BASE);
  });

  it.each<[string, Partial<Base>, string | null, string | null, readonly string[] | undefined]>([
    ['the CRM’s version was never known', { crmVersion: null }, null, SINCE, ['description']],
    ['the vendor tells no version', {}, SINCE, null, ['description']],
    ['a reading that was sent over shows the vendor as it is', { highestSeenVersion: SINCE }, SINCE, SINCE, undefined],
  ])('tells who has moved where %s', (_, change, crmVersion, vendorVersion, ancestorUnknown) => {
    const crm = crmAt(crmVersion as string, 'new');
    const vendor = vendorAt(vendorVersion as string, 'other');
    expect(baseAfter({ ...BASE, ...change }, crm, vendor)?.ancestorUnknown).toEqual(ancestorUnknown);
  });

  it.each<[string, Observed, Observed, readonly string[] | undefined]>([
    ['what the CRM hides', {}, { description: 'new' }, undefined],
    ['what the vendor does not show', { description: 'new' }, {}, undefined],
    ['blanks that a side folds', { description: 'a  b' }, { description: 'a b' }, undefined],
    ['what the vendor alone filled in', { dsOwnerEmail: null }, { dsOwnerEmail: 'a@b.test' }, undefined],
    ['another owner', { dsOwnerEmail: 'c@d.test' }, { dsOwnerEmail: 'a@b.test' }, ['dsOwnerEmail']],
    ['a text that one side lacks', { description: null }, { description: 'new' }, ['description']],
    ['what both were agreed to show', { nextMilestone: 'ours' }, { nextMilestone: 'theirs' }, undefined],
  ])('is unsure, or not, of %s where both have moved', (_, inCrm, atVendor, ancestorUnknown) => {
    const crm = { ...crmAt(SINCE, ''), record: inCrm };
    const vendor = { ...vendorAt(SINCE, ''), record: atVendor };
    const base: Base = {
      ...BASE,
      crm: { ...BASE.crm, nextMilestone: 'ours' },
      vendor: { ...BASE.vendor, nextMilestone: 'theirs' },
    };
    expect(baseAfter(base, crm, vendor)?.ancestorUnknown).toEqual(ancestorUnknown);
  });

  it('drops what was on its way then', () => {
    const sent: Base = {
      ...BASE,
      awaitingEcho: ['description'],
      basedOn: { version: BEFORE, previousValues: { description: ['before'] } },
      inDoubtCrmWrites: { basedOnVersion: BEFORE, sent: [] },
      inDoubtVendorWrites: { basedOnVersion: BEFORE, sent: [] },
    };
    const { restoredAt: _, ...base } = baseAfter(sent, crmAt(BEFORE, 'agreed'), vendorAt(BEFORE, 'agreed')) ?? BASE;
    expect(base).toEqual(BASE);
  });

  it('asks for a look at both sides once for each restore', () => {
    expect(isLedgerRestored({ base: BASE })).toBe(false);
    expect(isLedgerRestored({ base: { ...BASE, restoredAt: BEFORE } })).toBe(false);
    expect(isLedgerRestored({ base: null, restoredAt: RESTORED })).toBe(true);
    expect(isLedgerRestored({ base: { ...BASE, restoredAt: BEFORE }, restoredAt: RESTORED })).toBe(true);
  });
});
