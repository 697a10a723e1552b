import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { GRAPH_FIELDS, GRAPH_OBJECTS } from '../../src/salesforce/graph-fields.ts';

const source = fileURLToPath(new URL('../../crm-package/main/default/', import.meta.url));

const read = GRAPH_OBJECTS.flatMap((object) => GRAPH_FIELDS[object].map((field) => [object, field] as const));

describe('the adapter and the package', () => {
  it.each(read.filter(([, field]) => field.endsWith('__c')))('%s.%s is in the package', (object, field) => {
    expect(existsSync(`${source}objects/${object}/fields/${field}.field-meta.xml`)).toBe(true);
  });

  it('agree on the name of the child relationship', () => {
    const parent = readFileSync(
      `${source}objects/Lockstep_Sync__c/fields/Opportunity__c.field-meta.xml`,
      'utf8',
    );
    expect(parent).toContain('<relationshipName>Lockstep_Syncs</relationshipName>');
    expect(parent).toContain('<reparentableMasterDetail>true</reparentableMasterDetail>');
  });
});
