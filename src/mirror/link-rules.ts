import type { CrmFields } from '../domain/record/crm-graph.ts';

/** A rule that finds the CRM record for a lookup field of a mirrored row (a copy of the vendor's row). */
export type LinkRule = {
  /** The lookup field of the row that the rule fills. */
  readonly field: string;
  /** The field of the row whose value the rule searches for. */
  readonly from: string;
  /** The object that is searched, and its field that must equal the value. */
  readonly object: string;
  readonly by: string;
  /** Whether the comparison distinguishes upper and lower case. */
  readonly isExact?: boolean;
  /** A rule does not apply to a row in which this field has a value. */
  readonly unless?: string;
};

/** Returns the id of the only record of `object` whose field `by` has this value; null if no record has it, or several. */
export type Found = (object: string, by: string, value: string) => string | null;

/** The value that a rule searches for; null if the row has no such value, or if the rule does not apply to the row. */
export function linkValue({ from, unless }: LinkRule, row: CrmFields): string | null {
  const value = unless !== undefined && row[unless] ? null : row[from];
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * The lookups of a row. If several rules fill the same field, the first one that finds a record counts. If the row lacks the field that a
 * rule reads, the lookup stays as it is. Pure.
 */
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
