import type { Author, Dml } from '../store/dml.ts';
import { normalizeId } from '../store/ids.ts';

const HEADER = 'sforce-auto-assign';

type Headers = Readonly<Record<string, string>>;

/** The headers of a part of a call: without a header of its own about assignment rules it has the call's. No document says which counts. */
export function withAssignmentOf(whole: Headers, part: Headers): Headers {
  const given = whole[HEADER];
  return given === undefined ? part : { [HEADER]: given, ...part };
}

/**
 * The org for a call of REST. Without the header, its writes follow the active assignment rules; `FALSE` follows none, and an id the rule of
 * this id (REST guide: "Assignment Rule Header").
 */
export function withAssignmentRuleHeader<T extends { readonly dml: Dml }>(org: T, headers: Headers): T {
  const given = headers[HEADER]?.trim() ?? 'true';
  if (given.toLowerCase() === 'false') return org;
  const assigns = normalizeId(given) ?? true;
  const { dml } = org;
  const assigning = (by: Author): Author => ({ ...by, assigns });
  return {
    ...org,
    dml: {
      ...dml,
      create: (object, input, by) => dml.create(object, input, assigning(by)),
      update: (object, id, input, by) => dml.update(object, id, input, assigning(by)),
    },
  };
}
