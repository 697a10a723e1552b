import { Document } from 'yaml';
import { stagesOfTable } from '../domain/mapping/leads/lead-mapping.ts';
import type { FieldName } from '../domain/record/canonical.ts';
import { FIELD_NAMES, MAPPABLE } from '../domain/record/fields.ts';
import { crmFieldOf, directionOf, type MappingConfig, ruleOf } from '../domain/record/mapping-config.ts';
import type { Transform } from '../domain/record/transform.ts';
import { USUAL_MAPPING } from './mapping-layers.ts';

/** The name of the schema file in `docs`. The first line of a mapping file names it, so that editors find it. */
const SCHEMA_FILE = 'mapping.schema.json';

/**
 * The settings from which the text of a mapping file is made. `leads` is not part of the text. It only shows whether Lockstep added stage
 * rows for leads to `stages`, because the text must leave these rows out.
 */
export type SayableMapping = Pick<MappingConfig, 'stages' | 'values' | 'directions' | 'rules' | 'fields' | 'leads'>;

/**
 * Writes a whole mapping as the text of a mapping file; reading the text gives an equal mapping. `title` becomes a comment at its
 * beginning.
 */
export function mappingText(mapping: SayableMapping, title: string): string {
  const document = new Document({ fields: {}, stages: [], values: {} });
  document.commentBefore = ` yaml-language-server: $schema=${SCHEMA_FILE}\n ${title}`;
  const flow = (value: object) => document.createNode(value, { flow: true });
  for (const field of FIELD_NAMES) document.setIn(['fields', field], flow(settingsOf(field, mapping)));
  for (const [place, row] of stagesOfTable(mapping).entries()) document.setIn(['stages', place], flow(row));
  for (const [name, codes] of Object.entries(mapping.values)) document.setIn(['values', name], flow(codes));
  return document.toString({ lineWidth: 0 });
}

/**
 * One field's settings in the form of a mapping file. Lines, account and contacts have no `crm`, because they are not a single CRM field.
 */
export function settingsOf(field: FieldName, mapping: SayableMapping): object {
  const { default: usual, transform, values } = mapping.fields?.[field] ?? {};
  const isOneField = field === 'name' || field === 'closeDate' || (MAPPABLE as readonly string[]).includes(field);
  return {
    ...(isOneField ? { crm: crmFieldOf(field, mapping) } : {}),
    direction: directionOf(field, mapping),
    rule: ruleOf(field, mapping),
    ...(usual === undefined ? {} : { default: usual }),
    ...(transform === undefined ? {} : { transform: transform.map(asSaid) }),
    ...(values === undefined ? {} : { values: Object.fromEntries(values) }),
  };
}

function asSaid(transform: Transform): unknown {
  const { kind } = transform;
  if ('length' in transform) return { [kind]: transform.length };
  return 'text' in transform ? { [kind]: transform.text } : kind;
}

/** The text of `docs/default.mapping.yaml`: a mapping file with the settings of a tenant that has no mapping file. */
export const DEFAULT_MAPPING_TEXT = mappingText(
  USUAL_MAPPING,
  'The mapping of a tenant that names no file: a file of its own says only what is otherwise.',
);
