import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { counted } from '../../domain/values/counted.ts';
import { addTenant, applyTenants, type TenantsApplied } from '../../operator/tenants/apply-tenants.ts';
import { eraseTenant, type TenantErased, untilQuiet } from '../../operator/tenants/erase-tenant.ts';
import {
  createExport,
  discardExport,
  exportTenant,
  type TenantExported,
} from '../../operator/tenants/export-tenant.ts';
import {
  listTenants,
  pauseTenant,
  requireErasable,
  resumePaused,
  showTenant,
  type TenantRemoved,
  type TenantShown,
  takeTenantOut,
} from '../../operator/tenants/tenant-state.ts';
import { type Declared, declareFile } from '../../platform/declared-tenant.ts';
import { tenantFiles } from '../../platform/tenant-file.ts';
import { CliError, EXIT } from '../exit.ts';
import type { OperatorTools } from '../operator-tools.ts';
import { operatorVerb } from '../operator-verb.ts';
import { loadOptions } from '../runtime.ts';
import { withSubverbs } from '../with-subverbs.ts';

const SEAL = 'store the values of its secrets in the ledger, sealed, instead of references';

type ListOptions = { readonly all?: boolean };

const listing = {
  takes: (command: Parameters<NonNullable<Parameters<typeof operatorVerb>[0]['takes']>>[0]) =>
    command.option('--all', 'also list removed tenants'),
  run: async (tools: OperatorTools, { all = false }: ListOptions) =>
    listTenants(await tools.ledger(), await tools.roster(), { all, now: tools.now() }),
  effect: 'reads' as const,
  lines: ({ tenants }: { readonly tenants: readonly TenantShown[] }) =>
    tenants.length === 0 ? ['There are no tenants: lockstep tenants add FILE declares one.'] : tenants.flatMap(linesOf),
  needsAttention: ({ tenants }: { readonly tenants: readonly TenantShown[] }) =>
    tenants.some(({ state }) => state === 'unavailable'),
};

const EXAMPLES = `Examples:
  lockstep tenants                             lists the tenants and their states
  lockstep tenants add declared/acme.yaml       adds a tenant; served within seconds, without a restart
  lockstep tenants apply declared               shows what the files of a folder would change
  lockstep tenants apply declared --yes         makes the changes

Running workers and receivers apply changes of the registry. Exits with 2 when a process cannot serve a tenant.`;

const addListing = operatorVerb({
  name: 'tenants',
  example: EXAMPLES,
  ...listing,
});

const addList = operatorVerb({
  name: 'list',
  description: 'list the tenants and their states',
  example: `Example:
  lockstep tenants list --all --json

Exits with 2 when a process cannot serve a tenant; the list shows the reason.`,
  ...listing,
});

const addAdd = operatorVerb({
  name: 'add',
  description: 'declare a tenant by its file, or restore a removed tenant',
  example: `Example:
  lockstep tenants add declared/acme.yaml
  lockstep tenants add declared/acme.yaml --seal     stores the secrets' values, sealed, in the ledger

Without --seal secrets stay references, env:NAME and file:PATH, which every worker and receiver must be able to read; file: in
a folder of LOCKSTEP_SECRETS. The command does not change an existing tenant; use lockstep tenants apply for that.`,
  takes: (command) => command.argument('<file>', 'the tenant file').option('--seal', SEAL),
  run: async (tools, file: string, { seal = false }: { readonly seal?: boolean }) => {
    const [declared] = declaredBy([file], tools, seal);
    if (declared === undefined) throw new CliError(`${file} is no tenant file.`);
    return addTenant(await portsOf(tools), declared);
  },
  effect: (_, { seal = false }) => ({ details: { seal } }),
  outcome: appliedOutcome,
  lines: appliedLines,
});

type ApplyOptions = { readonly prune?: boolean; readonly yes?: boolean; readonly seal?: boolean };

