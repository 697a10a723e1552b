import type { AssignmentRuleSource } from '../schema/package-rules.ts';
import type { Row, Value } from '../store/row.ts';
import type { SaveContext } from '../store/rule-types.ts';
import type { Store } from '../store/store.ts';

type Test = (value: string, wanted: string) => boolean;

/** The operations of criteria that are simulated (Metadata API: FilterItem), on values in lower case. */
const OPERATIONS: Readonly<Record<string, Test>> = {
  equals: (value, wanted) => value === wanted,
  notEqual: (value, wanted) => value !== wanted,
  contains: (value, wanted) => value.includes(wanted),
  notContain: (value, wanted) => !value.includes(wanted),
  startsWith: (value, wanted) => value.startsWith(wanted),
};

/** Sentences for the entries that never match, because a part of them is not simulated. */
export function assignmentNotices(rules: readonly AssignmentRuleSource[]): readonly string[] {
  return rules
    .filter(({ entries }) => entries.some((entry) => entry.isLeftOut || entry.criteria.some(isUnknown)))
    .map(({ object, name }) => `The assignment rule ${object}.${name} is followed in part: an entry is left out.`);
}

const isUnknown = ({ operation }: { readonly operation: string }) => OPERATIONS[operation] === undefined;

/**
 * Gives a row the owner of the first matching entry of the rule that the call names, or of the active rule (REST guide: "Assignment Rule
 * Header"). A rule that a call names counts for new rows only.
 */
export function assignOwner(
  rules: readonly AssignmentRuleSource[],
  { store, object, by, before, draft }: SaveContext,
): void {
  const { assigns } = by;
  if (assigns === undefined || assigns === false) return;
  const named = assigns === true ? undefined : store.get('AssignmentRule', assigns);
  if (assigns !== true && (named === undefined || before !== null)) return;
  const rule = rules.find(
    (each) => each.object === object.name && (named === undefined ? each.isActive : each.name === named['Name']),
  );
  const entry = rule?.entries.find(
    ({ criteria, isLeftOut }) => !isLeftOut && criteria.every((item) => isMet(draft, item.field, item)),
  );
  const owner = entry && ownerOf(store, entry);
  if (owner !== undefined) draft['OwnerId'] = owner;
}

function isMet(draft: Row, field: string, item: { readonly operation: string; readonly value: string }): boolean {
  const value = String(draft[field] ?? '').toLowerCase();
  return OPERATIONS[item.operation]?.(value, item.value.toLowerCase()) ?? false;
}

/** The id of the user by name, or of the queue by developer name or name; undefined if there is none. */
function ownerOf(store: Store, { assignedTo, toQueue }: AssignmentRuleSource['entries'][number]): Value | undefined {
  const rows = [...store.rows(toQueue ? 'Group' : 'User')];
  const found = rows.find((row) =>
    toQueue
      ? row['Type'] === 'Queue' && (row['DeveloperName'] === assignedTo || row['Name'] === assignedTo)
      : row['Username'] === assignedTo,
  );
  return found?.['Id'];
}
