import { toCustomerContact, toLegalEntity, toOfferLine, withoutUndefined } from './creation.ts';
import { nextModifiedDate, toVendorInstant } from './dates.ts';
import { forecastAfterChange } from './forecast.ts';
import type { CoreFields, LeadOpportunity } from './lead-opportunity.ts';
import { mergeByKey, mergeLines } from './merge-arrays.ts';
import type { VendorBehaviour } from './options.ts';
import { accepted, type Checked } from './problem.ts';
import type { UpdateBody } from './schemas.ts';

/**
 * The record after a checked update request (sales spec 4.2): absent fields stay, `''` clears a text. Arrays and the legal entity follow
 * `patchArrays`. Every accepted update moves `modifiedDate`.
 */
export function updateFromRequest(
  record: LeadOpportunity,
  body: UpdateBody,
  now: Date,
  behaviour: VendorBehaviour,
): Checked<LeadOpportunity> {
  const core = changedCore(record.core, body.leadOpportunity, behaviour.lostStatus);
  if (!core.ok) return core;
  return accepted({
    ...record,
    core: core.value,
    ...changedParts(record, body, behaviour.patchArrays),
    modifiedDate: nextModifiedDate(record.modifiedDate, now),
  });
}

function changedCore(
  before: CoreFields,
  given: UpdateBody['leadOpportunity'],
  lostStatus: string,
): Checked<CoreFields> {
  const status = given.status ?? before.status;
  const forecast = forecastAfterChange(before, status, given.forecastCategory, lostStatus);
  if (!forecast.ok) return forecast;
  const { closeDate, nextMilestoneDate, ...rest } = given;
  return accepted({
    ...before,
    ...withoutUndefined(rest),
    ...(closeDate !== undefined && { closeDate: toVendorInstant(closeDate) }),
    ...(nextMilestoneDate !== undefined && { nextMilestoneDate: toVendorInstant(nextMilestoneDate) }),
    forecastCategory: forecast.value,
  });
}

type Parts = Pick<LeadOpportunity, 'offerLines' | 'customerContacts' | 'partnerContacts' | 'customerLegalEntity'>;

function changedParts(record: LeadOpportunity, body: UpdateBody, mode: 'replace' | 'merge'): Partial<Parts> {
  const { offerLines, customerContacts, partnerContacts, customerLegalEntity: entity } = body;
  if (mode === 'replace') {
    return {
      ...(offerLines !== undefined && { offerLines: offerLines.map(toOfferLine) }),
      ...(customerContacts !== undefined && { customerContacts: customerContacts.map(toCustomerContact) }),
      ...(partnerContacts !== undefined && { partnerContacts }),
      ...(entity !== undefined && { customerLegalEntity: toLegalEntity(entity) }),
    };
  }
  return {
    ...(offerLines !== undefined && { offerLines: mergeLines(record.offerLines, offerLines) }),
    ...(customerContacts !== undefined && {
      customerContacts: mergeByKey(record.customerContacts, customerContacts, (contact) => contact.email).map(
        toCustomerContact,
      ),
    }),
    ...(partnerContacts !== undefined && {
      partnerContacts: mergeByKey(record.partnerContacts, partnerContacts, (contact) => contact.salesRepEmail),
    }),
    ...(entity !== undefined && {
      customerLegalEntity: toLegalEntity({ ...record.customerLegalEntity, ...withoutUndefined(entity) }),
    }),
  };
}
