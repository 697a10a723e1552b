import type { Observed } from '../../record/canonical.ts';
import type { CrmCreate, CrmFields, CrmGraph, CrmValue } from '../../record/crm-graph.ts';
import type { VendorObservation } from '../../record/observation.ts';
import { calendarDate } from '../../values/date.ts';
import { inboundStage, isClosing } from '../../values/status.ts';
import type { MappingConfig } from '../config.ts';
import { contactOfVendor, contactRow } from '../kinds/contacts.ts';
import { accountOfEntity } from '../kinds/entity.ts';
import { newLineRow, withAllFields } from '../kinds/lines.ts';
import { OPPORTUNITY_FIELD_NAMES, OPPORTUNITY_FIELDS, STATUS_FIELD } from './fields.ts';

/**
 * The CRM record of a vendor-created deal (sales spec 2.8). The CRM requires what the vendor may lack: a missing name
 * becomes `Vendor deal <vendor id>`, a missing close date the date of the read, and a status without a stage (or
 * one that would close the deal unasked) the first stage of the table. Lines without an offer are left out. The
 * currency is given only where it differs from the tenant's, as an org with one currency has no such field. Pure.
 */
export function crmCreate(vendor: VendorObservation, config: MappingConfig): CrmCreate {
  const { record } = vendor;
  const { customerLegalEntity: entity, offerLines, customerContacts } = record;
  const lines = (offerLines ?? []).filter((line) => line.offerNameId !== null);
  return {
    vendorId: vendor.vendorId,
    opportunity: {
      ...setFields(record),
      Name: record.name || `Vendor deal ${vendor.vendorId}`,
      CloseDate: record.closeDate || calendarDate(vendor.readAt, config.zone),
      StageName: stageOf(record, config),
      Vendor_Share__c: true,
      ...(record.status ? { [STATUS_FIELD]: record.status } : {}),
      ...(record.currency && record.currency !== config.currency ? { CurrencyIsoCode: record.currency } : {}),
    },
    account: entity ? accountOfEntity(entity, record.customerSiteId ?? null) : null,
    lines: lines.map(newLineRow),
    contacts: (customerContacts ?? []).map(contactOfVendor),
  };
}

/** What of the graph is known to read once an import in the CRM is applied. Pure. */
export function afterCrmCreate(create: CrmCreate): CrmGraph {
  return {
    opportunity: create.opportunity,
    account: create.account,
    lines: create.lines.map(withAllFields),
    contacts: create.contacts.map(contactRow),
    owner: null,
    sync: null,
    readAt: '',
  };
}

function setFields(record: Observed): CrmFields {
  const fields: Record<string, CrmValue> = {};
  for (const field of OPPORTUNITY_FIELD_NAMES) {
    const value = record[field];
    const text = typeof value === 'object' && value !== null ? value.join(';') : value;
    if (text) fields[OPPORTUNITY_FIELDS[field]] = text;
  }
  return fields;
}

function stageOf(record: Observed, config: MappingConfig): string | null {
  const { status } = record;
  const closes = status ? isClosing(status, config) && !config.closeFromVendor : false;
  const stage = status && !closes ? inboundStage(status, config) : null;
  return stage ?? config.stages[0]?.stage ?? null;
}
