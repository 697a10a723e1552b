import type { CrmFields, CrmValue } from '../../record/crm-graph.ts';
import type { FieldLimit, Misfit, ObjectLimits } from '../../record/crm-limits.ts';

export type Write = 'create' | 'update';

/**
 * For each field of a row whose value the CRM cannot store: the reason, according to the field's limits. Empty if no limits are known.
 * Pure.
 */
export function misfits(row: CrmFields, limits: ObjectLimits | undefined, write: Write): ReadonlyMap<string, Misfit> {
  if (limits === undefined) return new Map();
  return new Map(
    Object.entries(row).flatMap(([field, value]) => {
      const misfit = misfitOf(value, limits[field], write);
      return misfit === null ? [] : [[field, misfit] as const];
    }),
  );
}

function misfitOf(value: CrmValue, limit: FieldLimit | undefined, write: Write): Misfit | null {
  if (limit === undefined || !(write === 'create' ? limit.createable : limit.updateable)) return 'not-writable';
  if (typeof value !== 'string' || value === '') return null;
  if (limit.length !== null && value.length > limit.length) return 'too-long';
  return isOneOf(value, limit) ? null : 'no-such-value';
}

/** Whether a picklist has the value. Case-insensitive, as in Salesforce. */
function isOneOf(value: string, { values, isMulti }: FieldLimit): boolean {
  if (values === null) return true;
  const known = new Set(values.map((one) => one.toLowerCase()));
  return (isMulti ? value.split(';') : [value]).every((one) => known.has(one.trim().toLowerCase()));
}
