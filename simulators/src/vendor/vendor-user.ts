import { refusal } from '../core/refusal.ts';
import type { LeadOpportunityFields } from './admin-fields.ts';
import { toCustomerContact, toLegalEntity, toOfferLine, withoutUndefined } from './creation.ts';
import { nextModifiedDate } from './dates.ts';
import { forecastAfterChange, forecastAtCreation } from './forecast.ts';
import {
  CORE_LISTS,
  CORE_TEXTS,
  type CoreFields,
  type LeadOpportunity,
  READ_ONLY_TEXTS,
  type ReadOnlyFields,
  UNSET_CORE,
  UNSET_LEGAL_ENTITY,
} from './lead-opportunity.ts';
import type { VendorBehaviour } from './options.ts';
import type { Checked } from './problem.ts';

const DEFAULT_STATUS = 'OPPY_OPEN';
const DEFAULT_CURRENCY = 'EUR';
const DEFAULT_CLOSE_AFTER_MS = 90 * 24 * 3_600_000;

/** Values of a vendor user's record that its fields do not contain. */
export type VendorUserContext = {
  readonly newId: () => string;
  readonly partnerId: string;
  readonly now: Date;
  readonly behaviour: VendorBehaviour;
};

/**
 * A record that a vendor user made: without a partner reference unless the fields give one. Missing fields get plausible values: an open
 * opportunity in 90 days, in euro, of a customer with a name.
 */
export function createAsVendorUser(fields: LeadOpportunityFields, context: VendorUserContext): LeadOpportunity {
  const { behaviour, now } = context;
  const stamp = fields.createdDate ?? now.toISOString();
  const status = fields.status ?? DEFAULT_STATUS;
  const blank: LeadOpportunity = {
    dsLeadOpportunityId: fields.dsLeadOpportunityId ?? context.newId(),
    partnerId: fields.partnerId ?? context.partnerId,
    core: {
      ...UNSET_CORE,
      name: 'New opportunity',
      dsOwnerEmail: behaviour.ownerEmail,
      status,
      forecastCategory: expectForecast(forecastAtCreation(status, undefined, behaviour.lostStatus)),
      closeDate: new Date(now.getTime() + DEFAULT_CLOSE_AFTER_MS).toISOString(),
      currency: DEFAULT_CURRENCY,
    },
    readOnly: READ_ONLY_TEXTS,
    createdDate: stamp,
    modifiedDate: stamp,
    offerLines: [],
    customerLegalEntity: { ...UNSET_LEGAL_ENTITY, name: 'New customer' },
    customerContacts: [],
    partnerContacts: [],
  };
  return { ...withFields(blank, fields), modifiedDate: fields.modifiedDate ?? stamp };
}

/**
 * The record after a vendor user's edit. `modifiedDate` moves to `at`, or else to now. A status that closes the record brings the system's
 * forecast unless the edit sets one.
 */
export function editAsVendorUser(
  record: LeadOpportunity,
  fields: LeadOpportunityFields,
  edit: { readonly at: string | undefined; readonly now: Date; readonly behaviour: VendorBehaviour },
): LeadOpportunity {
  const edited = withFields(record, fields);
  const forecastCategory =
    fields.forecastCategory === undefined
      ? expectForecast(forecastAfterChange(record.core, edited.core.status, undefined, edit.behaviour.lostStatus))
      : fields.forecastCategory;
  return {
    ...edited,
    core: { ...edited.core, forecastCategory },
    modifiedDate: edit.at ?? fields.modifiedDate ?? nextModifiedDate(record.modifiedDate, edit.now),
  };
}

function withFields(record: LeadOpportunity, fields: LeadOpportunityFields): LeadOpportunity {
  const { offerLines, customerContact, partnerContact, customerLegalEntity } = fields;
  return {
    ...record,
    ...withoutUndefined({ partnerId: fields.partnerId, createdDate: fields.createdDate }),
    core: { ...record.core, ...pick<CoreFields>(fields, [...Object.keys(CORE_TEXTS), ...CORE_LISTS]) },
    readOnly: { ...record.readOnly, ...pick<ReadOnlyFields>(fields, Object.keys(READ_ONLY_TEXTS)) },
    ...(offerLines !== undefined && { offerLines: (offerLines ?? []).map(toOfferLine) }),
    ...(customerContact !== undefined && {
      customerContacts: (customerContact ?? []).map(toCustomerContact),
    }),
    ...(partnerContact !== undefined && { partnerContacts: partnerContact ?? [] }),
    ...(customerLegalEntity !== undefined && {
      customerLegalEntity: toLegalEntity({
        ...record.customerLegalEntity,
        ...withoutUndefined(customerLegalEntity),
      }),
    }),
  };
}

function pick<T extends object>(fields: LeadOpportunityFields, names: readonly string[]): Partial<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => names.includes(name) && value !== undefined),
  ) as Partial<T>;
}

function expectForecast(forecast: Checked<string | null>): string | null {
  if (forecast.ok) return forecast.value;
  throw refusal(400, forecast.problem.message);
}
