import type { SimulatorDefaults } from './build-tenant.ts';
import { parseDuration } from './duration.ts';
import { namesPrivate } from './private-address.ts';
import type { Problem } from './problems.ts';
import { problemAt } from './schema-problems.ts';
import { secretFilesOf } from './secret-files.ts';
import { belongsTo, isNamed } from './secret-scope.ts';
import type { Tenant } from './tenant.ts';
import { textsIn } from './texts-in.ts';
import { isLoopback } from './web-address.ts';
import type { YamlFile } from './yaml-file.ts';

export type LoadedTenant = { readonly yaml: YamlFile; readonly tenant: Tenant };

/**
 * The shortest allowed overlap of two sweeps (periodic queries for Salesforce's changes), in milliseconds. Each sweep must read the end of
 * the previous sweep's period again, because a long transaction commits rows with timestamps that the previous sweep has already passed.
 */
const MIN_OVERLAP_MS = 15 * 60_000;

/**
 * Checks the rules that concern several keys of one file. The checks read the raw data, so that their problems are reported together with
 * those of the schema.
 */
export function crossChecks(yaml: YamlFile, simulators: SimulatorDefaults): readonly Problem[] {
  if (typeof yaml.data !== 'object' || yaml.data === null) return [];
  return [
    ...missingSections(yaml, simulators),
    ...vendorAddresses(yaml),
    ...missingCurrency(yaml),
    ...shortOverlap(yaml),
  ];
}

function missingSections(yaml: YamlFile, simulators: SimulatorDefaults): Problem[] {
  return (['vendor', 'salesforce'] as const)
    .filter((name) => !yaml.has([name]) && simulators[name] === undefined)
    .map((name) => problemAt(yaml, [name], 'is missing, and no simulator stands in for it here: add the section'));
}

function vendorAddresses(yaml: YamlFile): Problem[] {
  if (!isSection(valueAt(yaml, ['vendor']))) return [];
  const one = yaml.has(['vendor', 'baseUrl']);
  const apart = (['salesBaseUrl', 'orderBaseUrl'] as const).filter((key) => yaml.has(['vendor', key]));
  if (one && apart.length === 0) return [];
  if (!one && apart.length === 2) return [];
  const message = 'must hold either baseUrl, or both salesBaseUrl and orderBaseUrl';
  return [problemAt(yaml, ['vendor'], message)];
}

function missingCurrency(yaml: YamlFile): Problem[] {
  if (!yaml.has(['salesforce']) || yaml.has(['currency'])) return [];
  const message = 'is missing; it must be the currency of the org, such as EUR (the vendor requires one)';
  return [problemAt(yaml, ['currency'], message)];
}

/**
 * Problems of a setting `overlap` that is too short. The overlap is the part of the last sweep's period that each sweep (query for
 * Salesforce's changes) reads again. For a simulator on this machine any overlap is allowed, because a simulator commits rows at once.
 */
function shortOverlap(yaml: YamlFile): Problem[] {
  const overlap = valueAt(yaml, ['salesforce', 'sweep', 'overlap']);
  const loginUrl = valueAt(yaml, ['salesforce', 'loginUrl']);
  if (typeof overlap !== 'string' || typeof loginUrl !== 'string' || !URL.canParse(loginUrl)) return [];
  if (isLoopback(new URL(loginUrl).hostname)) return [];
  if ((parseDuration(overlap) ?? MIN_OVERLAP_MS) >= MIN_OVERLAP_MS) return [];
  const message = 'must be 15m or more: Salesforce commits rows late, and a shorter overlap misses them';
  return [problemAt(yaml, ['salesforce', 'sweep', 'overlap'], message)];
}

const ADDRESSES = [
  ...(['baseUrl', 'salesBaseUrl', 'orderBaseUrl'] as const).map((key) => ['vendor', key]),
  ['salesforce', 'loginUrl'],
];

/** Problems of private addresses that the operator does not allow. A host name is checked later, when a connection is opened. */
export function privateAddresses(yaml: YamlFile): Problem[] {
  const repair = 'set LOCKSTEP_PRIVATE_ADDRESSES=allow where the fleet has systems of its own';
  return ADDRESSES.filter((path) => namesPrivate(String(valueAt(yaml, path)))).map((path) =>
    problemAt(yaml, path, `is an address of this machine or a private network: ${repair}`),
  );
}

function valueAt(yaml: YamlFile, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isSection(value) ? value[key] : undefined), yaml.data);
}

function isSection(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Problems of tenants that share a name, a webhook path or a signing key. */
export function duplicates(loaded: readonly LoadedTenant[]): readonly Problem[] {
  const seenNames = new Map<string, string>();
  const seenPaths = new Map<string, string>();
  const seenKeys = new Map<string, string>();
  return loaded.flatMap(({ yaml, tenant }) => {
    const problems: Problem[] = [];
    const otherFile = seenNames.get(tenant.tenant);
    if (otherFile !== undefined) {
      problems.push(problemAt(yaml, ['tenant'], `is the name of the tenant in ${otherFile} too: rename one`));
    }
    seenNames.set(tenant.tenant, yaml.file);
    const { paths, keys } = tenant.webhooks;
    for (const [key, secrets, seen] of [
      ['path', paths, seenPaths],
      ['keys', keys, seenKeys],
    ] as const) {
      for (const value of secrets.map((secret) => secret.reveal())) {
        const owner = seen.get(value) ?? yaml.file;
        const message = `points to the same secret as in ${owner}: give each its own value`;
        if (owner !== yaml.file) problems.push(problemAt(yaml, ['webhooks', key], message));
        seen.set(value, yaml.file);
      }
    }
    return problems;
  });
}

/** Problems of tenants that use the same secret file, even by different paths. */
export function sharedFiles(loaded: readonly LoadedTenant[]): readonly Problem[] {
  const owners = new Map<string, string>();
  return loaded.flatMap(({ yaml, tenant: { tenant } }) => {
    const files = secretFilesOf(yaml);
    const foreign = files.find(({ identity }) => (owners.get(identity) ?? tenant) !== tenant);
    for (const { identity } of files) if (!owners.has(identity)) owners.set(identity, tenant);
    if (foreign === undefined) return [];
    const owner = owners.get(foreign.identity);
    return [problemAt(yaml, foreign.path, `points at the same file as a secret of ${owner}: give each its own`)];
  });
}

/**
 * Problems of tenants that use another tenant's environment variables. A variable belongs to the tenant with the longest prefix that fits.
 * Variables in `names` may be used by all tenants.
 */
export function borrowed(loaded: readonly LoadedTenant[], names: readonly string[]): readonly Problem[] {
  const tenants = loaded.map(({ tenant }) => tenant.tenant);
  return loaded.flatMap(({ yaml, tenant }) =>
    textsIn(yaml.data).flatMap(({ path, text }) => {
      const [, name] = /^env:(\w+)$/.exec(text) ?? [];
      if (name === undefined || isNamed(name, names)) return [];
      const owner = belongsTo(name, tenants);
      if (owner === null || owner === tenant.tenant) return [];
      return [problemAt(yaml, path, `names ${name}, which is the tenant ${owner}'s`)];
    }),
  );
}
