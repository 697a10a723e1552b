import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CatalogKind } from '../../domain/streams/catalog-refresh.ts';
import { fingerprint } from '../../domain/values/fingerprint.ts';
import type { Mirror } from '../mirror.ts';

/** A lookup whose value is the external id of the referenced row. */
export type Reference = { readonly field: string; readonly externalId: string };

/** One kind of catalog row: the vendor's operation that reads it completely, and the CRM object that shows it. */
export type CatalogMirror = Mirror & {
  /** The name of the kind in the ledger, because several kinds share an object. */
  readonly kind: CatalogKind;
  /** The vendor's operation that returns its rows. */
  readonly source: CatalogOperation;
  /** The checkbox that is unticked when a row has left; no row is deleted. */
  readonly active: 'IsActive' | 'Active__c';
  readonly references?: readonly Reference[];
  /** Fields set on create only, because Salesforce refuses to change them or they belong to the users afterwards. */
  readonly fixed?: readonly string[];
  /** Salesforce error codes for a row that already exists in the org; the row is then left as it is. */
  readonly leftToOrg?: readonly string[];
  /** A field that finds a row made before Lockstep, which is then adopted. If several rows have its value, none is. */
  readonly adopts?: string;
};

export type CatalogOperation =
  | 'searchPriceLists'
  | 'searchAccreditations'
  | 'searchProductInformation'
  | 'searchProductPrices'
  | 'searchPackageContent'
  | 'searchPortfolioItems';

/** The kind under which the ledger stores the org's currencies; a price in another currency waits for it. */
export const CURRENCY = 'currency';

/** A row that must be in the CRM first, by its kind. */
export type Need = { readonly kind: CatalogKind | typeof CURRENCY; readonly id: string };

/** A catalog row from the vendor, in the CRM's form. */
export type CatalogRow = {
  readonly kind: CatalogKind;
  readonly id: string;
  readonly fields: CrmFields;
  readonly needs?: readonly Need[];
  /** The id of the row's master; the row leaves with it. */
  readonly master?: string;
  /** If one refresh shows a row twice, the greater rank counts, otherwise the first. */
  readonly rank?: string;
  /** Set if more must be read about the row: the release of a package whose content is read. */
  readonly follow?: string;
};

/** A stored row. `seen`: the last refresh that showed it. `fingerprint`: of the fields last written to the CRM. */
export type KnownCatalogRow = {
  readonly id: string;
  readonly fingerprint: string;
  readonly seen: string | null;
  readonly rank: string | null;
};

/** A row that a refresh has shown. `fields` is null if the CRM already has them. */
export type ShownRow = Omit<CatalogRow, 'fields'> & {
  readonly fingerprint: string;
  readonly fields: CrmFields | null;
};

/** The rows of one kind that a refresh must store; of a repeated row the first, or the one of greater rank. Pure. */
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

/** A key of several parts, escaped so that different parts never make the same key. */
export function keyOf(...parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('%', '%25').replaceAll('/', '%2F')).join('/');
}

/** Whether the vendor's text can be a row's id: neither longer than any documented id nor with invisible characters. */
export function isKey(text: unknown): text is string {
  return typeof text === 'string' && text.trim() === text && /^[^\p{C}]{1,80}$/u.test(text);
}
