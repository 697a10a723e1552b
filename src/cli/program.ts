import type { Command } from 'commander';
import { addAudit } from './commands/audit.ts';
import { addBackfill } from './commands/backfill.ts';
import { addCatalog } from './commands/catalog.ts';
import { addConflicts } from './commands/conflicts.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExplain } from './commands/explain.ts';
import { addInbox } from './commands/inbox.ts';
import { addKeys } from './commands/keys.ts';
import { addLedger } from './commands/ledger.ts';
import { addLink } from './commands/link.ts';
import { addMapping } from './commands/mapping.ts';
import { addMigrate } from './commands/migrate.ts';
import { addPlan } from './commands/plan.ts';
import { addResume } from './commands/resume.ts';
import { addServe } from './commands/serve.ts';
import { addSimulators } from './commands/simulators.ts';
import { addStatus } from './commands/status.ts';
import { addSync } from './commands/sync.ts';
import { addTenants } from './commands/tenants.ts';
import { addUnlink } from './commands/unlink.ts';
import { addUp } from './commands/up.ts';
import { addWorker } from './commands/worker.ts';
import type { CliContext } from './context.ts';
import type { ExitCode } from './exit.ts';
import { programOf, runVerbs } from './run-verbs.ts';

const VERBS = [
  addUp,
  addWorker,
  addServe,
  addMigrate,
  addSimulators,
  addSync,
  addLink,
  addUnlink,
  addStatus,
  addPlan,
  addAudit,
  addBackfill,
  addDoctor,
  addMapping,
  addExplain,
  addInbox,
  addConflicts,
  addResume,
  addTenants,
  addKeys,
  addLedger,
  addCatalog,
];

/** The whole command line. Usage errors and help are thrown, never exits of the process. */
export function buildProgram(context: CliContext): Command {
  return programOf(VERBS, context);
}

/** Runs one command line to its end; failures become one sentence on stderr. Returns the exit code. */
export function runCli(args: readonly string[], context: CliContext): Promise<ExitCode> {
  return runVerbs(VERBS, args, context);
}
