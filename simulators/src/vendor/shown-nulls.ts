import { CORE_DATES, CORE_LISTS, CORE_TEXTS } from './lead-opportunity.ts';

type Fields = Readonly<Record<string, unknown>>;

const REQUIRED: readonly string[] = ['partnerLeadOpportunityId', 'name', 'status', 'currency', ...CORE_DATES];
const CLEARED: Fields = {
  ...Object.fromEntries(Object.keys(CORE_TEXTS).map((field) => [field, ''])),
  ...Object.fromEntries(CORE_LISTS.map((field) => [field, []])),
};
const ROWS = ['offerLines', 'customerContacts', 'partnerContacts'] as const;

/**
 * The body of a create or update with nulls replaced. Answers show unset values as null (sales spec 2.5, 2.7, 2.8), and clients send the
 * nulls back. In the documents an unset value is `''`, `[]` or no key. Nulls of dates and required fields stay.
 */
export function withNullsAsUnset(body: unknown): unknown {
  if (!isFields(body)) return body;
  const { leadOpportunity: core } = body;
  const rows = ROWS.flatMap((field) => {
    const given = body[field];
    return Array.isArray(given) ? [[field, given.map(withoutNulls)]] : [];
  });
  return {
    ...body,
    ...(isFields(core) ? { leadOpportunity: cleared(core) } : {}),
    ...Object.fromEntries(rows),
  };
}

function cleared(core: Fields): Fields {
  const nulls = Object.keys(core).filter((field) => core[field] === null && !REQUIRED.includes(field));
  const known = nulls.filter((field) => Object.hasOwn(CLEARED, field));
  return { ...core, ...Object.fromEntries(known.map((field) => [field, CLEARED[field]])) };
}

function withoutNulls(row: unknown): unknown {
  if (!isFields(row)) return row;
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
