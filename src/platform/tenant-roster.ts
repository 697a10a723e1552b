import { buildDeclared } from './declared-tenant.ts';
import type { MappingVersion } from './mapping-version.ts';
import type { Problem } from './problems.ts';
import { withPublished } from './published-mapping.ts';
import { OWN_FOLDER_ONLY } from './secret-scope.ts';
import type { Tenant } from './tenant.ts';
import type { LoadedTenant } from './tenant-checks.ts';
import { createClaims } from './tenant-claims.ts';
import type { DeclaredTenant } from './tenant-declaration.ts';
import type { LoadOptions } from './tenant-file.ts';

/** A tenant that this process serves. */
export type Served = {
  readonly tenant: Tenant;
  /** The version of the tenant's declaration in the registry (the ledger's table of tenants); null for a tenant that has a tenant file. */
  readonly version: number | null;
  /** The number of the tenant's last published mapping; absent if none was ever published. */
  readonly mappingVersion?: number;
};

/** The tenants of a process by name, from tenant files and from the registry (the ledger's table of tenants). */
export type Roster = {
  readonly served: ReadonlyMap<string, Served>;
  /** Declared tenants that this process cannot serve, with the reason. A reason contains only names of keys, variables and paths. */
  readonly unavailable: ReadonlyMap<string, string>;
  /** Tenants that were removed from service, each with the version of its declaration that removed it. */
  readonly removed: ReadonlyMap<string, number>;
};

type Built = ReturnType<typeof buildDeclared>;
/** The tenants that a process has built from declarations. While a declaration is unchanged, its tenant is not built again. */
export type BuiltTenants = Map<string, { readonly version: number; readonly built: Built }>;

/**
 * Builds the tenants of these files and declarations. If a tenant has a tenant file, usable or not, the file is used and a declaration with
 * the same name is not. If two tenants share a secret or variable, the one that changed last is unavailable, so that a bad declaration
 * stops no other tenant. `known`: tenants that were built before, by their declarations; `broken`: why files are unusable, by tenant name.
 */
export function rosterOf(
  files: readonly LoadedTenant[],
  declared: readonly DeclaredTenant[],
  options: LoadOptions,
  known: BuiltTenants = new Map(),
  broken: ReadonlyMap<string, string> = new Map(),
): Roster {
  const claims = createClaims((options.secrets ?? OWN_FOLDER_ONLY).names);
  const served = new Map<string, Served>();
  const unavailable = new Map(broken);
  for (const loaded of files) {
    claims.take(loaded);
    served.set(loaded.tenant.tenant, { tenant: loaded.tenant, version: null });
  }
  const inOrder = declared.toSorted((one, other) => one.change - other.change);
  for (const row of inOrder.filter(({ state, tenant }) => state === 'active' && !broken.has(tenant))) {
    const built = builtOf(row, options, known);
    const isByFile = served.get(row.tenant)?.version === null;
    const problems = isByFile
      ? [besideFile(row.tenant)]
      : 'problems' in built
        ? built.problems
        : claims.take(built.loaded);
    if (problems.length > 0) unavailable.set(row.tenant, reasonOf(problems));
    else if ('loaded' in built) served.set(row.tenant, { tenant: built.loaded.tenant, version: row.version });
  }
  const removed = declared.filter(({ state, tenant }) => state === 'removed' && !served.has(tenant));
  return { served, unavailable, removed: new Map(removed.map(({ tenant, version }) => [tenant, version])) };
}

/**
 * The tenants to which a process has applied a published mapping, by name. `of`: the tenant without the published mapping. `tenant`: the
 * same tenant with version `version` of the published mapping. While `of` and the version are unchanged, `tenant` is used again, because a
 * new object would make the worker open new connections.
 */
export type MappedTenants = Map<string, { readonly of: Tenant; readonly version: number; readonly tenant: Tenant }>;

/**
 * Gives each tenant in the roster (the list of tenants) the newest published mapping that can be decrypted. If this process cannot use a
 * tenant's published mapping, the tenant is unavailable, because the mapping in its files might write values to other fields.
 */
export function withMappings(
  roster: Roster,
  versions: readonly MappingVersion[],
  known: MappedTenants = new Map(),
): Roster {
  if (versions.length === 0) return roster;
  const served = new Map(roster.served);
  const unavailable = new Map(roster.unavailable);
  for (const published of versions) {
    const below = served.get(published.tenant);
    if (below === undefined) continue;
    const mapped = mappedOf(below.tenant, published, known);
    if ('tenant' in mapped) {
      served.set(published.tenant, { ...below, tenant: mapped.tenant, mappingVersion: published.version });
    } else {
      served.delete(published.tenant);
      unavailable.set(published.tenant, reasonOf(mapped.problems));
    }
  }
  return { ...roster, served, unavailable };
}

function mappedOf(of: Tenant, published: MappingVersion, known: MappedTenants): ReturnType<typeof withPublished> {
  const { tenant: name, version, openedInstead } = published;
  const before = known.get(name);
  const isSame = before?.of === of && before.version === version;
  if (isSame && before.tenant.unopenedMapping?.applies === openedInstead) return { tenant: before.tenant };
  const built = withPublished(of, published);
  if ('tenant' in built) known.set(name, { of, version, tenant: built.tenant });
  return built;
}

/** Names of the tenants that differ between two rosters (lists of tenants). */
export function changesBetween(before: Roster, after: Roster): readonly string[] {
  const names = new Set(
    [before, after].flatMap(({ served, unavailable, removed }) => [
      ...served.keys(),
      ...unavailable.keys(),
      ...removed.keys(),
    ]),
  );
  return [...names].filter((name) => keyOf(before, name) !== keyOf(after, name));
}

function keyOf({ served, unavailable, removed }: Roster, name: string): string {
  const reason = unavailable.get(name);
  const found = served.get(name);
  if (found !== undefined)
    return `served ${found.version ?? 'by a file'}, mapping ${found.mappingVersion ?? 0} ${found.tenant.unopenedMapping?.applies ?? ''}, ${reason ?? ''}`;
  return reason ?? (removed.has(name) ? 'removed' : 'unknown');
}

function builtOf({ tenant, version, declaration }: DeclaredTenant, options: LoadOptions, known: BuiltTenants): Built {
  const before = known.get(tenant);
  if (declaration !== null && before?.version === version && 'loaded' in before.built) return before.built;
  const built = declaration === null ? { problems: [NOT_OPENED] } : buildDeclared(tenant, declaration, options);
  known.set(tenant, { version, built });
  return built;
}

/**
 * The problem of a tenant that has both a declaration in the registry (the ledger's table of tenants) and a tenant file. The tenant file is
 * used, and the declaration is not.
 */
function besideFile(tenant: string): Problem {
  const message = `it is declared and has a tenant file, which it goes by: take the file away and restart what reads it, or run lockstep tenants remove ${tenant}`;
  return { file: '', line: 1, message };
}

const NOT_OPENED: Problem = {
  file: '',
  line: 1,
  message:
    'its sealed secrets do not open with the sealing keys of this process, or its declaration was changed in another way than by lockstep tenants: give the process the key that they were sealed with, or apply its tenant file again',
};

function reasonOf(problems: readonly Problem[]): string {
  return problems.map(({ message }) => message).join('; ');
}
