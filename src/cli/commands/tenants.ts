import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'yaml';
import { counted } from '../../domain/values/counted.ts';
import type { TenantWorkflows } from '../../intake/tenant-workflows.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { addTenant, applyTenants, type TenantsApplied } from '../../operator/tenants/apply-tenants.ts';
import { eraseTenant, type TenantErased } from '../../operator/tenants/erase-tenant.ts';
import { exportTenant, type TenantExported } from '../../operator/tenants/export-tenant.ts';
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
import { type OperatorTools, operatorVerb } from '../operator-verb.ts';
import { loadOptions } from '../runtime.ts';
import { withSubverbs } from '../with-subverbs.ts';

const SEAL = 'keep the values of its secrets in the ledger, sealed, in the place of references';

type ListOptions = { readonly all?: boolean };

const listing = {
  takes: (command: Parameters<NonNullable<Parameters<typeof operatorVerb>[0]['takes']>>[0]) =>
    command.option('--all', 'those that were removed too'),
  run: async (tools: OperatorTools, { all = false }: ListOptions) =>
    listTenants(await tools.ledger(), await tools.roster(), { all, now: tools.now() }),
  effect: 'reads' as const,
  lines: ({ tenants }: { readonly tenants: readonly TenantShown[] }) =>
    tenants.length === 0 ? ['There are no tenants: lockstep tenants add FILE declares one.'] : tenants.flatMap(linesOf),
  needsAttention: ({ tenants }: { readonly tenants: readonly TenantShown[] }) =>
    tenants.some(({ state }) => state === 'unavailable'),
};

const EXAMPLES = `Examples:
  lockstep tenants                             the tenants and where each stands
  lockstep tenants add declared/acme.yaml       served within seconds, without a restart
  lockstep tenants apply declared               what the files of a folder would change
  lockstep tenants apply declared --yes         does it

Workers and receivers follow the registry while they run. Exits with 2 when a process cannot serve one of them.`;

const addListing = operatorVerb({
  name: 'tenants',
  description: 'declare tenants in the registry, pause and remove them, without a restart',
  example: EXAMPLES,
  ...listing,
});

const addList = operatorVerb({
  name: 'list',
  description: 'list the tenants and where each stands',
  example: `Example:
  lockstep tenants list --all --json

Exits with 2 when a process cannot serve one of them; the reason stands beside it.`,
  ...listing,
});

const addAdd = operatorVerb({
  name: 'add',
  description: 'declare a tenant by its file, or take up again one that was removed',
  example: `Example:
  lockstep tenants add declared/acme.yaml
  lockstep tenants add declared/acme.yaml --seal     its secrets' values, sealed in the ledger

Without --seal secrets stay references, env:NAME and file:PATH, which every worker and receiver has to find for itself; file: in
a folder of LOCKSTEP_SECRETS. A tenant that is there and differs is not changed: lockstep tenants apply does that.`,
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
  description: 'bring the registry to what tenant files say; tells first what would change',
  example: `Example:
  lockstep tenants apply declared                    what would change, key by key
  lockstep tenants apply declared --yes              does it
  lockstep tenants apply declared --yes --prune      removes tenants too that no file of the folder declares

Exits with 2 when something would change and --yes is not given.`,
  takes: (command) =>
    command
      .argument('<path>', 'a folder of tenant files, or one file')
      .option('--yes', 'do it; without it nothing is done')
      .option('--prune', 'of a folder: remove tenants of the registry that it does not declare')
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
  needsAttention: ({ applied, changes }) => !applied && changes.some(({ action }) => action !== 'keep'),
});

const addShow = operatorVerb({
  name: 'show',
  description: 'show a tenant: where it stands, and what is declared of it',
  example: `Example:
  lockstep tenants show acme

Secrets are shown as references alone.`,
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
  description: "have a tenant's work wait",
  example: `Example:
  lockstep tenants pause acme

Changes of both sides are recorded and wait; nothing is written to either. lockstep tenants resume acme lets it go on.`,
  takes: (command) => command.argument('<name>', 'the name of the tenant'),
  run: async (tools, name: string) => pauseTenant(await tools.ledger(), await tools.roster(), name, tools.now()),
  effect: (name) => ({ named: [name] }),
  lines: ({ tenant, changed }) => [changed ? `${tenant} is paused.` : `${tenant} was paused before.`],
});

