import { asksSomebody, type Issue, isConflict, isOpen } from '../../domain/record/issue.ts';
import { ISSUE_CATALOG, type IssueCode } from '../../domain/record/issue-catalog.ts';
import type { Link } from '../../domain/record/link.ts';
import type { Plan } from '../../domain/record/plan.ts';
import { WAIT_REASONS, type WaitReason } from '../../domain/record/wait-reason.ts';
import { stoppedBy } from '../../domain/streams/work.ts';
import type { PauseLedger } from '../../ledger/quota/quota-ledger.ts';
import { pauseOpens } from '../status/pause-opens.ts';
import type { Gate } from './explanation.ts';

export type GateInput = {
  /**
   * The link (stored pair of CRM record and vendor record) in the ledger (Lockstep's database); null if the ledger does not know the
   * record.
   */
  readonly link: Link | null;
  /** The decision of a sync if it ran now; null if Lockstep could not decide. */
  readonly plan: Plan | null;
  readonly pauses: Awaited<ReturnType<PauseLedger['pauses']>>;
  /** When the vendor's used-up quota resets, ISO; null if the quota is not known to be used up. */
  readonly quotaUntil: string | null;
  readonly sweepEveryMs: number;
  /**
   * Whether the vendor shows an older version of the record than Lockstep has read before. A sync ignores such a version. False if the
   * older version has the values on which CRM and vendor last agreed, because then nothing needs an explanation.
   */
  readonly isVendorOlder: boolean;
  /** The record's id in commands that a reason suggests to the operator, such as `lockstep sync <id>`. */
  readonly id: string;
  readonly tenant: string;
  /**
   * Whether the operator asked to see values. Only then do the reasons include the text with which the CRM or the vendor explained a
   * refusal.
   */
  readonly withValues: boolean;
};

/**
 * The reasons ("gates") why a record or its fields are not synced yet; first the reasons that concern the whole record. Empty if nothing
 * waits. Pure.
 */
export function gatesOf(input: GateInput): readonly Gate[] {
  return [
    ...pauseGate(input),
    ...quotaGate(input),
    ...scopeGate(input),
    ...issueGates(input),
    ...directionGates(input),
    ...answerGate(input),
    ...unseenGate(input),
    ...olderGate(input),
  ];
}

function pauseGate({ pauses, tenant }: GateInput): readonly Gate[] {
  const pause = stoppedBy(pauses, 'records');
  if (pause === undefined) return [];
  const { group, reason, since } = pause;
  const opens = pauseOpens(group, tenant, reason);
  const what = `paused since ${since}: ${reason}`;
  return [{ gate: 'pause', field: null, code: group, what, opens, needsSomebody: true }];
}

const OF_QUOTA: ReadonlySet<WaitReason> = new Set(['vendor-throttled', 'crm-throttled', 'crm-budget']);

function quotaGate({ link, quotaUntil }: GateInput): readonly Gate[] {
  const code = link?.waitingFor ?? null;
  const isThrottled = code !== null && OF_QUOTA.has(code);
  if (!isThrottled && quotaUntil === null) return [];
  const what = `waits for ${WAIT_REASONS[isThrottled ? code : 'vendor-throttled']}`;
  const opens = quotaUntil === null ? 'automatically at the reset' : `automatically at ${quotaUntil}`;
  const found = { field: null, code: isThrottled ? code : 'vendor-throttled', what, opens };
  return [{ gate: 'quota', ...found, needsSomebody: false }];
}

function scopeGate({ plan }: GateInput): readonly Gate[] {
  if (plan?.next !== 'detached') return [];
  const { reason } = plan;
  const opens = SCOPE_REPAIRS.find(([part]) => reason.includes(part))?.[1] ?? 'bring it into the scope';
  return [{ gate: 'scope', field: null, code: 'detached', what: reason, opens, needsSomebody: false }];
}

const SCOPE_REPAIRS = [
  ['cannot be seen', 'assign the permission set Lockstep_Integration to the integration user'],
  ['not ticked', 'tick Vendor_Share__c of the opportunity and save it'],
  ['deleted', 'restore the opportunity from the recycle bin'],
  ['does not exist', 'restore the opportunity, or leave the vendor record to its users'],
  ['import', 'set importFromVendor: true in the tenant file'],
] as const;

/**
 * Codes of issues about values that the other side (CRM or vendor) cannot express. `explain` shows these issues as reasons of the kind
 * `translation`, and all other issues as reasons of the kind `park`.
 */
const OF_TRANSLATION: ReadonlySet<IssueCode> = new Set([
  'no-code-for-value',
  'cannot-be-cleared',
  'forecast-of-vendor',
  'unknown-offer',
  'line-not-shared',
  'contact-incomplete',
  'does-not-fit',
  'currency-differs',
]);

/**
 * Codes of issues about failed requests to the CRM or the vendor. Such an issue can stop all writes of its record, even if Lockstep has
 * decided to write again. It stays until a retry succeeds, or a user or operator acts.
 */
