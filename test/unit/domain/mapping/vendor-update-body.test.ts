import { describe, expect, test } from 'vitest';
import { observeCrm, updateBody } from '../../../../src/domain/mapping/index.ts';
import type { FieldName, Observed } from '../../../../src/domain/record/canonical.ts';
import { fieldWords } from '../../../../src/domain/record/field-labels.ts';
import { bareConfig, crmGraph, mappingConfig } from '../../../support/mapping/fixtures.ts';

const config = mappingConfig();
const reference = '006000000000001AAA';
const present: Observed = { ...observeCrm(crmGraph(), config).record, customerSiteId: 'SITE-1' };

function update(changes: Observed, tenant = config, before = present): ReturnType<typeof updateBody> {
  return updateBody(changes, {
    reference,
    config: tenant,
    present: before,
    target: { ...before, ...changes },
  });
}

describe('scalars and sets: only the changed one', () => {
  test.each([
    ['name', 'New', 'New'],
    ['dsOwnerEmail', 'x@v.test', 'x@v.test'],
    ['dsOwnerEmail', null, ''],
    ['status', 'WON', 'WON'],
    ['status', 'MYSTERY', 'MYSTERY'],
    ['forecastCategory', 'SAFE', 'SAFE'],
    ['forecastCategory', 'LONG', 'LONG'],
    ['closeDate', '2026-07-01', '2026-07-01T00:00:00.000Z'],
    ['cometCampaignCode', 'C2', 'C2'],
    ['cometCampaignCode', null, ''],
    ['reasonWon', ['X_NEW'], ['X_NEW']],
    ['reasonWon', [], []],
    ['reasonLost', ['NO_PROJ'], ['NO_PROJ']],
    ['reasonLost', [], []],
    ['competitors', ['A', 'B'], ['A', 'B']],
    ['competitors', [], []],
    ['reasonWonLostComment', null, ''],
    ['gtmTacticId', null, ''],
    ['description', null, ''],
    ['nextMilestone', null, ''],
    ['nextMilestoneDate', '2026-05-01', '2026-05-01T00:00:00.000Z'],
    ['currency', 'USD', 'USD'],
  ])('%s %j is sent as %j', (field, value, sent) => {
    const { intent, withheld } = update({ [field]: value } as Observed);
    expect(intent).toEqual({
      body: { partnerId: 'P000123', leadOpportunity: { partnerLeadOpportunityId: reference, [field]: sent } },
      fields: [field],
      record: { [field]: value },
    });
    expect(withheld).toEqual([]);
  });
});

describe('withheld', () => {
  test.each([
    ['name', null, 'cannot-be-cleared'],
    ['status', null, 'cannot-be-cleared'],
    ['currency', null, 'cannot-be-cleared'],
    ['closeDate', null, 'cannot-be-cleared'],
    ['nextMilestoneDate', null, 'cannot-be-cleared'],
    ['forecastCategory', null, 'cannot-be-cleared'],
    ['customerLegalEntity', null, 'cannot-be-cleared'],
    ['customerSiteId', null, 'cannot-be-cleared'],
    ['currency', 'eur', 'no-code-for-value'],
    ['forecastCategory', 'X_NEW', 'no-code-for-value'],
    ['offerLines', [{ offerNameId: null, amount: '1', revenueType: null }], 'unknown-offer'],
    ['offerLines', [{ offerNameId: 'A', amount: '12345678901234567890.12', revenueType: null }], 'no-code-for-value'],
  ])('%s %j: %s', (field, value, code) => {
    const { intent, withheld } = update({ [field]: value } as Observed);
    expect(intent).toBeNull();
    expect(withheld).toMatchObject([{ field, issue: { code, field } }]);
    const says = `The vendor has no way to empty the ${fieldWords(field as FieldName)} from here:`;
    if (code === 'cannot-be-cleared') expect(withheld[0]?.issue?.message).toMatch(says);
  });

  test.each([
    ['LEAD_OPEN', 'COMMIT'],
    ['QUALIFIED', 'COMMIT'],
    ['ACCEPTED', null],
    ['WON', 'WON'],
    ['WON', 'COMMIT'],
    ['OPPY_LOST', 'LOST'],
  ])('with %s, forecast %s is not sent, which is reported, and nobody has to act', (status, forecastCategory) => {
    const { intent, withheld } = update({ status, forecastCategory });
    expect(intent?.fields).toEqual(['status']);
    expect(withheld).toMatchObject([{ field: 'forecastCategory', issue: { code: 'forecast-of-vendor' } }]);
  });

  test.each(['WON', 'LOST'])('forecast %s of an open deal is not sent, and that is reported', (forecastCategory) => {
    const { withheld } = update({ status: 'OPPY_OPEN', forecastCategory });
    expect(withheld).toMatchObject([{ issue: { code: 'no-code-for-value', field: 'forecastCategory' } }]);
  });
});

