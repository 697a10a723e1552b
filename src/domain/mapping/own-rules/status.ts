import type { Text } from '../../record/canonical.ts';
import type { CrmFields, CrmGraph } from '../../record/crm-graph.ts';
import { ISSUES } from '../../record/issues.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import { inboundStage, isClosing, statusOfStage } from '../../values/status.ts';
import { readText } from '../../values/text.ts';
import { CODE } from '../kinds/code.ts';
import { type CrmPart, type CrmTarget, type CrmValueRead, type Lens, readValue, UNKNOWN } from '../lens.ts';

/** The opportunity field in which Lockstep stores the vendor's status code. */
const STATUS_FIELD = 'Vendor_Status__c';

/**
 * Translates the status between the CRM and the vendor. The CRM stores the status twice: as a stage, by the stage table (sales spec 2.2),
 * and as the vendor's code.
 */
export const STATUS: Lens<Text> = {
  ...CODE,
  crmFields: () => ({ Opportunity: ['StageName', STATUS_FIELD] }),
  fromCrm: (graph, { config }) => statusOf(graph.opportunity, config),
  toCrm: writeStatus,
  toNewCrm: (code) => (code ? { opportunity: { [STATUS_FIELD]: code } } : {}),
};

function statusOf(opportunity: CrmFields, config: MappingConfig): CrmValueRead<Text> {
  const stage = readText(opportunity['StageName']);
  if (stage === undefined) return UNKNOWN;
  const code = statusOfStage(String(stage), config);
  return code === null ? { value: undefined, issues: [ISSUES.statusWithoutCode()] } : readValue(code);
}

/**
 * The CRM write of a vendor status: the vendor's code in its own field, and the stage. The stage is left out if it would close the deal and
 * the tenant does not allow the vendor to close deals.
 */
function writeStatus(code: Text, { opportunity }: CrmGraph, { config }: CrmTarget): CrmPart {
  if (code === null || code === '') return {};
  const raw = opportunity[STATUS_FIELD];
  const issues = raw === undefined ? [ISSUES.hiddenFromUser('status', [STATUS_FIELD])] : [];
  const moved = movedStage(code, opportunity['StageName'], config);
  return {
    opportunity: {
      ...(raw === undefined || raw === code ? {} : { [STATUS_FIELD]: code }),
      ...(moved === null ? {} : { StageName: moved }),
    },
    issues,
  };
}

function movedStage(code: string, stage: unknown, config: MappingConfig): string | null {
  if (stage === undefined || (isClosing(code, config) && !config.closeFromVendor)) return null;
  if (statusOfStage(String(stage), config) === code) return null;
  return inboundStage(code, config);
}
