import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { FIELD_NAMES, NARROWABLE } from '../domain/record/fields.ts';
import type { MappingConfig, StageRow } from '../domain/record/mapping-config.ts';
import { STATUS_NAMES } from '../domain/values/status.ts';
import type { Problem } from './problems.ts';
import { checkAgainst, problemAt } from './schema-problems.ts';
import { values } from './tenant-schema.ts';
import { parseYamlFile, type YamlFile } from './yaml-file.ts';

export type MappingOverrides = {
  /** The whole stage table; absent keeps the default one. */
  readonly stages?: readonly StageRow[];
  readonly values: MappingConfig['values'];
  /** Absent: every field's changes travel as usual. */
  readonly directions?: NonNullable<MappingConfig['directions']>;
  /** Absent: every field follows its usual rule. */
  readonly rules?: NonNullable<MappingConfig['rules']>;
};

const section = { error: 'must be a section with its keys indented below it' };

const stageRow = z.strictObject(
  {
    stage: z
      .string({ error: 'must be the name of a stage' })
      .min(1, { error: 'must be the name of a stage' }),
    status: z.enum(STATUS_NAMES, { error: `must be one of ${STATUS_NAMES.join(', ')}` }),
    inbound: z.boolean({ error: 'must be true or false' }).default(true),
  },
  section,
);

const rule = z.enum(['newest', 'crm', 'vendor', 'manual'], {
  error: 'must be newest, crm, vendor or manual',
});

const direction = z.enum(['both', 'to-vendor', 'to-crm', 'first-sync'], {
  error: 'must be both, to-vendor, to-crm or first-sync',
});

const mappingFile = z.strictObject(
  {
    stages: z
      .array(stageRow, { error: 'must be a list of rows, each with stage, status and inbound' })
      .min(1, { error: 'must have at least one row; leave it out to keep the default table' })
      .optional(),
    values: values.prefault({}),
    directions: z.partialRecord(z.enum(NARROWABLE), direction, section).optional(),
    rules: z.partialRecord(z.enum(FIELD_NAMES), rule, section).optional(),
  },
  section,
);

/** Reads a mapping file: a stage table in place of the default one, more codes, directions and rules of single fields. */
export function readMappingFile(
  path: string,
): { readonly overrides: MappingOverrides } | { readonly problems: readonly Problem[] } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return { problems: [{ file: path, line: 1, message: `the mapping file cannot be read (${code})` }] };
  }
  const parsed = parseYamlFile(path, text);
  if ('problems' in parsed) return parsed;
  const checked = checkAgainst(mappingFile, parsed.yaml);
  if ('problems' in checked) return checked;
  const { stages, values: given, directions, rules } = checked.value;
  const problems = stageProblems(parsed.yaml, stages ?? []);
  if (problems.length > 0) return { problems };
  return {
    overrides: {
      ...(stages && { stages }),
      values: given,
      ...(directions && { directions }),
      ...(rules && { rules }),
    },
  };
}

/** A stage stands for one status, and a status moves the CRM to one stage at most. */
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
