import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { isWaiting } from '../../domain/record/link-state.ts';
import { counted } from '../../domain/values/counted.ts';
import { type RecordSynced, syncRecords } from '../../operator/records/sync-record.ts';
import { CliError, EXIT } from '../exit.ts';
import { readSeconds, WAIT_SECONDS } from '../flags.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { isOpportunityId, readId } from '../record-ids.ts';

type Options = { readonly tenant?: string; readonly allParked?: true; readonly wait?: number | true };

/** `lockstep sync <ids>`: reads records again on both sides, and sends again the values that the CRM or the vendor has refused. */
export const addSync = operatorVerb({
  name: 'sync',
  example: `Example:
  lockstep sync 006Hs00001ABCDEIA5 LO-00000005 --wait
  lockstep sync --all-parked

Returns once the workflows are signalled; they continue in Temporal after this command ends. With --wait it shows each
record's result; the exit code is 0 when all are in sync, 2 when a record waits for a person, 1 when one did not end in time.`,
  takes: (command) => withOptions(tenantOption(command)),
  run: async (tools, ids: readonly string[] | undefined, options: Options) => {
    const given = ids ?? [];
    const allParked = options.allParked === true;
    if (given.length === 0 && !allParked) throw new CliError('Give ids, or --all-parked.', EXIT.usage);
    const { tenant } = await tools.tenant(options.tenant);
    const order = {
      crmIds: given.filter(isOpportunityId),
      others: given.filter((id) => !isOpportunityId(id)),
      allParked,
      waitMs: 1_000 * (options.wait === true ? WAIT_SECONDS : (options.wait ?? 0)),
    };
    const [remote, intake, ledger] = [await tools.remote(options.tenant), await tools.intake(), await tools.ledger()];
    return syncRecords({ intake, ledger, remote, pause }, tenant, order, tools.now());
  },
  effect: (ids = [], { tenant, allParked = false }) =>
    ids.length === 0 && !allParked ? null : { tenant: { given: tenant }, details: { ids, allParked } },
  lines: ({ records }) => [
    ...records.flatMap(linesOf),
    `${counted(records.length, 'record')}; each is in the Temporal UI under its workflow id.`,
  ],
  needsAttention: ({ records }) => records.some(({ outcome }) => outcome?.ended === true && isWaiting(outcome.state)),
  hasFailed: ({ records }) => records.some(({ outcome }) => outcome?.ended === false),
});

function withOptions(command: Command): Command {
  return command
    .argument('[ids...]', 'Salesforce opportunity ids of 15 or 18 characters, vendor ids, or keys of links', collectId)
    .option('--all-parked', 'every parked record of the tenant')
    .option('--wait [seconds]', `wait for the result, for at most ${WAIT_SECONDS} seconds by default`, readSeconds);
}

function linesOf({ id, workflowId, outcome }: RecordSynced): readonly string[] {
  if (outcome === null) return [`On its way: ${workflowId}`];
  const what = outcome.ended ? outcome.state : 'not ended yet';
  return [`${id}: ${what} (${workflowId})`, ...outcome.waitsFor.map((reason) => `  ${reason}`)];
}

function collectId(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, readId(text)];
}
