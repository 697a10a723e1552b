import { counted } from '../../domain/values/counted.ts';
import type { RefusedNotices } from '../../ledger/mirror/news-ledger.ts';

/** Notices (messages to the owners of deals and orders) that Salesforce refuses for one and the same reason. */
export type OwnerNotices = RefusedNotices & {
  /** The repair by an operator or administrator, after which Salesforce accepts the notices again. */
  readonly repair: string;
};

/** What an operator or administrator can do, by Salesforce's error code. */
const REPAIRS: readonly (readonly [code: RegExp, repair: string])[] = [
  [/^INACTIVE_OWNER_OR_USER\b/, 'give the opportunities of an inactive user to another owner'],
  [
    /^(?:INSUFFICIENT_ACCESS|CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY|INVALID_TYPE|INVALID_FIELD|NO_ACCESS)/,
    'give the integration user the permission set Lockstep_Tell_Owners (lockstep doctor names what it lacks)',
  ],
  [/^(?:FIELD_CUSTOM_VALIDATION_EXCEPTION|REQUIRED_FIELD_MISSING)\b/, 'except the integration user from the rule'],
];
const OTHERWISE = 'see lockstep doctor, salesforce.owners';

export function withRepair(refused: RefusedNotices): OwnerNotices {
  const found = REPAIRS.find(([code]) => code.test(refused.reason ?? ''));
  return { ...refused, repair: found?.[1] ?? OTHERWISE };
}

/** One line of text about the notices that Salesforce refuses. A notice is a message to the owner of a deal or an order. */
export function noticeLine({ notices, reason, since, retryAt, repair }: OwnerNotices, tenant: string): string {
  const what = counted(notices, 'notice to an owner', 'notices to owners');
  return `Salesforce refuses ${what} (${reason ?? 'reason not kept'}) since ${since}; ${repair}, then: lockstep resume ${tenant}; tried next at ${retryAt}, for a week at most`;
}
