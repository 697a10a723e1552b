import type { Problem } from './problems.ts';
import { problemAt } from './schema-problems.ts';
import type { Secret } from './secret.ts';
import { secretFilesOf } from './secret-files.ts';
import { isNamed, ownPrefix } from './secret-scope.ts';
import type { LoadedTenant } from './tenant-checks.ts';
import { textsIn } from './texts-in.ts';

/**
 * A register of the names, webhook paths, signing keys, secret files and environment variables that tenants use. Only one tenant may use
 * each of them: the first tenant that claims it keeps it, and any other tenant gets a problem.
 */
export interface TenantClaims {
  /**
   * Claims all names, paths, keys, files and variables that only this tenant may use. If another tenant has claimed any of them, claims
   * nothing and returns the problems.
   */
  take(loaded: LoadedTenant): readonly Problem[];
}

/** Creates a register without any claim. `sharedNames`: environment variables that all tenants may use. */
export function createClaims(sharedNames: readonly string[]): TenantClaims {
  return new Claims(sharedNames);
}

class Claims implements TenantClaims {
  readonly #sharedNames: readonly string[];
  readonly #files = new Map<string, string>();
  readonly #secrets = { path: new Map<string, string>(), keys: new Map<string, string>() };
  readonly #secretFiles = new Map<string, string>();
  readonly #variables = new Map<string, string>();
  readonly #prefixes = new Map<string, string>();

  constructor(sharedNames: readonly string[]) {
    this.#sharedNames = sharedNames;
  }

  take(loaded: LoadedTenant): readonly Problem[] {
    const { yaml, tenant } = loaded;
    const values = { path: revealed(tenant.webhooks.paths), keys: revealed(tenant.webhooks.keys) };
    const own = variablesIn(yaml.data).filter(({ name }) => !isNamed(name, this.#sharedNames));
    const problems = [
      ...this.#nameProblems(loaded),
      ...this.#secretProblems(loaded, 'path', values.path),
      ...this.#secretProblems(loaded, 'keys', values.keys),
      ...this.#variableProblems(loaded, own),
      ...this.#fileProblems(loaded),
    ];
    if (problems.length > 0) return problems;
    this.#files.set(tenant.tenant, yaml.file);
    this.#prefixes.set(ownPrefix(tenant.tenant), tenant.tenant);
    for (const key of ['path', 'keys'] as const)
      for (const value of values[key]) this.#secrets[key].set(value, tenant.tenant);
    for (const { name } of own) this.#variables.set(name, tenant.tenant);
    for (const { identity } of secretFilesOf(yaml)) this.#secretFiles.set(identity, tenant.tenant);
    return [];
  }

  #nameProblems({ yaml, tenant: { tenant } }: LoadedTenant): Problem[] {
    const other = this.#files.get(tenant);
    if (other === undefined) return [];
    return [problemAt(yaml, ['tenant'], `is declared by ${other} as well: take one of the two away`)];
  }

  #secretProblems(loaded: LoadedTenant, key: 'path' | 'keys', values: readonly string[]): Problem[] {
    const owner = values.map((value) => this.#secrets[key].get(value)).find((found) => found !== undefined);
    if (owner === undefined) return [];
    const message = `points to the same secret as that of ${owner}: give each its own value`;
    return [problemAt(loaded.yaml, ['webhooks', key], message)];
  }

  /** Problems if one file holds secrets of this tenant and of another one, even if the tenant files name it by different paths. */
  #fileProblems({ yaml, tenant: { tenant } }: LoadedTenant): Problem[] {
    const foreign = secretFilesOf(yaml).find(({ identity }) => (this.#secretFiles.get(identity) ?? tenant) !== tenant);
    if (foreign === undefined) return [];
    const owner = this.#secretFiles.get(foreign.identity);
    return [problemAt(yaml, foreign.path, `points at the same file as a secret of ${owner}: give each its own`)];
  }

  /**
   * Problems with environment variables: this tenant uses a variable of another tenant, or, by its name, this tenant would become the owner
   * of a variable that another tenant uses.
   */
  #variableProblems({ yaml, tenant: { tenant } }: LoadedTenant, own: readonly Used[]): Problem[] {
    const prefix = ownPrefix(tenant);
    const borrowed = own.flatMap(({ name, path }) => {
      const owner = this.#ownerOf(name);
      if (owner === undefined || isLonger(prefix, ownPrefix(owner), name)) return [];
      return [problemAt(yaml, path, `names ${name}, which is the tenant ${owner}'s`)];
    });
    const lent = [...this.#variables].find(
      ([name]) => name.startsWith(prefix) && isLonger(prefix, ownPrefix(this.#ownerOf(name) ?? ''), name),
    );
    if (lent === undefined) return borrowed;
    const message = `would make ${lent[0]} a variable of its own, which the tenant ${lent[1]} names: rename one`;
    return [...borrowed, problemAt(yaml, ['tenant'], message)];
  }

  /** The tenant that owns this environment variable, by the longest prefix that fits; undefined if no tenant owns it. */
  #ownerOf(name: string): string | undefined {
    for (let end = name.length; end > 0; end = name.lastIndexOf('_', end - 1)) {
      const owner = this.#prefixes.get(name.slice(0, end + 1));
      if (owner !== undefined) return owner;
    }
    return undefined;
  }
}

/**
 * Whether a variable belongs to the tenant with the prefix `prefix` and not to the tenant with the prefix `other`: its name begins with
 * `prefix`, and `prefix` is longer than `other`.
 */
function isLonger(prefix: string, other: string, name: string): boolean {
  return name.startsWith(prefix) && prefix.length > other.length;
}

type Used = { readonly name: string; readonly path: readonly string[] };

function variablesIn(data: unknown): readonly Used[] {
  return textsIn(data).flatMap(({ path, text }) => {
    const [, name] = /^env:(\w+)$/.exec(text) ?? [];
    return name === undefined ? [] : [{ name, path }];
  });
}

/** The values of these secrets. A secret that cannot be read is left out. */
function revealed(secrets: readonly Secret[]): readonly string[] {
  return secrets.flatMap((secret) => {
    try {
      return [secret.reveal()];
    } catch {
      return [];
    }
  });
}
