import type { CrmFields } from '../domain/record/crm-graph.ts';
import { KINDS, type Kind } from './value.ts';

/** A field of the CRM, and where its value comes from: a path of the vendor's names, such as `transaction.id`. */
export type MirrorField = {
  readonly from: string;
  readonly to: string;
  readonly kind: Kind;
};

/** An object of the CRM that shows rows which only the vendor owns. Its fields are those of `crm-package/`. */
export type Mirror = {
  readonly object: string;
  /** The unique external id that tells its rows apart. */
  readonly externalId: string;
  readonly fields: readonly MirrorField[];
  /** What its rows are details of: their field, which holds the master's external id. Absent where they are none. */
  readonly master?: { readonly field: string; readonly object: string; readonly externalId: string };
  /** Fields that are worked out of several of the vendor's. */
  readonly others: readonly string[];
  /** Lookups to records that others own: what they lead to is found when a row is written, and later. */
  readonly links?: readonly string[];
};

/** One row as the CRM is to show it. */
export type MirrorRow = {
  /** Its external id. */
  readonly id: string;
  readonly fields: CrmFields;
};

/** The mirrored fields of one of the vendor's rows; each has a value, null where the vendor shows none. */
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
