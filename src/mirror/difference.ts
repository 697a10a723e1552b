import type { CrmFields } from '../domain/record/crm-graph.ts';
import { fingerprint } from '../domain/values/fingerprint.ts';
import type { Mirror, MirrorRow } from './mirror.ts';

/** A mirrored row (a copy of a vendor's row) in the ledger, with a fingerprint (hash) of its last stored fields. */
export type KnownRow = { readonly id: string; readonly fingerprint: string };
export type ChangedRow = KnownRow & { readonly fields: CrmFields };

/** The checkbox that is ticked while the vendor lists a row. A row that the vendor no longer lists stays in the CRM, unticked. */
export const ACTIVE = 'Active__c';

/**
 * The rows to write to the CRM: new rows, changed rows, and rows that the vendor does not list any more, which become inactive. `known`:
 * the rows in the ledger. `shown`: the rows that the vendor lists now. `masterId`: the id of the rows' master, if they are details (such as
 * order lines). Pure.
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
  // The fields contain the master's id, because the CRM may not have the row yet, and creates no detail without a master.
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

/**
 * The fingerprint (hash) of a row's fields, by which Lockstep recognises changed rows; `LEFT` for an inactive row. The fields must not
 * contain lookups to other CRM records, because these may change without a change at the vendor.
 */
export function stateOf(fields: CrmFields): string {
  return fields[ACTIVE] === false ? LEFT : fingerprint(fields);
}

/** Stored instead of a fingerprint once the vendor no longer lists a row, so that Lockstep makes the row inactive only once. */
export const LEFT = 'left';
