import { InvalidArgumentError } from 'commander';
import type { IssueCode } from '../../domain/record/issue.ts';
import { counted } from '../../domain/values/counted.ts';
import { correctField } from '../../operator/records/correct-field.ts';
import { type RecordsRetried, retryRecords } from '../../operator/records/retry-records.ts';
import { type RecordsSynced, syncRecords } from '../../operator/records/sync-record.ts';
import { type Inbox, readInbox, WAITING_CODES } from '../../operator/status/inbox.ts';
import { noticeLine } from '../../operator/status/owner-notices.ts';
import { crmIdsOf, type DealNames, NO_NAMES } from '../deal-names.ts';
import { CliError, EXIT } from '../exit.ts';
import { chosenField, readFieldName } from '../flags.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { isOpportunityId, readId } from '../record-ids.ts';
import { withSubverbs } from '../with-subverbs.ts';

type ListOptions = { readonly tenant?: string; readonly code?: IssueCode; readonly limit: number };

const LISTED = 10;
const RETRIED = 100;
const MOST = 10_000;

const addList = operatorVerb({
  name: 'inbox',
  example: `Example:
  lockstep inbox
  lockstep inbox --code required-on-create --limit 50
  lockstep inbox retry --all --code vendor-refused

For orders that wait for an opportunity, see: lockstep find-order --open. Exits with 2 when a record waits.`,
  takes: (command) =>
    tenantOption(command)
      .option('--code <code>', 'only records with this cause', readCode)
      .option('--limit <n>', 'the number of records shown for each cause at most', readLimit, LISTED),
  run: async (tools, options: ListOptions) => {
    const { tenant } = await tools.tenant(options.tenant);
    const order = { codes: options.code === undefined ? null : [options.code], limit: options.limit };
    return readInbox(await tools.ledger(), tenant, order);
  },
  effect: 'reads',
  deals: ({ tenant, records }) => [{ tenant, crmIds: crmIdsOf(records) }],
  lines: inboxLines,
  needsAttention: ({ causes, ownerNotices }) => causes.length + ownerNotices.length > 0,
});

type RetryOptions = {
  readonly tenant?: string;
  readonly all?: true;
  readonly code?: IssueCode;
  readonly limit: number;
  readonly yes?: true;
};

const addRetry = operatorVerb({
  name: 'retry',
  description: 'send refused records again',
  example: `Example:
  lockstep inbox retry 006Hs00001ABCDEIA5 LO-00000005
  lockstep inbox retry --all --code vendor-refused            lists the records that would be sent again
  lockstep inbox retry --all --code vendor-refused --yes      sends them

Returns once the workflows are signalled; lockstep sync ID --wait shows a record's result.`,
  takes: (command) =>
    tenantOption(command)
      .argument(
        '[ids...]',
        'Salesforce opportunity ids of 15 or 18 characters, vendor ids, or keys of links',
        (text: string, before: readonly string[] = []) => [...before, readId(text)],
      )
      .option('--all', 'every record that waits with the cause')
      .option('--code <code>', 'the cause', readCode)
      .option('--limit <n>', 'with --all: at most this many records, the last changed ones first', readLimit, RETRIED)
      .option('--yes', 'send the records; without this option the command only lists them'),
  run: async (tools, ids: readonly string[] | undefined, options: RetryOptions) => {
    const { all = false, code, limit, yes = false } = options;
    const given = ids ?? [];
    if (all !== (code !== undefined) || all === given.length > 0)
      throw new CliError('Give ids, or --all with --code.', EXIT.usage);
    const { tenant } = await tools.tenant(options.tenant);
    const ledger = await tools.ledger();
    if (code !== undefined)
      return retryRecords({ intake: tools.intake, ledger }, tenant, { code, limit, isOrdered: yes }, tools.now());
    const remote = await tools.remote(options.tenant);
    const ports = { intake: await tools.intake(), ledger, remote, pause: async () => {} };
    const order = {
      crmIds: given.filter(isOpportunityId),
      others: given.filter((id) => !isOpportunityId(id)),
      allParked: false,
      waitMs: 0,
    };
    return syncRecords(ports, tenant, order, tools.now());
  },
  effect: (ids = [], { tenant, all = false, code, limit, yes = false }) => {
    if (all !== (code !== undefined) || all === ids.length > 0) return null;
    if (ids.length > 0) return { tenant: { given: tenant }, details: { ids } };
    return yes && code !== undefined ? { tenant: { given: tenant }, details: { code, limit } } : null;
  },
  lines: retryLines,
});

