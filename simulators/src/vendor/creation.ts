import { toVendorInstant } from './dates.ts';
import { forecastAtCreation } from './forecast.ts';
import {
  type CustomerContact,
  type LeadOpportunity,
  type LegalEntity,
  type OfferLine,
  READ_ONLY_TEXTS,
  UNSET_CORE,
  UNSET_LEGAL_ENTITY,
} from './lead-opportunity.ts';
import type { VendorBehaviour } from './options.ts';
import { accepted, type Checked } from './problem.ts';
import type { CreateBody } from './schemas.ts';

/** The default reason of a new record (sales spec 2.1). */
const DEFAULT_REASON_WON = 'STRNG_VAL_PROP';

/** Values of a new record that its request does not contain. */
export type CreationContext = {
  readonly dsLeadOpportunityId: string;
  /** The partner whose key was used. */
  readonly partnerId: string;
  readonly now: Date;
  readonly behaviour: VendorBehaviour;
};

/** The record that a checked create request makes, with the defaults of sales spec 2.1 and 2.3. */
export function createFromRequest(body: CreateBody, context: CreationContext): Checked<LeadOpportunity> {
  const { behaviour, now, partnerId, dsLeadOpportunityId } = context;
  const given = body.leadOpportunity;
  const forecast = forecastAtCreation(given.status, given.forecastCategory, behaviour.lostStatus);
  if (!forecast.ok) return forecast;
  const stamp = now.toISOString();
  return accepted({
    dsLeadOpportunityId,
    partnerId,
    core: {
      ...UNSET_CORE,
      ...withoutUndefined(given),
      dsOwnerEmail: given.dsOwnerEmail ?? behaviour.ownerEmail,
      forecastCategory: forecast.value,
      closeDate: toVendorInstant(given.closeDate),
      nextMilestoneDate: given.nextMilestoneDate === undefined ? null : toVendorInstant(given.nextMilestoneDate),
      reasonWon: given.reasonWon ?? [DEFAULT_REASON_WON],
      reasonLost: given.reasonLost ?? [behaviour.noProjectReason],
    },
    readOnly: READ_ONLY_TEXTS,
    createdDate: stamp,
    modifiedDate: stamp,
    offerLines: body.offerLines.map(toOfferLine),
    customerLegalEntity: toLegalEntity(body.customerLegalEntity),
    customerContacts: (body.customerContacts ?? []).map(toCustomerContact),
    partnerContacts: body.partnerContacts ?? [],
  });
}

type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** A line with its unset keys filled in. */
export function toOfferLine(line: Loose<OfferLine> & { readonly offerNameId: string }): OfferLine {
  return {
    amount: line.amount ?? null,
    offerNameId: line.offerNameId,
    revenueType: line.revenueType ?? null,
  };
}

/** A legal entity with its unset keys filled in. */
export function toLegalEntity(entity: Loose<LegalEntity>): LegalEntity {
  return { ...UNSET_LEGAL_ENTITY, ...withoutUndefined(entity) };
}

type ContactInput = Loose<CustomerContact> & Pick<CustomerContact, 'email' | 'firstName' | 'lastName'>;

/** A contact with its unset keys filled in. */
export function toCustomerContact(contact: ContactInput): CustomerContact {
  return {
    phoneNumber: contact.phoneNumber ?? null,
    salutation: contact.salutation ?? null,
    jobTitle: contact.jobTitle ?? null,
    email: contact.email,
    firstName: contact.firstName,
    lastName: contact.lastName,
  };
}

/** The object without the keys whose value is undefined, so that spreading it overwrites nothing by accident. */
export function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
