import { observeCrm } from '../../../src/domain/mapping/index.ts';
import { crmGraph, mappingConfig } from './fixtures.ts';

/** The CRM fields that a reading of a full graph looks at, as `Object.Field`; a line shows its product's fields under a path. */
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
  observeCrm(graph, mappingConfig());
  return [...asked];
}
