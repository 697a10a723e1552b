import type { Author, Dml } from '../store/dml.ts';
import { normalizeId } from '../store/ids.ts';

const HEADER = 'sforce-auto-assign';

/**
 * The org for a call of REST. Without the header, its writes follow the active assignment rules; `FALSE` follows none, and an id the rule of
 * this id (REST guide: "Assignment Rule Header").
 */
export function withAssignmentRuleHeader<T extends { readonly dml: Dml }>(
  org: T,
  headers: Readonly<Record<string, string>>,
): T {
  const given = headers[HEADER]?.trim() ?? 'true';
  if (given.toLowerCase() === 'false') return org;
  const assigns = normalizeId(given) ?? true;
  const { dml } = org;
  const assigning = (by: Author): Author => ({ ...by, assigns });
  return {
    ...org,
    dml: {
      ...dml,
      create: (object, input, by) => dml.create(object, input, assigning(by)),
      update: (object, id, input, by) => dml.update(object, id, input, assigning(by)),
    },
  };
}
