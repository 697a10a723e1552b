import { checkDeclared, type Declared } from './declared-tenant.ts';
import type { Problem } from './problems.ts';
import { problemAt } from './schema-problems.ts';
import type { TenantDeclaration } from './tenant-declaration.ts';
import { type LoadOptions, nameIn } from './tenant-file.ts';
import { asYamlFile, parseYamlFile, type YamlFile } from './yaml-file.ts';

/**
 * Paths of the secrets that a person may enter separately from the tenant file's text. The text then needs no references to these secrets.
 */
export const GIVEN_SECRETS = [
  'vendor.apiKey',
  'salesforce.auth.clientSecret',
  'salesforce.auth.privateKey',
  'webhooks.path',
] as const;

/** The texts of a tenant's two files, as a person enters them in the console. */
export type DeclaredTexts = {
  /** The tenant file. */
  readonly text: string;
  /** The mapping file; null if the registry (the ledger's table of tenants) has it already, or if the tenant has none. */
  readonly mapping: string | null;
  /** Values of secrets, by the path of their key. The tenant file's text need not contain these keys. */
  readonly secrets: Readonly<Partial<Record<(typeof GIVEN_SECRETS)[number], string>>>;
};

const FILE = 'the declaration';

/**
 * Reads the texts of a tenant's files for the registry (the ledger's table of tenants). A secret that was entered with the texts is stored
 * encrypted. Other secrets are references: `env:NAME`, an absolute `file:PATH`, or `sealed:PLACE` for a value that the tenant's present
 * declaration stores; `known` returns this declaration. Each problem names the line, the YAML key and the repair, and contains no value.
 */
export function declareText(
  { text, mapping: mappingGiven, secrets: given }: DeclaredTexts,
  known: (tenant: string) => TenantDeclaration | null,
  options: LoadOptions,
): Declared | { readonly problems: readonly Problem[] } {
  const parsed = parseYamlFile(FILE, text);
  if ('problems' in parsed) return parsed;
  const { yaml } = parsed;
  const content = structuredClone(yaml.data) as Record<string, unknown>;
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    return { problems: [{ file: FILE, line: 1, message: 'this is no tenant file: begin with tenant: NAME' }] };
  for (const place of Object.keys(given)) setAt(content, place.split('.'), `sealed:${place}`);
  const before = known(nameIn(content));
  const isNamed = (content['mapping'] ?? 'default') !== 'default';
  const mapping = mappingGiven ?? (isNamed ? (before?.mapping ?? null) : null);
  const problem = mappingProblem(yaml, content, mapping);
  if (problem !== null) return { problems: [problem] };
  const secrets = sealedOf(content, { ...before?.secrets, ...given });
  const declaration = { content, mapping, secrets };
  const checked = checkDeclared({ ...yaml, ...asYamlFile(FILE, content), lineOf: yaml.lineOf }, declaration, options);
  if ('problems' in checked) return checked;
  return { tenant: checked.loaded.tenant.tenant, file: FILE, declaration };
}

/** Sets a text at a path, and creates the sections that are missing on the way. */
function setAt(content: Record<string, unknown>, path: readonly string[], value: string): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) {
    content[key] = value;
    return;
  }
  const section = content[key];
  const isSection = typeof section === 'object' && section !== null && !Array.isArray(section);
  const next: Record<string, unknown> = isSection ? (section as Record<string, unknown>) : {};
  content[key] = next;
  setAt(next, rest, value);
}

/**
 * Returns a problem if the tenant file names a mapping file whose text was not given. If a text was given but the tenant file names no
 * mapping file, the name `<tenant>.mapping.yaml` is put into `content`.
 */
function mappingProblem(yaml: YamlFile, content: Record<string, unknown>, mapping: string | null): Problem | null {
  const { mapping: name = 'default' } = content;
  if (mapping === null)
    return name === 'default'
      ? null
      : problemAt(yaml, ['mapping'], 'names a mapping file: give its text as well, or write default');
  if (name === 'default') content['mapping'] = `${nameIn(content)}.mapping.yaml`;
  return null;
}

/** The values of those secrets that the content refers to as `sealed:PLACE`. */
function sealedOf(content: unknown, values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const found = [...JSON.stringify(content).matchAll(/"sealed:([\w.]+)"/g)];
  const places = new Set(found.map(([, place]) => place));
  return Object.fromEntries(Object.entries(values).filter(([place]) => places.has(place)));
}
