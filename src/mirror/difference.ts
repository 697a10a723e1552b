import type { CrmFields } from '../domain/record/crm-graph.ts';
import { fingerprint } from '../domain/values/fingerprint.ts';
import type { Mirror, MirrorRow } from './mirror.ts';

/** What is known of a row: a fingerprint of what the CRM was last to show. */
export type KnownRow = { readonly id: string; readonly fingerprint: string };
export type ChangedRow = KnownRow & { readonly fields: CrmFields };

/** Tells whether the vendor still shows a row; a row that it shows no longer is kept. */
export const ACTIVE = 'Active__c';

/**
 * Rows to be written: those that are new or differ from what is known, whole, and those that are known and shown no longer,
 * which become inactive. `known` and `shown` are all details of one master, where they are any, whose external id `masterId`
 * is. Pure.
 */
export function difference(
  { externalId, others, master }: Mirror,
  known: readonly KnownRow[],
  shown: readonly MirrorRow[],
  masterId: string,
): readonly ChangedRow[] {
  const before = new Map(known.map((row) => [row.id, row.fingerprint]));
  const rows = shown.map(({ id, fields }) => ({ id, fingerprint: stateOf(fields), fields }));
  const changed = rows.filter((row) => before.get(row.id) !== row.fingerprint);
  if (!others.includes(ACTIVE)) return changed;
  const ids = new Set(shown.map(({ id }) => id));
  const gone = known.filter(({ id, fingerprint: last }) => !ids.has(id) && last !== LEFT);
  // The CRM may never have taken it, and takes no detail without its master.
  const hung: CrmFields = master === undefined ? {} : { [master.field]: masterId };
  return [
    ...changed,
    ...gone.map(({ id }) => ({
      id,
      fingerprint: LEFT,
      fields: { [externalId]: id, ...hung, [ACTIVE]: false },
    })),
  ];
}

/** The fingerprint of a row as it is written, without what links it to other records of the CRM. */
export function stateOf(fields: CrmFields): string {
  return fields[ACTIVE] === false ? LEFT : fingerprint(fields);
}

/** In the place of the fingerprint of a row that the vendor shows no longer. */
export const LEFT = 'left';
