import type { StageRow } from '../record/mapping-config.ts';
import type { StatusName } from '../values/status.ts';

/**
 * Salesforce's standard sales process and the vendor status each stage stands for (sales spec 2.2). `VALIDATED`,
 * `ESTABLISHED` and `LOST` are names: their codes are not shown by the spec and come from the tenant's values.
 * One row per status is `inbound`: the stage the CRM moves to when the vendor reports that status. The first row
 * is where a vendor-created deal begins when its status names no stage.
 */
export const DEFAULT_STAGES: readonly (StageRow & { readonly status: StatusName })[] = [
  { stage: 'Prospecting', status: 'LEAD_OPEN', inbound: true },
  { stage: 'Qualification', status: 'QUALIFIED', inbound: true },
  { stage: 'Needs Analysis', status: 'ACCEPTED', inbound: true },
  { stage: 'Value Proposition', status: 'OPPY_OPEN', inbound: true },
  { stage: 'Id. Decision Makers', status: 'OPPY_OPEN', inbound: false },
  { stage: 'Perception Analysis', status: 'OPPY_OPEN', inbound: false },
  { stage: 'Proposal/Price Quote', status: 'VALIDATED', inbound: true },
  { stage: 'Negotiation/Review', status: 'ESTABLISHED', inbound: true },
  { stage: 'Closed Won', status: 'WON', inbound: true },
  { stage: 'Closed Lost', status: 'LOST', inbound: true },
];
