import { nearest } from '../../core/nearest.ts';
import type { Breach } from './rules.ts';

/** As much of JSON Schema as the request bodies of the interface use. */
export type ShapeSchema = {
  readonly properties?: Readonly<Record<string, ShapeSchema>>;
  readonly items?: ShapeSchema;
};

/** A name may come from anybody: it is cut, so that the list stays small. */
const MAX_NAME_LENGTH = 60;

/** The fields of a body that its schema does not show, at any depth, each with the documented name nearest to it. */
export function unknownFields(schema: ShapeSchema, value: unknown, place = ''): readonly Breach[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? []
      : value.flatMap((item, index) => unknownFields(items, item, `${place}/${index}`));
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

/** The breach of a name that is not among the known ones. `before` stands in front of it in the place. */
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
