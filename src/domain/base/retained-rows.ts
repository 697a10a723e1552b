import { isEchoOf } from '../merge/normalised.ts';
import type { Base } from '../record/base.ts';
import type { FieldName, OfferLine } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { listOf } from '../values/text.ts';

type Rows = readonly unknown[];

/**
 * Whether a side shows a list that it was sent, and beside it only rows that we had removed: it lays a list over its
 * own and removes nothing. Of lines with one offer it may lay those that were sent over its first, whichever of them was removed.
 * What the vendor does with arrays on update is not shown (sales spec 4.2); but an empty one clears its own either way, so that rows
 * which are there all the same were never removed, or were entered anew.
 */
export function retainsRows(
  field: FieldName,
  sent: unknown,
  observed: unknown,
  previousValues: readonly unknown[],
  config: MappingConfig,
): boolean {
  if (listOf(sent).length === 0) return false;
  const beside = multisetDifference(field, listOf(observed), listOf(sent), config);
  if (beside.missing > 0 || beside.rest.length === 0) return false;
  const isKept = (rows: Rows): boolean => multisetDifference(field, rows, beside.rest, config).missing === 0;
  // What several updates removed is there together, where none was read in between.
  const removed: unknown[] = [];
  for (const list of previousValues) {
    const gone = multisetDifference(field, listOf(list), listOf(sent), config).rest;
    removed.push(...multisetDifference(field, gone, removed, config).rest);
  }
  if (isKept(removed)) return true;
  return (
    field === 'offerLines' && previousValues.some((list) => isKept(behindSent(listOf(list), listOf(sent))))
  );
}

/** Whether a list whose echo is awaited, and which was not cleared before it was sent, shows rows beside it that we had removed. */
export function isRetained(
  field: FieldName,
  observed: unknown,
  { vendor, awaitingEcho, basedOn }: Base,
  config: MappingConfig,
): boolean {
  if (!awaitingEcho.includes(field) || basedOn?.cleared?.includes(field)) return false;
  return retainsRows(field, vendor[field], observed, basedOn?.previousValues[field] ?? [], config);
}

/** The lines that stay where those that are sent take the places of the first with their offers. */
function behindSent(lines: Rows, sent: Rows): Rows {
  const places = new Map<unknown, number>();
  for (const line of sent) places.set(offerOf(line), (places.get(offerOf(line)) ?? 0) + 1);
  return lines.filter((line) => {
    const left = places.get(offerOf(line)) ?? 0;
    places.set(offerOf(line), left - 1);
    return left <= 0;
  });
}

function offerOf(line: unknown): unknown {
  return (line as OfferLine).offerNameId;
}

/** A list without one row for each of others, and how many of these are not in it. */
export function multisetDifference(
  field: FieldName,
  list: Rows,
  others: Rows,
  config: MappingConfig,
): { readonly rest: Rows; readonly missing: number } {
  const rest = [...list];
  let missing = 0;
  for (const row of others) {
    const place = rest.findIndex((own) => isEchoOf(field, { [field]: [row] }, { [field]: [own] }, config));
    if (place < 0) missing += 1;
    else rest.splice(place, 1);
  }
  return { rest, missing };
}
