import type { FieldDef, PicklistValue, Schema } from '../schema/types.ts';

/** A picklist value that an administrator renamed or deactivated; `field` is a name such as `Opportunity.StageName`. */
export type PicklistEdit = {
  readonly field: string;
  readonly value: string;
  readonly becomes: string | null;
};

/** Edits of picklists by an administrator since the org was made. Rows keep their values. */
export interface EditedPicklists {
  list(): readonly PicklistEdit[];
  /** Applies an edit. False if the field or the value does not exist. */
  edit(edit: PicklistEdit): boolean;
  /** Undoes all edits. */
  clear(): void;
}

/** `changed` is called after an edit, because values derived from the schema are outdated. */
export function createEditedPicklists(schema: Schema, changed: () => void): EditedPicklists {
  let edits: readonly PicklistEdit[] = [];
  const first = new Map<string, FieldDef>();
  return {
    list: () => edits,
    edit: (edit) => {
      const place = placeOf(schema, edit.field);
      const field = place?.fields.get(place.key);
      if (place === undefined || field?.picklist.some(({ value }) => value === edit.value) !== true) return false;
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

/** Finds a field in the org's schema, so that it can be changed in place. */
function placeOf(schema: Schema, name: string) {
  const [object = '', field = ''] = name.split('.');
  const fields = schema.object(object)?.fields as Map<string, FieldDef> | undefined;
  return fields && { fields, key: field.toLowerCase() };
}

function after(each: PicklistValue, { value, becomes }: PicklistEdit): readonly PicklistValue[] {
  if (each.value !== value) return [each];
  return becomes === null ? [] : [{ ...each, value: becomes, label: becomes }];
}

/** What has become of the value that a field's list began with. */
export function asEdited(
  wanted: string,
  first: string,
  edits: readonly PicklistEdit[],
): { readonly name: string; readonly isActive: boolean } {
  let name = first;
  for (const { field, value, becomes } of edits) {
    if (field !== wanted || value !== name) continue;
    if (becomes === null) return { name, isActive: false };
    name = becomes;
  }
  return { name, isActive: true };
}
