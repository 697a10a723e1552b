import { counted } from '../../domain/values/counted.ts';
import type { RefusedNotices } from '../../ledger/mirror/news-ledger.ts';

/** Owners of opportunities that Salesforce does not let be told of their orders, for one reason. */
export type OwnerNotices = RefusedNotices & {
  /** What somebody can do about it. */
  readonly repair: string;
};

/** Codes of the org's that say whom or what it refuses. */
const REPAIRS: readonly (readonly [code: RegExp, repair: string])[] = [
  [/^INACTIVE_OWNER_OR_USER\b/, 'give the opportunities of an inactive user to another owner'],
  [
    /^(?:INSUFFICIENT_ACCESS|CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY|INVALID_TYPE|INVALID_FIELD|NO_ACCESS)/,
    'give the integration user the permission set Lockstep_Tell_Owners (lockstep doctor names what it lacks)',
  ],
  [
    /^(?:FIELD_CUSTOM_VALIDATION_EXCEPTION|REQUIRED_FIELD_MISSING)\b/,
    'except the integration user from the rule',
  ],
];
const OTHERWISE = 'see lockstep doctor, salesforce.owners';

/** The same with what to do. */
export function withRepair(refused: RefusedNotices): OwnerNotices {
  const found = REPAIRS.find(([code]) => code.test(refused.reason ?? ''));
  return { ...refused, repair: found?.[1] ?? OTHERWISE };
}

/** One line about them, for people. */
export function noticeLine(
  { notices, reason, since, retryAt, repair }: OwnerNotices,
  tenant: string,
): string {
  const what = counted(notices, 'notice to an owner', 'notices to owners');
  return `Salesforce refuses ${what} (${reason ?? 'reason not kept'}) since ${since}; ${repair}, then: lockstep resume ${tenant}; tried next at ${retryAt}, for a week at most`;
}
