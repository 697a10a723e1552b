import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CatalogKind } from '../../domain/streams/catalog-refresh.ts';
import { fingerprint } from '../../domain/values/fingerprint.ts';
import type { Mirror } from '../mirror.ts';

/** A field that leads to a row by the external id of its object; the field holds that id. */
export type Reference = { readonly field: string; readonly externalId: string };

/**
 * One kind of row of the vendor's catalog: what is asked for it, and the object of the CRM that shows it. A kind is read
 * whole, time and again; a row that a whole reading does not show has left.
 */
export type CatalogMirror = Mirror & {
  /** What the ledger keeps its rows under: several kinds share an object. */
  readonly kind: CatalogKind;
  /** The vendor's operation that shows its rows. */
  readonly source: CatalogOperation;
  /** The box that is unticked where a row has left; nothing is deleted. */
  readonly active: 'IsActive' | 'Active__c';
  readonly references?: readonly Reference[];
  /** Fields that are given when the row is made and not again: Salesforce refuses that, or they are users' own from then on. */
  readonly fixed?: readonly string[];
  /** Codes of Salesforce's after which the row is left as the org has it: somebody else made it. */
  readonly leftToOrg?: readonly string[];
  /**
   * A field by which a row that was there before Lockstep is found, and taken over as it is named. Where several have its value,
   * which of them is meant is for a person to say, and none is changed.
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

/** What the ledger keeps the currencies of the org under: a price in another waits for it. */
export const CURRENCY = 'currency';

/** A row that has to be in the CRM first, by its kind. */
export type Need = { readonly kind: CatalogKind | typeof CURRENCY; readonly id: string };

/** A row of a kind as the vendor shows it. */
export type CatalogRow = {
  readonly kind: CatalogKind;
  readonly id: string;
  readonly fields: CrmFields;
  readonly needs?: readonly Need[];
  /** What it belongs to, and leaves with. */
  readonly master?: string;
  /** Of two that one reading shows, the one with the greater rank counts, else the first. */
  readonly rank?: string;
  /** What is to be read about it by itself: the release of a package whose content is. */
  readonly follow?: string;
};

/** What is known of a row. `seen`: the refresh that showed it last. `fingerprint`: of what the CRM was last to show. */
export type KnownCatalogRow = {
  readonly id: string;
  readonly fingerprint: string;
  readonly seen: string | null;
  readonly rank: string | null;
};

/** A row that a refresh has shown. `fields` is null where the CRM has them already. */
export type ShownRow = Omit<CatalogRow, 'fields'> & {
  readonly fingerprint: string;
  readonly fields: CrmFields | null;
};

/**
 * What of the rows of one kind a refresh has to keep, against what is known of them. What several pages show is kept as
 * the first of them shows it, unless a later one has a greater rank. Pure.
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

/** The parts of a key, so that no two lists of parts make one key. */
export function keyOf(...parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('%', '%25').replaceAll('/', '%2F')).join('/');
}

/** Whether the vendor's text can tell a row apart: what is longer than any documented id, or not to be seen, is none. */
export function isKey(text: unknown): text is string {
  return typeof text === 'string' && text.trim() === text && /^[^\p{C}]{1,80}$/u.test(text);
}
