import { namesShown } from '../operator/tenants/tenant-state.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Roster } from '../platform/tenant-roster.ts';
import { CliError } from './exit.ts';

/**
 * The tenant with this name; without a name, the only tenant. Throws CliError if there is no such tenant, or if no name is given and there
 * are several.
 */
export function chooseTenant({ served, unavailable, removed }: Roster, name: string | undefined): Tenant {
  const names = namesShown([...served.keys()]) || 'none; declare one with lockstep tenants add FILE';
  const [only] = served.values();
  // A tenant with a usable file is served, even if its declaration in the registry has problems. So it does not count as unavailable.
  const others = [...unavailable.keys()].filter((one) => !served.has(one));
  if (name === undefined && (served.size > 1 || (served.size === 1 && others.length > 0))) {
    throw new CliError(`There are several tenants; name one with --tenant: ${names}.`);
  }
  const found = name === undefined ? only : served.get(name);
  if (found !== undefined) return found.tenant;
  const reason = unavailable.get(name ?? '');
  if (reason !== undefined) throw new CliError(`The tenant ${name} cannot be served here: ${reason}.`);
  if (name !== undefined && removed.has(name))
    throw new CliError(`The tenant ${name} was removed: lockstep tenants add FILE takes it up again.`);
  throw new CliError(`There is no tenant "${name ?? ''}"; known: ${names}.`);
}
