import { createHash } from 'node:crypto';
import type { TenantDeclaration } from '../../platform/tenant-declaration.ts';

/** Where what binds them stands among the sealed secrets. No place of a tenant file is called so. */
const BOUND = '(declaration)';

/**
 * The secrets of a declaration as they are sealed: with a digest of all that decides where they go, so that whoever can write the
 * database, and has no sealing key, can change no address beside them, and put back no earlier version of either.
 */
export function boundSecrets(declaration: TenantDeclaration, version: number): Record<string, string> {
  return { ...declaration.secrets, [BOUND]: digestOf(declaration, version) };
}

/** The secrets, where they were sealed for just this declaration in this version; else null. */
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

/** The same data with its keys in order: the database gives them back in another. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return members.map(([name, member]) => [name, ordered(member)]);
}
