/**
 * The part of `@temporalio/workflow` that `workflows/` needs, without Temporal. A test replaces the package with this module through
 * `vi.mock`, so that the real workflow functions run under `scheduler.ts`. Every export has the SDK's own type; a test compares their names
 * with the workflows' imports.
 */
import { ActivityFailure, CancelledFailure } from '@temporalio/common';
import { deepMerge } from '@temporalio/common/lib/internal-workflow/index.js';
import { msOptionalToNumber } from '@temporalio/common/lib/time.js';
import { type ActivityCall, ContinueAsNew, host } from './workflow-host.ts';

export { ActivityFailure, ApplicationFailure, TimeoutFailure } from '@temporalio/common';

type Sdk = typeof import('@temporalio/workflow');

export const workflowInfo: Sdk['workflowInfo'] = () => host().info();

/** Typed `never`, because one value must fit the overloads with and without a limit. */
export const condition: Sdk['condition'] = (check, limit?: string | number) =>
  host().condition(check, msOptionalToNumber(limit as number | undefined)) as Promise<never>;

export const sleep: Sdk['sleep'] = async (duration) => {
  await host().condition(() => false, msOptionalToNumber(duration));
};

export const proxyActivities: Sdk['proxyActivities'] = (options) =>
  proxyOf((name, args, override) => ({
    name,
    args,
    isLocal: false,
    options: deepMerge(options, override),
  })) as never;

export const proxyLocalActivities: Sdk['proxyLocalActivities'] = (options) =>
  proxyOf((name, args, override) => ({
    name,
    args,
    isLocal: true,
    options: deepMerge(options, override),
  })) as never;

/** An object with a function for every name; a call's own options are merged deeply into the proxy's, as the SDK does. */
function proxyOf(callOf: (name: string, args: readonly unknown[], override: object) => ActivityCall): object {
  const activity = (name: string) =>
    Object.assign((...args: unknown[]) => host().schedule(callOf(name, args, {})), {
      executeWithOptions: (override: object, args: unknown[]) => host().schedule(callOf(name, args, override)),
    });
  return new Proxy({}, { get: (_, name) => activity(String(name)) });
}

export const defineSignal: Sdk['defineSignal'] = (name) => ({ type: 'signal', name }) as never;
export const defineQuery: Sdk['defineQuery'] = (name) => ({ type: 'query', name }) as never;

export const setHandler: Sdk['setHandler'] = (definition: { readonly name: string }, handler: unknown) =>
  host().setHandler(definition.name, handler as () => unknown);

export const setCurrentDetails: Sdk['setCurrentDetails'] = () => undefined;
export const upsertSearchAttributes: Sdk['upsertSearchAttributes'] = (attributes) => {
  // The engine passes pairs of key and value.
  if (Array.isArray(attributes)) host().upsertSearchAttributes(attributes);
};
/** Every run is new. */
export const patched: Sdk['patched'] = () => true;
/** The handlers of these workflows do not wait. */
export const allHandlersFinished: Sdk['allHandlersFinished'] = () => true;

export const continueAsNew: Sdk['continueAsNew'] = async (...args) => {
  throw new ContinueAsNew(args);
};

export const makeContinueAsNewFunc: Sdk['makeContinueAsNewFunc'] =
  (options) =>
  async (...args) => {
    throw new ContinueAsNew(args, options);
  };

/** The server decides with which worker version a run continues. */
export const setWorkflowOptions: Sdk['setWorkflowOptions'] = () => undefined;

export const isCancellation: Sdk['isCancellation'] = (error) =>
  error instanceof CancelledFailure || (error instanceof ActivityFailure && isCancellation(error.cause));
