import type { FieldName } from '../domain/record/canonical.ts';
import { FIELD_NAMES } from '../domain/record/fields.ts';
import { type SayableMapping, settingsOf } from './mapping-text.ts';

/** One entry that differs between two mappings; null where a mapping lacks it. */
export type MappingDifference = {
  /** The path in a mapping file, such as `fields.gtmTacticId.crm`. */
  readonly at: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** All entries that differ between two mappings: fields, stages and codes. Pure. */
export function mappingDifference(
  before: SayableMapping,
  after: SayableMapping,
): readonly MappingDifference[] {
  const [one, other] = [entriesOf(before), entriesOf(after)];
  const names = [...new Set([...one.keys(), ...other.keys()])];
  return names.flatMap((at) => {
    const said = { before: one.get(at) ?? null, after: other.get(at) ?? null };
    return said.before === said.after ? [] : [{ at, ...said }];
  });
}

function entriesOf(mapping: SayableMapping): ReadonlyMap<string, string> {
  const { stages, values } = mapping;
  return new Map([
    ...FIELD_NAMES.flatMap((field) => fieldEntries(field, mapping)),
    ...stages.map(
      ({ stage, status, inbound }) =>
        [`stages.${stage}`, `${status}${inbound ? '' : ', not inbound'}`] as const,
    ),
    ...Object.entries(values).flatMap(([name, codes]) =>
      Object.entries(codes).map(([text, code]) => [`values.${name}.${text}`, code] as const),
    ),
  ]);
}

function fieldEntries(field: FieldName, mapping: SayableMapping): readonly (readonly [string, string])[] {
  return Object.entries(settingsOf(field, mapping)).map(([key, said]) => [
    `fields.${field}.${key}`,
    typeof said === 'string' ? said : JSON.stringify(said),
  ]);
}
