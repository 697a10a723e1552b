/**
 * A tenant's settings of the mapping: codes that the vendor's documents leave open and on which partner and vendor agree, and the values of
 * the CRM's picklists.
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
   * A status code from the vendor's documents, or Lockstep's name (`VALIDATED`, `ESTABLISHED`, `LOST`) for a status whose code only the
   * tenant file contains.
   */
  readonly status: string;
  /** Whether the CRM moves to this stage when the vendor reports the status. For each status, this is true for exactly one stage. */
  readonly inbound: boolean;
};

/** How the tenant's leads are synced. */
export type LeadSettings = {
  /**
   * The stage table for leads: values of `Lead.Status` in the org, and the vendor's status for each. If a value has several rows, the
   * status of the first row is sent.
   */
  readonly statuses: readonly StageRow[];
  /** The `offerNameId` that Lockstep sends for a lead that names no offer; null if such a lead waits instead. */
  readonly offer: string | null;
  /** Whether Lockstep creates a lead for a vendor-created record with a lead's status. If not, it creates an opportunity. */
  readonly imports: boolean;
  /** Whether Lockstep converts a lead when the vendor makes it an opportunity. If absent, a sales person must convert it. */
  readonly convert?: boolean;
};

export type MappingConfig = {
  readonly partnerId: string;
  /** `v0` if the tenant's deals use version 0 of the vendor's API, for which the documents list the codes; absent for version 1. */
  readonly apiVersion?: 'v0';
  /** Whether other orgs of the partner use the same account at the vendor; absent if none does. */
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
   * The vendor's codes that its documents do not list, by Lockstep's names. There are no defaults: a name without a code here is never
   * sent.
   */
  readonly values: {
    readonly status: Readonly<Record<string, string>>;
    readonly forecastCategory: Readonly<Record<string, string>>;
    readonly reasonWon: Readonly<Record<string, string>>;
    readonly reasonLost: Readonly<Record<string, string>>;
    /** The vendor's v1 code of each revenue type of the CRM. */
    readonly revenueType: Readonly<Record<string, string>>;
  };
  /** The valid codes of fields, as the vendor gave them to this partner. Without a list, every code is accepted for a field. */
  readonly lists?: ValueLists;
  readonly closeFromVendor: boolean;
  /** The stage of an imported deal whose status has no stage; if absent, the first stage of the table. */
  readonly importStage?: string;
  /**
   * Which side wins a conflict under the rule `newest` if the order of the changes is unknown: `later` is the side whose record was saved
   * later; `crm` and `vendor` mean always this side.
   */
  readonly prefer: 'later' | 'crm' | 'vendor';
  /**
   * Sync directions of single fields that differ from the defaults in `FIELDS`. Only for fields that a tenant may restrict (`NARROWABLE`).
   */
  readonly directions?: Readonly<Partial<Record<FieldName, FieldSpec['direction']>>>;
  /** Conflict rules of single fields that differ from the defaults in `FIELDS`. */
  readonly rules?: Readonly<Partial<Record<FieldName, FieldSpec['rule']>>>;
  /**
   * CRM fields or value translations of single fields that differ from the defaults in `FIELDS`. Only for fields that a tenant may map
   * (`MAPPABLE`).
   */
  readonly fields?: FieldMappings;
  /** How leads are synced; absent if only opportunities are synced. */
  readonly leads?: LeadSettings;
  /** Set if this mapping is the tenant's mapping in its form for leads (`leads/lead-mapping.ts`). */
  readonly of?: 'lead';
  /** Rules that assign an offer to products that have no vendor offer id. The first rule that fits is used. */
  readonly offers?: readonly OfferRule[];
};

/** A tenant's mapping of one CRM field. */
export type FieldMapping = {
  /** The opportunity field, or a field across a lookup such as `Campaign.Code__c`; if absent, the default field in `FIELDS`. */
  readonly crm?: string;
  /** The value that Lockstep uses if the CRM field is empty, in the CRM's spelling. */
  readonly default?: string;
  /** Transforms of the CRM's text (such as `trim`), applied in this order. */
  readonly transform?: readonly Transform[];
  /**
   * Pairs of texts, of the CRM and of the vendor, with the same meaning. Applied after the transforms. A text without a pair is the same on
   * both sides.
   */
  readonly values?: readonly (readonly [crm: string, vendor: string])[];
};

export type FieldMappings = Readonly<Partial<Record<FieldName, FieldMapping>>>;

/** The part of a mapping that decides which CRM field belongs to which canonical field. */
export type CrmNames = {
  readonly fields?: FieldMappings | undefined;
  readonly offers?: readonly OfferRule[] | undefined;
  readonly partnerIds?: readonly PartnerIdRule[] | undefined;
};

/** The CRM field of a canonical field, as its API name, or a path across a lookup. */
export function crmFieldOf(field: FieldName, { fields }: CrmNames): string {
  return fields?.[field]?.crm ?? FIELDS[field].crm;
}

/** Finds a field by its canonical name, its CRM name in this mapping, or its default CRM name; null if there is none. */
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
