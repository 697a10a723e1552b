import type { Base } from '../record/base.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { CrmObservation } from '../record/observation.ts';
import { statusesOfStage } from '../values/status.ts';
import { readText } from '../values/text.ts';

/**
 * The CRM reading with the status that both sides agreed on, if the stage table has a row for it and the opportunity's stage. So a stage
 * that stands for several statuses keeps the one that the vendor gave the deal, and a move to another stage is an edit. Pure.
 */
export function withAgreedStatus(crm: CrmObservation, base: Base | null, config: MappingConfig): CrmObservation {
  if (base === null) return crm;
  // A write without an answer may have reached the CRM.
  const uncertain = base.inDoubtCrmWrites?.sent.map((one) => one.crm.status) ?? [];
  return withStatus(crm, [...uncertain.toReversed(), base.crm.status], config);
}

/** The CRM reading with the first of these statuses for which the stage table has a row with the opportunity's stage. Pure. */
export function withStatus(crm: CrmObservation, candidates: readonly unknown[], config: MappingConfig): CrmObservation {
  const stage = readText(crm.graph.opportunity['StageName']);
  if (!stage || crm.record.status === undefined) return crm;
  const statuses = statusesOfStage(stage, config);
  const status = candidates.find((code): code is string => typeof code === 'string' && statuses.includes(code));
  return status === undefined ? crm : { ...crm, record: { ...crm.record, status } };
}
