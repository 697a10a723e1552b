/**
 * A tenant's settings for translating between CRM and vendor: the CRM's fields and picklist values, and some of the vendor's codes. The
 * vendor's documents do not list these codes, so each partner agrees on them with the vendor.
 */

import type { FieldName } from './canonical.ts';
import type { FieldSpec } from './field-spec.ts';
import { FIELDS } from './fields.ts';
import type { OfferRule } from './offer-rules.ts';
import type { PartnerIdRule } from './partner-ids.ts';
import type { Transform } from './transform.ts';
import type { ValueLists } from './value-lists.ts';

/** One row of the stage table: a CRM stage and the vendor's status for it. */
export type StageRow = {
  readonly stage: string;
  /**
   * The vendor's status: its code, if the vendor's documents contain the code. For the other statuses, this is Lockstep's name:
   * `VALIDATED`, `ESTABLISHED` or `LOST`. The tenant file then gives the vendor's code for that name.
   */
  readonly status: string;
  /**
   * Whether Lockstep sets the CRM's stage to this one when the vendor reports the status. For each status, this is true for exactly one
   * stage.
   */
  readonly inbound: boolean;
};

/** How the tenant's leads are synced. */
export type LeadSettings = {
  /**
   * The stage table for leads: values of `Lead.Status` in the org, and the vendor's status for each. If a `Lead.Status` has several rows,
   * the vendor's status of the first row is sent.
   */
  readonly statuses: readonly StageRow[];
  /** The `offerNameId` that Lockstep sends for a lead that names no offer; null if such a lead waits instead. */
  readonly offer: string | null;
  /**
   * Whether Lockstep creates a lead in the CRM for a vendor-created record whose status is one of a lead. If false, it creates an
   * opportunity.
   */
  readonly imports: boolean;
  /**
   * Whether Lockstep converts a lead in the CRM when the vendor makes the deal an opportunity. If absent, a sales person must convert the
   * lead.
   */
  readonly convert?: boolean;
};

export type MappingConfig = {
  readonly partnerId: string;
  /**
   * `v0` if the tenant's deals use version 0 of the vendor's API; absent for version 1. With version 0, Lockstep also sends the documented
   * codes of revenue types, because the documents list these codes for that version only.
   */
  readonly apiVersion?: 'v0';
  /**
   * Set if other orgs of the partner use the same account at the vendor. A vendor record may then name an opportunity of another org.
   * Absent if no other org uses the account.
   */
  readonly sharedKey?: true;
  /**
   * Rules that choose one of the partner's legal entities for a deal. A deal that no rule fits belongs to `partnerId`. Absent if the
   * partner has one entity.
   */
  readonly partnerIds?: readonly PartnerIdRule[];
  /** The currency of all deals in an org with a single currency, as an ISO 4217 code. */
  readonly currency: string;
  /** The IANA time zone in which an instant is converted to a calendar date. */
  readonly zone: string;
  readonly stages: readonly StageRow[];
  /**
   * The vendor's codes that its documents do not list, by Lockstep's names for them. There are no defaults: a name
   * without a code here is not sent.
   */
  readonly values: {
    readonly status: Readonly<Record<string, string>>;
    readonly forecastCategory: Readonly<Record<string, string>>;
    readonly reasonWon: Readonly<Record<string, string>>;
    readonly reasonLost: Readonly<Record<string, string>>;
    /** The vendor's v1 code of each revenue type of the CRM. */
    readonly revenueType: Readonly<Record<string, string>>;
  };
  /** For each field, the valid codes, as the vendor gave them to this partner. For a field without a list, every code is accepted. */
  readonly lists?: ValueLists;
  readonly closeFromVendor: boolean;
  /**
   * The opportunity stage of an imported deal (one that comes from the vendor) whose status has no stage in the stage table. If absent, the
   * first stage of the table is used.
   */
  readonly importStage?: string;
  /**
   * The side that wins a conflict under the rule `newest` if the order of the changes is unknown. `later`: the side whose record was saved
   * later. `crm`, `vendor`: always the named side.
   */
  readonly prefer: 'later' | 'crm' | 'vendor';
  /** For single fields, a sync direction that replaces the default in `FIELDS`. Only fields in `NARROWABLE` may have one. */
  readonly directions?: Readonly<Partial<Record<FieldName, FieldSpec['direction']>>>;
  /** For single fields, a conflict rule that replaces the default in `FIELDS`. */
  readonly rules?: Readonly<Partial<Record<FieldName, FieldSpec['rule']>>>;
  /**
   * For single fields, another CRM field, or a translation of values. Only fields in `MAPPABLE` may have one; all other fields use the CRM
   * field in `FIELDS`.
   */
  readonly fields?: FieldMappings;
  /** How leads are synced; absent if only opportunities are synced. */
  readonly leads?: LeadSettings;
  /**
   * Set if this is the form of the tenant's mapping that applies to leads (`leads/lead-mapping.ts`); absent in the mapping of
   * opportunities.
   */
  readonly of?: 'lead';
  /** Rules that assign a vendor offer to products that have no vendor offer id of their own. The first rule that fits a product is used. */
  readonly offers?: readonly OfferRule[];
};

