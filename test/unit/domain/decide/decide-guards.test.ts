import { describe, expect, test } from 'vitest';
import { LINES, mappingConfig } from '../../../support/mapping/fixtures.ts';
import {
  baseWith,
  decideOn,
  type Given,
  rowOf,
  usualRecord,
  vendorReading,
} from '../../../support/value-engine/samples.ts';

const usual = usualRecord();
const lines = usual.offerLines?.map(({ crmLineId: _, ...line }) => line) ?? [];
const cheaper = lines.map((line, at) => (at === 0 ? { ...line, amount: '50' } : line));

describe('while the two sides’ currencies differ, no amount travels', () => {
  const dollars = { currency: 'USD' };
  const result = { code: 'currency-differs', field: 'offerLines' };

  test('the vendor’s edit of a line does not reach the CRM', () => {
    const vendor = vendorReading({ ...usual, ...dollars, offerLines: cheaper, description: 'new' });
    const plan = decideOn({ vendor });
    expect(plan.write).toMatchObject({
      opportunity: { Description: 'new' },
      lines: { create: [], update: [], delete: [] },
    });
    expect(plan).toMatchObject({ stateAfter: 'parked', issues: [result] });
  });

  test('the CRM’s edit of a line does not reach the vendor', () => {
    const graph = { lines: LINES.map((row) => ({ ...row, TotalPrice: 1 })) };
    const plan = decideOn({ graph, vendor: vendorReading({ ...usual, ...dollars }) });
    expect(plan).toMatchObject({ next: 'nothing', issues: [result] });
    expect(rowOf(plan, 'offerLines')).toMatchObject({ verdict: 'withheld', rule: 'the currencies differ' });
  });

  test('equal numbers are no agreement, so that each edit travels once the currencies are the same', () => {
    const graph = { lines: LINES.map((row, at) => (at === 0 ? { ...row, TotalPrice: 50 } : row)) };
    const vendor = vendorReading({ ...usual, ...dollars, offerLines: cheaper });
    expect(rowOf(decideOn({ graph, vendor }), 'offerLines')).toMatchObject({ verdict: 'withheld' });
  });

  test('it waits as long as they differ, and goes once they are the same', () => {
    const vendor = vendorReading({ ...usual, ...dollars, offerLines: cheaper });
    const link = { base: decideOn({ vendor }).baseAfter ?? null };
    expect(decideOn({ vendor, link }).issues).toMatchObject([result]);
    const repaired = decideOn({ vendor, link, opportunity: { CurrencyIsoCode: 'USD' } });
    expect(repaired.write?.lines.update).toMatchObject([{ TotalPrice: 50 }]);
  });

  test('of two deals that meet for the first time neither currency nor amounts go', () => {
    const plan = decideOn({ link: { base: null }, vendor: vendorReading({ ...usual, ...dollars }) });
    expect(plan.issues).toMatchObject([result]);
    expect(plan.intent?.fields ?? []).not.toContain('currency');
  });

  test('a currency that the CRM alone changed goes, with its lines', () => {
    const graph = { lines: LINES.map((row) => ({ ...row, TotalPrice: 1 })) };
    const plan = decideOn({ graph, opportunity: { CurrencyIsoCode: 'USD' }, vendor: vendorReading(usual) });
    expect(plan.intent?.record).toMatchObject({ currency: 'USD', offerLines: [{ amount: '1' }, {}] });
    expect(plan.issues).toEqual([]);
  });

  test('not where the vendor’s people edited a line meanwhile', () => {
    const vendor = vendorReading({ ...usual, offerLines: cheaper });
    const plan = decideOn({ opportunity: { CurrencyIsoCode: 'USD' }, vendor });
    expect(plan).toMatchObject({ next: 'nothing', issues: [result] });
  });
});

