import { registerHooks } from 'node:module';

/**
 * Loaded before the tests of `test/property` and `test/contract`, which Node loads itself (see `vitest.config.ts`): replaces `@temporalio/workflow` for
 * `workflows/` with `workflow-runtime.ts`, so that the real workflow functions run under `scheduler.ts`.
 */
const RUNTIME = new URL('./workflow-runtime.ts', import.meta.url).href;
const WORKFLOWS = new URL('../../../workflows/', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@temporalio/workflow' && context.parentURL?.startsWith(WORKFLOWS)
      ? { url: RUNTIME, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
});
