import type { CrmFields } from '../domain/record/crm-graph.ts';
import { KINDS, type Kind } from './value.ts';

/** A CRM field (`to`), and the place of its value in the vendor's row (`from`), as a path such as `transaction.id`. */
export type MirrorField = {
  readonly from: string;
  readonly to: string;
  readonly kind: Kind;
};

/** A CRM object whose rows are copies of rows that only the vendor owns. `crm-package/` defines the object's fields. */
export type Mirror = {
  readonly object: string;
  /** The object's unique external id field. */
  readonly externalId: string;
  readonly fields: readonly MirrorField[];
  /** For rows that are details of a master: the field of the master-detail relationship, the master's object and its external id field. */
  readonly master?: { readonly field: string; readonly object: string; readonly externalId: string };
  /** Other fields that Lockstep writes. It computes their values instead of copying a single field of the vendor. */
  readonly others: readonly string[];
  /**
   * Lookups to CRM records that Lockstep does not own, and fields that say why a lookup is empty. Lockstep fills them when it writes a row,
   * and searches for the records again later.
   */
  readonly links?: readonly string[];
};

/** A row to write to the CRM. */
export type MirrorRow = {
  readonly id: string;
  readonly fields: CrmFields;
};

/** The fields of a vendor's row that are copied, converted to CRM values; null if the vendor has no value. */
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
