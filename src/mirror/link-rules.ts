import type { CrmFields } from '../domain/record/crm-graph.ts';

/** A rule that finds the record for a lookup of mirrored rows. */
export type LinkRule = {
  /** The lookup field. */
  readonly field: string;
  /** The row's field with the value to find. */
  readonly from: string;
  /** The object to search, and its field that must be equal to the value. */
  readonly object: string;
  readonly by: string;
  /** The comparison is case-sensitive. */
  readonly isExact?: boolean;
  /** The rule does not count for a row in which this field has a value. */
  readonly unless?: string;
};

/** The id of the only record of an object whose field has a value; null if none or several have it. */
export type Found = (object: string, by: string, value: string) => string | null;

/** The value that a rule searches for; null if the row has none. */
export function linkValue({ from, unless }: LinkRule, row: CrmFields): string | null {
  const value = unless !== undefined && row[unless] ? null : row[from];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The lookups of a row: the first rule that finds a record wins; a lookup whose fields the row lacks stays unchanged. Pure. */
export function linksOf(rules: readonly LinkRule[], row: CrmFields, found: Found): CrmFields {
  const shown = rules.filter(({ from, unless }) => from in row && (unless === undefined || !row[unless]));
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
