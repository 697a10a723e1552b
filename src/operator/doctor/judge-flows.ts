import type { Tenant } from '../../platform/tenant.ts';
import type { CrmSetup, FlowState } from '../../salesforce/setup.ts';
import { hidden, type Judgment, ok } from './finding.ts';

/**
 * A flow of the CRM package. `without`: what does not work while the flow is not active. Null: the flow only sends messages, and the tenant
 * gets change events instead, so the flow should be off.
 */
export type FlowNeed = { readonly name: string; readonly without: string | null };

/** The flows of the CRM package that matter for a tenant, by the tenant's settings. */
export function flowsOf({ salesforce, mapping, notify, orders }: Tenant): readonly FlowNeed[] {
  const hasLeads = mapping.leads !== undefined;
  const usesMessages = salesforce.changes !== 'pubsub';
  const ringsBells = [notify.owner, orders.notifyOwner].includes('bell');
  const claimed = 'a vendor id that a user with Lockstep_Claim enters waits (unproven-claim)';
  const sends = (name: string, without: string, isUsed = true): readonly FlowNeed[] =>
    isUsed ? [{ name, without: usesMessages ? without : null }] : [];
  const needs = (name: string, without: string, isUsed = true): readonly FlowNeed[] =>
    isUsed ? [{ name, without }] : [];
  return [
    ...sends('Lockstep_Opportunity_Changed', 'changes of the CRM wait for the sweep'),
    ...sends('Lockstep_Lead_Changed', 'changes of leads wait for the sweep', hasLeads),
    ...sends('Lockstep_Order_Search_Created', 'searches of "Find order" wait for the sweep'),
    ...sends('Lockstep_Found_Order_Ticked', 'orders that a user ticks wait for the sweep'),
    ...needs('Lockstep_Ring_Owner', 'owners get no bell notification, and their notices are lost', ringsBells),
    ...needs('Lockstep_Sync_Many', '"Sync now" of several deals, and "Retry", do nothing'),
    ...needs('Lockstep_Sync_Many_Leads', '"Sync now" and "Retry" of several leads do nothing', hasLeads),
    ...needs('Lockstep_Vendor_Claim', claimed),
    ...needs('Lockstep_Lead_Vendor_Claim', claimed, hasLeads),
  ];
}

/**
 * Judges the flows of the CRM package: one finding for each flow that is active but should not be, or should be active but is not. `states`
 * is null if the integration user may not see flows. The only judgment is then `skipped`.
 */
export function judgeFlows(states: CrmSetup['flows'], needs: readonly FlowNeed[]): readonly Judgment[] {
  if (states === null) {
    const names = needs.flatMap(({ name, without }) => (without === null ? [] : [name])).join(', ');
    return [hidden('the org shows us no flows', `under Setup, Flows: ${names} are to be active`)];
  }
  const found = needs.flatMap((need) => judgeFlow(need, states.get(need.name) ?? 'missing'));
  return found.length > 0 ? found : [ok('the flows of the package are as this tenant needs them')];
}

function judgeFlow({ name, without }: FlowNeed, state: FlowState): readonly Judgment[] {
  if (without === null) {
    if (state !== 'active') return [];
    return [
      {
        verdict: 'warns',
        what: `the flow ${name} is active although changes come as change events: each save is looked at twice`,
        repair: 'deactivate it under Setup, Flows, or set salesforce.changes to both',
      },
    ];
  }
  if (state === 'active') return [];
  return [
    {
      verdict: 'warns',
      what: `the flow ${name} is ${state}: ${without}`,
      repair: state === 'missing' ? 'deploy the package' : 'activate it under Setup, Flows',
    },
  ];
}