describe('a deal that the vendor closed', () => {
  const link = baseWith({ vendor: { ...usual, status: 'WON' } });
  const vendor = vendorReading({ ...usual, status: 'WON' });
  const moved: Given = { opportunity: { StageName: 'Negotiation/Review' } };

  test('is looked for by a reading of its own before a stage moves, where a search has shown that the last one holds', () => {
    const open = vendorReading(usual);
    expect(decideOn({ vendor: open, ...moved }).next).toBe('update-at-vendor');
    expect(decideOn({ vendor: { ...open, source: 'search' }, ...moved }).next).toBe('read-vendor');
  });

  test.each([
    ['where the CRM may not follow', false, { next: 'nothing', stateAfter: 'closed-at-vendor' }],
    ['where the CRM follows', true, { next: 'write-crm', stateAfter: 'in-sync' }],
  ])('is shown as that from then on: %s', (_, closeFromVendor, expected) => {
    const plan = decideOn({ vendor, config: mappingConfig({ closeFromVendor }) });
    expect(plan).toMatchObject(expected);
    expect(plan.write?.opportunity['StageName']).toBe(closeFromVendor ? 'Closed Won' : undefined);
  });

  test('is agreed on when the vendor reopens it', () => {
    const closed = decideOn({ vendor });
    const reopened = decideOn({ link: { base: closed.baseAfter ?? null }, vendor: vendorReading(usual) });
    expect(reopened).toMatchObject({ next: 'nothing', stateAfter: 'in-sync', issues: [] });
  });

  test('is not reopened by the CRM’s next stage', () => {
    const plan = decideOn({ link, vendor, ...moved });
    expect(plan).toMatchObject({
      next: 'nothing',
      stateAfter: 'closed-at-vendor',
      issues: [{ code: 'closed-at-vendor', field: 'status' }],
    });
    expect(rowOf(plan, 'status')).toMatchObject({ verdict: 'conflict-held', rule: 'closed at the vendor' });
  });

  test('nor where both move at once, whoever is preferred, nor at the first look', () => {
    const config = mappingConfig({ prefer: 'crm' });
    expect(decideOn({ vendor, config, ...moved }).stateAfter).toBe('closed-at-vendor');
    expect(decideOn({ vendor, config, link: { base: null } }).stateAfter).toBe('closed-at-vendor');
  });

  test('and waits on for a person when our update of another field has moved the vendor’s stamp', () => {
    const result = decideOn({ vendor, config: mappingConfig({ prefer: 'crm' }), ...moved });
    const later = { ...link, base: result.baseAfter ?? null };
    const plan = decideOn({ link: later, vendor, config: mappingConfig({ prefer: 'vendor' }), ...moved });
    expect(plan).toMatchObject({ next: 'nothing', stateAfter: 'closed-at-vendor' });
    const again = decideOn({ link: later, vendor, opportunity: { StageName: 'Qualification' } });
    expect(again.stateAfter).toBe('closed-at-vendor');
  });

  test('waits on for a person when the CRM’s users go to any other open stage, the one before included', () => {
    const result = decideOn({ link, vendor, ...moved });
    const later = { base: result.baseAfter ?? null, issues: result.issues };
    for (const StageName of ['Value Proposition', 'Perception Analysis', 'Proposal/Price Quote']) {
      const plan = decideOn({ link: later, vendor, opportunity: { StageName } });
      expect(plan).toMatchObject({ next: 'nothing', stateAfter: 'closed-at-vendor' });
      const again = decideOn({ link: { base: plan.baseAfter ?? null }, vendor, opportunity: { StageName } });
      expect(again.stateAfter).toBe('closed-at-vendor');
    }
    const preferred = { vendor, config: mappingConfig({ prefer: 'vendor' }) };
    const both = { base: decideOn({ vendor, ...moved }).baseAfter ?? null };
    const plan = decideOn({ ...preferred, link: both, opportunity: { StageName: 'Qualification' } });
    expect(plan.stateAfter).toBe('closed-at-vendor');
  });

  test('is left as it is when a person takes the vendor’s, and reopened when one keeps the CRM’s', () => {
    const result = decideOn({ link, vendor, ...moved });
    const given = { link: { base: result.baseAfter ?? null, issues: result.issues }, vendor };
    const picked = (side: string) => decideOn({ ...given, graph: { sync: { Resolve__c: side } } });
    expect(picked("Keep Salesforce's").intent?.record.status).toBe('OPPY_OPEN');
    expect(picked("Take the vendor's")).toMatchObject({ stateAfter: 'in-sync' });
  });

  test('ends as a person picks, whatever either side has become before the pick is read', () => {
    const result = decideOn({ link, vendor, ...moved });
    const given: Given = { link: { base: result.baseAfter ?? null, issues: result.issues }, ...moved };
    const picked = (side: string, status: string) =>
      decideOn({
        ...given,
        vendor: vendorReading({ ...usual, status }),
        config: mappingConfig({ prefer: side === "Keep Salesforce's" ? 'vendor' : 'crm' }),
        graph: { sync: { Resolve__c: side } },
      });
    for (const status of ['WON', 'OPPY_LOST', 'OPPY_OPEN'])
      expect(rowOf(picked("Keep Salesforce's", status), 'status')).toMatchObject({ verdict: 'conflict-crm' });
    for (const status of ['WON', 'OPPY_LOST', 'OPPY_OPEN'])
      expect(rowOf(picked("Take the vendor's", status), 'status')).toMatchObject({
        verdict: 'conflict-vendor',
        rule: 'picked by a person',
      });
  });

  test('is no news once a person has taken the vendor’s, at whichever stage of that status', () => {
    const plan = decideOn({ link, vendor, opportunity: { StageName: 'Value Proposition' } });
    expect(plan).toMatchObject({ next: 'nothing', stateAfter: 'in-sync', issues: [] });
  });

  test('all else flows', () => {
    const plan = decideOn({ link, vendor, opportunity: { ...moved.opportunity, Description: 'new' } });
    expect(plan.intent?.fields).toEqual(['description']);
  });

  test('is agreed on once the CRM closes it, and then may be reopened by its users', () => {
    const closed = decideOn({ link, vendor, opportunity: { StageName: 'Closed Won' } });
    expect(closed).toMatchObject({ next: 'nothing', stateAfter: 'in-sync' });
    const reopened = decideOn({ link: { base: closed.baseAfter ?? null }, vendor, ...moved });
    expect(reopened.intent?.record.status).toBe('OPPY_ESTAB');
  });

  test('may be lost in the CRM and won at the vendor: the newer goes', () => {
    const plan = decideOn({ link, vendor, opportunity: { StageName: 'Closed Lost' } });
    expect(plan.intent?.record.status).toBe('OPPY_LOST');
  });
});

