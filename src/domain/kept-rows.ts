import type { FieldName } from './canonical.ts';
import type { MappingConfig } from './mapping-config.ts';
import { isShown } from './own-form.ts';

/**
 * Whether a side shows a list that it was sent with rows beside it that stood there before: it lays a list over its
 * own and removes nothing. What the vendor does with arrays on update is not shown (sales spec 4.2).
 */
export function keepsRows(
  field: FieldName,
  sent: unknown,
  shown: unknown,
  former: readonly unknown[],
  config: MappingConfig,
): boolean {
  if (!Array.isArray(sent) || !Array.isArray(shown)) return false;
  const beside = without(field, shown, sent, config);
  if (beside === null || beside.length === 0) return false;
  return former.some((list) => Array.isArray(list) && without(field, list, beside, config) !== null);
}

/** A list without one row for each of others; null where one of these is not in it. */
function without(
  field: FieldName,
  list: readonly unknown[],
  others: readonly unknown[],
  config: MappingConfig,
): readonly unknown[] | null {
  const rest = [...list];
  for (const row of others) {
    const place = rest.findIndex((own) => isShown(field, { [field]: [row] }, { [field]: [own] }, config));
    if (place < 0) return null;
    rest.splice(place, 1);
  }
  return rest;
}
