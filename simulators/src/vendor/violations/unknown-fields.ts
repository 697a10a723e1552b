import { nearest } from '../../core/nearest.ts';
import type { Breach } from './rules.ts';

/** The part of JSON Schema that the request bodies use. */
export type ShapeSchema = {
  readonly properties?: Readonly<Record<string, ShapeSchema>>;
  readonly items?: ShapeSchema;
};

/** A name from a request is cut to this length, so that the list stays small. */
const MAX_NAME_LENGTH = 60;

/** The fields of a body that its schema does not show, at any depth, each with the documented name nearest to it. */
export function unknownFields(schema: ShapeSchema, value: unknown, place = ''): readonly Breach[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? [] : value.flatMap((item, index) => unknownFields(items, item, `${place}/${index}`));
  }
  const { properties } = schema;
  if (typeof value !== 'object' || value === null || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return known === undefined
      ? [unknownField(`${place}/`, name, Object.keys(properties))]
      : unknownFields(known, inner, `${place}/${name}`);
  });
}

/** The breach of an unknown name. `before` is its path in the body. */
export function unknownField(before: string, name: string, known: readonly string[]): Breach {
  const shown = name.slice(0, MAX_NAME_LENGTH);
  const meant = nearest(shown, known);
  const hint = meant === null ? '' : ` Did you mean "${meant}"?`;
  return {
    rule: 'unknown-field',
    place: `${before}${shown}`,
    detail: `The documents show no field "${shown}" here.${hint}`,
  };
}