const addResume = operatorVerb({
  name: 'resume',
  description: 'let a tenant go on that was paused by lockstep tenants pause',
  example: `Example:
  lockstep tenants resume acme

What waited is taken up within minutes. Other pauses stay: lockstep resume acme lifts every one.`,
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
  lockstep tenants remove acme --erase           what ledger and Temporal have of it
  lockstep tenants remove acme --erase --yes     erases that, and counts what is left: nothing
  lockstep tenants remove acme --export acme.jsonl --erase --yes

Workers and receivers leave it within seconds, its schedules go, and what is under way ends with that reason. lockstep tenants add
takes it up again where it was; what is erased does not come back. --export writes all that the ledger has of it to a new file before that,
a line of JSON a row: personal data are in it as they are, secrets are not. Exits with 2 where something would be erased, or is left.`,
  takes: (command) =>
    command
      .argument('<name>', 'the name of the tenant')
      .option('--export <file>', 'write what the ledger has of it to a new file that you alone can read')
      .option('--erase', 'erase all that ledger and Temporal have of it')
      .option('--yes', 'with --erase: do it; without it nothing is done'),
  run: async (tools, name: string, { erase = false, yes = false, export: file }: RemoveOptions): Promise<Removed> => {
    const ledger = await tools.ledger();
    const ports = { ledger, workflows: await workflowsIf(erase, tools), pause: delay, now: tools.now };
    if (ports.workflows === null || yes) {
      const erases = ports.workflows !== null;
      const removed = await takeTenantOut(ledger, await tools.roster(), name, tools.now(), { erases });
      if (ports.workflows === null) return { ...removed, ...(await exportedTo(file, ledger, name)) };
    }
    if (!yes) await requireErasable(ledger, await tools.roster(), name, tools.now());
    const exported = yes ? await exportedTo(file, ledger, name) : {};
    return { ...(await eraseTenant({ ...ports, workflows: ports.workflows }, name, { yes })), ...exported };
  },
  effect: (name, { erase = false, yes = false, export: file }) =>
    erase && !yes ? null : { named: [name], details: { erase, exports: file !== undefined } },
  lines: removedLines,
  needsAttention: (answer) => 'remaining' in answer && answer.remaining.rows + answer.remaining.workflows > 0,
});

/** Exports the tenant's rows to a file before anything is erased. */
async function exportedTo(
  file: string | undefined,
  ledger: Ledger,
  name: string,
): Promise<{ readonly exported?: TenantExported }> {
  return file === undefined ? {} : { exported: await exportTenant(ledger, name, file) };
}

async function workflowsIf(erase: boolean, tools: OperatorTools): Promise<TenantWorkflows | null> {
  return erase ? tools.tenantWorkflows() : null;
}

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

/** `lockstep tenants`: manages the registry of tenants. */
export const addTenants = withSubverbs(addListing, addAdd, addList, addShow, addPause, addResume, addRemove, addApply);

async function portsOf(tools: OperatorTools) {
  const { served } = await tools.roster();
  const byFile = [...served.values()].flatMap(({ tenant, version }) => (version === null ? [tenant.tenant] : []));
  return { ledger: await tools.ledger(), load: loadOptions(tools.context), now: tools.now, byFile };
}

/** The tenants declared by these files. Throws an error with every problem of every file. */
function declaredBy(files: readonly string[], { context }: OperatorTools, seal: boolean): readonly Declared[] {
  const results = files.map((file) => declareFile(file, { ...loadOptions(context), seal }));
  const problems = results.flatMap((result) => ('problems' in result ? result.problems : []));
  if (problems.length > 0) {
    const lines = problems.map(({ file, line, message }) => `${file}:${line}: ${message}`);
    throw new CliError(`Nothing was changed; repair this first.\n${lines.join('\n')}`);
  }
  return results.flatMap((result) => ('declaration' in result ? [result] : []));
}

/** The tenants that applying the files has changed, for the audit log. */
function appliedOutcome({ changes }: TenantsApplied) {
  const changed = changes.filter(({ action }) => action !== 'keep');
  return {
    tenants: changed.map(({ tenant }) => tenant),
    details: { changes: changed.map(({ tenant, action }) => `${tenant}: ${action}`) },
  };
}

const ACTIONS = { add: 'added', change: 'changed', remove: 'removed' } as const;

function appliedLines({ applied, changes, unnamed, alsoByFile }: TenantsApplied): readonly string[] {
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
