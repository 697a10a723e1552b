import type { CALL_PURPOSE_NAMES } from '../loop/crm-budget.ts';
import type { IssueCode } from '../record/issue.ts';
import { ISSUE_CATALOG } from '../record/issue-catalog.ts';
import { STREAM_NAMES } from '../streams/streams.ts';

/**
 * How urgent a notice to operators is. `urgent`: work has stopped. `soon`: part of the work waits until a user or operator acts. `info`:
 * operators should know, but need not act.
 */
export const SEVERITIES = ['urgent', 'soon', 'info'] as const;
export type Severity = (typeof SEVERITIES)[number];

/**
 * One possible cause of a notice to operators. The notice's sentences are in this table. Only the placeholders `{subject}` and `{records}`
 * are filled in, so no field value gets into a notice.
 */
type CauseRow = {
  readonly severity: Severity;
  /**
   * The subjects that a notice of this cause can be about (such as the remote systems that may fail), each with the words for it in the
   * notice's sentences. Null if the cause has no subjects.
   */
  readonly subjects: Readonly<Record<string, string>> | null;
  readonly begins: string;
  readonly ends: string;
  /**
   * The console page that shows the tenant's state, relative to `/tenants/<name>/`; empty for the tenant's overview. `page` and `command`
   * may contain `{tenant}` and `{subject}`. Here, `{subject}` is replaced by the subject's key in `subjects`, and not by its words.
   */
  readonly page: string;
  /** The `lockstep` command that shows operators the state that the notice is about. */
  readonly command: string;
  /**
   * How long, in ms, a state must last before operators get a notice of its beginning, and how long it must be gone before they get a
   * notice of its end. Null: the time in the notices file applies.
   */
  readonly settleMs: number | null;
};

const WAITING = Object.fromEntries(
  (Object.keys(ISSUE_CATALOG) as IssueCode[])
    .filter((code) => ISSUE_CATALOG[code].severity === 'waits')
    .map((code) => [code, ISSUE_CATALOG[code].meaning]),
);
const STREAMS = Object.fromEntries(STREAM_NAMES.map((name) => [name, name]));
const PURPOSES: Readonly<Record<(typeof CALL_PURPOSE_NAMES)[number], string>> = {
  interactive: 'changes of records',
  sweep: 'sweeps',
  bulk: 'backfill, catalog, orders and audit',
};

const STATUS = 'lockstep status --tenant {tenant}';
const TEN_MINUTES_MS = 600_000;

/**
 * The causes for which operators get notices of a tenant's state. A cause may have subjects, such as the remote systems that may fail. Each
 * subject then has a state of its own.
 */
