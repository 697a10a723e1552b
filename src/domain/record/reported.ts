import { fingerprint } from '../values/fingerprint.ts';
import type { WaitReason } from './wait-reason.ts';

/** The fields of the opportunity that Lockstep owns, as the CRM shows them. */
type OwnedShown =
  /** They have these values. `fingerprint`: of field names and values. */
  | { readonly is: 'shown'; readonly fingerprint: string }
  /** The CRM may show any values, so the next report writes all of them. */
  | { readonly is: 'unknown' }
  /** Another user changed these fields. The next report restores them and says so. */
  | { readonly is: 'changed'; readonly fields: readonly string[] }
  /** The opportunity was separated from its vendor record. The next report empties the vendor's values. */
  | { readonly is: 'to-empty' };

/** The sync row, as the CRM shows it. */
type RowShown =
  /** It has these values. `fingerprint`: of field names and values. */
  | { readonly is: 'shown'; readonly fingerprint: string }
  /** A report may have been lost, or two writers reported at once. The next report is always due. */
  | { readonly is: 'unknown' }
  /** It says that a change waits. */
  | { readonly is: 'waiting'; readonly for: WaitReason }
  /** The opportunity was deleted. Reports stop until a user restores it. */
  | { readonly is: 'gone' };

/** What the CRM's users see of a record, as far as the ledger knows. A record that was never reported has none (null). */
export type Reported = { readonly owned: OwnedShown; readonly row: RowShown };

type MaybeReported = Reported | null;

const UNKNOWN = { is: 'unknown' } as const;

/** Both parts unknown: the next report sends everything. */
export const NOTHING_KNOWN: Reported = { owned: UNKNOWN, row: UNKNOWN };

/** The opportunity has no vendor record any more: the next report removes the vendor's values. */
export const TO_EMPTY: Reported = { owned: { is: 'to-empty' }, row: UNKNOWN };

/** After a report with these owned fields and these fields of the sync row. */
export function shown(owned: object, row: object): Reported {
  return { owned: ownedShown(owned), row: rowShown(row) };
}

function ownedShown(owned: object): OwnedShown {
  return { is: 'shown', fingerprint: fingerprint(owned) };
}

/** After a report of the sync row alone. */
export function withRow(reported: MaybeReported, row: object): Reported {
  return { owned: ownedOf(reported), row: rowShown(row) };
}

function rowShown(row: object): RowShown {
  return { is: 'shown', fingerprint: fingerprint(row) };
}

/** After a report that the change waits. */
export function withWait(reported: MaybeReported, waitsFor: WaitReason): Reported {
  return { owned: ownedOf(reported), row: { is: 'waiting', for: waitsFor } };
}

/** After a report that may have been lost. It makes every next report of the record due. */
export function withRowUnknown(reported: MaybeReported): Reported {
  return { owned: ownedOf(reported), row: UNKNOWN };
}

/** After the CRM answered that the opportunity is deleted. */
export function withGone(reported: MaybeReported): Reported {
  return { owned: ownedOf(reported), row: { is: 'gone' } };
}

/**
 * If two writers reported at once, because nobody knows whose report the CRM shows. Owned fields that are to be restored or emptied stay so.
 */
export function contested(reported: MaybeReported): Reported {
  return isToEmpty(reported) || changedFields(reported) !== null ? withRowUnknown(reported) : NOTHING_KNOWN;
}

/** After other users changed these owned fields. */
export function withChanged(fields: readonly string[]): Reported {
  return { owned: { is: 'changed', fields }, row: UNKNOWN };
}

function ownedOf(reported: MaybeReported): OwnedShown {
  return reported?.owned ?? UNKNOWN;
}

/** Whether the CRM shows these owned fields with these values. */
export function showsOwned(reported: MaybeReported, owned: object): boolean {
  return reported?.owned.is === 'shown' && reported.owned.fingerprint === fingerprint(owned);
}

export function isToEmpty(reported: MaybeReported): boolean {
  return reported?.owned.is === 'to-empty';
}

/** The owned fields that the next report restores; null if there are none. */
export function changedFields(reported: MaybeReported): readonly string[] | null {
  return reported?.owned.is === 'changed' ? reported.owned.fields : null;
}

export function isGone(reported: MaybeReported): boolean {
  return reported?.row.is === 'gone';
}

/** Whether both say the same of both parts. */
export function isSameReported(one: MaybeReported, other: MaybeReported): boolean {
  return one === other || fingerprint(one) === fingerprint(other);
}
