import { lensOf } from '../../../src/domain/mapping/lens-of.ts';
import { FIELD_NAMES } from '../../../src/domain/record/fields.ts';
import { crmGraph, mappingConfig } from './fixtures.ts';

/** The CRM fields that the lenses look at when they read a full graph, as `Object.Field`; a line shows its product's fields under a path. */
export function fieldsLookedAt(): readonly string[] {
  const asked = new Set<string>();
  const watched = <T extends object>(object: string, row: T): T =>
    new Proxy(row, {
      get: (target, name) => {
        asked.add(`${object}.${String(name)}`.replace(/^\w+\.(\w+\.)/, '$1'));
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
  return [...asked];
}
