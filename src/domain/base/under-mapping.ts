import type { Base } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import { NARROWABLE } from '../record/fields.ts';
import type { CrmNames } from '../record/mapping-config.ts';
import type { Plan } from '../record/plan.ts';

/**
 * Fields that are synced as if the sides had never agreed on them. Either their mapping changed after the base (last agreed values) was
 * stored, or an operator requested it.
 */
export function movedFields(base: Base, mapping: CrmNames): readonly FieldName[] {
  return NARROWABLE.filter(
    (field) => base.resyncFields?.includes(field) === true || wayOf(field, base) !== wayOf(field, mapping),
  );
}

/**
 * The base (last agreed values) with these fields as not agreed, so that the next sync makes both sides agree on them again. Other fields
 * are unchanged.
 */
export function withResync(base: Base, fields: readonly FieldName[]): Base {
  return { ...base, resyncFields: [...new Set([...(base.resyncFields ?? []), ...fields])] };
}

/**
 * The base (last agreed values) without CRM values that were read under another mapping of their field. If the field is empty under the new
 * mapping, the old value would make it seem that a user had cleared the field.
 */
export function underMapping(base: Base, mapping: CrmNames): Base {
  const moved = new Set<string>(movedFields(base, mapping));
  if (moved.size === 0) return base;
  const crm = Object.fromEntries(Object.entries(base.crm).filter(([field]) => !moved.has(field)));
  const { resyncFields: _, ...rest } = base;
  return withMapping({ ...rest, crm: crm as Observed }, mapping);
}

/**
 * The plan (result of one decision), with the tenant's present mapping noted in its base (last agreed values). A later change of the
 * mapping can then be recognised.
 */
export function notingMapping(plan: Plan, mapping: CrmNames): Plan {
  return 'baseAfter' in plan ? { ...plan, baseAfter: withMapping(plan.baseAfter, mapping) } : plan;
}

function withMapping(base: Base, { fields }: CrmNames): Base {
  const { fields: _, ...rest } = base;
  return fields === undefined ? rest : { ...rest, fields };
}

function wayOf(field: FieldName, { fields }: CrmNames): string {
  const { crm, default: usual, transform, values } = fields?.[field] ?? {};
  return JSON.stringify([crm, usual, transform, values]);
}
