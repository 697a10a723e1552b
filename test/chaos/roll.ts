import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Child, Stack } from '../support/stack/stack.ts';
import { until } from '../support/until.ts';

const DEPLOYMENT = 'lockstep';
const UPGRADE_LIMIT_MS = 60_000;

/** A worker of this build, beside those that run. It gets no work before the build is current. */
export function startBuild(stack: Stack, buildId: string): Promise<Child> {
  return stack.startAnotherWorker({
    TEMPORAL_DEPLOYMENT_NAME: DEPLOYMENT,
    TEMPORAL_WORKER_BUILD_ID: buildId,
  });
}

/** As an operator does it, by the commands of docs/operations/upgrade.md. */
export async function makeCurrent(stack: Stack, buildId: string): Promise<void> {
  await deployment(stack, 'set-current-version', ['--build-id', buildId]);
}

export async function ramp(stack: Stack, buildId: string, percentage: number): Promise<void> {
  await deployment(stack, 'set-ramping-version', [...['--build-id', buildId], ...['--percentage', String(percentage)]]);
}

async function deployment({ temporal }: Stack, verb: string, args: readonly string[]): Promise<void> {
  const where = ['--address', temporal.address, '--deployment-name', DEPLOYMENT, '--yes'];
  let refusal = '';
  await until(
    `Temporal takes ${verb}`,
    () =>
      promisify(execFile)(temporal.cli, ['worker', 'deployment', verb, ...where, ...args]).then(
        () => true,
        (error: Error) => {
          refusal = error.message;
          return false;
        },
      ),
    UPGRADE_LIMIT_MS,
  ).catch((error: Error) => {
    throw new Error(`${error.message}: ${refusal}`);
  });
}

/** Waits until no run is pinned to the build any more: until then its workers have to stay. */
export async function untilDrained(stack: Stack, buildId: string): Promise<void> {
  await until(`no run is pinned to ${buildId}`, () => isDrained(stack, buildId), UPGRADE_LIMIT_MS);
}

export async function isDrained({ client }: Stack, buildId: string): Promise<boolean> {
  const query = `TemporalWorkerDeploymentVersion = '${DEPLOYMENT}:${buildId}' AND TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running'`;
  return (await client.workflow.count(query)).count === 0;
}

/** What a later release may do to the ledger while this one works on it: it adds, and nothing else. */
export async function expandLedger({ ledgerQuery }: Stack): Promise<void> {
  await ledgerQuery('alter table links add column later_release text');
  await ledgerQuery('create table later_rows (tenant text not null, id text not null, primary key (tenant, id))');
  await ledgerQuery("insert into kysely_migration (name, timestamp) values ('9999-later-release', now())");
}

/** `WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND`: a signal came while a run was about to end; the next task handles it. */
const SIGNALLED_MEANWHILE = 1;

/** What failed in a workflow task of any run, such as code that a history does not replay on. */
export async function taskFailures({ client }: Stack): Promise<readonly string[]> {
  const failures: string[] = [];
  for await (const { workflowId, runId } of client.workflow.list()) {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const { workflowTaskFailedEventAttributes: failed } of events ?? [])
      if (failed && failed.cause !== SIGNALLED_MEANWHILE)
        failures.push(`${workflowId}: ${failed.cause} ${failed.failure?.message ?? ''}`);
  }
  return failures;
}

/** How many runs of records a build worked for. */
export async function runsOf({ client }: Stack, buildId: string): Promise<number> {
  const query = `WorkflowType = 'syncOpportunity' AND TemporalWorkerDeploymentVersion = '${DEPLOYMENT}:${buildId}'`;
  return (await client.workflow.count(query)).count;
}

type Roll = { readonly durationMs: number; readonly tell: (line: string) => void };

/**
 * From one build to the next in the middle of the load: the ledger is expanded, the new build runs beside the old one, takes a part of
 * the work, all of it, and the old one is ended once nothing is pinned to it.
 */
export async function rollOver(
  stack: Stack,
  old: Child,
  [from, to]: readonly [string, string],
  { durationMs, tell }: Roll,
): Promise<Child> {
  await delay(durationMs / 4);
  await expandLedger(stack);
  const next = await startBuild(stack, to);
  await ramp(stack, to, 50);
  tell(`half of what begins goes to ${to}`);
  await delay(durationMs / 4);
  await makeCurrent(stack, to);
  await untilDrained(stack, from);
  await old.end();
  tell(`${from} has ended`);
  return next;
}
