import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActivityOptions, LocalActivityOptions } from '@temporalio/common';
import type { ContinueAsNewOptions, WorkflowInfo } from '@temporalio/workflow';

/** A workflow's request for an activity. A local activity is part of the workflow task that requests it. */
export type ActivityCall = {
  readonly name: string;
  readonly args: readonly unknown[];
} & (
  | { readonly isLocal: false; readonly options: ActivityOptions }
  | { readonly isLocal: true; readonly options: LocalActivityOptions }
);

/** Pairs of key and value, as the engine passes them. */
export type SearchAttributes = readonly {
  readonly key: { readonly name: string };
  readonly value: unknown;
}[];

/** A running workflow, as `workflow-runtime.ts` sees it. */
export interface WorkflowHost {
  info(): WorkflowInfo;
  schedule(call: ActivityCall): Promise<unknown>;
  /** True if the check holds; false if `limitMs` passes first. */
  condition(check: () => boolean, limitMs: number | undefined): Promise<boolean>;
  setHandler(name: string, handler: (...args: never[]) => unknown): void;
  upsertSearchAttributes(attributes: SearchAttributes): void;
}

const current = new AsyncLocalStorage<WorkflowHost>();

/** Runs code of a workflow; everything that it awaits stays in its context. */
export function runAsWorkflow<T>(host: WorkflowHost, code: () => T): T {
  return current.run(host, code);
}

/** Whether the calling code belongs to a workflow; there the scheduler provides time and random numbers. */
export function isInWorkflow(): boolean {
  return current.getStore() !== undefined;
}

export function host(): WorkflowHost {
  const found = current.getStore();
  if (found === undefined) throw new TypeError('this function runs in workflows only');
  return found;
}

/** Thrown to end a run and start the next with these arguments. */
export class ContinueAsNew extends Error {
  readonly args: readonly unknown[];
  readonly options: ContinueAsNewOptions;
  constructor(args: readonly unknown[], options: ContinueAsNewOptions = {}) {
    super('continue as new');
    this.args = args;
    this.options = options;
  }
}
