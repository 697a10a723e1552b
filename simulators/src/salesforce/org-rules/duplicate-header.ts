import type { Author, Dml } from '../store/dml.ts';

const HEADER = 'sforce-duplicate-rule-header';

/**
 * The org for a call. With `allowSave=true` in the call's header, writes pass duplicate rules that only warn (REST API: Duplicate Rule
 * Header). `includeRecordDetails` and `runAsCurrentUser` change nothing here.
 */
export function withDuplicateRuleHeader<T extends { readonly dml: Dml }>(
  org: T,
  headers: Readonly<Record<string, string>>,
): T {
  return /\ballowSave\s*=\s*true\b/i.test(headers[HEADER] ?? '') ? allowingDuplicates(org) : org;
}

/** The org, with writes that pass duplicate rules that only warn. */
export function allowingDuplicates<T extends { readonly dml: Dml }>(org: T): T {
  const { dml } = org;
  const allowing = (by: Author): Author => ({ ...by, allowDuplicates: true });
  return {
    ...org,
    dml: {
      ...dml,
      create: (object, input, by) => dml.create(object, input, allowing(by)),
      update: (object, id, input, by) => dml.update(object, id, input, allowing(by)),
    },
  };
}
