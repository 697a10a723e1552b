import type { MappingLedger } from '../../ledger/tenants/mapping-ledger.ts';
import type { TenantLedger } from '../../ledger/tenants/tenant-ledger.ts';
import { declarationDifference, MAPPING_FILE } from '../../platform/declaration-difference.ts';
import type { Declared } from '../../platform/declared-tenant.ts';
import type { KeyDifference } from '../../platform/differences.ts';
import type { DeclaredTenant } from '../../platform/tenant-declaration.ts';
import type { LoadOptions } from '../../platform/tenant-file.ts';
import { rosterOf } from '../../platform/tenant-roster.ts';

/** How one tenant's configuration changes, or would change. `fields` contains no secret. */
export type TenantChange = {
  readonly tenant: string;
  readonly action: 'add' | 'change' | 'remove' | 'keep';
  /**
   * The settings that differ between the tenant file and the registry (the list of tenants in Lockstep's database); empty unless `action`
   * is `change`.
   */
  readonly fields: readonly KeyDifference[];
};

export type TenantsApplied = {
  readonly shape: 'tenants-apply/1';
  /** Whether the changes were applied; false for a preview. */
  readonly applied: boolean;
  readonly changes: readonly TenantChange[];
  /** Names of tenants that are in the registry but in none of the files, and that stay in the registry. */
  readonly unnamed: readonly string[];
  /**
   * Names of declared tenants that this process also reads from a tenant file. A process that reads a tenant's file uses the file, so the
   * declaration in the registry (the list of tenants in Lockstep's database) has no effect there.
   */
  readonly alsoByFile: readonly string[];
  /** Tenants whose mapping file was changed or added without effect, because a published mapping applies instead. */
  readonly hiddenMappings: readonly HiddenMapping[];
};

/** A tenant whose mapping file has no effect, and the number of the published version that applies instead. */
export type HiddenMapping = { readonly tenant: string; readonly version: number };

/**
 * Thrown if tenant files cannot be served together (for example, because two tenants have the same name or secret), or if another operator
 * changed a tenant meanwhile. The message has a sentence for each problem.
 */
export class TenantsRefused extends Error {
  override readonly name = 'TenantsRefused';
}

export type ApplyPorts = {
  readonly ledger: Pick<TenantLedger, 'tenantsSince' | 'declareTenant' | 'removeTenant'> &
    Pick<MappingLedger, 'mappingsSince'>;
  readonly load: LoadOptions;
  readonly now: () => string;
  /**
   * Names of tenants that this process reads from a tenant file, which it uses instead of the registry (the list of tenants in Lockstep's
   * database).
   */
  readonly byFile: readonly string[];
};

export type ApplyOrder = {
  /** Whether to remove tenants from the registry that none of the files declares. */
  readonly prune: boolean;
  /** Whether to apply the changes; false previews them. */
  readonly yes: boolean;
  /**
   * The version of the tenant in the registry on which the only given file is based; null if the registry had no such tenant. If the
   * registry has another version, nothing is changed. Absent: the version does not matter.
   */
  readonly basedOn?: number | null;
};

/**
 * Changes the registry (the list of tenants in Lockstep's database) so that it contains what the tenant files declare, or only shows these
 * changes. Throws `TenantsRefused` and changes nothing if declared tenants cannot be served together, for example because they have the
 * same secret. Also throws it if another operator changed a tenant meanwhile; the other tenants are changed then.
 */
export async function applyTenants(
  { ledger, load, now, byFile }: ApplyPorts,
  declared: readonly Declared[],
  { prune, yes, basedOn }: ApplyOrder,
): Promise<TenantsApplied> {
  const rows = await ledger.tenantsSince(0);
  const changes = changesOf(declared, rows, prune);
  if (basedOn !== undefined) refuseOutdated(changes, rows, basedOn);
  refuseClashes(declared, rows, changes, load);
  const named = new Set(changes.map(({ tenant }) => tenant));
  const unnamed = rows.filter(({ tenant, state }) => state === 'active' && !named.has(tenant));
  const lost: string[] = [];
  for (const { tenant, action } of yes ? changes : []) {
    const basedOn = rows.find((row) => row.tenant === tenant)?.version ?? null;
    const declaration = declared.find((one) => one.tenant === tenant)?.declaration;
    const isDone =
      action === 'keep' ||
      (declaration === undefined
        ? await ledger.removeTenant(tenant, basedOn ?? 0, now())
        : (await ledger.declareTenant(tenant, declaration, basedOn, now())) !== null);
    if (!isDone) lost.push(tenant);
  }
  if (lost.length > 0)
    throw new TenantsRefused(
      `Another operator has changed ${lost.join(', ')} meanwhile. Its declaration was left as it is, the others are applied: run lockstep tenants apply again.`,
    );
  const alsoByFile = declared.map(({ tenant }) => tenant).filter((tenant) => byFile.includes(tenant));
  return {
    ...{ shape: 'tenants-apply/1', applied: yes, changes, alsoByFile },
    unnamed: unnamed.map(({ tenant }) => tenant),
    hiddenMappings: await hiddenMappings(ledger, declared, changes),
  };
}

