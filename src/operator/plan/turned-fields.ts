import type { FieldName } from '../../domain/record/canonical.ts';
import { FIELD_NAMES } from '../../domain/record/fields.ts';
import { directionOf, type MappingConfig } from '../../domain/record/mapping-config.ts';

/** Fields whose sync direction differs between two mappings. In linked deals, such fields keep their values until an edit or a backfill. */
export function turnedFields(
  before: Pick<MappingConfig, 'directions'>,
  after: Pick<MappingConfig, 'directions'>,
): readonly FieldName[] {
  return FIELD_NAMES.filter((field) => directionOf(field, before) !== directionOf(field, after));
}
