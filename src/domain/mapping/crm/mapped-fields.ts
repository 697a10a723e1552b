import { FIELD_NAMES } from '../../record/fields.ts';
import type { CrmNames } from '../../record/mapping-config.ts';
import { fieldsOfPartnerIds } from '../../record/partner-ids.ts';
import { lensOf } from '../lens-of.ts';
import { READ_ONLY_FIELDS } from '../read-only.ts';

/**
 * Opportunity fields that Lockstep itself uses, for example for identity, sharing, version and ownership. A tenant may therefore not map
 * other data to these fields.
 */
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
  'LastStageChangeDate',
  'CreatedById',
  'Vendor_Share__c',
  'Vendor_Id__c',
  'Vendor_Id_Claim__c',
  'Lockstep_Sync_Asked__c',
] as const;

/**
 * The fields of a CRM object that a mapping reads or writes, including fields that only show a read-only value of the vendor. `names`: the
 * tenant's CRM field names; if left out, the fields of the default mapping are returned.
 */
export function mappedCrmFields(object: string, names: CrmNames = {}): readonly string[] {
  const mapped = FIELD_NAMES.flatMap((field) => lensOf(field).crmFields(field, names)[object] ?? []);
  const readOnly = object === 'Lockstep_Sync__c' ? Object.values(READ_ONLY_FIELDS) : [];
  const compared = object === 'Opportunity' ? fieldsOfPartnerIds(names.partnerIds) : [];
  return [...new Set([...mapped, ...readOnly, ...compared])];
}
