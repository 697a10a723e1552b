/**
 * What `workflows/` needs of `@temporalio/workflow`, without Temporal: a test puts this module in its place with
 * `vi.mock`, so that the real workflow functions run under `scheduler.ts`.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { ActivityFailure, type ActivityOptions, CancelledFailure } from '@temporalio/common';

export { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';

/** One running workflow, as the functions below see it. */
export interface WorkflowHost {
  schedule(name: string, args: readonly unknown[], options: ActivityOptions): Promise<unknown>;
  condition(check: () => boolean, limitMs: number | undefined): Promise<boolean>;
  setHandler(name: string, handler: (...args: never[]) => unknown): void;
}

const current = new AsyncLocalStorage<WorkflowHost>();

/** Runs a workflow function; everything it awaits stays in its context. */
export function runAsWorkflow<T>(host: WorkflowHost, work: () => Promise<T>): Promise<T> {
  return current.run(host, work);
}

/** Whether the code that asks belongs to a workflow: there, time and chance are the scheduler's. */
export function isInWorkflow(): boolean {
  return current.getStore() !== undefined;
}

function host(): WorkflowHost {
  const found = current.getStore();
  if (found === undefined) throw new TypeError('this function runs in workflows only');
  return found;
}

/** Thrown to end a run and begin the next with these arguments. */
export class ContinueAsNew extends Error {
  readonly args: readonly unknown[];
  constructor(args: readonly unknown[]) {
    super('continue as new');
    this.args = args;
  }
}

export function condition(check: () => boolean, limitMs?: number): Promise<boolean> {
  return host().condition(check, limitMs);
}

export async function sleep(ms: number): Promise<void> {
  await host().condition(() => false, ms);
}

export function proxyActivities(options: ActivityOptions): Record<string, unknown> {
  const proxyOf = (name: string) =>
    Object.assign((...args: unknown[]) => host().schedule(name, args, options), {
      executeWithOptions: (override: ActivityOptions, args: unknown[]) =>
        host().schedule(name, args, { ...options, ...override }),
    });
  return new Proxy({}, { get: (_, name) => proxyOf(String(name)) });
}

/** Marks options of local activities, which a workflow task runs again when its worker dies. */
export const LOCAL = Symbol('local');

export function proxyLocalActivities(options: ActivityOptions): Record<string, unknown> {
  return proxyActivities({ ...options, [LOCAL]: true } as ActivityOptions);
}

export function setHandler(definition: { readonly name: string }, handler: () => unknown): void {
  host().setHandler(definition.name, handler);
}

export const defineSignal = (name: string) => ({ type: 'signal', name });
export const defineQuery = (name: string) => ({ type: 'query', name });
export const setCurrentDetails = (): void => undefined;
export const upsertSearchAttributes = (): void => undefined;
export const allHandlersFinished = (): boolean => true;
export const workflowInfo = () => ({ continueAsNewSuggested: false });

export function continueAsNew(...args: unknown[]): Promise<never> {
  throw new ContinueAsNew(args);
}

export function isCancellation(error: unknown): boolean {
  return (
    error instanceof CancelledFailure || (error instanceof ActivityFailure && isCancellation(error.cause))
  );
}