const HOLDING: ReadonlySet<IssueCode> = new Set([
  'crm-refused',
  'vendor-refused',
  'tried-again',
  'no-answer',
  'refused-alone',
]);

/**
 * The issues about failed requests that keep Lockstep from sending a write it has decided. `plan`: the decision of a sync if it ran now.
 * Empty if the decision writes nothing. Also empty if a change of the record is not synced yet. Then a sync is due anyway and sends the
 * write, so the issues do not delay it.
 */
function holding({ plan, link }: Pick<GateInput, 'plan' | 'link'>): readonly Issue[] {
  if (plan === null || link === null || !WRITES.has(plan.next)) return [];
  if (link.generation !== link.observedGeneration) return [];
  const known = new Set(plan.issues.map(({ message }) => message));
  return link.issues.filter(
    ({ code, hold, message }) => HOLDING.has(code) && (hold?.part ?? 'record') === 'record' && !known.has(message),
  );
}

function issueGates({ plan, link, id, tenant, withValues }: GateInput): readonly Gate[] {
  const issues = [...holding({ plan, link }), ...(plan?.issues ?? link?.issues ?? [])];
  return issues.map((issue) => ({
    gate: OF_TRANSLATION.has(issue.code) ? 'translation' : 'park',
    field: issue.field,
    code: issue.code,
    what: issue.message,
    opens: repairOf(issue, link, { id, tenant }),
    needsSomebody: asksSomebody(issue),
    ...(withValues && issue.said !== undefined ? { said: issue.said } : {}),
  }));
}

function repairOf(issue: Issue, link: Link | null, { id, tenant }: Pick<GateInput, 'id' | 'tenant'>): string {
  const { repair } = ISSUE_CATALOG[issue.code];
  if (!isOpen(issue)) return repair;
  const retried = link?.retryAt ? ` (tried automatically at ${link.retryAt})` : '';
  if (isConflict(issue) && issue.field !== null)
    return `${repair}; here: lockstep conflicts resolve ${id} ${issue.field} --take crm --tenant ${tenant} (or --take vendor)${retried}`;
  return `${repair}; then: lockstep sync ${id} --tenant ${tenant}${retried}`;
}

function directionGates({ plan }: GateInput): readonly Gate[] {
  return (plan?.decisions ?? [])
    .filter(({ verdict, rule }) => verdict === 'ignored' && rule !== 'not taken by the vendor')
    .map(({ field, rule }) => ({
      gate: 'direction',
      field,
      code: 'ignored',
      what: `its change does not travel: ${rule}`,
      opens: 'a mapping file with another direction of this field, where it may have one (docs/mapping.md)',
      needsSomebody: false,
    }));
}

function answerGate({ link }: GateInput): readonly Gate[] {
  const code = link?.waitingFor ?? null;
  if (link === null || link.waitingSince === null || code === null) return [];
  if (OF_QUOTA.has(code) || code.endsWith('-paused')) return [];
  const what = `waits since ${link.waitingSince} for ${WAIT_REASONS[code]}`;
  return [{ gate: 'answer', field: null, code, what, opens: 'automatically', needsSomebody: false }];
}

const WRITES: ReadonlySet<Plan['next']> = new Set([
  'create-at-vendor',
  'update-at-vendor',
  'write-crm',
  'create-in-crm',
]);

/**
 * The reason ("gate") that nothing has reported a change to Lockstep yet. The change was found only by the reads for this explanation.
 * Usually a webhook, a sweep (query for changes in the CRM) or a poll of the vendor reports it later. Empty if there is no such change.
 */
function unseenGate({ plan, link, id, tenant, sweepEveryMs }: GateInput): readonly Gate[] {
  if (plan === null || !WRITES.has(plan.next)) return [];
  if (link !== null && link.generation !== link.observedGeneration) return [];
  if (holding({ plan, link }).length > 0) return [];
  const every = Math.round(sweepEveryMs / 1000);
  return [
    {
      gate: 'not-yet-seen',
      field: null,
      code: plan.next,
      what: `no webhook, sweep or poll has reported ${link === null ? 'this record' : 'the last change'} yet`,
      opens: `at the next sweep (every ${every} s) or poll, if the change is recent enough for it; or: lockstep sync ${id} --tenant ${tenant}`,
      needsSomebody: false,
    },
  ];
}

/**
 * The reason ("gate") that the vendor shows an older version of the record than Lockstep has read before. Usually a later read shows the
 * newer version again. If the vendor restored old data, an audit corrects the difference. Empty if the version is not older.
 */
function olderGate({ link, isVendorOlder, id, tenant }: GateInput): readonly Gate[] {
  if (link === null || link.generation !== link.observedGeneration || !isVendorOlder) return [];
  return [
    {
      gate: 'not-yet-seen',
      field: null,
      code: 'vendor-older',
      what: 'the vendor shows an older state of its record than was read of it before, which counts as a late reading',
      opens: `automatically with a later reading: lockstep explain ${id} --tenant ${tenant}; where the vendor was restored, with the next audit, or: lockstep audit --repair --tenant ${tenant}`,
      needsSomebody: false,
    },
  ];
}