type CorrectOptions = { readonly tenant?: string; readonly field: string; readonly value: string };

const addCorrect = operatorVerb({
  name: 'correct',
  description: 'set a field of waiting opportunities in Salesforce, and sync them',
  example: `Example:
  lockstep inbox correct 006Hs00001ABCDEIA5 --field closeDate --value 2027-05-31

For records that wait because of one field's value. Write the value as Salesforce stores it. Exits with 2 when Salesforce refuses one.`,
  takes: (command) =>
    tenantOption(command)
      .argument(
        '<ids...>',
        'Salesforce opportunity ids of 15 or 18 characters, vendor ids, or keys of links',
        (text: string, before: readonly string[] = []) => [...before, readId(text)],
      )
      .requiredOption('--field <field>', 'the field, by its name at the vendor or in Salesforce', readFieldName)
      .requiredOption('--value <value>', 'the value as Salesforce stores it'),
  run: async (tools, ids: readonly string[], { tenant: named, field, value }: CorrectOptions) => {
    const { tenant, mapping } = await tools.tenant(named);
    const { setInCrm } = await tools.remote(named);
    const ports = { intake: await tools.intake(), ledger: await tools.ledger(), setInCrm, mapping };
    return correctField(ports, tenant, { ids, field: chosenField(field, mapping), value }, tools.now());
  },
  effect: (ids, { tenant, field }) => ({ tenant: { given: tenant }, details: { ids, field } }),
  lines: ({ records }) =>
    records.map(({ id, refused }) => (refused === null ? `On its way: ${id}` : `Not changed: ${id}: ${refused}`)),
  needsAttention: ({ records }) => records.some(({ refused }) => refused !== null),
});

/**
 * `lockstep inbox` and its subcommands: lists records that wait until a user or operator acts, syncs them again, and corrects one of their
 * fields in Salesforce.
 */
export const addInbox = withSubverbs(addList, addRetry, addCorrect);

function readCode(text: string): IssueCode {
  const found = WAITING_CODES.find((code) => code === text);
  if (found === undefined) throw new InvalidArgumentError(`The causes are ${WAITING_CODES.join(', ')}.`);
  return found;
}

function readLimit(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text) && Number(text) <= MOST) return Number(text);
  throw new InvalidArgumentError(`It is no number from 1 to ${MOST}.`);
}

export function inboxLines(
  { tenant, causes, records, ownerNotices }: Inbox,
  { named }: DealNames = NO_NAMES,
): readonly string[] {
  if (causes.length + ownerNotices.length === 0) return [`${tenant}: nothing waits for anybody.`];
  const noticeLines = ownerNotices.map((notices) => noticeLine(notices, tenant));
  const waiting = causes.flatMap(({ code, records: count, meaning, repair }) => {
    const own = records.filter(({ issues }) => issues.some((issue) => issue.code === code));
    return [
      `${code}: ${counted(count, 'record')}, ${meaning}`,
      `  repair: ${repair}; then: lockstep inbox retry --all --code ${code} --tenant ${tenant}`,
      ...own.flatMap(({ crmId, vendorId, key, issues }) => [
        `  ${crmId === null ? (vendorId ?? key) : named(crmId)}`,
        ...issues.filter((issue) => issue.code === code).map(({ message }) => `    ${message}`),
      ]),
      ...(own.length < count
        ? [`  and ${count - own.length} more: lockstep inbox --code ${code} --limit ${count} --tenant ${tenant}`]
        : []),
    ];
  });
  return [...waiting, ...noticeLines];
}

function retryLines(answer: RecordsRetried | RecordsSynced): readonly string[] {
  if (!('waiting' in answer)) return answer.records.map(({ id, workflowId }) => `On its way: ${id} (${workflowId})`);
  const { code, waiting, records } = answer;
  const left = waiting - records.length;
  return [
    ...records.map(({ key, crmId, vendorId, workflowId }) => {
      const id = crmId ?? vendorId ?? key;
      return workflowId === null ? `Would be sent again: ${id}` : `On its way: ${id} (${workflowId})`;
    }),
    `${records.length} of ${counted(waiting, 'record')} with ${code}.`,
    ...(left > 0 ? [`${counted(left, 'is', 'are')} left: give --limit ${waiting}.`] : []),
    ...(records.some(({ workflowId }) => workflowId === null) ? ['Nothing was sent: add --yes.'] : []),
  ];
}
