import type { FieldName } from '../../domain/record/canonical.ts';
import { FIELD_NAMES, NARROWABLE } from '../../domain/record/fields.ts';
import { crmFieldOf, directionOf, type MappingConfig } from '../../domain/record/mapping-config.ts';

const CODES = ['status', 'forecastCategory', 'reasonWon', 'reasonLost'] as const;

/**
 * Fields that should be backfilled after a change of the mapping, because the new mapping gives them another CRM field, direction,
 * conversion or codes. Leaves out fields that a backfill cannot sync alone, such as the lines.
 */
export function fieldsToBackfill(before: MappingConfig, after: MappingConfig): readonly FieldName[] {
  const changed = (field: FieldName): boolean =>
    crmFieldOf(field, before) !== crmFieldOf(field, after) ||
    directionOf(field, before) !== directionOf(field, after) ||
    isOther(before.fields?.[field], after.fields?.[field]) ||
    (field === 'status' && isOther(before.stages, after.stages)) ||
    CODES.some((name) => name === field && isOther(before.values[name], after.values[name]));
  return FIELD_NAMES.filter((field) => NARROWABLE.includes(field) && changed(field));
}

function isOther(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) !== JSON.stringify(other ?? null);
}
