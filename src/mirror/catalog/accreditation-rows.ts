import type { Accreditation } from '../../partner-api/index.ts';
import { mirrored } from '../mirror.ts';
import { KINDS } from '../value.ts';
import { ACCREDITATION_MIRROR } from './accreditation-mirror.ts';
import { type CatalogRow, isKey, keyOf } from './catalog-mirror.ts';

/**
 * The type and id by which product searches select one of the partner's accreditations (order spec 4.6, 4.7). The searches accept only the
 * vendor's types `R` and `I`.
 */
export type AccreditationId = { readonly type: 'R' | 'I'; readonly id: string };

/** An accreditation as a CRM row; null if its id is malformed. Pure. */
export function accreditationRow(accreditation: Accreditation): CatalogRow | null {
  if (!isKey(accreditation.id)) return null;
  const type = accreditation.accreditationType?.code ?? '';
  const id = keyOf(type, accreditation.id);
  return {
    kind: 'accreditation',
    id,
    fields: {
      Name: KINDS.name(accreditation.name),
      Accreditation_Key__c: id,
      Active__c: true,
      ...mirrored(ACCREDITATION_MIRROR.fields, accreditation),
    },
  };
}

/** The accreditation's identity in product searches. Null if the vendor's documents allow no search of products by this accreditation. */
export function accreditationId({ id, accreditationType }: Accreditation): AccreditationId | null {
  const type = accreditationType?.code;
  return (type === 'R' || type === 'I') && /^[A-Z0-9]{1,15}$/.test(id) ? { type, id } : null;
}
