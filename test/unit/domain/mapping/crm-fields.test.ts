import { describe, expect, test } from 'vitest';
import { mappedCrmFields, READ_ONLY_FIELDS } from '../../../../src/domain/mapping/index.ts';
import { fieldsLookedAt } from '../../../support/mapping/fields-looked-at.ts';

/** Names in a graph that tell its rows apart or how they hang together, and hold no mapped value. */
const OF_THE_GRAPH = new Set(['Id', 'AccountId', 'SystemModstamp', 'IsDeleted', 'Vendor_Share__c']);

/** The vendor's status as it is, which is shown in the CRM and not read back, and the currency, which is read once for all fields. */
const READ_BY_NO_LENS = ['Vendor_Status__c', 'CurrencyIsoCode'];

/** The mapped fields that a reading looks at, by object. */
const LOOKED_AT = Object.entries(
  Object.groupBy(
    fieldsLookedAt().filter((path) => !OF_THE_GRAPH.has(path.split('.')[1] ?? '')),
    (path) => path.split('.')[0] ?? '',
  ),
).map(([object, paths = []]) => [object, paths.map((path) => path.split('.')[1] ?? '')] as const);

describe('the mapped fields of an object', () => {
  test.each(LOOKED_AT)('of %s are those that a reading looks at, and what is only written', (object, names) => {
    const written = object === 'Opportunity' ? READ_BY_NO_LENS : [];
    expect(mappedCrmFields(object).toSorted()).toEqual([...names, ...written].sort());
  });

  test('are the read-only ones of the vendor where it shows them', () => {
    expect(mappedCrmFields('Lockstep_Sync__c')).toEqual(Object.values(READ_ONLY_FIELDS));
  });
});
