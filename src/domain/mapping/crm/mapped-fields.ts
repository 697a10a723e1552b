import { FIELD_NAMES } from '../../record/fields.ts';
import { lensOf } from '../lens-of.ts';
import { READ_ONLY_FIELDS } from '../read-only.ts';

/** The fields of a CRM object that the mapping reads or shows: those of every lens, and the vendor's read-only ones. */
export function mappedCrmFields(object: string): readonly string[] {
  const mapped = FIELD_NAMES.flatMap((field) => lensOf(field).crmFields(field)[object] ?? []);
  const readOnly = object === 'Lockstep_Sync__c' ? Object.values(READ_ONLY_FIELDS) : [];
  return [...new Set([...mapped, ...readOnly])];
}
