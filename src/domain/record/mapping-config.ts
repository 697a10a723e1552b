/** The tenant's part of the mapping: what the vendor's documents leave to agreement, and the CRM's own picklists. */
import type { FieldName } from './canonical.ts';
import type { FieldSpec } from './field-spec.ts';
import { FIELDS } from './fields.ts';

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
};

/** Where a field's changes travel: as the tenant says, or as usual. */
export function directionOf(field: FieldName, config: MappingConfig): FieldSpec['direction'] {
  return config.directions?.[field] ?? FIELDS[field].direction;
}

/** The rule of a field's conflicts: the tenant's, or the usual one. */
export function ruleOf(field: FieldName, config: MappingConfig): FieldSpec['rule'] {
  return config.rules?.[field] ?? FIELDS[field].rule;
}
