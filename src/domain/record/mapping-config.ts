/** A tenant's part of the mapping: the values that the vendor's documents leave to agreement, and the CRM's picklists. */

import type { FieldName } from './canonical.ts';
import type { FieldSpec } from './field-spec.ts';
import { FIELDS } from './fields.ts';
import type { OfferRule } from './offer-rules.ts';
import type { PartnerIdRule } from './partner-ids.ts';
import type { Transform } from './transform.ts';
import type { ValueLists } from './value-lists.ts';

/** One row of the stage table: a CRM stage and its vendor status. */
export type StageRow = {
  readonly stage: string;
  /**
   * A documented status code, or Lockstep's name of a status whose code only the tenant file gives (`VALIDATED`, `ESTABLISHED`, `LOST`).
   */
  readonly status: string;
  /** Whether the CRM moves to this stage when the vendor reports the status; true for one stage of each status. */
  readonly inbound: boolean;
};

/** How the tenant's leads are synced. */
export type LeadSettings = {
  /**
   * The table of `Lead.Status`: an org's own values and their statuses at the vendor. If a value has several rows, the first row's status
   * is sent.
   */
  readonly statuses: readonly StageRow[];
  /** The offer of a lead that names none itself, as `offerNameId`; null if such a lead waits. */
  readonly offer: string | null;
  /** Whether a vendor-created record whose status is a lead's becomes a lead. If not, it becomes an opportunity. */
  readonly imports: boolean;
  /** Whether Lockstep converts a lead that the vendor has moved to an opportunity. If absent, a sales person does. */
  readonly convert?: boolean;
};

export type MappingConfig = {
  readonly partnerId: string;
  /** `v0` if deals use v0 of the vendor's API, whose codes the documents show; absent for v1. */
  readonly apiVersion?: 'v0';
  /** Whether other orgs of the partner use the same account at the vendor; absent if none does. */
  readonly sharedKey?: true;
  /** The legal entities of the partner by rule; a deal that no rule fits belongs to `partnerId`. Absent if there is one entity. */
  readonly partnerIds?: readonly PartnerIdRule[];
  /** ISO 4217 code for orgs with a single currency. */
  readonly currency: string;
  /** IANA zone in which an instant becomes a calendar date. */
  readonly zone: string;
  readonly stages: readonly StageRow[];
  /** Vendor codes that the documents do not list, by Lockstep's names. There are no defaults. A value without a code is never sent. */
  readonly values: {
    readonly status: Readonly<Record<string, string>>;
    readonly forecastCategory: Readonly<Record<string, string>>;
    readonly reasonWon: Readonly<Record<string, string>>;
    readonly reasonLost: Readonly<Record<string, string>>;
    /** The vendor's v1 code of each revenue type of the CRM. */
    readonly revenueType: Readonly<Record<string, string>>;
  };
  /** The valid codes of a field, as the vendor gave them to the partner. If absent, a field accepts every code. */
  readonly lists?: ValueLists;
  readonly closeFromVendor: boolean;
  /** The stage of an imported deal whose status has no stage; if absent, the first stage of the table. */
  readonly importStage?: string;
  /** The winner of a `newest` conflict if it is unclear which change was later: the side that was saved later, or a fixed side. */
  readonly prefer: 'later' | 'crm' | 'vendor';
  /**
   * The tenant's sync directions of fields, where they differ from the defaults in `FIELDS`. Only fields that a tenant may restrict
   * (`NARROWABLE`).
   */
  readonly directions?: Readonly<Partial<Record<FieldName, FieldSpec['direction']>>>;
  /** The tenant's conflict rules of fields, where they differ from the defaults in `FIELDS`. */
  readonly rules?: Readonly<Partial<Record<FieldName, FieldSpec['rule']>>>;
  /**
   * The tenant's CRM fields and values, where they differ from the defaults in `FIELDS`. Only fields that a tenant may map (`MAPPABLE`).
   */
  readonly fields?: FieldMappings;
  /** How leads are synced; absent if the tenant syncs opportunities only. */
  readonly leads?: LeadSettings;
  /** Set in a mapping that applies to a lead instead of an opportunity (`leads/lead-mapping.ts`). */
  readonly of?: 'lead';
  /** Which offer a product without an offer id of its own belongs to. The first rule that fits counts. */
  readonly offers?: readonly OfferRule[];
};

/** A tenant's mapping of one CRM field. */
export type FieldMapping = {
  /** The opportunity field, or a field across a lookup such as `Campaign.Code__c`; if absent, the default field in `FIELDS`. */
  readonly crm?: string;
  /** The value, in the CRM's form, that Lockstep assumes if the CRM field is empty. */
  readonly default?: string;
  /** Transforms of the CRM's text, applied in this order. */
  readonly transform?: readonly Transform[];
  /** Pairs of the CRM's and the vendor's text, applied after the transforms. Other texts are the same on both sides. */
  readonly values?: readonly (readonly [crm: string, vendor: string])[];
};

export type FieldMappings = Readonly<Partial<Record<FieldName, FieldMapping>>>;

/** The part of a mapping that names CRM fields. */
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

/** The lookup field of the opportunity at the start of a path; null if the path is a field of the opportunity itself. */
export function lookupOf(path: string): string | null {
  const [relationship, field] = path.split('.');
  if (relationship === undefined || field === undefined) return null;
  return relationship.endsWith('__r') ? relationship.replace(/__r$/, '__c') : `${relationship}Id`;
}

/** The direction in which a field's changes are synced: the tenant's, or the default. */
export function directionOf(field: FieldName, config: Pick<MappingConfig, 'directions'>): FieldSpec['direction'] {
  return config.directions?.[field] ?? FIELDS[field].direction;
}

/** A field's conflict rule: the tenant's, or the default. */
export function ruleOf(field: FieldName, config: Pick<MappingConfig, 'rules'>): FieldSpec['rule'] {
  return config.rules?.[field] ?? FIELDS[field].rule;
}
