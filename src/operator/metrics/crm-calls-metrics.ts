import type { BudgetLedger } from '../../ledger/quota/quota-ledger.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { crmCallsToday } from '../status/crm-calls.ts';
import type { Gauge, GaugeText } from './gauge-text.ts';

export type CallGauges = {
  readonly made: Gauge<'tenant'>;
  readonly allowed: Gauge<'tenant'>;
  readonly held: Gauge<'tenant' | 'purpose'>;
};

/**
 * Creates the Prometheus gauges about Lockstep's API calls to each tenant's org, compared with the part of the org's daily limit that
 * Lockstep may use.
 */
export function callGauges({ gauge }: GaugeText): CallGauges {
  return {
    made: gauge('lockstep_crm_calls', 'Salesforce API calls of Lockstep within a day.', 'tenant'),
    allowed: gauge(
      'lockstep_crm_calls_allowed',
      'Salesforce API calls that the share of a tenant allows within a day.',
      'tenant',
    ),
    held: gauge(
      'lockstep_crm_calls_held',
      '1 while work of this kind waits for free API calls or makes fewer of them.',
      'tenant',
      'purpose',
    ),
  };
}

type Sharing = Pick<Tenant, 'tenant'> & { readonly salesforce: Pick<Tenant['salesforce'], 'apiShare'> };

/**
 * Sets the gauges for all tenants, with one SQL statement. A tenant whose org has reported no number of calls within a day gets no gauges.
 */
export async function showCalls(
  gauges: CallGauges,
  ledger: Pick<BudgetLedger, 'crmUse'>,
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
    for (const [purpose, verdict] of Object.entries(calls.purposes))
      gauges.held.set({ tenant, purpose }, verdict === 'goes' ? 0 : 1);
  }
}
