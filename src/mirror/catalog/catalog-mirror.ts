import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CatalogKind } from '../../domain/streams/catalog-refresh.ts';
import { fingerprint } from '../../domain/values/fingerprint.ts';
import type { Mirror } from '../mirror.ts';

/** A lookup whose value is the external id of the referenced row. */
export type Reference = { readonly field: string; readonly externalId: string };

/** One kind of catalog row: the vendor's operation that reads all its rows, and the CRM object that shows them. */
export type CatalogMirror = Mirror & {
  /** The kind's name in the ledger. Several kinds share a CRM object. */
  readonly kind: CatalogKind;
  /** The vendor's operation that returns the kind's rows. */
  readonly source: CatalogOperation;
  /** The checkbox that is unticked when the vendor no longer lists a row. Lockstep deletes no catalog row. */
  readonly active: 'IsActive' | 'Active__c';
  readonly references?: readonly Reference[];
  /** Fields set on create only, because Salesforce refuses to change them or they belong to the users afterwards. */
  readonly fixed?: readonly string[];
  /** Salesforce error codes that mean the row already exists in the org. Lockstep then leaves the existing row unchanged. */
  readonly leftToOrg?: readonly string[];
  /** The field by which Lockstep finds a row that the org already had, and adopts it. If several rows have the value, it adopts none. */
  readonly adopts?: string;
};

export type CatalogOperation =
  | 'searchPriceLists'
  | 'searchAccreditations'
  | 'searchProductInformation'
  | 'searchProductPrices'
  | 'searchPackageContent'
  | 'searchPortfolioItems';

/** The kind under which the ledger stores the org's currencies. A price in another currency waits until the org has that currency. */
export const CURRENCY = 'currency';

/** A row that must be in the CRM before another row, by its kind and id. */
export type Need = { readonly kind: CatalogKind | typeof CURRENCY; readonly id: string };

/** A catalog row from the vendor, in the CRM's form. */
export type CatalogRow = {
  readonly kind: CatalogKind;
  readonly id: string;
  readonly fields: CrmFields;
  readonly needs?: readonly Need[];
  /** The id of the row's master. When the master is removed from the catalog, so is the row. */
  readonly master?: string;
  /** Decides between two versions of a row in one refresh: the higher rank counts. Without ranks, the first version counts. */
  readonly rank?: string;
  /** The release of a package whose content must be read next; absent for other rows. */
  readonly follow?: string;
};

/**
 * A catalog row as the ledger stores it. `seen`: the last refresh that contained the row. `fingerprint`: of the fields last written to the
 * CRM.
 */
export type KnownCatalogRow = {
  readonly id: string;
  readonly fingerprint: string;
  readonly seen: string | null;
  readonly rank: string | null;
};

/** A catalog row that a refresh has read. `fields` is null if the CRM already has them. */
export type ShownRow = Omit<CatalogRow, 'fields'> & {
  readonly fingerprint: string;
  readonly fields: CrmFields | null;
};

/** The rows of one kind that a refresh must store. Of several versions of a row, the one with the highest rank, else the first. Pure. */
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

/** Whether the vendor's text is usable as a row's id: no longer than any documented id, and without invisible characters. */
export function isKey(text: unknown): text is string {
  return typeof text === 'string' && text.trim() === text && /^[^\p{C}]{1,80}$/u.test(text);
}
