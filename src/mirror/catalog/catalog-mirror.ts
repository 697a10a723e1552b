import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CatalogKind } from '../../domain/streams/catalog-refresh.ts';
import { fingerprint } from '../../domain/values/fingerprint.ts';
import type { Mirror } from '../mirror.ts';

/** A lookup whose value is the external id of the referenced row. */
export type Reference = { readonly field: string; readonly externalId: string };

/** One kind of row of the vendor's catalog: the vendor's operation that reads all its rows, and the CRM object that shows them. */
export type CatalogMirror = Mirror & {
  /** The name of this kind of row in the ledger. Several kinds may have the same CRM object. */
  readonly kind: CatalogKind;
  /** The vendor's operation that returns all rows of this kind. */
  readonly source: CatalogOperation;
  /** The checkbox that is unticked when the vendor no longer lists a row. Lockstep deletes no catalog row. */
  readonly active: 'IsActive' | 'Active__c';
  readonly references?: readonly Reference[];
  /** Fields set on create only, because Salesforce refuses to change them, or because users may change them afterwards. */
  readonly fixed?: readonly string[];
  /**
   * Salesforce error codes which mean that the org already has such a row, which Lockstep did not create. Lockstep then leaves the org's
   * row unchanged.
   */
  readonly leftToOrg?: readonly string[];
  /**
   * The field by which Lockstep finds a row that the org had before Lockstep, in order to use that row instead of a new one. If several
   * rows have the same value in this field, Lockstep uses none of them.
   */
  readonly adopts?: string;
};

export type CatalogOperation =
  | 'searchPriceLists'
  | 'searchAccreditations'
  | 'searchProductInformation'
  | 'searchProductPrices'
  | 'searchPackageContent'
  | 'searchPortfolioItems';

/**
 * The kind under which the ledger stores the org's currencies, like rows of the catalog. A price in a currency that the org lacks waits
 * until the org has that currency.
 */
export const CURRENCY = 'currency';

/** A row that must be in the CRM before another row, by its kind and id. */
export type Need = { readonly kind: CatalogKind | typeof CURRENCY; readonly id: string };

/** A row of the vendor's catalog, converted to CRM fields. */
export type CatalogRow = {
  readonly kind: CatalogKind;
  readonly id: string;
  readonly fields: CrmFields;
  readonly needs?: readonly Need[];
  /** The id of the row's master, such as the price list of a price. When the master is removed from the catalog, the row is removed too. */
  readonly master?: string;
  /**
   * Decides which version counts if a refresh (complete read of the catalog) contains two versions of a row: the version with the higher
   * rank. Without ranks, the first version counts.
   */
  readonly rank?: string;
  /**
   * For a package, its release. A refresh (complete read of the catalog) must then also read the components of this release. Absent for
   * other rows.
   */
  readonly follow?: string;
};

/**
 * A catalog row as the ledger stores it. `seen`: the last refresh (complete read of the catalog) that contained the row. `fingerprint`: a
 * hash of the row's fields in the last committed refresh.
 */
export type KnownCatalogRow = {
  readonly id: string;
  readonly fingerprint: string;
  readonly seen: string | null;
  readonly rank: string | null;
};

/** A catalog row that a refresh (a complete read of the catalog) has read. `fields` is null if the CRM has these values already. */
export type ShownRow = Omit<CatalogRow, 'fields'> & {
  readonly fingerprint: string;
  readonly fields: CrmFields | null;
};

/**
 * The rows of one kind that a refresh (complete read of the catalog) must store. If the refresh contains several versions of a row, the
 * version with the highest rank is stored; among equal ranks, the first. Pure.
 */
export function shownRows(
  known: readonly KnownCatalogRow[],
  rows: readonly CatalogRow[],
  refresh: string,
): readonly ShownRow[] {
  const before = new Map(known.map((row) => [row.id, row]));
  const kept = new Map<string, ShownRow>();
  for (const row of rows) {
    const last = before.get(row.id);
    const shown = kept.get(row.id) ?? (last?.seen === refresh ? last : undefined);
    if (shown !== undefined && (row.rank ?? '') <= (shown.rank ?? '')) continue;
    const print = fingerprint(row.fields);
    const fields = last?.fingerprint === print ? null : row.fields;
    kept.set(row.id, { ...row, fingerprint: print, fields });
  }
  return [...kept.values()];
}

/** Makes one key of several parts. Parts are escaped, so that different parts never make the same key. */
export function keyOf(...parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('%', '%25').replaceAll('/', '%2F')).join('/');
}

/**
 * Whether the vendor's text can be a row's id: it has at most 80 characters (no documented id is longer), no spaces at its ends, and no
 * invisible characters.
 */
export function isKey(text: unknown): text is string {
  return typeof text === 'string' && text.trim() === text && /^[^\p{C}]{1,80}$/u.test(text);
}
