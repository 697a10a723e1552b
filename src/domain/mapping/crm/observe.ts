import type { Observed } from '../../record/canonical.ts';
import type { CrmGraph } from '../../record/crm-graph.ts';
import { FIELD_NAMES } from '../../record/fields.ts';
import type { Issue } from '../../record/issue.ts';
import { ISSUES } from '../../record/issues.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import type { CrmObservation } from '../../record/observation.ts';
import { readText } from '../../values/text.ts';
import { isOnLead } from '../leads/lead-fields.ts';
import { lensOf } from '../lens-of.ts';
import { hiddenNames } from './hidden-names.ts';

/**
 * Converts a deal's CRM records to a canonical record (one form for both sides; sales spec 2.1 to 2.7). A field that the integration user
 * cannot read, or whose value has no translation, is left out. Pure.
 */
export function observeCrm(graph: CrmGraph, config: MappingConfig): CrmObservation {
  const currency = currencyOf(graph, config);
  const record: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const field of FIELD_NAMES) {
    if (config.of === 'lead' && !isOnLead(field)) continue;
    const observed = lensOf(field).fromCrm(graph, { field, config, currency });
    if (observed.value !== undefined) record[field] = observed.value;
    const hidden = hiddenNames(field, graph, config);
    issues.push(...(hidden.length === 0 ? observed.issues : [ISSUES.hiddenFromUser(field, hidden)]));
  }
  return { graph, record: record as Observed, issues };
}

/** The currency of a deal. An org with a single currency has no field for the currency; the deal then has the tenant's currency. */
export function currencyOf(graph: CrmGraph, config: MappingConfig): string {
  return readText(graph.opportunity['CurrencyIsoCode']) || config.currency;
}
