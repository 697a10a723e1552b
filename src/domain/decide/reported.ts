import type { Reported } from '../record/reported.ts';
import type { WaitReason } from '../record/wait-reason.ts';
import { fingerprint } from '../values/fingerprint.ts';

type MaybeReported = Reported | null;

const UNKNOWN = { is: 'unknown' } as const;

/** The value for a record about which Lockstep does not know what CRM users see. Its next report sends all fields. */
export const NOTHING_KNOWN: Reported = { owned: UNKNOWN, row: UNKNOWN };

/**
 * What CRM users see after an operator separated the opportunity from its vendor record: the vendor's values, which do not belong to the
 * opportunity any more. Lockstep's next report empties them.
 */
export const TO_EMPTY: Reported = { owned: { is: 'to-empty' }, row: UNKNOWN };

/** What CRM users see after a report that wrote the opportunity fields that only Lockstep may write (`owned`), and the sync row (`row`). */
export function shown(owned: object, row: object): Reported {
  return { owned: ownedShown(owned), row: rowShown(row) };
}

function ownedShown(owned: object): Reported['owned'] {
  return { is: 'shown', fingerprint: fingerprint(owned) };
}

/**
 * What CRM users see after a report that wrote only the sync row (`Lockstep_Sync__c`). What is known about the opportunity's fields stays.
 */
export function withRow(reported: MaybeReported, row: object): Reported {
  return { owned: ownedOf(reported), row: rowShown(row) };
}

function rowShown(row: object): Reported['row'] {
  return { is: 'shown', fingerprint: fingerprint(row) };
}

/** What CRM users see after a report which said that a change of the record waits. `waitsFor`: for what it waits. */
export function withWait(reported: MaybeReported, waitsFor: WaitReason): Reported {
  return { owned: ownedOf(reported), row: { is: 'waiting', for: waitsFor } };
}

/**
 * What CRM users see after a report that may have been lost: the content of the sync row (`Lockstep_Sync__c`) is unknown, so the next
 * report is always sent.
 */
export function withRowUnknown(reported: MaybeReported): Reported {
  return { owned: ownedOf(reported), row: UNKNOWN };
}

/**
 * What CRM users see after the CRM accepted the sync row of a report, but refused the opportunity fields that only Lockstep may write. The
 * content of these fields is unknown. So the next report contains them again. This report is sent after the record's next change and not at
 * once, because the CRM would probably refuse the fields again.
 */
export function withOwnedUnknown(reported: Reported): Reported {
  return { ...reported, owned: UNKNOWN };
}

/**
 * What CRM users see after the CRM answered that the opportunity is deleted. No report can reach users until the opportunity is restored.
 */
export function withGone(reported: MaybeReported): Reported {
  return { owned: ownedOf(reported), row: { is: 'gone' } };
}

/**
 * What CRM users see if two workers reported at about the same time: it is unknown, because either report may have been applied last. If an
 * earlier state says that opportunity fields which only Lockstep may write must be restored or emptied, the result still says so.
 */
export function contested(reported: MaybeReported): Reported {
  return isToEmpty(reported) || changedFields(reported) !== null ? withRowUnknown(reported) : NOTHING_KNOWN;
}

/** What CRM users see after another user changed these fields, which only Lockstep may write. Lockstep's next report restores them. */
export function withChanged(fields: readonly string[]): Reported {
  return { owned: { is: 'changed', fields }, row: UNKNOWN };
}

function ownedOf(reported: MaybeReported): Reported['owned'] {
  return reported?.owned ?? UNKNOWN;
}

/** Whether the CRM shows these values in the opportunity fields that only Lockstep may write. */
export function showsOwned(reported: MaybeReported, owned: object): boolean {
  return reported?.owned.is === 'shown' && reported.owned.fingerprint === fingerprint(owned);
}

export function isToEmpty(reported: MaybeReported): boolean {
  return reported?.owned.is === 'to-empty';
}

/**
 * Names of the opportunity fields that only Lockstep may write, but that another user changed. The next report restores them. Null if there
 * are none.
 */
export function changedFields(reported: MaybeReported): readonly string[] | null {
  return reported?.owned.is === 'changed' ? reported.owned.fields : null;
}

export function isGone(reported: MaybeReported): boolean {
  return reported?.row.is === 'gone';
}

/** Whether CRM users see the same content in both of these states. */
export function isSameReported(one: MaybeReported, other: MaybeReported): boolean {
  return one === other || fingerprint(one) === fingerprint(other);
}
