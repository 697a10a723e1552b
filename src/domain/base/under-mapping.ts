import type { Base } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import { NARROWABLE } from '../record/fields.ts';
import type { CrmNames } from '../record/mapping-config.ts';
import type { Plan } from '../record/plan.ts';

/**
 * Fields of a base on which nothing counts as agreed: those whose CRM values were read in another way than the mapping reads them, and
 * those that a person has the two sides meet anew.
 */
export function movedFields(base: Base, mapping: CrmNames): readonly FieldName[] {
  return NARROWABLE.filter(
    (field) => base.resyncFields?.includes(field) === true || wayOf(field, base) !== wayOf(field, mapping),
  );
}

/** The base of which these fields meet anew when the record is next looked at; all others are as they were. */
export function withResync(base: Base, fields: readonly FieldName[]): Base {
  return { ...base, resyncFields: [...new Set([...(base.resyncFields ?? []), ...fields])] };
}

/**
 * The base as far as it holds under a mapping: what the CRM showed of a field in another place was no agreement about this
 * place, so the two sides meet there for the first time. Without it the new place's emptiness would look like an edit.
 */
export function underMapping(base: Base, mapping: CrmNames): Base {
  const moved = new Set<string>(movedFields(base, mapping));
  if (moved.size === 0) return base;
  const crm = Object.fromEntries(Object.entries(base.crm).filter(([field]) => !moved.has(field)));
  const { resyncFields: _, ...rest } = base;
  return withMapping({ ...rest, crm: crm as Observed }, mapping);
}

/** A plan whose base notes the mapping that it was made under. */
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
