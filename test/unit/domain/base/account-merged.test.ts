import { expect, it } from 'vitest';
import { accountsOf, withAccountMerged } from '../../../../src/domain/base/account-merged.ts';
import { type Base, EMPTY_BASE, type InDoubtWrites } from '../../../../src/domain/record/base.ts';
import type { LegalEntity } from '../../../../src/domain/record/canonical.ts';
import { usualRecord } from '../../../support/value-engine/samples.ts';

const company = usualRecord().customerLegalEntity as LegalEntity;
const of = (id: string) => ({ customerLegalEntity: { ...company, crmAccountId: id } });
const writes = (...ids: readonly string[]): InDoubtWrites => ({
  basedOnVersion: null,
  sent: ids.map((id) => ({ crm: of(id), vendor: of(id) })),
});
const base: Base = {
  ...EMPTY_BASE,
  crm: of('001A'),
  inDoubtVendorWrites: writes('001B', '001C'),
  inDoubtCrmWrites: writes('001B'),
};

it('knows every account that the base names, those of writes in doubt too', () => {
  expect([...accountsOf(base)]).toEqual(['001A', '001B', '001C']);
  expect([...accountsOf(EMPTY_BASE)]).toEqual([]);
});

it('names the account that another was merged into wherever the other was named', () => {
  expect([...accountsOf(withAccountMerged(base, '001B', '001A'))]).toEqual(['001A', '001C']);
  expect(withAccountMerged(base, '001X', '001A')).toEqual(base);
});
