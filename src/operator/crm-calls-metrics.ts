import { Gauge, type Registry } from 'prom-client';
import type { Ledger } from '../ledger/ledger.ts';
import type { Tenant } from '../platform/tenant.ts';
import { crmCallsToday } from './crm-calls.ts';

export type CallGauges = {
  readonly made: Gauge<'tenant'>;
  readonly allowed: Gauge<'tenant'>;
  readonly held: Gauge<'tenant' | 'lane'>;
};

/** What Prometheus is told of the tenants' shares of their orgs' daily API calls. */
export function callGauges(registry: Registry): CallGauges {
  const registers = [registry];
  return {
    made: new Gauge({
      registers,
      labelNames: ['tenant'],
      name: 'lockstep_crm_calls',
      help: 'Our API calls to the org within a day.',
    }),
    allowed: new Gauge({
      registers,
      labelNames: ['tenant'],
      name: 'lockstep_crm_calls_allowed',
      help: 'How many calls within a day the share of a tenant allows.',
    }),
    held: new Gauge({
      registers,
      labelNames: ['tenant', 'lane'],
      name: 'lockstep_crm_calls_held',
      help: '1 where work of this kind waits for room in the share, or makes its calls seldom.',
    }),
  };
}

type Sharing = Pick<Tenant, 'tenant'> & { readonly salesforce: Pick<Tenant['salesforce'], 'apiShare'> };

/** One statement, however many tenants. Of an org that has told nothing within a day nothing is said. */
export async function showCalls(
  gauges: CallGauges,
  ledger: Pick<Ledger, 'crmUse'>,
  tenants: readonly Sharing[],
  now: string,
): Promise<void> {
  const names = tenants.map(({ tenant }) => tenant);
  const uses = await ledger.crmUse(names, now);
  for (const { tenant, salesforce } of tenants) {
    const calls = crmCallsToday(uses.get(tenant), salesforce.apiShare);
    if (calls === null) continue;
    gauges.made.set({ tenant }, calls.own);
    gauges.allowed.set({ tenant }, calls.allowed);
    for (const [lane, verdict] of Object.entries(calls.lanes))
      gauges.held.set({ tenant, lane }, verdict === 'goes' ? 0 : 1);
  }
}