describe('a deal that each side closed in its way', () => {
  const lost = vendorReading({ ...usual, status: 'OPPY_LOST' });
  const won: Given = { opportunity: { StageName: 'Closed Won' } };
  const agreed = baseWith({ crm: { ...usual, status: 'WON' }, vendor: { ...usual, status: 'WON' } });
  const prefer = (side: 'crm' | 'vendor', more = {}) => mappingConfig({ prefer: side, ...more });

  test('waits for a person where the vendor’s word is the newer one, and the stage follows nobody', () => {
    const plan = decideOn({ vendor: lost, config: prefer('vendor'), ...won });
    expect(plan).toMatchObject({
      stateAfter: 'conflict',
      issues: [{ code: 'closed-otherwise', field: 'status' }],
    });
    expect(plan.write?.opportunity['StageName']).toBeUndefined();
    expect(decideOn({ link: agreed, vendor: lost, ...won }).stateAfter).toBe('conflict');
  });

  test('waits on, whichever record is saved later', () => {
    const result = decideOn({ vendor: lost, config: prefer('vendor'), ...won });
    const link = { base: result.baseAfter ?? null };
    expect(decideOn({ link, vendor: lost, config: prefer('crm'), ...won }).stateAfter).toBe('conflict');
  });

  test('ends as a person picks', () => {
    const result = decideOn({ vendor: lost, config: prefer('vendor'), ...won });
    const link = { base: result.baseAfter ?? null };
    const graph = (side: string) => ({ sync: { Resolve__c: side } });
    const ours = decideOn({ link, vendor: lost, ...won, graph: graph("Keep Salesforce's") });
    expect(ours.intent?.record.status).toBe('WON');
    const theirs = decideOn({ link, vendor: lost, ...won, graph: graph("Take the vendor's") });
    expect(theirs.intent).toBeUndefined();
    expect(rowOf(theirs, 'status')).toMatchObject({ verdict: 'conflict-vendor' });
  });

  test('follows the vendor where the tenant lets it close deals', () => {
    const config = prefer('vendor', { closeFromVendor: true });
    const plan = decideOn({ vendor: lost, config, ...won });
    expect(plan.write?.opportunity['StageName']).toBe('Closed Lost');
  });
});