const addApply = operatorVerb({
  name: 'apply',
  description: 'apply tenant files to the registry; without --yes only shows what would change',
  example: `Example:
  lockstep tenants apply declared                    shows what would change, key by key
  lockstep tenants apply declared --yes              makes the changes
  lockstep tenants apply declared --yes --prune      also removes tenants that no file of the folder declares

Exits with 2 when changes exist and --yes is missing, or when a mapping file does not apply because a version is published.`,
  takes: (command) =>
    command
      .argument('<path>', 'a folder of tenant files, or one file')
      .option('--yes', 'make the changes; without this option the command only shows them')
      .option('--prune', 'with a folder: remove tenants that no file of the folder declares')
      .option('--seal', SEAL),
  run: async (tools, path: string, { prune = false, yes = false, seal = false }: ApplyOptions) => {
    if (prune && statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new CliError('--prune goes with a folder: one file does not name all tenants.', EXIT.usage);
    const declared = declaredBy(tenantFiles([path]), tools, seal);
    return applyTenants(await portsOf(tools), declared, { prune, yes });
  },
  effect: (_, { prune = false, yes = false, seal = false }) => (yes ? { details: { prune, seal } } : null),
  outcome: appliedOutcome,
  lines: appliedLines,
  needsAttention: ({ applied, changes, hiddenMappings }) =>
    hiddenMappings.length > 0 || (!applied && changes.some(({ action }) => action !== 'keep')),
});

const addShow = operatorVerb({
  name: 'show',
  description: "show a tenant's state and its declaration",
  example: `Example:
  lockstep tenants show acme

Secrets appear only as references.`,
  takes: (command) => command.argument('<name>', 'the name of the tenant'),
  run: async (tools, name: string) => {
    const shown = await showTenant(await tools.ledger(), await tools.roster(), name, tools.now());
    return { shape: 'tenant/1', ...shown } as const;
  },
  effect: 'reads',
  lines: ({ declaration, ...shown }) => [
    ...linesOf(shown),
    ...(declaration === null ? [] : stringify(declaration).trimEnd().split('\n')),
  ],
  needsAttention: ({ state }) => state === 'unavailable',
});

const addPause = operatorVerb({
  name: 'pause',
  description: "pause a tenant's work",
  example: `Example:
  lockstep tenants pause acme

Lockstep records changes of both sides, and writes to neither until lockstep tenants resume acme.`,
  takes: (command) => command.argument('<name>', 'the name of the tenant'),
  run: async (tools, name: string) => pauseTenant(await tools.ledger(), await tools.roster(), name, tools.now()),
  effect: (name) => ({ named: [name] }),
  lines: ({ tenant, changed }) => [changed ? `${tenant} is paused.` : `${tenant} was paused before.`],
});

const addResume = operatorVerb({
  name: 'resume',
  description: 'resume a tenant that lockstep tenants pause has paused',
  example: `Example:
  lockstep tenants resume acme

Lockstep syncs waiting records within minutes. Other pauses stay: lockstep resume acme lifts all of them.`,
  takes: (command) => command.argument('<name>', 'the name of the tenant'),
  run: async (tools, name: string) => resumePaused(await tools.ledger(), await tools.roster(), name, tools.now()),
  effect: (name) => ({ named: [name] }),
  lines: ({ tenant, changed }) => [changed ? `${tenant} goes on.` : `${tenant} was not paused so.`],
});

type RemoveOptions = { readonly erase?: boolean; readonly yes?: boolean; readonly export?: string };
type Removed = (TenantRemoved | TenantErased) & { readonly exported?: TenantExported };

const addRemove = operatorVerb({
  name: 'remove',
  description: 'take a tenant out of service; its records stay in the ledger, unless they are erased',
  example: `Example:
  lockstep tenants remove acme
  lockstep tenants remove acme --erase           counts the tenant's data in the ledger and in Temporal
  lockstep tenants remove acme --erase --yes     erases the data, and counts what is left: nothing
  lockstep tenants remove acme --export acme.jsonl --erase --yes

Workers and receivers stop serving the tenant within seconds, its schedules are deleted, and its running work ends. lockstep
tenants add restores the tenant, but not erased data. --export first writes the tenant's rows in the ledger to a new file, one
line of JSON a row; the file contains personal data, but no secrets. Exits with 2 when data would be erased, or are left.`,
  takes: (command) =>
    command
      .argument('<name>', 'the name of the tenant')
      .option('--export <file>', "write the tenant's rows in the ledger to a new file that only you can read")
      .option('--erase', "erase the tenant's data in the ledger and in Temporal")
      .option('--yes', 'with --erase: erase the data; without this option the command changes nothing'),
  run: async (tools, name: string, { erase = false, yes = false, export: file }: RemoveOptions): Promise<Removed> => {
    const ledger = await tools.ledger();
    if (erase) await requireErasable(ledger, await tools.roster(), name, tools.now());
    const ports = { ledger, pause: delay, now: tools.now };
    const workflows = erase ? await tools.tenantWorkflows() : null;
    if (workflows !== null && !yes) return eraseTenant({ ...ports, workflows }, name, { yes });
    // The file is created first, so that a tenant without an export stays in service.
    const into = file === undefined ? null : await createExport(file);
    const removed = await takeTenantOut(ledger, await tools.roster(), name, tools.now(), { erases: erase }).catch(
      async (error: unknown) => {
        if (into !== null) await discardExport(into);
        throw error;
      },
    );
    if (into !== null && erase) await untilQuiet(ports, name);
    const exported = into === null ? {} : { exported: await exportTenant(ledger, name, into) };
    if (workflows === null) return { ...removed, ...exported };
    return { ...(await eraseTenant({ ...ports, workflows }, name, { yes })), ...exported };
  },
  effect: (name, { erase = false, yes = false, export: file }) =>
    erase && !yes ? null : { named: [name], details: { erase, exports: file !== undefined } },
  lines: removedLines,
  needsAttention: (answer) => 'remaining' in answer && answer.remaining.rows + answer.remaining.workflows > 0,
});

function removedLines(answer: Removed): readonly string[] {
  const { tenant, exported } = answer;
  const written =
    exported === undefined ? [] : [`${counted(exported.rows, 'row is', 'rows are')} written to ${exported.file}.`];
  if ('records' in answer)
    return [
      ...written,
      answer.byFile
        ? `${tenant} is declared no more; its tenant file has it served on, with ${counted(answer.records, 'record')} in the ledger.`
        : answer.changed
          ? `${tenant} is out of service; ${counted(answer.records, 'record')} of it ${answer.records === 1 ? 'stays' : 'stay'} in the ledger.`
          : `${tenant} was removed before; its ${counted(answer.records, 'record is', 'records are')} in the ledger.`,
    ];
  const { applied, rows, remaining, at, destroyedKeys } = answer;
  return [
    ...written,
    ...Object.entries(rows).map(([table, n]) => `  ${table}: ${counted(n, 'row')}${applied ? ' erased' : ''}`),
    ...destroyedKeys.map((key) => `  its data key ${key.id} was destroyed ${key.at}`),
    `${tenant}: ${counted(remaining.rows, 'row')} and ${counted(remaining.workflows, 'workflow')} left, counted ${at}.`,
    ...(applied ? [] : ['Nothing was done; --yes takes it out of service and erases all of it.']),
  ];
}

/** `lockstep tenants`: adds, changes, pauses and removes tenants in the registry (the list of tenants in Lockstep's database). */
export const addTenants = withSubverbs(addListing, addAdd, addList, addShow, addPause, addResume, addRemove, addApply);

async function portsOf(tools: OperatorTools) {
  const { served } = await tools.roster();
  const byFile = [...served.values()].flatMap(({ tenant, version }) => (version === null ? [tenant.tenant] : []));
  return { ledger: await tools.ledger(), load: loadOptions(tools.context), now: tools.now, byFile };
}

/**
 * Reads tenant files and returns their declarations, for the registry (the list of tenants in Lockstep's database). `seal`: whether a
 * declaration contains the values of the tenant's secrets, so that the ledger stores them encrypted. Otherwise it contains only references
 * to the secrets. Throws an error with every problem of every file.
 */
function declaredBy(files: readonly string[], { context }: OperatorTools, seal: boolean): readonly Declared[] {
  const results = files.map((file) => declareFile(file, { ...loadOptions(context), seal }));
  const problems = results.flatMap((result) => ('problems' in result ? result.problems : []));
  if (problems.length > 0) {
    const lines = problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
    throw new CliError(`Nothing was changed; repair this first.\n${lines.join('\n')}`);
  }
  return results.flatMap((result) => ('declaration' in result ? [result] : []));
}

/** The tenants that a command changed, and what it changed, for the audit log. */
function appliedOutcome({ changes }: TenantsApplied) {
  const changed = changes.filter(({ action }) => action !== 'keep');
  return {
    tenants: changed.map(({ tenant }) => tenant),
    details: { changes: changed.map(({ tenant, action }) => `${tenant}: ${action}`) },
  };
}

const ACTIONS = { add: 'added', change: 'changed', remove: 'removed' } as const;

function appliedLines({ applied, changes, unnamed, alsoByFile, hiddenMappings }: TenantsApplied): readonly string[] {
  const isKept = ({ action }: TenantsApplied['changes'][number]): boolean => action === 'keep';
  return [
    ...changes.flatMap(({ tenant, action, fields }) => [
      action === 'keep' ? `${tenant}: as it is` : `${tenant}: ${applied ? '' : 'would be '}${ACTIONS[action]}`,
      ...fields.map(({ at, before, after }) => `  ${at}: ${before ?? 'nothing'} → ${after ?? 'nothing'}`),
    ]),
    ...(unnamed.length === 0 || changes.length < 2
      ? []
      : [`Not named here, and left as they are: ${unnamed.join(', ')}.`]),
    ...alsoByFile.map(
      (tenant) =>
        `${tenant} has a tenant file in LOCKSTEP_TENANTS as well: a process that reads it goes by the file. Take the file away and restart what reads it, or take this declaration away: lockstep tenants remove ${tenant}`,
    ),
    ...hiddenMappings.map(
      ({ tenant, version }) =>
        `The mapping file of ${tenant} does not apply: version ${version} of its mapping is published. To let the file apply: lockstep mapping take-back 0 --tenant ${tenant}`,
    ),
    ...(applied || changes.every(isKept) ? [] : ['Nothing was done; --yes does it.']),
  ];
}

function linesOf({ tenant, state, declaredBy, version, pausedSince, unavailable }: TenantShown): readonly string[] {
  const by = declaredBy === 'file' ? 'by a tenant file' : `version ${version}`;
  const since = state === 'paused' ? ` since ${pausedSince}` : '';
  return [
    `${tenant}: ${state}${since}, ${by}`,
    ...unavailable.map(({ process, reason }) => `  ${process} cannot serve it: ${reason}`),
  ];
}
