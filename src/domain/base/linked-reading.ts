import type { Base } from '../record/base.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { CrmObservation } from '../record/observation.ts';
import { statusesOfStage } from '../values/status.ts';
import { readText } from '../values/text.ts';

/**
 * The CRM reading of a deal that the vendor has, as it is compared with the last agreed values (`base`). Pure.
 *
 * - A stage that stands for several statuses has the agreed one. So the status that the vendor gave the deal stays, and a move to another
 *   stage is an edit.
 * - The tenant's default offer is no line of a lead. It is for the create, and only the vendor changes the lines afterwards.
 */
export function linkedReading(shown: CrmObservation, base: Base | null, config: MappingConfig): CrmObservation {
  const crm = withoutDefaultOffer(shown);
  if (base === null) return crm;
  // A write without an answer may have reached the CRM.
  const uncertain = base.inDoubtCrmWrites?.sent.map((one) => one.crm.status) ?? [];
  return withStatus(crm, [...uncertain.toReversed(), base.crm.status], config);
}

function withoutDefaultOffer(crm: CrmObservation): CrmObservation {
  if (crm.graph.lead?.namesOffer !== false) return crm;
  const { offerLines: _, ...record } = crm.record;
  return { ...crm, record };
}

/** The CRM reading with the first of these statuses for which the stage table has a row with the opportunity's stage. Pure. */
export function withStatus(crm: CrmObservation, candidates: readonly unknown[], config: MappingConfig): CrmObservation {
  const stage = readText(crm.graph.opportunity['StageName']);
  if (!stage || crm.record.status === undefined) return crm;
  const statuses = statusesOfStage(stage, config);
  const status = candidates.find((code): code is string => typeof code === 'string' && statuses.includes(code));
  return status === undefined ? crm : { ...crm, record: { ...crm.record, status } };
}
