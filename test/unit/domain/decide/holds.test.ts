import { describe, expect, it, test } from 'vitest';
import {
  areNewToVendor,
  heldLines,
  holdOf,
  holdOfContact,
  holdOfField,
  holdOfVendorLine,
  holdOfWrite,
  issueHolding,
  withhold,
  withoutHeld,
  withoutRefusedLines,
  withRefusals,
} from '../../../../src/domain/decide/holds.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';
import type { FieldLimit } from '../../../../src/domain/record/crm-limits.ts';
import type { Held, Issue } from '../../../../src/domain/record/issue.ts';
import { ISSUES } from '../../../../src/domain/record/issues.ts';
import { decideTo, linkSample, theirs, V1, V2 } from '../../../support/value-engine/samples.ts';

const refusal = (held: Held): Issue => ({ ...ISSUES.vendorRefused('ERR803', []), ...held });
const input = (issues: readonly Issue[], sendsRefusedAgain = false) => ({
  link: { ...linkSample({ issues }), reference: null },
  sendsRefusedAgain,
});
const line = (offerNameId: string, amount = '1', crmLineId = `L ${offerNameId}`): OfferLine => ({
  offerNameId,
  amount,
  revenueType: null,
  crmLineId,
});
const update = decideTo('update-at-vendor', { opportunity: { Name: 'Ours' }, vendor: theirs({}) });
const write = decideTo('write-crm', { vendor: theirs({ name: 'Theirs' }) });
const made = decideTo('create-in-crm', {
  crm: 'unlinked',
  link: { crmId: null, base: null },
  vendor: theirs({}, { reference: null }),
});
const body = { ...update.intent.body, leadOpportunity: {} };

/** Each row: a held content, and a content that differs from it in one respect only. */
test.each<[string, Held, Held]>([
  ['the content of an update', holdOfWrite(update), holdOfWrite({ ...update, intent: { ...update.intent, body } })],
  ['the save after which an update was made', holdOfWrite(update), holdOfWrite({ ...update, savedAt: V2 })],
  [
    'the content of a write to the CRM',
    holdOfWrite(write),
    holdOfWrite({ ...write, write: { ...write.write, opportunity: {} } }),
  ],
  ['the content of an import', holdOfWrite(made), holdOfWrite({ ...made, create: { ...made.create, lines: [] } })],
  ['the value of a field', holdOfField('crm', 'name', 'a', V1), holdOfField('crm', 'name', 'b', V1)],
  ['the field', holdOfField('crm', 'name', 'a', V1), holdOfField('crm', 'description', 'a', V1)],
  ['the save after which a value was sent', holdOfField('crm', 'name', 'a', V1), holdOfField('crm', 'name', 'a', V2)],
  ['the side', holdOfField('crm', 'name', 'a', V1), holdOfField('vendor', 'name', 'a', V1)],
  ['the part', holdOf('crm', 'field', 'a', V1), holdOf('crm', 'line', 'a', V1)],
  ['the amount of a line', holdOfVendorLine(line('A'), V1), holdOfVendorLine(line('A', '2'), V1)],
  ['the offer of a line', holdOfVendorLine(line('A'), V1), holdOfVendorLine(line('B'), V1)],
  ['the address of a contact', holdOfContact('a@x.test'), holdOfContact('b@x.test')],
  ['how often a contact is there', holdOfContact('a@x.test'), holdOfContact('a@x.test', 'contact-again')],
])('a hold ends with %s', (_, held, other) => {
  const issue = refusal(held);
  expect(issueHolding(held, input([ISSUES.conflict('name'), issue]))).toBe(issue);
  expect(issueHolding(held, input([issue], true))).toBeUndefined();
  expect(issueHolding(other, input([issue]))).toBeUndefined();
  expect(issueHolding(held, input([ISSUES.vendorRefused('ERR803', [])]))).toBeUndefined();
});

test('a contact is identified by its address, whatever its letter case and the blanks around it', () => {
  expect(holdOfContact(' A@X.test ')).toEqual(holdOfContact('a@x.test'));
});

test('an issue about a whole write stays visible, once; an issue about a part does not', () => {
  const [whole, part] = [refusal(holdOfWrite(update)), refusal(holdOfField('vendor', 'name', 'a', V1))];
  const { link } = input([whole, part, ISSUES.conflict('name')]);
  expect(withRefusals([], link)).toEqual([whole]);
  const known = { ...ISSUES.conflict('name'), message: whole.message };
  expect(withRefusals([known], link)).toEqual([known]);
});

