import { InvalidArgumentError } from 'commander';
import { counted } from '../../domain/values/counted.ts';
import {
  type Anchor,
  AUDIT_LOG_PROBLEMS,
  type AuditLog,
  type AuditLogCheck,
  type LoggedAction,
  readAuditLog,
  verifyAuditLog,
} from '../../operator/actions/audit-log.ts';
import { CliError, EXIT } from '../exit.ts';
import { readInstant } from '../flags.ts';
import { operatorVerb } from '../operator-verb.ts';

type Options = {
  readonly since?: string;
  readonly tenant?: string;
  readonly limit: number;
  readonly verify?: true;
  readonly anchor?: readonly Anchor[];
};

const LISTED = 50;

/** `lockstep audit-log`: shows what operators did. With `--verify`, checks that no entry of the log was changed, moved or removed. */
export const addAuditLog = operatorVerb({
  name: 'audit-log',
  example: `Examples:
  lockstep audit-log --tenant acme --since 2026-01-01
  lockstep audit-log --verify                   checks every entry, and prints number and hash of the last one

A command that changes something writes an entry when it begins and one when it ends. --verify finds removed, changed and moved entries.
It finds that the last entries were removed only if it knows an earlier last entry: store its output outside the database, and pass it as
--anchor. Exits with 2 on a problem.`,
  takes: (command) =>
    command
      .option('--since <instant>', 'only actions since this instant, such as 2026-01-01', readInstant)
      .option('--tenant <name>', 'only actions on this tenant')
      .option('--limit <n>', 'the number of actions shown at most, the latest ones', readLimit, LISTED)
      .option('--verify', 'check the whole log')
      .option('--anchor <seq:hash>', 'with --verify: an entry that must exist; may be repeated', readAnchor),
  run: async (tools, { since, tenant, limit, verify, anchor = [] }: Options) => {
    if (anchor.length > 0 && verify !== true) throw new CliError('--anchor goes with --verify.', EXIT.usage);
    const ledger = await tools.ledger();
    return verify
      ? verifyAuditLog(ledger, anchor)
      : readAuditLog(ledger, { since: since ?? null, tenant: tenant ?? null, limit });
  },
  effect: 'reads',
  lines: auditLogLines,
  needsAttention: (answer) => 'problems' in answer && answer.problems.length > 0,
});

function readLimit(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is no number from 1 to 99999.');
}

function readAnchor(text: string, before: readonly Anchor[] = []): readonly Anchor[] {
  const [, seq, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === undefined || hash === undefined)
    throw new InvalidArgumentError('Write number and hash as lockstep audit-log --verify printed them.');
  return [...before, { seq: Number(seq), hash }];
}

export function auditLogLines(answer: AuditLog | AuditLogCheck): readonly string[] {
  if ('actions' in answer)
    return answer.actions.length === 0 ? ['No operator has changed anything.'] : answer.actions.map(actionLine);
  const { entries, last, problems } = answer;
  return [
    ...problems.map(({ seq, problem }) => `Entry ${seq}: ${AUDIT_LOG_PROBLEMS[problem]}.`),
    `${counted(entries, 'entry', 'entries')} checked, ${counted(problems.length, 'problem')}.`,
    ...(last === null ? [] : [`Keep this outside the database, for --anchor: ${last.seq}:${last.hash}`]),
  ];
}

function actionLine(action: LoggedAction): string {
  const { seq, attemptedAt, verb, tenants, details, outcome, error, user, host, dbUser, reason } = action;
  const given = Object.entries(details).map(([name, value]) => `${name}=${String(value)}`);
  return [
    `${seq} ${attemptedAt} ${[verb, ...tenants, ...given].join(' ')}:`,
    `${outcome ?? 'no end known'}${error === null ? '' : ` (${error})`},`,
    `by ${user} on ${host} as ${dbUser}${reason === null ? '' : `, because: ${reason}`}`,
  ].join(' ');
}
