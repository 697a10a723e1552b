import type { CrmFields } from '../domain/record/crm-graph.ts';

/** A lookup of mirrored rows, and what finds the record that it leads to. */
export type LinkRule = {
  /** The lookup. */
  readonly field: string;
  /** The field of the row that holds the value. */
  readonly from: string;
  /** The object whose records are looked for, and the field of theirs that has to be equal. */
  readonly object: string;
  readonly by: string;
  /** Capitals and small letters are different there. */
  readonly isExact?: boolean;
};

/** The id of the one record of an object whose field is equal to a value; null where there is none, or more than one. */
export type Found = (object: string, by: string, value: string) => string | null;

/** The text of a row's field that records are looked for by; null where it has none. */
export function linkValue({ from }: LinkRule, row: CrmFields): string | null {
  const value = row[from];
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * What a row's lookups are to be: of several rules for one lookup the first that finds a record. A row that shows none of what
 * the rules go by keeps its lookups. Pure.
 */
export function linksOf(rules: readonly LinkRule[], row: CrmFields, found: Found): CrmFields {
  const shown = rules.filter(({ from }) => from in row);
  const fields = [...new Set(shown.map(({ field }) => field))];
  return Object.fromEntries(
    fields.map((field) => {
      const ids = shown.flatMap((rule) => {
        const value = rule.field === field ? linkValue(rule, row) : null;
        return value === null ? [] : (found(rule.object, rule.by, value) ?? []);
      });
      return [field, ids[0] ?? null];
    }),
  );
}
