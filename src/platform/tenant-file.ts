import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { buildTenant, type MappingFrom, type SimulatorDefaults } from './build-tenant.ts';
import { type Problem, TenantFileError } from './problems.ts';
import { MAX_YAML_BYTES, readRegularFile } from './regular-file.ts';
import type { SecretContext } from './secret-fields.ts';
import { OWN_FOLDER_ONLY, type SecretScope } from './secret-scope.ts';
import type { Tenant } from './tenant.ts';
import {
  borrowed,
  crossChecks,
  duplicates,
  type LoadedTenant,
  privateAddresses,
  sharedFiles,
} from './tenant-checks.ts';
import { createClaims } from './tenant-claims.ts';
import { checkShape } from './tenant-schema.ts';
import { parseYamlFile, type YamlFile } from './yaml-file.ts';

export type { SimulatorDefaults } from './build-tenant.ts';
export { TenantFileError } from './problems.ts';

export type LoadOptions = {
  /** The environment variables in which `env:NAME` is looked up. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * The connections of running simulators. They replace a missing `vendor` or `salesforce` section; without them, a missing section is a
   * problem.
   */
  readonly simulators?: SimulatorDefaults;
  /**
   * Which secrets the tenant files may refer to. By default, these are the secrets in a tenant's own folder and the variables with its own
   * prefix.
   */
  readonly secrets?: SecretScope;
};

/**
 * Reads tenant files. In a folder, every `*.yaml` and `*.yml` is read except `*.mapping.yaml`. Throws `TenantFileError` with every problem.
 */
export function loadTenants(paths: readonly string[], options: LoadOptions): readonly Tenant[] {
  return loadTenantFiles(paths, options).map(({ tenant }) => tenant);
}

/**
 * Reads tenant files, and returns each tenant with its file. In a folder, every `*.yaml` and `*.yml` is read except `*.mapping.yaml`.
 * Throws `TenantFileError` with every problem.
 */
export function loadTenantFiles(paths: readonly string[], options: LoadOptions): readonly LoadedTenant[] {
  const results = tenantFiles(paths).map((file) => loadFile(file, options));
  const loaded = results.flatMap((result) => ('loaded' in result ? [result.loaded] : []));
  const problems = results.flatMap((result) => ('problems' in result ? result.problems : []));
  problems.push(
    ...duplicates(loaded),
    ...sharedFiles(loaded),
    ...borrowed(loaded, (options.secrets ?? OWN_FOLDER_ONLY).names),
  );
  if (problems.length > 0) throw new TenantFileError(problems);
  return loaded;
}

/** The tenant files that a process can use. If one file is unusable, the others are still used. */
export type UsableFiles = {
  readonly loaded: readonly LoadedTenant[];
  /** Why unusable files cannot be used, by tenant name. The reasons contain only names of files, keys, variables and paths. */
  readonly broken: ReadonlyMap<string, string>;
};

/**
 * Separates usable tenant files from unusable ones. If two files contain the same name, path, key or variable, only the first is usable.
 * Throws if no file is usable.
 */
export function usableTenantFiles(paths: readonly string[], options: LoadOptions): UsableFiles {
  const claims = createClaims((options.secrets ?? OWN_FOLDER_ONLY).names);
  const loaded: LoadedTenant[] = [];
  const all: Problem[] = [];
  const broken = new Map<string, string>();
  for (const file of tenantFiles(paths)) {
    const result = loadFile(file, options);
    const problems = 'problems' in result ? result.problems : claims.take(result.loaded);
    if ('loaded' in result && problems.length === 0) loaded.push(result.loaded);
    if (problems.length === 0) continue;
    all.push(...problems);
    const reason = problems.map((one) => `${basename(one.file)}:${one.line} ${one.message}`).join('; ');
    broken.set(nameOfFile(file), reason);
  }
  if (loaded.length === 0 && all.length > 0) throw new TenantFileError(all);
  return { loaded, broken };
}

/** The tenant's name in the file; if it is missing or invalid, the name of the file. */
function nameOfFile(file: string): string {
  const parsed = readTenantFile(file);
  const named = 'problems' in parsed ? '' : nameIn(parsed.yaml.data);
  return /^[a-z0-9-]+$/.test(named) && named !== NAMELESS ? named : basename(file).replace(/\.ya?ml$/, '');
}

/** All tenant files among these paths of files and folders, each once. Throws `TenantFileError`. */
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

function loadFile(file: string, options: LoadOptions): Checked {
  const parsed = readTenantFile(file);
  if ('problems' in parsed) return parsed;
  const folder = dirname(resolve(file));
  return checkTenant(parsed.yaml, options, { baseDir: folder, mapping: { folder } });
}

/** Reads and parses one tenant file without checking its content. */
export function readTenantFile(file: string): ReturnType<typeof parseYamlFile> {
  try {
    return parseYamlFile(file, readRegularFile(file, MAX_YAML_BYTES).text);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return { problems: [{ file, line: 1, message: `the file cannot be read (${code})` }] };
  }
}

export type Checked = { readonly loaded: LoadedTenant } | { readonly problems: readonly Problem[] };

/** Checks one tenant file alone, and resolves its secrets. */
export function checkTenant(
  yaml: YamlFile,
  options: LoadOptions,
  where: Pick<SecretContext, 'baseDir' | 'sealed'> & { readonly mapping: MappingFrom },
): Checked {
  const { mapping, ...place } = where;
  const { simulators = {}, secrets: scope = OWN_FOLDER_ONLY } = options;
  const from = { ...place, env: options.env, tenant: nameIn(yaml.data), scope };
  const checked = checkShape(yaml, from);
  const problems = [...('problems' in checked ? checked.problems : []), ...crossChecks(yaml, simulators)];
  if ('problems' in checked) return { problems };
  const built = buildTenant(checked.value, { yaml, mapping, simulators, scope });
  if ('problems' in built) return { problems: [...problems, ...built.problems] };
  if (scope.publicOnly === true) problems.push(...privateAddresses(yaml));
  if (problems.length > 0) return { problems };
  const tenant = scope.publicOnly === true ? { ...built.tenant, publicOnly: true } : built.tenant;
  return { loaded: { yaml, tenant } };
}

const NAMELESS = 'tenant';

/**
 * The tenant's name in the file, even if it is invalid; `tenant` if the file has none. The name decides which environment variables the
 * tenant may use.
 */
export function nameIn(data: unknown): string {
  const name = typeof data === 'object' && data !== null && 'tenant' in data ? data.tenant : '';
  return typeof name === 'string' && name !== '' ? name : NAMELESS;
}
