import type { Client } from '@temporalio/client';
import type { Command } from 'commander';
import type { CrmNames } from '../domain/record/mapping-config.ts';
import type { Audits } from '../intake/audits.ts';
import type { Backfills } from '../intake/backfill.ts';
import type { Guards } from '../intake/guard.ts';
import type { Intake } from '../intake/intake.ts';
import type { Rotation } from '../intake/rotation.ts';
import type { StreamStarts } from '../intake/stream-starts.ts';
import type { TenantWorkflows } from '../intake/tenant-workflows.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Addresses } from '../operator/explain/explain-record.ts';
import type { RemoteRecords } from '../operator/records/remote-records.ts';
import type { ResolvePorts } from '../operator/records/resolve-conflict.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Roster } from '../platform/tenant-roster.ts';
import type { CliContext } from './context.ts';
import { type DealNames, type ListedDeals, NO_NAMES, readDealNames } from './deal-names.ts';
import { EXIT } from './exit.ts';
import { ledgerKeys } from './ledger-keys.ts';
import { type ReadableRemotes, readableRemotes } from './readable-remotes.ts';
import { addressesOf } from './record-addresses.ts';
import { remoteRecords } from './remote-records.ts';
import { chooseTenant, connectTemporal, openOwnLedger, ownRoster } from './runtime.ts';

/** What an operator's verb works with. Each part is opened when it is first asked for, and closed when the verb ends. */
export type OperatorTools = {
  /** What the process was told: for the verb that looks at that itself. */
  readonly context: CliContext;
  /** The tenants of this installation, of files and registry, as this process can have them. */
  roster(): Promise<Roster>;
  /** Those of them that are served. */
  tenants(): Promise<readonly Tenant[]>;
  /** The tenant of that name; the only one where no name is given. Throws where there are several. */
  tenant(name: string | undefined): Promise<Tenant>;
  ledger(): Promise<Ledger>;
  /** The way work is led in, over Temporal and the ledger. */
  intake(): Promise<Intake>;
  /** Audits, over Temporal. */
  audits(): Promise<Audits>;
  /** Backfills, over Temporal. */
  backfills(): Promise<Backfills>;
  /** What watches over paused groups, over Temporal. */
  guards(): Promise<Guards>;
  /** Rotations of API keys, over Temporal. */
  rotation(): Promise<Rotation>;
  /** All that Temporal has of one tenant. */
  tenantWorkflows(): Promise<TenantWorkflows>;
  /** Streams that are read at once, over Temporal. */
  streamStarts(): Promise<StreamStarts>;
  /** The remote systems of `tenant(name)`. */
  remote(name: string | undefined): Promise<RemoteRecords & Pick<ResolvePorts, 'setInCrm'>>;
  /** What may be read of the remote systems of `tenant(name)`, under these mappings too, and nothing that writes. */
  readable(name: string | undefined, ...alsoMapped: readonly CrmNames[]): Promise<ReadableRemotes>;
  /** Where people look at records of a tenant. */
  addresses(tenant: Tenant): Addresses;
  /** The present instant, ISO. */
  now(): string;
  /** Tells at once what is not kept for the answer: a line of JSON with `--json`, else these lines. */
  emit(event: object, lines: readonly string[]): void;
  /** The same over and over: on a terminal in the place of what stood there. */
  show(event: object, lines: readonly string[]): void;
  /** Says on stderr how far it is: one line that changes on a terminal; elsewhere a line now and then. */
  progress(text: string): void;
};

/** What `--json` prints names what it is, with its version; a JSON Schema does so by its own key. */
export type Shaped = { readonly shape: `${string}/${number}` } | { readonly $schema: string };

/** An operator's verb: a use case of `src/operator` with its place on the command line. */
export type OperatorVerb<Given extends readonly unknown[], Answer extends Shaped> = {
  readonly name: string;
  readonly description: string;
  /** Shown under its help; begins with "Example:". */
  readonly example: string;
  /** Adds the verb's own arguments and options; `--json` is every verb's. */
  readonly takes?: (command: Command) => Command;
  /**
   * Calls the use case with what was given: its arguments in their order, then its options. An error that the use case throws, such as
   * UnknownRecord, ends the verb: `runVerbs` prints its message and exits with 1, so no verb catches it.
   */
  readonly run: (tools: OperatorTools, ...given: Given) => Promise<Answer>;
  /** The answer for a person, a line each, with the names of the deals that it lists; `--json` prints the answer itself. */
  readonly lines: (answer: Answer, names: DealNames) => readonly string[];
  /** The deals that the lines name. */
  readonly deals?: (answer: Answer) => readonly ListedDeals[];
  /** Whether the process ends with exit code 2. */
  readonly needsAttention?: (answer: Answer) => boolean;
  /** Whether it ends with exit code 1, although there is an answer. */
  readonly hasFailed?: (answer: Answer) => boolean;
};

/** The option of a verb that is about one tenant. */
export function tenantOption(command: Command): Command {
  return command.option('--tenant <name>', 'the tenant, where there are several');
}

