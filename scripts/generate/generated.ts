import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { openApiText, pointsPage } from 'lockstep-simulators/generated-pages';
import { ISSUE_CATALOG } from '../../src/domain/record/issue-catalog.ts';
import { WAIT_REASONS } from '../../src/domain/record/wait-reason.ts';
import { ROLE_RIGHTS, ROLES } from '../../src/ledger/roles/role-rights.ts';
import { mappingSchema } from '../../src/platform/mapping-file.ts';
import { DEFAULT_MAPPING_TEXT } from '../../src/platform/mapping-text.ts';
import { licencesPage } from '../dependencies/licences.ts';
import { TYPE_FILES } from '../field-docs/type-files.ts';
import { withFieldDocs } from '../field-docs/with-field-docs.ts';
import { ROOT } from '../setup/paths.mjs';
import { withTable } from './with-table.ts';

/** A file that is generated from code, wholly or partly. */
export type Generated = {
  /** Path from the repository's root. */
  readonly path: string;
  /** Returns the wanted text for the file's present text. */
  readonly make: (present: string) => string;
  /** Whether Biome's format (tables, JSON) is applied. */
  readonly isFormatted?: true;
};

/** Every generated file: `npm run generate` writes them, and `npm run check` names those that are stale. */
export const GENERATED: readonly Generated[] = [
  { path: 'simulators/docs/vendor-sandbox.openapi.json', make: openApiText },
  { path: 'simulators/docs/salesforce-points.md', make: pointsPage, isFormatted: true },
  { path: 'docs/licences.md', make: licencesPage, isFormatted: true },
  { path: 'docs/default.mapping.yaml', make: () => DEFAULT_MAPPING_TEXT },
  {
    path: 'docs/mapping.schema.json',
    make: () => JSON.stringify(mappingSchema(), null, 2),
    isFormatted: true,
  },
  { path: 'docs/states-and-reasons.md', make: withReasons, isFormatted: true },
  { path: 'docs/operations/access.md', make: withRights, isFormatted: true },
  ...TYPE_FILES.map((file) => ({ path: relative(ROOT, file), make: withFieldDocs })),
];

/** The page with its table of reasons and waits. */
function withReasons(page: string): string {
  const reasons = Object.entries(ISSUE_CATALOG).map(([code, { meaning, repair, shown }]) => [
    `\`${code}\``,
    meaning,
    // Only the first mention of the tenant file is a link.
    code === 'no-code-for-value' ? repair.replace('the tenant file', 'the [tenant file](tenant-file.md)') : repair,
    shown,
  ]);
  const waits = Object.entries(WAIT_REASONS).map(([reason, words]) => [`\`${reason}\``, words]);
  return withTable(withTable(page, 'Code', reasons), 'Waits for', waits);
}

/** The page with its table of the ledger's tables and the rights of each role. */
function withRights(page: string): string {
  const rows = Object.entries(ROLE_RIGHTS).map(([table, rights]) => [
    `\`${table}\``,
    ...ROLES.map((role) => rights[role] ?? ''),
  ]);
  return withTable(page, 'Table', rows);
}

/** The present and the wanted text of a file. Throws if it cannot be formatted. */
export function textsOf({ path, make, isFormatted }: Generated): {
  readonly present: string;
  readonly wanted: string;
} {
  const present = readFileSync(join(ROOT, path), 'utf8');
  const made = make(present);
  return { present, wanted: isFormatted === true ? formatted(path, made) : made };
}

function formatted(path: string, text: string): string {
  const program = join(ROOT, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const args = [program, 'format', `--stdin-file-path=${path}`];
  const { stdout, status } = spawnSync(process.execPath, args, { cwd: ROOT, input: text, encoding: 'utf8' });
  if (status !== 0) throw new Error(`Biome cannot format ${path}.`);
  return stdout;
}
