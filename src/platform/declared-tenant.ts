import { dirname, resolve } from 'node:path';
import { foreignMapping } from './mapping-scope.ts';
import type { Problem } from './problems.ts';
import { isReferencePlace } from './reference-places.ts';
import { MAX_YAML_BYTES, readRegularFile } from './regular-file.ts';
import { problemAt } from './schema-problems.ts';
import { isSecretReference, resolveSecret } from './secret.ts';
import { OWN_FOLDER_ONLY, type SecretScope } from './secret-scope.ts';
import type { TenantDeclaration } from './tenant-declaration.ts';
import { type Checked, checkTenant, type LoadOptions, nameIn, readTenantFile } from './tenant-file.ts';
import { asYamlFile, type YamlFile } from './yaml-file.ts';

/** A tenant file in the form in which the registry (the ledger's table of tenants) stores it, checked on this machine. */
export type Declared = {
  readonly tenant: string;
  readonly file: string;
  readonly declaration: TenantDeclaration;
};

/**
 * Reads a tenant file and its mapping file for the registry (the ledger's table of tenants). Every process must be able to use the result,
 * so each secret stays a reference: `env:NAME`, or an absolute `file:PATH` in a folder of LOCKSTEP_SECRETS. With `seal`, the secrets'
 * values are instead stored encrypted. Each problem names the line, the YAML key and the repair.
 */
export function declareFile(
  file: string,
  options: LoadOptions & { readonly seal: boolean },
): Declared | { readonly problems: readonly Problem[] } {
  const parsed = readTenantFile(file);
  if ('problems' in parsed) return parsed;
  const { yaml } = parsed;
  const folder = dirname(resolve(file));
  if (options.seal) {
    // A secret that is to be sealed must be readable on this machine once. Its file may also be in the tenant file's own folder.
    const checked = checkTenant(yaml, options, { baseDir: folder, mapping: { folder } });
    if ('problems' in checked) return checked;
  }
  const mapping = mappingText(yaml, folder, options.secrets ?? OWN_FOLDER_ONLY);
  if (mapping !== null && 'problems' in mapping) return mapping;
  const secrets: Record<string, string> = {};
  const content = withReferences(yaml.data, [], (place, reference) => {
    if (!options.seal) return absolute(reference, folder);
    secrets[place] = resolveSecret(reference, { env: options.env, baseDir: folder }).reveal();
    return `sealed:${place}`;
  });
  const declaration = {
    content: content as TenantDeclaration['content'],
    mapping: mapping?.text ?? null,
    secrets,
  };
  const checked = checkDeclared({ ...yaml, data: content }, declaration, options);
  if ('problems' in checked) return checked;
  return { tenant: checked.loaded.tenant.tenant, file, declaration };
}

/**
 * Builds the tenant that a declaration describes, with the secrets that this process can read; or returns the problems that prevent this.
 */
export function buildDeclared(tenant: string, declaration: TenantDeclaration, options: LoadOptions): Checked {
  const yaml = asYamlFile(`${tenant} in the registry`, declaration.content);
  return checkDeclared(yaml, declaration, options);
}

/** Checks the content of a declaration by the same rules as a tenant file. */
export function checkDeclared(yaml: YamlFile, { mapping, secrets }: TenantDeclaration, options: LoadOptions): Checked {
  return checkTenant(yaml, options, { baseDir: null, sealed: secrets, mapping: { text: mapping ?? '' } });
}

/** The text of the mapping file that a tenant file names; null if it names none. */
function mappingText(
  yaml: YamlFile,
  folder: string,
  scope: SecretScope,
): { readonly text: string } | { readonly problems: readonly Problem[] } | null {
  const { mapping: name } = (yaml.data ?? {}) as { readonly mapping?: unknown };
  if (typeof name !== 'string' || name === 'default') return null;
  const refusal = foreignMapping(name, { tenant: nameIn(yaml.data), baseDir: folder, scope });
  if (refusal !== null) return { problems: [problemAt(yaml, ['mapping'], refusal)] };
  try {
    return { text: readRegularFile(resolve(folder, name), MAX_YAML_BYTES).text };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
    return { problems: [problemAt(yaml, ['mapping'], `names a file that cannot be read (${code})`)] };
  }
}

function absolute(reference: string, folder: string): string {
  return reference.startsWith('file:') ? `file:${resolve(folder, reference.slice('file:'.length))}` : reference;
}

/**
 * A copy of a tenant file's data in which each reference to a secret is replaced by the text that `replaced` returns for it. `place`: the
 * path of the key with the reference.
 */
function withReferences(
  value: unknown,
  path: readonly string[],
  replaced: (place: string, reference: string) => string,
): unknown {
  if (typeof value === 'string') {
    const place = path.join('.');
    return isReferencePlace(place) && isSecretReference(value) ? replaced(place, value) : value;
  }
  if (Array.isArray(value)) return value.map((each, n) => withReferences(each, [...path, String(n)], replaced));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withReferences(each, [...path, key], replaced)]);
  return Object.fromEntries(entries);
}
