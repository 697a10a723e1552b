import { describe, expect, test } from 'vitest';
import { agreedByImport, baseAfterImport } from '../../../../src/domain/base/after-import.ts';
import { observeCrm } from '../../../../src/domain/mapping/index.ts';
import type { InDoubtWrites } from '../../../../src/domain/record/base.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import type { CrmObservation } from '../../../../src/domain/record/observation.ts';
import { ACCOUNT, crmGraph, mappingConfig } from '../../../support/mapping/fixtures.ts';
import { decideTo, usualRecord, vendorReading } from '../../../support/value-engine/samples.ts';

const config = mappingConfig();
const [US, THEM] = ['005000000000001AAA', '005000000000002AAA'];
const OURS = { CreatedById: US, LastModifiedById: US };
const TOUCHED = { CreatedById: US, LastModifiedById: THEM };

/** A look at what an import made, which shows these fields and no others. */
function observe(record: Observed, opportunity: Readonly<Record<string, string>> = TOUCHED): CrmObservation {
  return { graph: crmGraph(opportunity, { readBy: US }), record, issues: [] };
}

const sentOf = (...records: readonly Observed[]): InDoubtWrites => ({
  basedOnVersion: null,
  sent: records.map((record) => ({ crm: record, vendor: record })),
});
const line = (offerNameId: string, amount: string, crmLineId?: string) => ({
  offerNameId,
  amount,
  revenueType: null,
  ...(crmLineId === undefined ? {} : { crmLineId }),
});

describe('imports that may have made an opportunity', () => {
  const four = { name: 'a', description: 'b', nextMilestone: 'c', gtmTacticId: 'd' };

  test('are recognised by more than half of what one of them sent', () => {
    const half = { name: 'a', description: 'b', nextMilestone: 'x', gtmTacticId: 'y' };
    expect(agreedByImport(sentOf(four), observe(half), config)).toBeUndefined();
    expect(agreedByImport(sentOf(four), observe({ ...half, nextMilestone: 'c' }), config)).toBeDefined();
    expect(agreedByImport(sentOf(), observe(four), config)).toBeUndefined();
  });

  test('are recognised by the one that shows most, whichever left first', () => {
    const stranger = { name: 'p', description: 'q', nextMilestone: 'r', gtmTacticId: 's' };
    for (const sent of [sentOf(stranger, four), sentOf(four, stranger)])
      expect(agreedByImport(sent, observe(four), config)?.crm).toMatchObject(four);
  });

  test('agree on a field as the CRM keeps it', () => {
    const sent = sentOf({ ...four, name: 'a  b' });
    expect(agreedByImport(sent, observe({ ...four, name: 'a b' }), config)?.crm.name).toBe('a b');
  });

  test('have their lines as the CRM keeps them where nobody edited them', () => {
    const sent = sentOf({ ...four, offerLines: [line('A', '1.55')] });
    const kept = observe({ ...four, offerLines: [line('A', '1.6', 'L1')] });
    expect(agreedByImport(sent, kept, config)?.crm.offerLines).toEqual([line('A', '1.6', 'L1')]);
  });
});

const contact = (email: string) => ({
  email,
  firstName: 'Erika',
  lastName: 'Muster',
  phoneNumber: null,
  salutation: null,
  jobTitle: null,
});

describe('a contact that users add to what an import made', () => {
  const [given, added] = [contact('erika@initech.example'), contact('maria@initech.example')];
  const fields = { name: 'a', description: 'b' };
  const shown = { ...fields, customerContacts: [given, added] };

  test('is it in the base of the first look too', () => {
    const vendor = vendorReading({ ...usualRecord(), customerContacts: [given] }, { reference: null });
    const plan = decideTo('create-in-crm', { link: { crmId: null, base: null }, crm: 'unlinked', vendor });
    const { crm } = baseAfterImport(plan, observe(shown, OURS), config);
    expect(crm).toMatchObject({ name: 'a', customerContacts: [given] });
  });
});

