import type { MappingConfig } from '../mapping/config.ts';
import type { FieldName } from './canonical.ts';

/** How a field's values are compared and written; one lens per kind. */
export type FieldKind =
  | 'text'
  | 'email'
  | 'code'
  | 'date'
  | 'codes'
  | 'entity'
  | 'lines'
  | 'customer-contacts'
  | 'partner-contacts';

export type FieldSpec = {
  readonly kind: FieldKind;
  /** Where a change may travel; a new record carries all that can be sent then. */
  readonly direction: 'both' | 'to-vendor' | 'to-crm' | 'first-sync';
  /** Who wins when both sides changed the field to different values. */
  readonly rule: 'newest' | 'crm' | 'vendor' | 'manual';
  /** The vendor documents a default that it fills in when the field is not sent at creation (sales spec 2.1, 2.3). */
  readonly vendorDefault: boolean;
  /** The vendor documents, by the field's type, a value that means "unset" on update. */
  readonly clearable: boolean;
  /** The vendor's value is written into an empty CRM field only, and never over one that is set. */
  readonly fillsCrm: boolean;
};

function row(
  kind: FieldKind,
  direction: FieldSpec['direction'],
  rule: FieldSpec['rule'],
  vendorDefault: boolean,
  clearable: boolean,
  fillsCrm = false,
): FieldSpec {
  return { kind, direction, rule, vendorDefault, clearable, fillsCrm };
}

/**
 * Every mapped field, one row each: kind, direction, rule of a conflict, documented default, clearable,
 * fills empty CRM fields only (sales spec 2.1 to 2.7).
 */
export const FIELDS: Readonly<Record<FieldName, FieldSpec>> = {
  name: row('text', 'both', 'newest', false, false), // required by both sides, so it can be empty on neither
  dsOwnerEmail: row('email', 'both', 'newest', true, true), // defaults to the primary sales manager
  status: row('code', 'both', 'newest', false, false), // required by both sides
  forecastCategory: row('code', 'both', 'newest', true, false), // defaults by status; the matrix allows no empty value
  closeDate: row('date', 'both', 'newest', false, false), // no documented way to unset a date
  cometCampaignCode: row('text', 'both', 'newest', false, true),
  reasonWon: row('codes', 'both', 'newest', true, true), // defaults to STRNG_VAL_PROP
  reasonLost: row('codes', 'both', 'newest', true, true), // defaults to the 'No Project' reason
  competitors: row('codes', 'both', 'newest', false, true),
  reasonWonLostComment: row('text', 'both', 'newest', false, true),
  gtmTacticId: row('text', 'both', 'newest', false, true),
  description: row('text', 'both', 'newest', false, true),
  nextMilestone: row('text', 'both', 'newest', false, true),
  nextMilestoneDate: row('date', 'both', 'newest', false, false), // no documented way to unset a date
  currency: row('code', 'to-vendor', 'crm', false, false), // the CRM's price book fixes the currency of its lines
  customerSiteId: row('text', 'both', 'newest', false, false, true), // inbound only fills an empty site id; outbound never unlinks a site
  customerLegalEntity: row('entity', 'to-vendor', 'crm', false, false), // a shared account is never renamed by a deal; required object
  offerLines: row('lines', 'both', 'newest', false, true),
  customerContacts: row('customer-contacts', 'to-vendor', 'crm', false, true), // contacts are shared by many deals
  partnerContacts: row('partner-contacts', 'to-vendor', 'crm', false, true), // the owner is assigned in the CRM
};

/** Every field name, in the order of the spec. */
export const FIELD_NAMES = Object.keys(FIELDS) as readonly FieldName[];

/** Where a field's changes travel: as the tenant says, or as usual. */
export function directionOf(field: FieldName, config: MappingConfig): FieldSpec['direction'] {
  return config.directions?.[field] ?? FIELDS[field].direction;
}

/**
 * Fields whose changes usually travel both ways, so that a tenant may have fewer. Lines are merged one by one, and what
 * only fills the CRM has a rule of its own.
 */
export const NARROWABLE = FIELD_NAMES.filter((field) => {
  const { direction, kind, fillsCrm } = FIELDS[field];
  return direction === 'both' && kind !== 'lines' && !fillsCrm;
});

/** The rule of a field's conflicts: the tenant's, or the usual one. */
export function ruleOf(field: FieldName, config: MappingConfig): FieldSpec['rule'] {
  return config.rules?.[field] ?? FIELDS[field].rule;
}
