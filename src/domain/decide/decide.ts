import { baseAfterCreate } from '../base/base.ts';
import { pairLines } from '../lines/pair-lines.ts';
import { createBody } from '../mapping/index.ts';
import type { CrmGraph } from '../record/crm-graph.ts';
import { ISSUES } from '../record/issues.ts';
import { stateOf } from '../record/link-state.ts';
import type { CrmObservation } from '../record/observation.ts';
import { scopeOf } from '../record/scope.ts';
import { decideImport } from './decide-import.ts';
import { decideLinked, isRefused } from './decide-linked.ts';
import type { DecideInput } from './input.ts';
import { idle, parked } from './no-write.ts';
import type { Plan } from './plan.ts';

/**
 * The one decision: what to do next about one record, given what is known of both sides. Pure and total; it is
 * asked again after every step, so it never plans more than one write.
 */
export function decide(input: DecideInput): Plan {
  const scope = typeof input.crm === 'string' ? null : scopeOf(input.crm.graph.opportunity);
  if (scope?.inScope === false) return idle(input, 'detached', scope.reason, 'detached', []);
  if (input.vendor === 'missing') return vendorMissing(input);
  if (input.crm === 'none') return decideImport(input, input.vendor);
  if (input.crm === 'missing') return decideWithoutCrmRecord(input);
  if (input.link.vendorId === null) return decideCreate(input, input.crm);
  return decideLinked(input, input.crm, input.vendor, input.link.crmId ?? opportunityId(input.crm.graph));
}

/** ERROR_048, echo by a search (sales spec 5): never created again. */
function vendorMissing(input: DecideInput): Plan {
  return idle(input, 'parked', 'gone at the vendor', 'vendor-missing', [ISSUES.vendorMissing()]);
}

function decideWithoutCrmRecord(input: DecideInput): Plan {
  if (input.link.vendorId === null || input.link.base !== null) {
    return idle(input, 'detached', 'the opportunity does not exist in the CRM', 'detached', []);
  }
  return parked(input, [ISSUES.referenceNotInCrm()]);
}

function decideCreate(input: DecideInput, crm: CrmObservation): Plan {
  const reference = opportunityId(crm.graph);
  if (input.link.vendorUncertain === 'create' || input.link.adoptingSince !== null) {
    return idle(input, 'search-vendor', 'a create may have been applied', 'pending', input.link.issues);
  }
  const made = createBody(crm.record, { reference, config: input.config });
  const issues = [...crm.issues, ...made.issues];
  if (made.intent === null) return parked(input, issues);
  if (isRefused(made.intent.body, input.link.refusedFingerprint, 'vendor-refused', input))
    return parked(input, input.link.issues);
  const sentLines = made.intent.record.offerLines ?? [];
  const linePairs = pairLines(crm.record.offerLines ?? [], sentLines, []);
  return {
    next: 'create-at-vendor',
    reason: 'not yet at the vendor',
    toVendor: made.intent,
    toCrm: null,
    createInCrm: null,
    decisions: [],
    issues,
    baseBefore: input.link.base,
    baseAfter: baseAfterCreate(crm, made.intent, linePairs),
    stateAfter: stateOf(issues),
  };
}

function opportunityId(graph: CrmGraph): string {
  return String(graph.opportunity['Id']);
}