/** The same by its place too: for a verb that is about the tenant as a whole. */
export function tenantArgument(command: Command): Command {
  return tenantOption(command.argument('[tenant]', 'the name of the tenant, where there are several'));
}

/** Makes a verb for `VERBS`: parses, runs the use case, prints its answer, and closes whatever was opened. */
export function operatorVerb<Given extends readonly unknown[], Answer extends Shaped>(
  verb: OperatorVerb<Given, Answer>,
): (program: Command, context: CliContext) => void {
  return (program, context) => {
    const command = program.command(verb.name).description(verb.description);
    (verb.takes?.(command) ?? command)
      .option('--json', 'print the result as JSON')
      .addHelpText('after', `\n${verb.example}`)
      .action(async (...passed: unknown[]) => {
        // Commander passes the command itself last.
        const given = passed.slice(0, -1);
        const { json } = given.at(-1) as { readonly json?: true };
        const { answer, names } = await withTools(context, { json: json === true }, async (tools) => {
          const answered = await verb.run(tools, ...(given as unknown as Given));
          const listed = json === true ? [] : (verb.deals?.(answered) ?? []);
          const found = listed.length === 0 ? NO_NAMES : await readDealNames(tools.readable, listed);
          return { answer: answered, names: found };
        });
        if (verb.needsAttention?.(answer) === true) context.exitCode = EXIT.attention;
        if (verb.hasFailed?.(answer) === true) context.exitCode = EXIT.failed;
        if (json === true) return context.print(oneLine(JSON.stringify(answer)));
        for (const line of [...verb.lines(answer, names), ...names.notes]) context.say(oneLine(line));
      });
  };
}

/** A line is one: what a remote says in it must not look like another. */
function oneLine(line: string): string {
  return line.replaceAll('\n', '\\u000a');
}

/** The tools over Temporal. */
function temporalTools(
  temporal: () => Promise<Client>,
  ledger: () => Promise<Ledger>,
): Pick<
  OperatorTools,
  'intake' | 'audits' | 'backfills' | 'guards' | 'rotation' | 'streamStarts' | 'tenantWorkflows'
> {
  return {
    intake: async () => {
      const { createIntake } = await import('../intake/intake.ts');
      const own = await ledger();
      return createIntake(await temporal(), own);
    },
    audits: async () => {
      const { createAudits } = await import('../intake/audits.ts');
      return createAudits(await temporal());
    },
    backfills: async () => {
      const { createBackfills } = await import('../intake/backfill.ts');
      return createBackfills(await temporal());
    },
    guards: async () => {
      const { createGuards } = await import('../intake/guard.ts');
      return createGuards(await temporal());
    },
    rotation: async () => {
      const { createRotation } = await import('../intake/rotation.ts');
      return createRotation(await temporal());
    },
    tenantWorkflows: async () => {
      const { createTenantWorkflows } = await import('../intake/tenant-workflows.ts');
      return createTenantWorkflows(await temporal());
    },
    streamStarts: async () => {
      const { createStreamStarts } = await import('../intake/stream-starts.ts');
      return createStreamStarts(await temporal());
    },
  };
}

async function withTools<T>(
  context: CliContext,
  { json }: { readonly json: boolean },
  use: (tools: OperatorTools) => Promise<T>,
): Promise<T> {
  const opened: { close(): Promise<unknown> }[] = [];
  const keep = <R extends { close(): Promise<unknown> }>(part: R): R => {
    opened.push(part);
    return part;
  };
  const temporal = async (): Promise<Client> => {
    const { client, connection } = await connectTemporal(context);
    keep(connection);
    return client;
  };
  let ledger: Promise<Ledger> | undefined;
  let roster: Promise<Roster> | undefined;
  const tools: OperatorTools = {
    context,
    roster: () => {
      roster ??= ownRoster(context, () => tools.ledger());
      return roster;
    },
    tenants: async () => [...(await tools.roster()).served.values()].map(({ tenant }) => tenant),
    tenant: async (name) => chooseTenant(await tools.roster(), name),
    ledger: () => {
      ledger ??= openOwnLedger(context.settings()).then(keep);
      return ledger;
    },
    ...temporalTools(temporal, () => tools.ledger()),
    remote: async (name) => {
      const tenant = await tools.tenant(name);
      return keep(remoteRecords(tenant, ledgerKeys(tenant, tools.ledger)));
    },
    readable: async (name, ...alsoMapped) => {
      const tenant = await tools.tenant(name);
      return keep(readableRemotes(tenant, ledgerKeys(tenant, tools.ledger), alsoMapped));
    },
    addresses: (tenant) => addressesOf(context, tenant),
    now: () => new Date().toISOString(),
    emit: (event, lines) => {
      if (json) context.print(JSON.stringify(event));
      else for (const line of lines) context.say(line);
    },
    show: (event, lines) => {
      if (!json) context.clear();
      tools.emit(event, lines);
    },
    progress: (text) => context.progress(text),
  };
  try {
    return await use(tools);
  } finally {
    for (const part of opened.reverse()) await part.close();
  }
}
