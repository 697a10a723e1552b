import { setTimeout as pause } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { isConflict } from '../../domain/record/issue.ts';
import { type ConflictResolved, resolveConflict, type Take } from '../../operator/records/resolve-conflict.ts';
import { type Inbox, readInbox, WAITING_CODES } from '../../operator/status/inbox.ts';
import { crmIdsOf, type DealNames, NO_NAMES } from '../deal-names.ts';
import { chosenField, readFieldName, readSeconds, WAIT_SECONDS } from '../flags.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';
import { ID_HELP, readId } from '../record-ids.ts';
import { withSubverbs } from '../with-subverbs.ts';

const MOST = 10_000;
const CONFLICT_CODES = WAITING_CODES.filter((code) => isConflict({ code }));

const addList = operatorVerb({
  name: 'conflicts',
  example: `Example:
  lockstep conflicts
  lockstep explain 006Hs00001ABCDEIA5 --field description --values
  lockstep conflicts resolve 006Hs00001ABCDEIA5 description --take crm

Exits with 2 when a conflict waits.`,
  takes: tenantOption,
  run: async (tools, options: { readonly tenant?: string }) => {
    const { tenant } = await tools.tenant(options.tenant);
    return readInbox(await tools.ledger(), tenant, { codes: CONFLICT_CODES, limit: MOST });
  },
  effect: 'reads',
  deals: ({ tenant, records }: Inbox) => [{ tenant, crmIds: crmIdsOf(records) }],
  lines: (inbox, names) => conflictLines(inbox, names),
  needsAttention: ({ records }) => records.length > 0,
});

type Options = { readonly tenant?: string; readonly take: Take; readonly wait?: number | true };

const addResolve = operatorVerb({
  name: 'resolve',
  description: 'decide one conflict: keep one side’s value, or set another value on both sides',
  example: `Example:
  lockstep conflicts resolve 006Hs00001ABCDEIA5 description --take vendor --wait
  lockstep conflicts resolve LO-00000005 closeDate --take 2027-05-31

The decision applies to this field and to the values that Lockstep then reads; other conflicts continue to wait. Write another
value as Salesforce stores it: a stage by its name, a date as 2027-05-31. With --wait the exit code is 0 when the value was
written, 2 when the record still waits for a person, and 1 when the sync did not end in time.`,
  takes: withOptions,
  run: async (tools, id: string, name: string, options: Options) => {
    const { tenant, mapping } = await tools.tenant(options.tenant);
    const field = chosenField(name, mapping);
    const { setInCrm } = await tools.remote(options.tenant);
    const ports = { intake: await tools.intake(), ledger: await tools.ledger(), setInCrm, mapping, pause };
    const waitMs = 1_000 * (options.wait === true ? WAIT_SECONDS : (options.wait ?? 0));
    const order = { id, field, take: options.take, waitMs };
    return resolveConflict(ports, tenant, order, tools.now());
  },
  effect: (id, field, { tenant, take }) => ({
    tenant: { given: tenant },
    details: { id, field, take: typeof take === 'string' ? take : 'a value' },
  }),
  lines: resolvedLines,
  needsAttention: ({ outcome }) => outcome?.ended === true && outcome.waitsFor.length > 0,
  hasFailed: ({ outcome }) => outcome?.ended === false,
});

/**
 * `lockstep conflicts`: lists the fields that changed in the CRM and at the vendor and wait for a decision. `lockstep conflicts resolve`:
 * enters an operator's decision for one such field.
 */
export const addConflicts = withSubverbs(addList, addResolve);

function withOptions(command: Command): Command {
  return tenantOption(command)
    .argument('<id>', ID_HELP, readId)
    .argument('<field>', 'the field, by its name at the vendor or in Salesforce', readFieldName)
    .requiredOption('--take <crm|vendor|value>', 'the side whose value stays, or another value for both', readTake)
    .option('--wait [seconds]', `wait for the result, for at most ${WAIT_SECONDS} seconds by default`, readSeconds);
}

function readTake(text: string): Take {
  if (text === 'crm' || text === 'vendor') return text;
  if (text === '') throw new InvalidArgumentError('Give crm, vendor or a value.');
  return { value: text };
}

export function conflictLines(
  { tenant, records }: Pick<Inbox, 'tenant' | 'records'>,
  { named }: DealNames = NO_NAMES,
): readonly string[] {
  if (records.length === 0) return [`${tenant}: no conflict waits.`];
  const waiting = records.flatMap(({ crmId, vendorId, key, issues }) =>
    issues.filter(isConflict).map(({ field, message }) => ({
      id: crmId ?? vendorId ?? key,
      shown: crmId === null ? (vendorId ?? key) : named(crmId),
      field,
      message,
    })),
  );
  return waiting.flatMap(({ id, shown, field, message }) => [
    `${shown} ${field}: ${message}`,
    `  both values: lockstep explain ${id} --field ${field} --values --tenant ${tenant}`,
    `  decide it: lockstep conflicts resolve ${id} ${field} --take crm --tenant ${tenant} (or --take vendor, or another value)`,
  ]);
}

export function resolvedLines({
  crmId,
  vendorId,
  key,
  field,
  take,
  workflowId,
  outcome,
}: ConflictResolved): readonly string[] {
  const id = crmId ?? vendorId ?? key;
  if (outcome === null) return [`${field} of ${id} is decided (${take}); on its way: ${workflowId}`];
  const what = outcome.ended ? outcome.state : 'not ended yet';
  return [
    `${field} of ${id} is decided (${take}): ${what} (${workflowId})`,
    ...outcome.waitsFor.map((one) => `  ${one}`),
  ];
}