describe('arrays and the entity go whole', () => {
  test('a revenue type that the vendor has shown survives, though nobody configured it', () => {
    const offerLines = [{ offerNameId: 'OFFER-A', amount: '5', revenueType: 'RENTAL_Q' }];
    const before = { ...present, offerLines: [{ ...offerLines[0], amount: '4' }] } as Observed;
    expect(update({ offerLines }, bareConfig(), before).intent?.body['offerLines']).toEqual([
      { offerNameId: 'OFFER-A', amount: 5, revenueType: 'RENTAL_Q' },
    ]);
  });

  test('contacts, with the empty string for what is unset', () => {
    const contact = {
      email: 'a@b.test',
      firstName: 'A',
      lastName: 'B',
      phoneNumber: null,
      salutation: null,
      jobTitle: 'T',
    };
    const { intent } = update({ customerContacts: [contact], partnerContacts: [] });
    expect(intent?.body['customerContacts']).toEqual([{ ...contact, phoneNumber: '', salutation: '' }]);
    expect(intent?.body['partnerContacts']).toEqual([]);
  });

  test('a CRM that has no site id does not unlink the vendor’s', () => {
    const changes = { customerLegalEntity: present.customerLegalEntity } as Observed;
    const target = { ...present, customerSiteId: null };
    const { intent } = updateBody(changes, { reference, config, present, target });
    expect(intent?.record.customerSiteId).toBe('SITE-1');
  });

  test.each([
    ['is not known', {}],
    ['there is none', { customerLegalEntity: null }],
  ])('a site id waits while the entity %s', (_, before) => {
    const { intent, withheld } = update({ customerSiteId: 'SITE-2' }, config, before);
    expect(intent).toBeNull();
    expect(withheld).toMatchObject([
      { field: 'customerSiteId', issue: { code: 'required-on-create', field: 'customerSiteId' } },
    ]);
    expect(withheld[0]?.issue?.message).toContain('choose the Account');
  });

  test('an entity and a site id that the vendor does not show are those of the target', () => {
    const { customerLegalEntity = null } = present;
    const target: Observed = { customerLegalEntity, customerSiteId: 'SITE-9' };
    const context = { reference, config, present: {}, target };
    for (const changes of [{ customerSiteId: 'SITE-9' }, { customerLegalEntity }]) {
      expect(updateBody(changes, context).intent?.body['customerLegalEntity']).toMatchObject({
        id: 'SITE-9',
        name: 'Initech',
      });
    }
  });
});

test('a tenant without partner id sends none on update, where it is optional', () => {
  const { intent } = update({ name: 'New' }, mappingConfig({ partnerId: '' }));
  expect(Object.keys(intent?.body ?? {})).toEqual(['leadOpportunity']);
});

describe('a field with a list of the vendor’s', () => {
  const listed = mappingConfig({ lists: { competitors: ['ACME', 'GLOBEX'], gtmTacticId: ['T-1'] } });
  test.each<[string, Observed, Observed, 'sent' | 'withheld']>([
    ['codes of the list', { competitors: ['GLOBEX', 'ACME'] }, {}, 'sent'],
    ['none', { competitors: [] }, {}, 'sent'],
    ['a typing error among them', { competitors: ['ACME', 'GLOBEKS'] }, {}, 'withheld'],
    ['a code that the vendor shows already', { competitors: ['ACME', 'THEIRS'] }, { competitors: ['THEIRS'] }, 'sent'],
    ['a single code', { gtmTacticId: 'T-1' }, {}, 'sent'],
    ['a single typing error', { gtmTacticId: 'T-l' }, { gtmTacticId: 'T-1' }, 'withheld'],
    ['a code of a field without one', { cometCampaignCode: 'C9' }, {}, 'sent'],
  ])('%s', (_, changes, shown, verdict) => {
    const all = { ...changes, description: 'goes on' };
    const { intent, withheld } = update(all, listed, { ...present, competitors: [], gtmTacticId: null, ...shown });
    const [field] = Object.keys(changes);
    expect(intent?.fields.includes(field as FieldName)).toBe(verdict === 'sent');
    expect(intent?.fields).toContain('description');
    expect(withheld.map(({ issue }) => `${issue.code} ${issue.field}`)).toEqual(
      verdict === 'sent' ? [] : [`no-code-for-value ${field}`],
    );
  });
});