/** A tenant's settings for one field: the CRM field, a default, and the translation of values. */
export type FieldMapping = {
  /** The opportunity field, or a field across a lookup such as `Campaign.Code__c`; if absent, the default field in `FIELDS`. */
  readonly crm?: string;
  /** The value that Lockstep uses if the CRM field is empty. It is a CRM value, so transforms and value pairs apply to it too. */
  readonly default?: string;
  /** Changes of the CRM's text (such as `trim`) before it is compared or sent, applied in this order. */
  readonly transform?: readonly Transform[];
  /**
   * Pairs of a CRM text and the vendor's text with the same meaning. They are applied to the CRM's text after the transforms. A text
   * without a pair is sent and stored unchanged.
   */
  readonly values?: readonly (readonly [crm: string, vendor: string])[];
};

export type FieldMappings = Readonly<Partial<Record<FieldName, FieldMapping>>>;

/** The part of a tenant's mapping that decides which CRM fields contain the values of the fields in `FIELDS`. */
export type CrmNames = {
  readonly fields?: FieldMappings | undefined;
  readonly offers?: readonly OfferRule[] | undefined;
  readonly partnerIds?: readonly PartnerIdRule[] | undefined;
};

/**
 * The CRM field that contains a field's value: an API name, a path across a lookup such as `Campaign.Code__c`, or the name of a CRM object
 * (see `FieldSpec.crm`).
 */
export function crmFieldOf(field: FieldName, { fields }: CrmNames): string {
  return fields?.[field]?.crm ?? FIELDS[field].crm;
}

/** Finds a field by its name in `FIELDS`, by its CRM field in this mapping, or by its default CRM field; null if none has this name. */
export function fieldNamed(text: string, names: CrmNames): FieldName | null {
  const all = Object.keys(FIELDS) as readonly FieldName[];
  return (
    all.find((field) => field === text) ??
    all.find((field) => crmFieldOf(field, names) === text) ??
    all.find((field) => FIELDS[field].crm === text) ??
    null
  );
}

/**
 * The opportunity's lookup field with which a path (such as `Campaign.Code__c`) begins; null if the path is a field of the opportunity
 * itself.
 */
export function lookupOf(path: string): string | null {
  const [relationship, field] = path.split('.');
  if (relationship === undefined || field === undefined) return null;
  return relationship.endsWith('__r') ? relationship.replace(/__r$/, '__c') : `${relationship}Id`;
}

/** The direction in which a field's changes are synced: the tenant's setting, or the default. */
export function directionOf(field: FieldName, config: Pick<MappingConfig, 'directions'>): FieldSpec['direction'] {
  return config.directions?.[field] ?? FIELDS[field].direction;
}

/** The rule that decides conflicts in a field: the tenant's setting, or the default. */
export function ruleOf(field: FieldName, config: Pick<MappingConfig, 'rules'>): FieldSpec['rule'] {
  return config.rules?.[field] ?? FIELDS[field].rule;
}
