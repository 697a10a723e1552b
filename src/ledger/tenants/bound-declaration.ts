import { createHash } from 'node:crypto';
import type { TenantDeclaration } from '../../platform/tenant-declaration.ts';

/** The name, among a declaration's encrypted secrets, of a digest of the declaration. No field of a tenant file has this name. */
const BOUND = '(declaration)';

/**
 * A declaration's secrets, to be encrypted together with a digest of everything that decides where they are sent. So somebody who can write
 * to the database but has no sealing key (encryption key) can neither change an address nor restore an earlier version.
 */
export function boundSecrets(declaration: TenantDeclaration, version: number): Record<string, string> {
  return { ...declaration.secrets, [BOUND]: digestOf(declaration, version) };
}

/** The secrets of a declaration without the digest; null if they were encrypted for another declaration or version. */
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

/** A copy of a JSON value with sorted keys, because the database returns keys in another order and the digest depends on it. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([name, member]) => [name, ordered(member)]);
}
