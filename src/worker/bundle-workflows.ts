/**
 * Prints the bundled code of the workflows. The argument `traced` adds the interceptor that exports traces of workflow runs; see
 * `src/tracing`.
 */
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { ROOT } from '../platform/build.ts';

const RUN_TRACE = join(ROOT, 'src', 'tracing', 'run-trace.ts');

const { code } = await bundleWorkflowCode({
  workflowsPath: join(ROOT, 'workflows', 'index.ts'),
  logger: new DefaultLogger('WARN'),
  ...(process.argv[2] === 'traced' ? { workflowInterceptorModules: [RUN_TRACE] } : {}),
});
process.stdout.write(code);
