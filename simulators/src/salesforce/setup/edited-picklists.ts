import type { FieldDef, PicklistValue, Schema } from '../schema/types.ts';

/** A value of a picklist that an administrator gave another name, or deactivated; `field`: as `Opportunity.StageName`. */
export type PicklistEdit = {
  readonly field: string;
  readonly value: string;
  readonly becomes: string | null;
};

/** What an administrator did to picklists since the org was made. Rows keep the values that they have. */
export interface EditedPicklists {
  list(): readonly PicklistEdit[];
  /** False where there is no such field, or it has no such value. */
  edit(edit: PicklistEdit): boolean;
  /** Takes all of it back. */
  clear(): void;
}

/** `changed`: what was derived from the schema holds no longer. */
export function createEditedPicklists(schema: Schema, changed: () => void): EditedPicklists {
  let edits: readonly PicklistEdit[] = [];
  const first = new Map<string, FieldDef>();
  return {
    list: () => edits,
    edit: (edit) => {
      const place = placeOf(schema, edit.field);
      const field = place?.fields.get(place.key);
      if (place === undefined || field?.picklist.some(({ value }) => value === edit.value) !== true)
        return false;
      if (!first.has(edit.field)) first.set(edit.field, field);
      place.fields.set(place.key, {
        ...field,
        picklist: field.picklist.flatMap((each) => after(each, edit)),
      });
      edits = [...edits, edit];
      changed();
      return true;
    },
    clear: () => {
      for (const [name, field] of first) {
        const place = placeOf(schema, name);
        place?.fields.set(place.key, field);
      }
      first.clear();
      edits = [];
      changed();
    },
  };
}

/** Where a field stands: the schema is the org's own, and nobody but its administrator changes it. */
function placeOf(schema: Schema, name: string) {
  const [object = '', field = ''] = name.split('.');
  const fields = schema.object(object)?.fields as Map<string, FieldDef> | undefined;
  return fields && { fields, key: field.toLowerCase() };
}

function after(each: PicklistValue, { value, becomes }: PicklistEdit): readonly PicklistValue[] {
  if (each.value !== value) return [each];
  return becomes === null ? [] : [{ ...each, value: becomes, label: becomes }];
}
