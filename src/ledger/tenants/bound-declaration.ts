import { createHash } from 'node:crypto';
import type { TenantDeclaration } from '../../platform/tenant-declaration.ts';

/**
 * The name under which a digest (hash) of the tenant's declaration is stored among the declaration's encrypted secrets. No field of a
 * tenant file has this name.
 */
const BOUND = '(declaration)';

/**
 * Adds to the secrets of a tenant's declaration, before they are encrypted, a digest of all settings that decide where the secrets are
 * sent. So an attacker who can write to the database, but has no sealing key (encryption key), can neither change an address nor restore an
 * earlier version.
 */
export function boundSecrets(declaration: TenantDeclaration, version: number): Record<string, string> {
  return { ...declaration.secrets, [BOUND]: digestOf(declaration, version) };
}

/**
 * The decrypted secrets of a tenant's declaration, without the digest that was stored with them. Null if the digest does not match the
 * declaration, because the secrets belong to another declaration or version.
 */
export function unboundSecrets(
  sealed: Readonly<Record<string, string>>,
  declaration: Omit<TenantDeclaration, 'secrets'>,
  version: number,
): Readonly<Record<string, string>> | null {
  const { [BOUND]: bound, ...secrets } = sealed;
  return bound === digestOf(declaration, version) ? secrets : null;
}

function digestOf({ content, mapping }: Omit<TenantDeclaration, 'secrets'>, version: number): string {
  return createHash('sha256')
    .update(JSON.stringify([version, mapping, ordered(content)]))
    .digest('hex');
}

/**
 * A copy of a JSON value in which the keys of objects are sorted. The digest depends on the order of the keys, and PostgreSQL returns them
 * in another order than it got them.
 */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([name, member]) => [name, ordered(member)]);
}