export const NOTICE_CAUSES = {
  'tenant-unavailable': {
    severity: 'urgent',
    subjects: null,
    begins: 'A process cannot serve the tenant, because its declaration cannot be used.',
    ends: 'Every process serves the tenant again.',
    page: '',
    command: STATUS,
    settleMs: null,
  },
  'remote-down': {
    severity: 'urgent',
    subjects: {
      'vendor-sales': 'the vendor’s API of deals',
      'vendor-order': 'the vendor’s API of orders',
      salesforce: 'Salesforce',
    },
    begins: 'Lockstep cannot use {subject}, so the work that needs it is paused. No change is lost.',
    ends: 'Lockstep can use {subject} again, and the paused work goes on.',
    page: '',
    command: STATUS,
    settleMs: null,
  },
  'mass-change': {
    severity: 'urgent',
    subjects: null,
    begins: 'Very many records changed at once, so Lockstep has paused the tenant until an operator resumes it.',
    ends: 'The tenant is no longer paused because of many changes.',
    page: '',
    command: STATUS,
    settleMs: null,
  },
  'paused-by-hand': {
    severity: 'info',
    subjects: null,
    begins: 'An administrator has paused the tenant.',
    ends: 'An administrator has resumed the tenant.',
    page: '',
    command: STATUS,
    settleMs: null,
  },
  'stream-overdue': {
    severity: 'urgent',
    subjects: STREAMS,
    begins: 'The stream {subject} was not read for too long, so its changes arrive late.',
    ends: 'The stream {subject} is read in time again.',
    page: '',
    command: STATUS,
    // After an outage, each stream needs some minutes until it is read again.
    settleMs: TEN_MINUTES_MS,
  },
  'stream-stopped': {
    severity: 'soon',
    subjects: STREAMS,
    begins: 'The stream {subject} is stopped, because Salesforce refuses an object or a field.',
    ends: 'The stream {subject} is read again.',
    page: '',
    command: STATUS,
    settleMs: null,
  },
  'mapping-refused': {
    severity: 'urgent',
    subjects: null,
    begins: 'The org prevents a mapped field from being synced.',
    ends: 'The org lets every mapped field be synced.',
    page: '',
    command: 'lockstep mapping check --tenant {tenant}',
    settleMs: null,
  },
  'records-wait': {
    severity: 'soon',
    subjects: WAITING,
    begins: 'Waiting for a person: {records}, because {subject}.',
    ends: 'No record waits for a person any more because {subject}.',
    page: 'inbox?code={subject}',
    command: 'lockstep inbox --code {subject} --tenant {tenant}',
    settleMs: null,
  },
  'rows-refused': {
    severity: 'soon',
    subjects: STREAMS,
    begins: 'Salesforce refuses rows of the stream {subject}. Lockstep keeps them and tries again.',
    ends: 'Salesforce has taken the refused rows of the stream {subject}.',
    page: '',
    command: STATUS,
    settleMs: null,
  },
  'rows-without-id': {
    severity: 'soon',
    subjects: STREAMS,
    begins: 'The stream {subject} has rows that name no usable record.',
    ends: 'No row of the stream {subject} lacks its record.',
    page: '',
    command: STATUS,
    settleMs: null,
  },
  'owner-notices-refused': {
    severity: 'soon',
    subjects: null,
    begins: 'Salesforce refuses notices to owners of deals.',
    ends: 'Salesforce takes notices to owners of deals again.',
    page: '',
    command: STATUS,
    settleMs: null,
  },
  drift: {
    severity: 'soon',
    subjects: null,
    begins: 'The last audit left differences between both sides unrepaired, in {records}.',
    ends: 'The last audit left no record that differs between both sides.',
    page: '',
    command: 'lockstep audit --last --tenant {tenant}',
    settleMs: null,
  },
  'change-events-stopped': {
    severity: 'soon',
    subjects: null,
    begins: 'Change events of Salesforce are not followed. Sweeps find changes meanwhile, some minutes later.',
    ends: 'Change events of Salesforce are followed again.',
    page: '',
    command: STATUS,
    // Lockstep opens the connection for events again several times an hour, so a short interruption is normal.
    settleMs: TEN_MINUTES_MS,
  },
  'org-calls-used-up': {
    severity: 'soon',
    subjects: PURPOSES,
    begins: 'Lockstep’s share of the org’s daily API calls is used up for {subject}, which wait.',
    ends: 'Lockstep’s share of the org’s daily API calls allows {subject} again.',
    page: '',
    command: STATUS,
    settleMs: TEN_MINUTES_MS,
  },
  'vendor-quota-used-up': {
    severity: 'info',
    subjects: { 'vendor-sales': 'the vendor’s API of deals', 'vendor-order': 'the vendor’s API of orders' },
    begins: 'The rate limit of {subject} has been used up for some minutes, so changes wait.',
    ends: 'The rate limit of {subject} allows requests again.',
    page: '',
    command: STATUS,
    settleMs: TEN_MINUTES_MS,
  },
  'key-waits': {
    severity: 'soon',
    subjects: null,
    begins: 'A new vendor API key waits until the vendor’s administrators register it.',
    ends: 'No new vendor API key waits.',
    page: 'keys',
    command: 'lockstep keys status {tenant}',
    settleMs: null,
  },
} as const satisfies Readonly<Record<string, CauseRow>>;

export type NoticeCause = keyof typeof NOTICE_CAUSES;
export const CAUSE_NAMES = Object.keys(NOTICE_CAUSES) as readonly NoticeCause[];

const ROWS: Readonly<Record<NoticeCause, CauseRow>> = NOTICE_CAUSES;

export function causeRow(cause: NoticeCause): CauseRow {
  return ROWS[cause];
}

/** Whether a notice of this cause can have this subject. A cause without subjects has only the empty subject. */
export function hasSubject(cause: NoticeCause, subject: string): boolean {
  const { subjects } = ROWS[cause];
  return subjects === null ? subject === '' : Object.hasOwn(subjects, subject);
}
