import type { FieldDef, ObjectDef, Schema } from '../schema/types.ts';
import type { Rights } from './rights.ts';

/** The schema as a user sees it: without hidden objects and fields, and with read-only ones not writable. */
export function userSchema(schema: Schema, rights: Rights): Schema {
  const objects = schema.objects.filter(({ name }) => rights.object(name).read).map((each) => seen(each, rights));
  const byName = new Map(objects.map((object) => [object.name.toLowerCase(), object]));
  return {
    objects,
    countries: schema.countries,
    currencies: schema.currencies,
    outbound: schema.outbound,
    object: (name) => byName.get(name.toLowerCase()),
    objectOfId: (id) => byName.get(schema.objectOfId(id)?.name.toLowerCase() ?? ''),
    children: (parent) =>
      schema
        .children(parent)
        .filter(({ childObject, field }) => byName.get(childObject.toLowerCase())?.fields.has(field.toLowerCase())),
  };
}

function seen(object: ObjectDef, rights: Rights): ObjectDef {
  const may = rights.object(object.name);
  const fields = new Map<string, FieldDef>();
  for (const [key, field] of object.fields) {
    const level = rights.field(object, field);
    if (level === 'none') continue;
    fields.set(key, {
      ...field,
      createable: field.createable && may.create && level === 'edit',
      updateable: field.updateable && may.edit && level === 'edit',
    });
  }
  return {
    ...object,
    fields,
    createable: object.createable && may.create,
    updateable: object.updateable && may.edit,
    deletable: object.deletable && may.delete,
  };
}
