import { expect, it } from 'vitest';
import { mappingChoices } from '../../../src/operator/mapping/mapping-choices.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';
import { field, org } from '../../support/mapping/org-schema.ts';

/** Of what a mapping can be made: the org's fields, and both sides' values. */

it('lists the org’s fields with what they can hold, and the values of both sides', async () => {
  const schema = org({
    Our_Tactic__c: field({ label: 'Tactic', type: 'picklist', values: ['A', 'B'] }),
    Score__c: field({ label: 'Score', type: 'double' }),
    Formula__c: field({ isCalculated: true, updateable: false }),
  });
  const noted = [{ field: 'competitors', code: 'NEW', readings: 1, since: '', at: '' }] as const;
  const crm = { schema: async () => schema };
  const ledger = { notedCodes: async () => noted };
  const mapping = mappingConfig({
    fields: { gtmTacticId: { crm: 'Our_Tactic__c', values: [['A', 'T-1']] } },
    lists: { competitors: ['ACME'] },
  });
  const found = await mappingChoices({ crm, ledger }, { tenant: 'acme' }, mapping);
  const of = (name: string) => found.orgFields.find((one) => one.name === name);
  expect(of('Our_Tactic__c')).toMatchObject({ label: 'Tactic', isWritable: true, fits: { gtmTacticId: 'holds' } });
  expect(of('Score__c')?.fits).toMatchObject({ description: 'shows' });
  expect(of('Formula__c')).toMatchObject({ label: 'Formula__c', isWritable: false });
  expect(found.values.gtmTacticId).toEqual({ crm: ['A', 'B'], vendor: ['T-1'] });
  expect(found.values.competitors?.vendor).toEqual(['ACME', 'NEW']);
  expect(found.values.reasonWon?.vendor).toContain('STRNG_VAL_PROP');
  expect(found.stages).toContain('Prospecting');
});
