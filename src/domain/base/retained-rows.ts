import { isEchoOf } from '../merge/normalised.ts';
import type { Base } from '../record/base.ts';
import type { FieldName, OfferLine } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import { listOf } from '../values/text.ts';

type Rows = readonly unknown[];

/**
 * Whether a side shows a sent list and, besides it, only rows that Lockstep removed. The side then merges lists instead of replacing them
 * (undocumented, sales spec 4.2). False if an empty list was sent, because `[]` always clears the list. For lines, there is a special case:
 * a side that merges may replace the first old line with a sent line's offer (vendor's product), although a later old line equals the sent
 * line. That later line remains. It counts as a row that Lockstep removed.
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
  // If the vendor was not read between several updates, the rows that these updates removed appear together.
  const removed: unknown[] = [];
  for (const list of previousValues) {
    const gone = multisetDifference(field, listOf(list), listOf(sent), config).rest;
    removed.push(...multisetDifference(field, gone, removed, config).rest);
  }
  if (isKept(removed)) return true;
  return field === 'offerLines' && previousValues.some((list) => isKept(behindSent(listOf(list), listOf(sent))));
}

/**
 * Whether the vendor still shows rows that Lockstep removed from a list, and Lockstep has not read back the sent list yet. False if
 * Lockstep cleared the list before it sent the rows, because then only a user can have entered other rows.
 */
export function isRetained(
  field: FieldName,
  observed: unknown,
  { vendor, awaitingEcho, basedOn }: Base,
  config: MappingConfig,
): boolean {
  if (!awaitingEcho.includes(field) || basedOn?.cleared?.includes(field)) return false;
  return retainsRows(field, vendor[field], observed, basedOn?.previousValues[field] ?? [], config);
}

/**
 * The old lines that remain if a side merged the sent lines into its old lines instead of replacing the list. In such a merge, each sent
 * line replaces the first old line with the same offer (the vendor's product). All other old lines remain, and they count as rows that
 * Lockstep removed.
 */
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

/**
 * Compares two lists as multisets. `rest`: the rows of `list` that remain after each row of `others` has removed one equal row. `missing`:
 * how many rows of `others` found no equal row in `list`.
 */
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