function refuseOutdated(
  changes: readonly TenantChange[],
  rows: readonly DeclaredTenant[],
  basedOn: number | null,
): void {
  const versionOf = (tenant: string) => rows.find((row) => row.tenant === tenant)?.version ?? null;
  const outdated = changes.find(({ tenant, action }) => action !== 'keep' && versionOf(tenant) !== basedOn);
  if (outdated === undefined) return;
  throw new TenantsRefused(
    `Another operator has changed ${outdated.tenant} meanwhile, and nothing was applied: look at its declaration again, and repeat the change.`,
  );
}

async function hiddenMappings(
  ledger: ApplyPorts['ledger'],
  declared: readonly Declared[],
  changes: readonly TenantChange[],
): Promise<readonly HiddenMapping[]> {
  const isAboutMapping = ({ tenant, action, fields }: TenantChange): boolean =>
    action === 'add'
      ? declared.some((one) => one.tenant === tenant && one.declaration.mapping !== null)
      : fields.some(({ at }) => at === MAPPING_FILE || at === 'mapping');
  const names = new Set(changes.filter(isAboutMapping).map(({ tenant }) => tenant));
  if (names.size === 0) return [];
  const published = await ledger.mappingsSince(0);
  // If a published version has no text, the tenant's own files apply, and its mapping file has an effect.
  return published
    .filter(({ tenant, content }) => names.has(tenant) && content?.text !== null)
    .map(({ tenant, version }) => ({ tenant, version }));
}

/**
 * The changes that make the registry equal to the tenant files, by tenant. `prune`: also removes tenants that none of the files declares.
 * Pure.
 */
export function changesOf(
  declared: readonly Declared[],
  rows: readonly DeclaredTenant[],
  prune: boolean,
): readonly TenantChange[] {
  const active = new Map(rows.filter(({ state }) => state === 'active').map((row) => [row.tenant, row]));
  const declaredChanges = declared.map(({ tenant, declaration }): TenantChange => {
    const row = active.get(tenant);
    if (row === undefined) return { tenant, action: 'add', fields: [] };
    const fields = declarationDifference(row.declaration, declaration);
    return { tenant, action: fields.length === 0 ? 'keep' : 'change', fields };
  });
  const names = new Set(declared.map(({ tenant }) => tenant));
  const pruned = [...active.keys()].filter((tenant) => prune && !names.has(tenant));
  const removed = pruned.map((tenant): TenantChange => ({ tenant, action: 'remove', fields: [] }));
  return [...declaredChanges, ...removed].sort((one, other) => one.tenant.localeCompare(other.tenant));
}

/**
 * Throws `TenantsRefused` if two files declare tenants with one name. Also throws it if a process could not serve a changed tenant, for
 * example because another tenant has the same secret.
 */
function refuseClashes(
  declared: readonly Declared[],
  rows: readonly DeclaredTenant[],
  changes: readonly TenantChange[],
  load: LoadOptions,
): void {
  const twice = declared.filter(({ tenant }, n) => declared.findIndex((one) => one.tenant === tenant) < n);
  const problems = twice.map(
    ({ tenant, file }) => `${file}: tenant is the name of another file's tenant too, ${tenant}: rename one`,
  );
  const changing = new Set(changes.filter(({ action }) => action !== 'keep').map(({ tenant }) => tenant));
  const last = Math.max(0, ...rows.map(({ change }) => change));
  const would = declared
    .filter(({ tenant }) => changing.has(tenant))
    .map(({ tenant, declaration }, n): DeclaredTenant => {
      return { tenant, declaration, state: 'active', version: 1, change: last + 1 + n, changedAt: '' };
    });
  const staying = rows.filter(({ tenant }) => !changing.has(tenant));
  const { unavailable } = rosterOf([], [...staying, ...would], load);
  for (const { tenant, file } of declared) {
    const reason = changing.has(tenant) ? unavailable.get(tenant) : undefined;
    if (reason !== undefined) problems.push(`${file}: ${reason}`);
  }
  if (problems.length > 0) throw new TenantsRefused(problems.join('\n'));
}

/**
 * Adds a tenant to the registry, or restores a removed tenant. Throws `TenantsRefused` if a tenant with this name exists and the file
 * differs from it.
 */
export async function addTenant(ports: ApplyPorts, declared: Declared): Promise<TenantsApplied> {
  const row = (await ports.ledger.tenantsSince(0)).find(({ tenant }) => tenant === declared.tenant);
  const order = { prune: false, basedOn: row?.version ?? null };
  const declaredChanges = await applyTenants(ports, [declared], { ...order, yes: false });
  if (declaredChanges.changes.some(({ action }) => action === 'change'))
    throw new TenantsRefused(
      `There is a tenant ${declared.tenant} already, and the file differs from it: lockstep tenants apply ${declared.file} shows the differences.`,
    );
  return applyTenants(ports, [declared], { ...order, yes: true });
}
