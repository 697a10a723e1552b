import { unsetOf } from '../mapping/index.ts';
import { sameValue } from '../mapping/same-value.ts';
import type { Base } from '../record/base.ts';
import type { FieldName } from '../record/canonical.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { CrmObservation } from '../record/observation.ts';
import { statusesOfStage } from '../values/status.ts';
import { readText } from '../values/text.ts';

/**
 * The CRM's record as read, in the form in which it is compared with the base (last agreed values) of a deal that the vendor has, too.
 * Pure.
 *
 * - The tenant's stage table may map several vendor statuses to one CRM stage. If the agreed status is one of them, the record gets the
 *   agreed status, so that the vendor's status stays. A move to another stage is an edit.
 * - The tenant's default offer (vendor's product) is left out of a lead. Lockstep sends this offer when it creates the vendor's record of a
 *   lead without an offer, but the lead has no such line.
 * - If the CRM refused to store a value of the deal's former lead in the opportunity, the field is left out as long as it is empty on the
 *   opportunity, or as long as it has the close date that Salesforce chose.
 */
export function linkedReading(shown: CrmObservation, base: Base | null, config: MappingConfig): CrmObservation {
  const own = withoutDefaultOffer(shown);
  if (base === null) return own;
  const crm = withoutLeftOnLead(own, base, config);
  // A write without an answer may have reached the CRM, so the status that it sent is a candidate too.
  const uncertain = base.inDoubtCrmWrites?.sent.map((one) => one.crm.status) ?? [];
  return withStatus(crm, [...uncertain.toReversed(), base.crm.status], config);
}

function withoutDefaultOffer(crm: CrmObservation): CrmObservation {
  if (crm.graph.lead?.namesOffer !== false) return crm;
  const { offerLines: _, ...record } = crm.record;
  return { ...crm, record };
}

function withoutLeftOnLead(crm: CrmObservation, { leftOnLead }: Base, config: MappingConfig): CrmObservation {
  if (leftOnLead === undefined) return crm;
  const isUnset = (field: FieldName): boolean => sameValue(field, crm.record[field], unsetOf(field), config);
  const isChosen = (field: FieldName): boolean => field === 'closeDate' && crm.record[field] === leftOnLead.closeDate;
  const left: readonly string[] = leftOnLead.edited.filter((field) => isUnset(field) || isChosen(field));
  const record = Object.fromEntries(Object.entries(crm.record).filter(([field]) => !left.includes(field)));
  return { ...crm, record: record as CrmObservation['record'] };
}

/**
 * The CRM's record as read, with a vendor status for its stage: the first of the statuses in `candidates` that the tenant's stage table
 * maps to the stage. The record is unchanged if no candidate fits. Pure.
 */
export function withStatus(crm: CrmObservation, candidates: readonly unknown[], config: MappingConfig): CrmObservation {
  const stage = readText(crm.graph.opportunity['StageName']);
  if (!stage || crm.record.status === undefined) return crm;
  const statuses = statusesOfStage(stage, config);
  const status = candidates.find((code): code is string => typeof code === 'string' && statuses.includes(code));
  return status === undefined ? crm : { ...crm, record: { ...crm.record, status } };
}
