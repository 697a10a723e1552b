import type { FieldName } from '../../domain/record/canonical.ts';
import { FIELD_NAMES } from '../../domain/record/fields.ts';
import { directionOf, type MappingConfig } from '../../domain/record/mapping-config.ts';

/**
 * Fields that travel another way under the second mapping. What the two sides of linked deals show in them by now stays as it is
 * until somebody edits it or a backfill has the sides meet anew there: a direction is about changes.
 */
export function turnedFields(
  before: Pick<MappingConfig, 'directions'>,
  after: Pick<MappingConfig, 'directions'>,
): readonly FieldName[] {
  return FIELD_NAMES.filter((field) => directionOf(field, before) !== directionOf(field, after));
}
