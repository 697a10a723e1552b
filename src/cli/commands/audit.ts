import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { AuditResult } from '../../domain/audit/audit-result.ts';
import { REPAIR_CAP } from '../../domain/audit/audit-run.ts';
import { AUDIT_CAUSES, type AuditCause } from '../../domain/audit/causes.ts';
import { counted } from '../../domain/values/counted.ts';
import { type AuditAnswer, runAudit, showLastAudit, stopAudit } from '../../operator/runs/audit.ts';
import { watchShutdown } from '../../platform/shutdown.ts';
import { CliError, EXIT } from '../exit.ts';
import type { OperatorTools } from '../operator-tools.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';

type Options = {
  readonly tenant?: string;
  readonly repair?: true;
  readonly cap?: number;
  readonly last?: true;
  readonly stop?: true;
};

/**
 * `lockstep audit`: compares the CRM's and the vendor's record of every linked deal, and counts the deals whose records differ. With
 * `--repair`, also requests a sync of these deals.
 */
export const addAudit = operatorVerb({
  name: 'audit',
  example: `Example:
  lockstep audit                     what differs, and why; changes nothing
  lockstep audit --repair            also has the differing records repaired by their own workflows
  lockstep audit --last              shows the last audit's result; each tenant has an audit a day

The audit runs in Temporal: Ctrl-C leaves it running, and lockstep audit --stop ends it. Exits with 2 when records differ.`,
  takes: (command) => withOptions(tenantOption(command)),
  run: async (tools, options: Options) => {
    const { tenant } = await tools.tenant(options.tenant);
    if (options.last === true && options.stop === true)
      throw new CliError('Give --last or --stop, not both.', EXIT.usage);
    if (options.last === true) return showLastAudit(await tools.ledger(), tenant);
    if (options.stop === true) return stopAudit(await tools.audits(), tenant);
    return runToItsEnd(tools, tenant, options);
  },
  effect: ({ tenant, repair = false, cap, last = false, stop = false }) =>
    last
      ? null
      : {
          ...(stop ? { word: 'stop' } : {}),
          tenant: { given: tenant },
          details: { repair, ...(cap === undefined ? {} : { cap }) },
        },
  lines: auditLines,
  needsAttention: (answer) => answer.shape === 'audit/1' && answer.differing > 0,
  hasFailed: (answer) => answer.shape !== 'audit/1' && answer.state === 'cut-short',
});

function withOptions(command: Command): Command {
  return command
    .option('--repair', 'repair the records that differ')
    .option('--cap <records>', `repair at most this many records; the default is ${REPAIR_CAP}`, readCount)
    .option('--last', 'show the result of the last audit')
    .option('--stop', 'end the running audit');
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is no number of records.');
}

async function runToItsEnd(tools: OperatorTools, tenant: string, options: Options): Promise<AuditAnswer> {
  const shutdown = watchShutdown();
  const ports = {
    audits: await tools.audits(),
    ledger: await tools.ledger(),
    pause: (ms: number) =>
      sleep(ms, undefined, { signal: shutdown.signal }).then(
        () => true,
        () => false,
      ),
    progress: tools.progress,
  };
  const order = { repairs: options.repair === true, cap: options.cap ?? null };
  try {
    return await runAudit(ports, tenant, order);
  } finally {
    shutdown.dispose();
  }
}

export function auditLines(answer: AuditAnswer): readonly string[] {
  if (answer.shape === 'audit/1') return resultLines(answer);
  switch (answer.state) {
    case 'under-way':
      return [
        `The audit goes on in Temporal. What it came to: lockstep audit --last --tenant ${answer.tenant}; to end it: lockstep audit --stop --tenant ${answer.tenant}`,
      ];
    case 'stopped':
      return ['The audit is stopped; what it had marked due goes on.'];
    case 'none':
      return [`No audit of ${answer.tenant} has ended yet.`];
    case 'idle':
      return [`No audit of ${answer.tenant} is under way.`];
    case 'cut-short':
      return [`The audit did not come to its end: ${answer.reason}`];
  }
}

function resultLines(audit: AuditResult): readonly string[] {
  const { pairs, differing, underWay, explained, unlinked, asked } = audit;
  return [
    `${counted(pairs, 'pair')}, ${counted(differing, 'differs', 'differ')} (${audit.startedAt} to ${audit.endedAt})`,
    ...Object.entries(audit.causes).map(
      ([cause, count]) => `  ${count} ${cause}: ${AUDIT_CAUSES[cause as AuditCause]}`,
    ),
    ...Object.entries(audit.fields).map(([field, count]) => `  ${counted(count, 'differs', 'differ')} in ${field}`),
    ...audit.examples.map(({ crmId, vendorId, cause, fields }) =>
      `    ${[crmId, vendorId].filter(Boolean).join(' ')}: ${cause} ${fields.join(', ')}`.trimEnd(),
    ),
    ...repairLines(audit),
    `  under way ${underWay}, waiting for a repair ${explained}, without a counterpart ${counted(unlinked.crm, 'opportunity', 'opportunities')} and ${counted(unlinked.vendor, 'vendor record')}`,
    `  asked: ${counted(asked.vendorSearches, 'search', 'searches')} and ${counted(asked.vendorReads, 'read')} of the vendor, ${counted(asked.crmReads, 'read')} of Salesforce`,
  ];
}

function repairLines({ tenant, repaired, left, repairs }: AuditResult): readonly string[] {
  if (repaired + left === 0) return [];
  if (!repairs) return [`  Repair them with: lockstep audit --repair --tenant ${tenant}`];
  const rest =
    left === 0 ? '' : `; the cap leaves ${left} to the next: lockstep audit --repair --cap ${left} --tenant ${tenant}`;
  return [`  ${counted(repaired, 'is', 'are')} on the way to be repaired${rest}`];
}
