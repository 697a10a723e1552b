/**
 * Lets the Temporal SDK download its server program into a folder: it offers no download without a start, so the
 * server is started on a free port and stopped at once. Runs on Node 24, as `node sdk-download.mjs <folder> <version>`.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';

const [, , downloadDir, version] = process.argv;
if (downloadDir === undefined || version === undefined) {
  throw new Error('usage: sdk-download.mjs <folder> <version>');
}
const executable = { type: /** @type {const} */ ('cached-download'), downloadDir, version };
const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
await environment.teardown();
