import type { TenantLedger } from '../../ledger/tenants/tenant-ledger.ts';
import { reportedSince } from '../../platform/live-roster.ts';
import { type Check, ok } from './finding.ts';

type RegistryPorts = {
  readonly ledger: () => Promise<Pick<TenantLedger, 'unavailableTenants'>>;
  readonly now: () => string;
};

/**
 * Makes a check whether every worker and receiver can serve all tenants or, if `name` is not null, the tenant `name`. Other checks skip a
 * tenant that cannot be served, so they would not show it.
 */
export function registryCheck({ ledger, now }: RegistryPorts, name: string | null): Check {
  return {
    check: 'tenants',
    tenant: null,
    repair: 'start PostgreSQL, set DATABASE_URL, or run lockstep migrate',
    run: async () => {
      const reported = await (await ledger()).unavailableTenants(reportedSince(now()));
      const found = reported.filter(({ tenant }) => name === null || tenant === name);
      if (found.length === 0) return [ok('served by every worker and receiver')];
      return found.map(({ tenant, process, reason }) => ({
        verdict: 'fails',
        what: `${process} cannot serve ${tenant}: ${reason}`,
        repair: `give that process what it lacks, or correct the file: lockstep tenants apply FILE --yes`,
      }));
    },
  };
}
