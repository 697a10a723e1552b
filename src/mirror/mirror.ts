import type { CrmFields } from '../domain/record/crm-graph.ts';
import { KINDS, type Kind } from './value.ts';

/** A CRM field and the vendor's path of its value, such as `transaction.id`. */
export type MirrorField = {
  readonly from: string;
  readonly to: string;
  readonly kind: Kind;
};

/** A CRM object that shows rows owned only by the vendor. `crm-package/` defines its fields. */
export type Mirror = {
  readonly object: string;
  /** The unique external id field of its rows. */
  readonly externalId: string;
  readonly fields: readonly MirrorField[];
  /** The master-detail relationship of its rows: the field with the master's external id. Absent without a master. */
  readonly master?: { readonly field: string; readonly object: string; readonly externalId: string };
  /** Fields computed from several of the vendor's. */
  readonly others: readonly string[];
  /** Lookups to records that others own. They are resolved when a row is written, and again later. */
  readonly links?: readonly string[];
};

/** One row in the CRM's form. */
export type MirrorRow = {
  /** The row's external id. */
  readonly id: string;
  readonly fields: CrmFields;
};

/** The mirrored fields of a vendor row; null where the vendor gives no value. */
export function mirrored(fields: readonly MirrorField[], source: object): CrmFields {
  return Object.fromEntries(fields.map(({ from, to, kind }) => [to, KINDS[kind](valueAt(source, from))]));
}

function valueAt(source: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Readonly<Record<string, unknown>>)[key]
          : undefined,
      source,
    );
}
