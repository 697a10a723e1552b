import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildTenant, type SimulatorDefaults } from './build-tenant.ts';
import { type Problem, TenantFileError } from './problems.ts';
import { checkAgainst } from './schema-problems.ts';
import { OWN_FOLDER_ONLY, type SecretScope } from './secret-scope.ts';
import type { Tenant } from './tenant.ts';
import { borrowed, crossChecks, duplicates, type LoadedTenant } from './tenant-checks.ts';
import { tenantSchema } from './tenant-schema.ts';
import { parseYamlFile } from './yaml-file.ts';

export type { SimulatorDefaults } from './build-tenant.ts';
export { TenantFileError } from './problems.ts';

export type LoadOptions = {
  /** Where `env:NAME` is looked up. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What stands in for a missing `vendor` or `salesforce` section; without it a missing section is a problem. */
  readonly simulators?: SimulatorDefaults;
  /** Which secrets the files may name; without it those of their own folder and of their own names. */
  readonly secrets?: SecretScope;
};

/**
 * Reads tenant files; of a folder every `*.yaml` and `*.yml` (files named `*.mapping.yaml` are left for their tenants to
 * name). Throws `TenantFileError` with every problem of every file; a bad file lets nothing start.
 */
export function loadTenants(paths: readonly string[], options: LoadOptions): readonly Tenant[] {
  const results = tenantFiles(paths).map((file) => loadFile(file, options));
  const loaded = results.flatMap((result) => ('loaded' in result ? [result.loaded] : []));
  const problems = results.flatMap((result) => ('problems' in result ? result.problems : []));
  problems.push(...duplicates(loaded), ...borrowed(loaded, (options.secrets ?? OWN_FOLDER_ONLY).names));
  if (problems.length > 0) throw new TenantFileError(problems);
  return loaded.map((entry) => entry.tenant);
}

/** The files among these files and folders, each once. Throws `TenantFileError`. */
export function tenantFiles(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap(filesAt))];
}

function filesAt(path: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw fileError(path, 'does not exist: create it, or name another with --tenant');
  if (!stats.isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => /\.ya?ml$/.test(name) && !/\.mapping\.ya?ml$/.test(name));
  if (names.length === 0) throw fileError(path, 'holds no tenant file: write one as NAME.yaml');
  return names.sort().map((name) => join(path, name));
}

function fileError(file: string, message: string): TenantFileError {
  return new TenantFileError([{ file, line: 1, message }]);
}

function loadFile(
  file: string,
  options: LoadOptions,
): { readonly loaded: LoadedTenant } | { readonly problems: readonly Problem[] } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return { problems: [{ file, line: 1, message: `the file cannot be read (${code})` }] };
  }
  const parsed = parseYamlFile(file, text);
  if ('problems' in parsed) return parsed;
  const baseDir = dirname(resolve(file));
  const from = {
    env: options.env,
    baseDir,
    tenant: nameIn(parsed.yaml.data),
    scope: options.secrets ?? OWN_FOLDER_ONLY,
  };
  const checked = checkAgainst(tenantSchema(from), parsed.yaml);
  const problems = [
    ...('problems' in checked ? checked.problems : []),
    ...crossChecks(parsed.yaml, options.simulators ?? {}),
  ];
  if ('problems' in checked) return { problems };
  const built = buildTenant(checked.value, {
    yaml: parsed.yaml,
    baseDir,
    simulators: options.simulators ?? {},
  });
  if ('problems' in built) return { problems: [...problems, ...built.problems] };
  if (problems.length > 0) return { problems };
  return { loaded: { yaml: parsed.yaml, tenant: built.tenant } };
}

/** The tenant's name as the file gives it, checked or not: it says which variables are its own. */
function nameIn(data: unknown): string {
  const name = typeof data === 'object' && data !== null && 'tenant' in data ? data.tenant : '';
  return typeof name === 'string' && name !== '' ? name : 'tenant';
}
