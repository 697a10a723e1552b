import { cancellationSignal, log } from '@temporalio/activity';
import { isToBeConverted } from '../../src/domain/mapping/leads/lead-conversion.ts';
import type { CrmGraph } from '../../src/domain/record/crm-graph.ts';
import { ISSUES } from '../../src/domain/record/issues.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { stateOf } from '../../src/domain/record/link-state.ts';
import type { Plan } from '../../src/domain/record/plan.ts';
import { scopeOf } from '../../src/domain/record/scope.ts';
import { CrmError } from '../../src/salesforce/errors.ts';
import type { TenantRuntime } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';

/**
 * Kinds of Salesforce errors after which only a person can make the conversion of a lead possible. After any other error, the conversion is
 * tried again.
 */
const REFUSALS: ReadonlySet<string> = new Set(['permanent', 'schema-mismatch', 'unknown', 'gone']);

/**
 * If a decision has one of these next steps, the deal's lead may be converted in Salesforce first. A write to the vendor is not among them.
 * It must be sent before the conversion, because the conversion may empty fields whose edits the vendor does not have yet.
 */
const BEFORE_CONVERSION: ReadonlySet<Plan['next']> = new Set(['nothing', 'write-crm']);

/**
 * Converts the deal's lead in Salesforce, if the vendor has made the lead an opportunity and the tenant wants conversions. Returns
 * `converted`. Otherwise returns the plan, with an additional issue if Salesforce refused. `graph`: the lead as it was read for the plan.
 */
export async function convertIfWanted(
  { crm: remote, tenant }: TenantRuntime,
  link: Link,
  graph: CrmGraph | null,
  plan: Plan,
): Promise<'converted' | Plan> {
  if (graph === null || link.crmId === null || !isToBeConverted(link, tenant.mapping)) return plan;
  const isLead = graph.lead?.isConverted === false && scopeOf(graph.opportunity).inScope;
  if (!isLead || !BEFORE_CONVERSION.has(plan.next)) return plan;
  const lead = { leadId: link.crmId, opportunityName: String(graph.opportunity['Name']) };
  try {
    await remote.convertLead(lead, { signal: cancellationSignal() });
    return 'converted';
  } catch (error) {
    if (!(error instanceof CrmError) || !REFUSALS.has(error.kind)) throw toFailure(error);
    log.warn('Salesforce refused to convert a lead', { tenant: link.tenant, code: error.code });
    const issues = [...plan.issues, ISSUES.leadNotConverted(error.code, error.fields)];
    return { ...plan, issues, stateAfter: stateOf(issues) };
  }
}
