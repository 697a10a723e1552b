import { describe, expect, test } from 'vitest';
import { isKeyedMerge, keyedMerge } from '../../../../src/domain/base/keyed-merge.ts';
import type { CustomerContact, FieldName, OfferLine } from '../../../../src/domain/record/canonical.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { usualRecord } from '../../../support/value-engine/samples.ts';

const config = mappingConfig();

function contact(email: string, lastName = 'Muster'): CustomerContact {
  return { email, firstName: 'Erika', lastName, phoneNumber: null, salutation: null, jobTitle: null };
}

function line(offerNameId: string, amount: string, crmLineId?: string): OfferLine {
  return { offerNameId, amount, revenueType: null, ...(crmLineId === undefined ? {} : { crmLineId }) };
}

const entity = usualRecord().customerLegalEntity;
const [erika, max] = [contact('e@x.example'), contact('m@x.example')];
const renamed = contact('E@x.example', 'Meier');
const [ten, twenty, other] = [line('A', '10.00', '1'), line('A', '20.00', '1'), line('B', '5.00', '2')];

describe('an older value of which a vendor lays what it is sent over its own', () => {
  test.each<[FieldName, string, { before: unknown; sent: unknown }, unknown]>([
    ['competitors', 'beside a newer code', { before: ['NEW'], sent: ['OLD'] }, ['NEW', 'OLD']],
    ['competitors', 'with one that both have', { before: ['A', 'B'], sent: ['A', 'C'] }, ['A', 'B', 'C']],
    ['customerContacts', 'beside a newer one', { before: [max], sent: [erika] }, [max, erika]],
    ['customerContacts', 'over its newer name', { before: [renamed, max], sent: [erika] }, [erika, max]],
    ['offerLines', 'over its newer amount', { before: [twenty, other], sent: [ten] }, [ten, other]],
    ['offerLines', 'and nothing beside it', { before: [twenty], sent: [ten] }, [ten]],
    [
      'customerLegalEntity',
      'with a key that it lacks',
      { before: { ...entity, vatNumber: 'DE1' }, sent: { ...entity, city: 'Ulm', vatNumber: null } },
      { ...entity, city: 'Ulm', vatNumber: 'DE1' },
    ],
  ])('is recognised: %s %s', (field, _, change, observed) => {
    expect(isKeyedMerge(field, change, observed, config)).toBe(true);
  });

  test.each<[FieldName, string, { before: unknown; sent: unknown }, unknown]>([
    ['competitors', 'of what is as it was', { before: ['A', 'B'], sent: ['A'] }, ['B', 'A']],
    ['competitors', 'beside a code of neither', { before: ['NEW'], sent: ['OLD'] }, ['NEW', 'OLD', 'X']],
    ['competitors', 'that is not there', { before: ['NEW', 'B'], sent: ['OLD'] }, ['NEW']],
    ['competitors', 'that is empty', { before: ['NEW', 'B'], sent: [] }, ['NEW']],
    ['competitors', 'that did not send it', { before: ['NEW', 'B'], sent: undefined }, ['NEW']],
    ['customerContacts', 'with one in another form', { before: [max], sent: [erika] }, [max, renamed]],
    ['offerLines', 'twice', { before: [other], sent: [ten] }, [ten, ten, other]],
    ['name', 'of one value', { before: 'New', sent: 'Old' }, 'Old'],
    ['customerLegalEntity', 'as it was', { before: entity, sent: { ...entity, city: null } }, entity],
    [
      'customerLegalEntity',
      'with a third city',
      { before: entity, sent: { ...entity, city: 'Ulm' } },
      { ...entity, city: 'Bonn' },
    ],
    ['customerLegalEntity', 'that did not send it', { before: null, sent: undefined }, entity],
  ])('is not recognised: %s %s', (field, _, change, observed) => {
    expect(isKeyedMerge(field, change, observed, config)).toBe(false);
  });

  test('leaves the CRM with what both had, each as it was sent', () => {
    const basedOnVersion = (field: FieldName, before: unknown, sent: unknown) => keyedMerge(field, { before, sent });
    expect(basedOnVersion('competitors', ['A', 'B'], ['B', 'C'])).toEqual(['B', 'C', 'A']);
    expect(basedOnVersion('customerContacts', [renamed, max], [erika])).toEqual([erika, max]);
    expect(basedOnVersion('partnerContacts', [{ salesRepEmail: 'A@x' }], [{ salesRepEmail: 'a@x' }])).toEqual([
      { salesRepEmail: 'a@x' },
    ]);
    expect(basedOnVersion('offerLines', [twenty, line('C', '1.00')], [ten, line('C', '2.00')])).toEqual([
      ten,
      line('C', '2.00'),
      line('C', '1.00'),
    ]);
    expect(
      basedOnVersion('customerLegalEntity', { city: 'Bonn', vatNumber: '1' }, { city: 'Ulm', vatNumber: null }),
    ).toEqual({ city: 'Ulm', vatNumber: '1' });
    expect(basedOnVersion('customerContacts', undefined, [erika])).toEqual([erika]);
    expect(basedOnVersion('name', 'New', 'Old')).toBe('Old');
  });
});
