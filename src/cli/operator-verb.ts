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
import type { ActionOutcome } from '../operator/actions/record-action.ts';
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
import { reasonOption, runRecorded, type VerbEffect, verbOf } from './verb-effect.ts';

/** The resources of an operator's command. Each is opened when first used, and closed when the command ends. */
export type OperatorTools = {
  /** The command's process context: output, settings, exit code. */
  readonly context: CliContext;
  /** All tenants of tenant files and registry, with those that this process cannot serve. */
  roster(): Promise<Roster>;
  /** The tenants of the roster that this process serves. */
  tenants(): Promise<readonly Tenant[]>;
  /** The tenant with this name; without a name the only tenant. Throws if there are several. */
  tenant(name: string | undefined): Promise<Tenant>;
  ledger(): Promise<Ledger>;
  /** The entry point for work: marks records due in the ledger and wakes their workflows. */
  intake(): Promise<Intake>;
  /** Starts and observes audits in Temporal. */
  audits(): Promise<Audits>;
  /** Starts and controls backfills in Temporal. */
  backfills(): Promise<Backfills>;
  /** The workflows that guard paused groups, over Temporal. */
  guards(): Promise<Guards>;
  /** Starts and controls rotations of API keys in Temporal. */
  rotation(): Promise<Rotation>;
  /** All workflows of one tenant, over Temporal. */
  tenantWorkflows(): Promise<TenantWorkflows>;
  /** Reads of streams on demand, over Temporal. */
  streamStarts(): Promise<StreamStarts>;
  /** Reads and writes of the remote systems of `tenant(name)`. */
  remote(name: string | undefined): Promise<RemoteRecords & Pick<ResolvePorts, 'setInCrm'>>;
  /** Reads of the remote systems of `tenant(name)`; it cannot write. `alsoMapped`: additional mappings whose fields are read. */
  readable(name: string | undefined, ...alsoMapped: readonly CrmNames[]): Promise<ReadableRemotes>;
  /** Addresses at which a person can view a tenant's records. */
  addresses(tenant: Tenant): Addresses;
  /** The present instant, ISO. */
  now(): string;
  /** Prints a partial result at once: one line of JSON with `--json`, otherwise these lines. */
  emit(event: object, lines: readonly string[]): void;
  /** Prints a result; on a terminal it replaces the last result. */
  show(event: object, lines: readonly string[]): void;
  /** Shows progress on stderr: as one changing line on a terminal, elsewhere at intervals. */
  progress(text: string): void;
};

/** An answer of a command. It names its shape and version, as a JSON Schema does by `$schema`. */
export type Shaped = { readonly shape: `${string}/${number}` } | { readonly $schema: string };

/** An operator's command: a use case of `src/operator`, with its name, arguments and help on the command line. */
export type OperatorVerb<Given extends readonly unknown[], Answer extends Shaped> = {
  readonly name: string;
  readonly description: string;
  /** The text below the command's help; begins with "Example:". */
  readonly example: string;
  /** Adds the command's own arguments and options; every command has `--json`. */
  readonly takes?: (command: Command) => Command;
  /**
   * Runs the use case with the arguments in order, then the options. It catches no error: `runVerbs` prints the message and exits with 1.
   */
  readonly run: (tools: OperatorTools, ...given: Given) => Promise<Answer>;
  /** What a run changes. Each command must say it, so that the operators' audit log misses no change. */
  readonly effect: VerbEffect<NoInfer<Given>>;
  /** The facts about an action that only its answer contains, for the audit log. */
  readonly outcome?: (answer: Answer) => Omit<ActionOutcome, 'hasFailed'>;
  /** The answer as lines of text, with the names of its deals; `--json` prints the answer itself. */
  readonly lines: (answer: Answer, names: DealNames) => readonly string[];
  /** The deals that the printed lines name. */
  readonly deals?: (answer: Answer) => readonly ListedDeals[];
  /** Whether the process ends with exit code 2. */
  readonly needsAttention?: (answer: Answer) => boolean;
  /** Whether the process ends with exit code 1 although there is an answer. */
  readonly hasFailed?: (answer: Answer) => boolean;
};

/** Adds the option `--tenant`, for a command on one tenant. */
export function tenantOption(command: Command): Command {
  return command.option('--tenant <name>', 'the tenant, where there are several');
}

/** Adds the tenant as an argument and as an option, for a command on a whole tenant. */
export function tenantArgument(command: Command): Command {
  return tenantOption(command.argument('[tenant]', 'the name of the tenant, where there are several'));
}

/** Makes a command: parses arguments, runs the use case, prints the answer, and closes the opened resources. */
export function operatorVerb<Given extends readonly unknown[], Answer extends Shaped>(
  verb: OperatorVerb<Given, Answer>,
): (program: Command, context: CliContext) => void {
  return (program, context) => {
    const command = program.command(verb.name).description(verb.description);
    if (verb.effect !== 'reads') reasonOption(command);
    (verb.takes?.(command) ?? command)
      .option('--json', 'print the result as JSON')
      .addHelpText('after', `\n${verb.example}`)
      .action(async (...passed: unknown[]) => {
        // Commander passes the command itself last.
        const given = passed.slice(0, -1) as unknown as Given;
        const { json, reason = null } = given.at(-1) as { readonly json?: true; readonly reason?: string };
        const action = verb.effect === 'reads' ? null : verb.effect(...given);
        const { answer, names } = await withTools(context, { json: json === true }, async (tools) => {
          const work = (): Promise<Answer> => verb.run(tools, ...given);
          const outcomeOf = (answer: Answer): ActionOutcome => ({
            hasFailed: verb.hasFailed?.(answer) === true,
            ...verb.outcome?.(answer),
          });
          const answered =
            action === null
              ? await work()
              : await runRecorded(tools, verbOf(command), action, { reason, work, outcomeOf });
          const listed = json === true || !context.toTerminal ? [] : (verb.deals?.(answered) ?? []);
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

/** Escapes line breaks, so that text from a remote cannot look like a line of Lockstep's. */
function oneLine(line: string): string {
  return line.replaceAll('\n', '\\u000a');
}

/** The tools that use Temporal. */
function temporalTools(
  temporal: () => Promise<Client>,
  ledger: () => Promise<Ledger>,
): Pick<OperatorTools, 'intake' | 'audits' | 'backfills' | 'guards' | 'rotation' | 'streamStarts' | 'tenantWorkflows'> {
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

/**
 * A function that opens a resource at its first call and then returns it. After a failure the next call opens again, as `migrate` needs.
 */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
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
  const tools: OperatorTools = {
    context,
    roster: once(() => ownRoster(context, () => tools.ledger())),
    tenants: async () => [...(await tools.roster()).served.values()].map(({ tenant }) => tenant),
    tenant: async (name) => chooseTenant(await tools.roster(), name),
    ledger: once(() => openOwnLedger(context.settings(), { isWalled: true }).then(keep)),
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
