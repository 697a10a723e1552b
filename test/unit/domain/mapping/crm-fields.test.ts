import { describe, expect, test } from 'vitest';
import { mappedCrmFields, READ_ONLY_FIELDS } from '../../../../src/domain/mapping/index.ts';
import { lensOf } from '../../../../src/domain/mapping/lens-of.ts';
import { FIELD_NAMES } from '../../../../src/domain/record/fields.ts';
import { crmGraph, mappingConfig } from '../../../support/mapping/fixtures.ts';

/** Names in a graph that tell its rows apart or how they hang together, and hold no mapped value. */
const OF_THE_GRAPH = new Set(['Id', 'AccountId', 'SystemModstamp', 'IsDeleted', 'Vendor_Share__c']);

/** The vendor's status as it is, which is shown in the CRM and not read back, and the currency, which is read once for all fields. */
const READ_BY_NO_LENS = ['Vendor_Status__c', 'CurrencyIsoCode'];

/** The fields that a reading of a full graph looks at, by object; a line shows its product's fields under a path. */
function fieldsLookedAt(): Readonly<Record<string, readonly string[]>> {
  const asked = new Map<string, Set<string>>();
  const watched = <T extends object>(object: string, row: T): T =>
    new Proxy(row, {
      get: (target, name) => {
        const [field = '', owner = object] = String(name).split('.').reverse();
        if (!OF_THE_GRAPH.has(field)) asked.set(owner, new Set([...(asked.get(owner) ?? []), field]));
        return Reflect.get(target, name);
      },
    });
  const { opportunity, account, lines, contacts, owner } = crmGraph();
  const graph = crmGraph(
    {},
    {
      opportunity: watched('Opportunity', opportunity),
      account: watched('Account', account ?? {}),
      lines: lines.map((line) => watched('OpportunityLineItem', line)),
      contacts: contacts.map((contact) => watched('Contact', contact)),
      owner: watched('User', owner ?? {}),
    },
  );
  const at = { config: mappingConfig(), currency: 'EUR' };
  for (const field of FIELD_NAMES) lensOf(field).fromCrm(graph, { ...at, field });
  return Object.fromEntries([...asked].map(([object, names]) => [object, [...names].sort()]));
}

describe('the mapped fields of an object', () => {
  test.each(Object.entries(fieldsLookedAt()))(
    'of %s are those that a reading looks at, and what is only written',
    (object, names) => {
      const written = object === 'Opportunity' ? READ_BY_NO_LENS : [];
      expect(mappedCrmFields(object).toSorted()).toEqual([...names, ...written].sort());
    },
  );

  test('are the read-only ones of the vendor where it shows them', () => {
    expect(mappedCrmFields('Lockstep_Sync__c')).toEqual(Object.values(READ_ONLY_FIELDS));
  });

  test('are none of an object that nothing is mapped to', () => {
    expect(mappedCrmFields('Campaign')).toEqual([]);
  });
});