test('a write is made again without values that were refused or do not fit', () => {
  const refused = {
    ...ISSUES.valueRefusedByCrm('description', 'Description', 'X'),
    ...holdOfField('crm', 'description', 'a', V1),
  };
  const unfit = ISSUES.doesNotFit('name', 'Name', 'too-long');
  const making = { side: 'crm', savedAt: V1, make: (record: object) => record, sent: (made: object) => made } as const;
  const record = { name: 'n', description: 'a', currency: 'EUR' };
  expect(withhold(record, making, input([refused]))).toEqual({
    record: { name: 'n', currency: 'EUR' },
    made: { name: 'n', currency: 'EUR' },
    issues: [refused],
  });
  const all = withhold(record, { ...making, unfit: () => [unfit] }, input([refused]));
  expect(all).toMatchObject({ made: { currency: 'EUR' }, issues: [unfit, refused] });
  expect(withhold(record, making, input([])).made).toBe(record);
});

describe('a new line of the CRM', () => {
  const row = (offer: string, TotalPrice = 1) => ({
    'Product2.Vendor_Offer_Id__c': offer,
    TotalPrice,
    Vendor_Revenue_Type__c: 'UPFRONT',
  });
  const ANY: FieldLimit = { length: null, values: null, isMulti: false, createable: true, updateable: true };
  const rented = { ...ANY, values: ['RENTAL_BOOKING'] };
  const given = (type: FieldLimit, issues: readonly Issue[], more: object = {}) => ({
    ...{ ...input(issues), isManual: false, ...more },
    crmLimits: { OpportunityLineItem: { TotalPrice: ANY, Vendor_Revenue_Type__c: type } },
  });
  const refused = refusal(holdOf('crm', 'line', row('A'), V1));
  const again = { sendsRefusedAgain: true };

  it.each([
    ['goes', [row('A')], given(ANY, []), []],
    ['was refused alone', [row('A'), row('B')], given(ANY, [refused]), ['A']],
    ['was refused with another amount', [row('A', 2)], given(ANY, [refused]), []],
    ['does not fit', [row('A')], given(rented, []), ['A']],
    ['may have no value when it is created', [row('A')], given({ ...ANY, createable: false }, []), ['A']],
    ['is sent again', [row('A')], given(ANY, [refused], again), []],
    ['does not fit when it is to be sent again', [row('A')], given(rented, [refused], again), ['A']],
    ['is sent at the request of a person', [row('A')], given(rented, [], { ...again, isManual: true }), []],
  ])('%s', (_, rows, known, held) => {
    expect([...heldLines(rows, V1, known).keys()]).toEqual(held);
  });
});

describe('a line for the vendor', () => {
  const [a, b] = [line('A'), line('B')];
  const refused = refusal(holdOfVendorLine(a, V1));

  it.each([
    ['that was refused is held back', [a, b], [a]],
    ['that was refused and is there twice has one issue', [a, line('A', '1', 'L2'), b], [a, line('A', '1', 'L2')]],
    ['that was not refused goes', [b], []],
  ])('%s', (_, lines, held) => {
    expect(withoutRefusedLines(lines, V1, input([refused]))).toEqual({
      lines: [b],
      held,
      issues: held.length === 0 ? [] : [refused],
    });
  });

  it.each([
    ['without the held line', [a, b], [a], [b]],
    ['with another line of its offer', [a, line('A', '1', 'L2')], [a], [line('A', '1', 'L2')]],
    ['without each held line', [a, b], [a, b], []],
    ['with all, if none is held', [a, b], [], [a, b]],
  ])('leaves the record %s', (_, offerLines, held, expected) => {
    expect(withoutHeld({ name: 'Deal', offerLines }, held)).toEqual({ name: 'Deal', offerLines: expected });
    expect(withoutHeld({ name: 'Deal' }, held)).toEqual({ name: 'Deal' });
  });

  it.each([
    ['has neither', [line('C')], true],
    ['has another of one offer', [line('B', '9')], false],
    ['shows none', undefined, true],
  ])('is new to a vendor that %s', (_, present, expected) => {
    expect(areNewToVendor([a, b], present)).toBe(expected);
  });
});
