/** The tenant's part of the mapping: what the vendor's documents leave to agreement, and the CRM's own picklists. */
import type { FieldName } from './canonical.ts';
import type { FieldSpec } from './field-spec.ts';
import { FIELDS } from './fields.ts';
import type { Transform } from './transform.ts';

/** One row of the stage table: a CRM stage and the vendor status it stands for. */
export type StageRow = {
  readonly stage: string;
  /** A documented status code, or the name of a tenant value (`VALIDATED`, `ESTABLISHED`, `LOST`). */
  readonly status: string;
  /** The stage that the CRM moves to when the vendor reports this status; one per status. */
  readonly inbound: boolean;
};

export type MappingConfig = {
  readonly partnerId: string;
  /** ISO 4217 code used where the org has one currency only. */
  readonly currency: string;
  /** IANA zone in which an instant reads as a calendar date. */
  readonly zone: string;
  readonly stages: readonly StageRow[];
  /** Codes that the documents do not show, by our name. No defaults: a missing one is never sent. */
  readonly values: {
    readonly status: Readonly<Record<string, string>>;
    readonly forecastCategory: Readonly<Record<string, string>>;
    readonly reasonWon: Readonly<Record<string, string>>;
    readonly reasonLost: Readonly<Record<string, string>>;
    /** CRM revenue type to v1 code. */
    readonly revenueType: Readonly<Record<string, string>>;
  };
  readonly closeFromVendor: boolean;
  /** Where a vendor-created deal begins whose status names no stage; absent: at the first stage of the table. */
  readonly importStage?: string;
  /** Who wins a `newest` conflict whose change times cannot be told apart: the side whose record was saved later, or a declared one. */
  readonly prefer: 'later' | 'crm' | 'vendor';
  /** Where changes of these fields travel, of `NARROWABLE`; the others follow `FIELDS`. */
  readonly directions?: Readonly<Partial<Record<FieldName, FieldSpec['direction']>>>;
  /** Who wins a conflict of these fields; the others follow the rules of `FIELDS`. */
  readonly rules?: Readonly<Partial<Record<FieldName, FieldSpec['rule']>>>;
  /** What the CRM has of these fields, of `MAPPABLE`, where it is not as in `FIELDS`. */
  readonly fields?: FieldMappings;
};

/** How the CRM holds one field of a tenant. */
export type FieldMapping = {
  /** The field of the opportunity, or one across a lookup, such as `Campaign.Code__c`; absent: the usual one. */
  readonly crm?: string;
  /** What an empty field of the CRM counts as, as the CRM would hold it. */
  readonly default?: string;
  /** What is done to its text, one after the other. */
  readonly transform?: readonly Transform[];
  /** What its texts are at the vendor, after that: pairs of the CRM's and the vendor's. Others are the same on both sides. */
  readonly values?: readonly (readonly [crm: string, vendor: string])[];
};

export type FieldMappings = Readonly<Partial<Record<FieldName, FieldMapping>>>;

/** The part of a mapping that says which fields of the CRM there are. */
export type CrmNames = { readonly fields?: FieldMappings | undefined };

/** The field of the CRM that holds one of ours, as Salesforce names it; a path where it is across a lookup. */
export function crmFieldOf(field: FieldName, { fields }: CrmNames): string {
  return fields?.[field]?.crm ?? FIELDS[field].crm;
}

/** The field of that name: ours, the one that holds it in the tenant's CRM, or the usual one's; null where there is none. */
export function fieldNamed(text: string, names: CrmNames): FieldName | null {
  const all = Object.keys(FIELDS) as readonly FieldName[];
  return (
    all.find((field) => field === text) ??
    all.find((field) => crmFieldOf(field, names) === text) ??
    all.find((field) => FIELDS[field].crm === text) ??
    null
  );
}

/** The field of the opportunity that names the record a path leads to; null where the path is a field of the opportunity. */
export function lookupOf(path: string): string | null {
  const [relationship, field] = path.split('.');
  if (relationship === undefined || field === undefined) return null;
  return relationship.endsWith('__r') ? relationship.replace(/__r$/, '__c') : `${relationship}Id`;
}

/** Where a field's changes travel: as the tenant says, or as usual. */
export function directionOf(
  field: FieldName,
  config: Pick<MappingConfig, 'directions'>,
): FieldSpec['direction'] {
  return config.directions?.[field] ?? FIELDS[field].direction;
}

/** The rule of a field's conflicts: the tenant's, or the usual one. */
export function ruleOf(field: FieldName, config: Pick<MappingConfig, 'rules'>): FieldSpec['rule'] {
  return config.rules?.[field] ?? FIELDS[field].rule;
}
