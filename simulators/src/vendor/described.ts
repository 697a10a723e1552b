import { z } from 'zod';
import { FIELD_GROUPS, type FieldGroupName, fieldText } from '../vendor-fields/index.ts';

/** The description of a field that only the tenants' mapping contains. */
export const NOT_SHOWN = 'The vendor’s documents do not show it.';

/** The fields of a schema with descriptions from the vendor's documents, for the OpenAPI document. */
export function described<S extends Readonly<Record<string, z.ZodType>>>(group: FieldGroupName, shape: S): S {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const description = fieldText(FIELD_GROUPS[group], name) ?? schema.description ?? NOT_SHOWN;
    return [name, schema.meta({ description })];
  });
  return Object.fromEntries(fields) as S;
}

/** An object of an answer, with these fields and no other. */
export function describedObject<S extends Readonly<Record<string, z.ZodType>>>(group: FieldGroupName, shape: S) {
  return z.strictObject(described(group, shape));
}
