import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';

/** The secrets that tenant files may name. */
export type SecretScope = {
  /** Absolute folders that `file:` may point into, besides the tenant file's own. */
  readonly folders: readonly string[];
  /** Lockstep's own files, such as the sealing key. No tenant file may point at them. */
  readonly ownFiles: readonly string[];
  /** Names that `env:` may give besides the tenant's own prefix; a name that ends in `*` is a prefix. */
  readonly names: readonly string[];
};

export const OWN_FOLDER_ONLY: SecretScope = { folders: [], ownFiles: [], names: [] };

/** Variables of Lockstep, its database, Temporal and Node. No tenant may use them, whatever its name. */
const OWN_NAMES = /^(LOCKSTEP_|TEMPORAL_|DATABASE_URL$|PG[A-Z]+$|NODE_|PATH$|HOME$)/;

/** `ACME_EU_` for the tenant `acme-eu`. */
export function ownPrefix(tenant: string): string {
  return `${tenant.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_`;
}

/**
 * Why a tenant file may not name this secret (`env:NAME` or `file:PATH`); null if it may. The text completes a sentence that begins with
 * the key.
 */
export function outOfScope(
  reference: string,
  {
    tenant,
    baseDir,
    scope,
  }: {
    readonly tenant: string;
    /** The tenant file's folder; null for a tenant of the registry. */
    readonly baseDir: string | null;
    readonly scope: SecretScope;
  },
): string | null {
  const rest = reference.slice(reference.indexOf(':') + 1);
  return reference.startsWith('env:') ? foreignName(rest, tenant, scope) : foreignFile(rest, baseDir, scope);
}

function foreignName(name: string, tenant: string, { names }: SecretScope): string | null {
  if (OWN_NAMES.test(name)) return `names ${name}, which is Lockstep's own`;
  const prefix = ownPrefix(tenant);
  if (name.startsWith(prefix) || isNamed(name, names)) return null;
  return `names ${name}: call it ${prefix}…, or list it in LOCKSTEP_TENANT_ENV`;
}

/** Whether the list contains the name; an entry that ends in `*` is a prefix. */
export function isNamed(name: string, names: readonly string[]): boolean {
  return names.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
}

/** The tenant that owns this variable; of several, the one with the longest prefix. */
export function belongsTo(name: string, tenants: readonly string[]): string | null {
  const owners = tenants.filter((tenant) => name.startsWith(ownPrefix(tenant)));
  return owners.reduce<string | null>((most, one) => (one.length > (most?.length ?? 0) ? one : most), null);
}

function foreignFile(
  path: string,
  baseDir: string | null,
  { folders, ownFiles }: SecretScope,
): string | null {
  const file = real(resolve(baseDir ?? '/', path));
  if (ownFiles.some((own) => real(own) === file)) return "points at a file of Lockstep's own";
  const own = baseDir === null ? [] : [baseDir];
  if ([...own, ...folders].some((folder) => isWithin(real(folder), file))) return null;
  if (baseDir === null) {
    return 'points outside the folders of LOCKSTEP_SECRETS: name its folder there for every process, or have its value sealed with --seal';
  }
  return 'points outside the folder of the tenant file: move the file there, or name its folder in LOCKSTEP_SECRETS';
}

/** The path with its symbolic links resolved; unchanged if it does not exist. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isWithin(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