describe('a field that an import did not send', () => {
  const sent = sentOf({ name: 'a', description: 'b' });
  const shown = { name: 'a', description: 'b', gtmTacticId: 'x' };
  const agreed = (record: CrmObservation, writes = sent) => agreedByImport(writes, record, config)?.crm.gtmTacticId;

  test('counts as made by the import if only Lockstep has saved the opportunity', () => {
    expect(agreed(observe(shown, OURS))).toBe('x');
  });

  test.each<[string, CrmObservation, InDoubtWrites]>([
    ['another user has saved the opportunity', observe(shown, TOUCHED), sent],
    ['a user has made the opportunity by hand', observe(shown, { CreatedById: THEM, LastModifiedById: THEM }), sent],
    ['Lockstep has saved it again after a user may have', observe(shown, OURS), { ...sent, isSavedAgain: true }],
    ['the integration user is unknown', { ...observe(shown, OURS), graph: crmGraph(OURS) }, sent],
  ])('counts as an edit if %s', (_, record, writes) => {
    expect(agreed(record, writes)).toBeNull();
  });
});

describe('an account that users edit after an import', () => {
  const company = usualRecord().customerLegalEntity as NonNullable<Observed['customerLegalEntity']>;
  const given = { ...company, city: 'Sent' };
  const fields = { name: 'a', description: 'b', gtmTacticId: 'g' };
  const sent = sentOf({ ...fields, customerLegalEntity: given, customerSiteId: 'S1' });
  const shown: Observed = { ...fields, customerLegalEntity: company, customerSiteId: null };
  const [MADE, LATER] = ['2026-03-01T10:00:00.000Z', '2026-03-01T10:00:05.000Z'];
  const seen = (savedAt: string | null, record = shown): CrmObservation => {
    const account = savedAt === null ? null : { ...ACCOUNT, SystemModstamp: savedAt };
    return { graph: crmGraph({ ...OURS, SystemModstamp: MADE }, { account, readBy: US }), record, issues: [] };
  };
  const agreed = (observation: CrmObservation, of = sent) => agreedByImport(of, observation, config)?.crm;

  test.each([
    ['with the opportunity', MADE],
    ['by nobody that is known', null],
  ])('is as it shows itself where it was saved %s', (_, savedAt) => {
    const record = { ...shown, customerSiteId: 'S1' };
    expect(agreed(seen(savedAt, record))?.customerLegalEntity).toEqual(company);
  });

  test('leaves the fields of the opportunity as they show themselves', () => {
    const record = { ...shown, competitors: ['BY-DEFAULT'] };
    expect(agreed(seen(LATER, record))?.competitors).toEqual(['BY-DEFAULT']);
  });

  test('that an import without a company found is none of what it made', () => {
    expect(agreed(seen(LATER), sentOf(fields))?.customerLegalEntity).toBeNull();
  });
});

describe('the base after an import that somebody has touched', () => {
  const usual = usualRecord();
  const entered = vendorReading({ ...usual, name: 'Entered  twice' }, { reference: null });
  const plan = decideTo('create-in-crm', {
    link: { crmId: null, base: null },
    crm: 'unlinked',
    vendor: entered,
  });
  const seen = observeCrm(crmGraph({ ...TOUCHED, Name: 'Entered twice' }), config);

  test('has what was sent in the form in which the CRM keeps it', () => {
    expect(baseAfterImport(plan, seen, config).crm.name).toBe('Entered twice');
  });

  test('knows nothing of a field that the CRM does not show', () => {
    const { description: _, offerLines: __, ...record } = seen.record;
    const { crm } = baseAfterImport(plan, { ...seen, record }, config);
    expect(crm).not.toHaveProperty('description');
    expect(crm).not.toHaveProperty('offerLines');
  });

  test('takes for an edit what the import did not send', () => {
    const create = { ...plan.create, opportunity: {}, lines: [] };
    const { crm } = baseAfterImport({ ...plan, create }, seen, config);
    expect([crm.name, crm.competitors]).toEqual([null, []]);
  });
});
