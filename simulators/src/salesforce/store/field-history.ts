import { HISTORIES } from '../schema/standard.ts';
import type { FieldDef, ObjectDef } from '../schema/types.ts';
import type { Row, Value } from './row.ts';
import type { Store } from './store.ts';

/** The field name of a history row for the creation of a row. */
export const CREATED = 'created';

/** The field name of a history row for the conversion of a lead (published queries of LeadHistory). */
const CONVERTED = 'leadConverted';

/** Field names of history rows that stand for no field. */
export const EVENTS: ReadonlySet<string> = new Set([CREATED, CONVERTED]);

/**
 * The longest text whose values a history contains. For a longer text, and for a multi-select picklist, the history shows only that the
 * field was edited.
 */
const LONGEST_KEPT = 255;

/** Records changes of tracked fields in an object's history (Help: "Field History Tracking"). */
export function noteHistory(store: Store, object: ObjectDef, before: Row | null, after: Row): void {
  const [history] = Object.entries(HISTORIES).filter(([, { of }]) => of === object.name);
  if (history === undefined) return;
  const tracked = [...object.fields.values()].filter((field) => field.tracked);
  const [name, { by }] = history;
  const note = (field: string, values: readonly [Value, Value]): void => {
    const keyPrefix = store.schema.object(name)?.keyPrefix ?? '';
    store.put(name, {
      Id: store.nextId(keyPrefix),
      [by]: after['Id'] ?? null,
      Field: field,
      OldValue: values[0],
      NewValue: values[1],
      IsDeleted: false,
      CreatedDate: after['LastModifiedDate'] ?? null,
      CreatedById: after['LastModifiedById'] ?? null,
    });
  };
  if (before === null) {
    if (tracked.length > 0) note(CREATED, [null, null]);
    return;
  }
  const isConversion = before['IsConverted'] === false && after['IsConverted'] === true;
  if (object.name === 'Lead' && isConversion && tracked.length > 0) note(CONVERTED, [null, null]);
  for (const field of tracked) {
    const values = [before[field.name] ?? null, after[field.name] ?? null] as const;
    if (values[0] !== values[1]) note(field.name, isKept(field) ? values : [null, null]);
  }
}

function isKept({ type, length }: FieldDef): boolean {
  return type !== 'multipicklist' && length <= LONGEST_KEPT;
}
