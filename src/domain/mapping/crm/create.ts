import type { Observed } from '../../record/canonical.ts';
import type { CrmCreate, CrmGraph } from '../../record/crm-graph.ts';
import type { CrmLimits } from '../../record/crm-limits.ts';
import { FIELD_NAMES } from '../../record/fields.ts';
import type { Issue } from '../../record/issue.ts';
import type { MappingConfig } from '../../record/mapping-config.ts';
import type { VendorObservation } from '../../record/observation.ts';
import { calendarDate } from '../../values/date.ts';
import { inboundStage, isClosing } from '../../values/status.ts';
import { withAllContactFields } from '../kinds/customer-contacts.ts';
import type { NewCrmPart } from '../lens.ts';
import { lensOf } from '../lens-of.ts';
import { cutToFields } from './cut.ts';
import { misfits } from './fit.ts';
import { withAllFields } from './line-rows.ts';

/**
 * The CRM records to create for a vendor-created deal (entered by the vendor's users; sales spec 2.8), with issues about values that were
 * shortened or left out. Required values that the vendor lacks are filled in: a name, the date of the read as close date, and a stage of
 * the tenant's stage table. Pure.
 */
export function crmCreate(
  vendor: VendorObservation,
  config: MappingConfig,
  limits: CrmLimits = {},
): { readonly create: CrmCreate; readonly issues: readonly Issue[] } {
  const { record } = vendor;
  const parts = partsOf(record, config);
  const account = Object.assign({}, ...parts.map((part) => part.account));
  const isLead = config.of === 'lead';
  const create = {
    vendorId: vendor.vendorId,
    ...(isLead ? { as: 'lead' as const } : {}),
    opportunity: {
      ...Object.assign({}, ...parts.map((part) => part.opportunity)),
      Name: record.name || `Vendor deal ${vendor.vendorId}`,
      CloseDate: record.closeDate || calendarDate(vendor.readAt, config.zone),
      StageName: stageOf(record, config, limits),
      Vendor_Share__c: true,
    },
    account: Object.keys(account).length === 0 ? null : account,
    lines: isLead ? [] : parts.flatMap((part) => part.lines ?? []),
    contacts: parts.flatMap((part) => part.contacts ?? []),
  };
  return cutToFields(create, limits);
}

/**
 * The CRM records of a vendor-created deal, as a read will show them after Lockstep has created them. Used while the new records have not
 * been read yet. Pure.
 */
export function afterCrmCreate(create: CrmCreate): CrmGraph {
  return {
    opportunity: create.opportunity,
    account: create.account,
    lines: create.lines.map(withAllFields),
    contacts: create.contacts.map(withAllContactFields),
    owner: null,
    sync: null,
    readAt: '',
  };
}

function partsOf(record: Observed, config: MappingConfig): readonly NewCrmPart[] {
  return FIELD_NAMES.filter((field) => record[field] !== undefined).map((field) =>
    lensOf(field).toNewCrm(record[field], { field, config, record }),
  );
}

/**
 * The stage of a new opportunity, from the vendor's status. If the status has no stage, or its stage would close the deal and the tenant
 * does not allow this, another stage is chosen. It is the first of these stages that the org has: the tenant's import stage, then the
 * stages of the stage table in order.
 */
function stageOf(record: Observed, config: MappingConfig, limits: CrmLimits): string | null {
  const { status } = record;
  const closes = status ? isClosing(status, config) && !config.closeFromVendor : false;
  const named = status && !closes ? inboundStage(status, config) : null;
  if (named !== null) return named;
  const { importStage, stages } = config;
  const usual = [...(importStage === undefined ? [] : [importStage]), ...stages.map(({ stage }) => stage)];
  const isThere = (stage: string): boolean => misfits({ StageName: stage }, limits['Opportunity'], 'create').size === 0;
  return usual.find(isThere) ?? usual[0] ?? null;
}
