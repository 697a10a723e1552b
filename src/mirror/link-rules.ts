import type { CrmFields } from '../domain/record/crm-graph.ts';

/** A rule that finds the CRM record for a lookup field of a mirrored row (a copy of the vendor's row). */
export type LinkRule = {
  /** The lookup field of the row that the rule fills. */
  readonly field: string;
  /** The field of the row that contains the value to search for. */
  readonly from: string;
  /**
   * The CRM object in which the rule searches a record. The next property (`by`) is the field of this object that must equal the value to
   * search for.
   */
  readonly object: string;
  readonly by: string;
  /** Whether the comparison distinguishes upper and lower case. */
  readonly isExact?: boolean;
  /** The rule does not apply to a row in which this field has a value. */
  readonly unless?: string;
  /**
   * A further condition for a found record: it must belong to the same customer as the mirrored row. Set if users may enter any value in
   * the searched field. An equal value alone does not then prove that the record belongs to the row.
   */
  readonly customer?: CustomerRule;
};

/** The condition that a found record belongs to the row's customer. */
export type CustomerRule = {
  /** Two fields that must both name the customer: `of`, a field of the found record, and `is`, a lookup of the mirrored row. */
  readonly of: string;
  readonly is: string;
  /** The text field of the mirrored row that says why Lockstep linked no record, although records with the searched value exist. */
  readonly problem: string;
};

/**
 * A CRM record that contains the searched value. `customer`: the record's customer (the value of the field `CustomerRule.of`); null if the
 * rule does not compare customers.
 */
export type FoundRecord = { readonly id: string; readonly customer: string | null };

/**
 * Looks up the CRM records that contain a value in the field that the rule searches. For a rule without `customer` it returns at most one
 * record: none if several records have the value.
 */
export type Found = (rule: LinkRule, value: string) => readonly FoundRecord[];

/**
 * The value that a rule searches for. Null if the row has no such value, or if the rule does not apply to the row because its field
 * `unless` is filled.
 */
export function linkValue({ from, unless }: LinkRule, row: CrmFields): string | null {
  const value = unless !== undefined && row[unless] ? null : row[from];
  return typeof value === 'string' && value !== '' ? value : null;
}

/**
 * Computes the lookups of a mirrored row (a copy of the vendor's row), and the fields that say why a lookup is empty. If several rules fill
 * the same field, the first that finds a record counts. If the row lacks the field that a rule reads, the result leaves out the rule's
 * lookup, which then stays unchanged in the CRM. Pure.
 */
export function linksOf(rules: readonly LinkRule[], row: CrmFields, found: Found): CrmFields {
  const shown = rules.filter(({ from }) => from in row);
  const plain = shown.filter(
    ({ unless, customer }) => customer === undefined && (unless === undefined || !row[unless]),
  );
  const fields = [...new Set(plain.map(({ field }) => field))];
  const links = Object.fromEntries(
    fields.map((field) => {
      const ids = plain.flatMap((rule) => {
        const value = rule.field === field ? linkValue(rule, row) : null;
        return value === null ? [] : found(rule, value).map(({ id }) => id);
      });
      return [field, ids[0] ?? null];
    }),
  );
  const claims = shown.map((rule) => claimOf(rule, { ...row, ...links }, found));
  return Object.assign(links, ...claims);
}

/** The texts that tell CRM users why an order was not linked to an opportunity. They are written to the field `CustomerRule.problem`. */
export const LINK_PROBLEMS = {
  several: 'Several opportunities of the customer have this PO reference. Keep it in one of them, or link the order.',
  otherCustomer: 'The opportunity with this PO reference belongs to another account than the order.',
  noCustomer: 'This order’s customer is no known account, so no opportunity is found by the PO reference.',
} as const;

/**
 * Computes a mirrored row's lookup for a rule whose searched value users may enter in any CRM record. A CRM record is linked only if it is
 * the only one of the row's customer with this value. A linked record stays linked while it has the value and belongs to no other customer.
 * So the link does not change when a user enters the same value in a second record.
 */
function claimOf(rule: LinkRule, row: CrmFields, found: Found): CrmFields {
  if (rule.customer === undefined) return {};
  const { is, problem } = rule.customer;
  if (rule.unless !== undefined && row[rule.unless]) return { [problem]: null };
  const value = linkValue(rule, row);
  const records = value === null ? [] : found(rule, value);
  const customer = row[is] ?? null;
  const own = records.filter((record) => customer !== null && record.customer === customer);
  const isOwn = (record: FoundRecord): boolean => customer === null || record.customer === customer;
  const kept = records.find((record) => record.id === row[rule.field] && isOwn(record));
  const linked = kept ?? (own.length === 1 ? own[0] : undefined);
  if (linked !== undefined || records.length === 0) return { [rule.field]: linked?.id ?? null, [problem]: null };
  const { several, otherCustomer, noCustomer } = LINK_PROBLEMS;
  const why = customer === null ? noCustomer : own.length > 1 ? several : otherCustomer;
  return { [rule.field]: null, [problem]: why };
}
