import { FIELD_NAMES } from '../../record/fields.ts';
import type { CrmNames } from '../../record/mapping-config.ts';
import { lensOf } from '../lens-of.ts';
import { READ_ONLY_FIELDS } from '../read-only.ts';

/** Fields of the opportunity that the engine itself reads: identity, scope, version, ownership. No field of ours is kept in one. */
export const ENGINE_FIELDS = [
  'Id',
  'AccountId',
  'OwnerId',
  'Amount',
  'Pricebook2Id',
  'IsDeleted',
  'CreatedDate',
  'SystemModstamp',
  'LastModifiedDate',
  'LastModifiedById',
  'CreatedById',
  'Vendor_Share__c',
  'Vendor_Id__c',
  'Lockstep_Sync_Asked__c',
] as const;

/**
 * The fields of a CRM object that a mapping reads or shows: those of every lens, and the vendor's read-only ones. Of the usual
 * mapping where none is given.
 */
export function mappedCrmFields(object: string, names: CrmNames = {}): readonly string[] {
  const mapped = FIELD_NAMES.flatMap((field) => lensOf(field).crmFields(field, names)[object] ?? []);
  const readOnly = object === 'Lockstep_Sync__c' ? Object.values(READ_ONLY_FIELDS) : [];
  return [...new Set([...mapped, ...readOnly])];
}
