import type { FieldName } from '../domain/record/canonical.ts';
import { FIELD_NAMES } from '../domain/record/fields.ts';
import { differences, type KeyDifference } from './differences.ts';
import { type SayableMapping, settingsOf } from './mapping-text.ts';

/** All entries that differ between two mappings: fields, stages and codes. Pure. */
export function mappingDifference(before: SayableMapping, after: SayableMapping): readonly KeyDifference[] {
  return differences(entriesOf(before), entriesOf(after));
}

function entriesOf(mapping: SayableMapping): ReadonlyMap<string, string> {
  const { stages, values } = mapping;
  return new Map([
    ...FIELD_NAMES.flatMap((field) => fieldEntries(field, mapping)),
    ...stages.map(
      ({ stage, status, inbound }) => [`stages.${stage}`, `${status}${inbound ? '' : ', not inbound'}`] as const,
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
