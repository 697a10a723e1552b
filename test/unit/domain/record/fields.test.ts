import { expect, it } from 'vitest';
import { NARROWABLE } from '../../../../src/domain/record/fields.ts';

it('lets a tenant narrow what travels both ways, but not lines, nor what only fills the CRM', () => {
  expect(NARROWABLE).toEqual(expect.arrayContaining(['name', 'status', 'closeDate', 'description', 'competitors']));
  const others = ['offerLines', 'customerSiteId', 'currency', 'customerContacts', 'customerLegalEntity'];
  expect(NARROWABLE.filter((field) => others.includes(field))).toEqual([]);
});
