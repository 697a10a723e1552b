import { z } from 'zod';
import { FIELD_NAMES, NARROWABLE } from '../domain/record/fields.ts';
import type { MappingConfig, StageRow } from '../domain/record/mapping-config.ts';
import { STATUS_NAMES } from '../domain/values/status.ts';
import { direction, fieldProblems, fieldSettings, rule, settingsOf } from './field-settings.ts';
import type { Problem } from './problems.ts';
import { MAX_YAML_BYTES, readRegularFile } from './regular-file.ts';
import { checkAgainst, problemAt } from './schema-problems.ts';
import { values } from './tenant-values-schema.ts';
import { parseYamlFile, type YamlFile } from './yaml-file.ts';

export type MappingOverrides = {
  /** The whole stage table, which says which vendor status belongs to which CRM stage. If absent, the default table applies. */
  readonly stages?: readonly StageRow[];
  readonly values: MappingConfig['values'];
  /** Directions by field. If absent, every field has its default direction. */
  readonly directions?: NonNullable<MappingConfig['directions']>;
  /** Conflict rules by field. If absent, every field has its default rule. */
  readonly rules?: NonNullable<MappingConfig['rules']>;
  /**
   * By field: its CRM field, its default, its transforms and its table of values. If absent, every field has its default CRM field, and
   * values are not converted.
   */
  readonly fields?: NonNullable<MappingConfig['fields']>;
};

const section = { error: 'must be a section with its keys indented below it' };

const stageRow = z.strictObject(
  {
    stage: z.string({ error: 'must be the name of a stage' }).min(1, { error: 'must be the name of a stage' }),
    status: z.enum(STATUS_NAMES, { error: `must be one of ${STATUS_NAMES.join(', ')}` }),
    inbound: z.boolean({ error: 'must be true or false' }).default(true),
  },
  section,
);

const mappingFile = z.strictObject(
  {
    stages: z
      .array(stageRow, { error: 'must be a list of rows, each with stage, status and inbound' })
      .min(1, { error: 'must have at least one row; leave it out to keep the default table' })
      .optional(),
    values: values.prefault({}),
    directions: z.partialRecord(z.enum(NARROWABLE), direction, section).optional(),
    rules: z.partialRecord(z.enum(FIELD_NAMES), rule, section).optional(),
    fields: fieldSettings.prefault({}),
  },
  section,
);

/** JSON Schema of a mapping file, for editors; `docs/mapping.schema.json` is its output. */
export function mappingSchema(): { readonly $schema: string; readonly properties?: object } {
  const { $schema = '', ...schema } = z.toJSONSchema(mappingFile, { io: 'input' });
  return { title: 'Mapping of a Lockstep tenant', $schema, ...schema };
}

/** The content of a valid mapping file, with the line of each key. */
export type MappingFile = { readonly overrides: MappingOverrides; readonly yaml: YamlFile };

/** Reads a mapping file: a stage table that replaces the default one, more codes, and settings of single fields. */
export function readMappingFile(path: string): MappingFile | { readonly problems: readonly Problem[] } {
  let text: string;
  try {
    text = readRegularFile(path, MAX_YAML_BYTES).text;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return { problems: [{ file: path, line: 1, message: `the mapping file cannot be read (${code})` }] };
  }
  return parseMappingFile(path, text);
}

export function parseMappingFile(path: string, text: string): MappingFile | { readonly problems: readonly Problem[] } {
  const parsed = parseYamlFile(path, text);
  if ('problems' in parsed) return parsed;
  const checked = checkAgainst(mappingFile, parsed.yaml);
  if ('problems' in checked) return checked;
  const { stages, values: given, fields: settings } = checked.value;
  const problems = [
    ...stageProblems(parsed.yaml, stages ?? []),
    ...fieldProblems(parsed.yaml, settings),
    ...twiceProblems(parsed.yaml, checked.value),
  ];
  if (problems.length > 0) return { problems };
  const { fields, ...own } = settingsOf(settings);
  const directions = { ...checked.value.directions, ...own.directions };
  const rules = { ...checked.value.rules, ...own.rules };
  return {
    yaml: parsed.yaml,
    overrides: {
      ...(stages && { stages }),
      values: given,
      ...(Object.keys(directions).length > 0 && { directions }),
      ...(Object.keys(rules).length > 0 && { rules }),
      ...(fields && { fields }),
    },
  };
}

type MappingInput = z.output<typeof mappingFile>;

/** Problems of fields whose direction or rule is given twice: under `fields`, and under `directions` or `rules`. */
function twiceProblems(yaml: YamlFile, { fields, directions = {}, rules = {} }: MappingInput): Problem[] {
  const also = { direction: ['directions', directions], rule: ['rules', rules] } as const;
  return FIELD_NAMES.flatMap((name) =>
    (['direction', 'rule'] as const).flatMap((key) => {
      const [other, given] = also[key];
      if (fields[name]?.[key] === undefined || !Object.hasOwn(given, name)) return [];
      return [problemAt(yaml, ['fields', name, key], `stands under ${other} as well: keep one of them`)];
    }),
  );
}

/**
 * Problems of the stage table. A stage may have only one row. A status may have only one row that is `inbound`, because each status of the
 * vendor must lead to one stage in the CRM.
 */
function stageProblems(yaml: YamlFile, rows: readonly StageRow[]): Problem[] {
  return rows.flatMap((row, index) => {
    const before = rows.slice(0, index);
    const problems: Problem[] = [];
    if (before.some((other) => other.stage === row.stage)) {
      problems.push(problemAt(yaml, ['stages', index, 'stage'], 'names a stage that has a row already'));
    }
    if (row.inbound && before.some((other) => other.inbound && other.status === row.status)) {
      const repair = 'is a second inbound row for its status: write inbound: false on all but one';
      problems.push(problemAt(yaml, ['stages', index], repair));
    }
    return problems;
  });
}
