import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { silentLogger } from '../../src/platform/logger.ts';
import { ensureSearchAttributes } from '../../src/worker/search-attributes.ts';
import { NAMESPACE } from '../../temporal.config.ts';

const LIMIT_MS = 120_000;
const PAUSE_MS = 250;
const RETENTION = '1 day';

/**
 * Runs a server on new databases until its namespace and Lockstep's search attributes exist, and stops it. So the server that tests use has
 * them at its first answer, as a development server has. Rejects if that takes longer than two minutes.
 */
export async function prepareNamespace(program: string, at: { readonly file: string; readonly address: string }) {
  const server = spawn(program, ['--config-file', at.file, '--allow-no-auth', 'start'], { stdio: 'ignore' });
  const ended = once(server, 'exit');
  const deadline = Date.now() + LIMIT_MS;
  try {
    while (!(await isPrepared(at.address))) {
      if (Date.now() > deadline) throw new Error('The Temporal server did not answer in two minutes.');
      await delay(PAUSE_MS);
    }
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

async function isPrepared(address: string): Promise<boolean> {
  let connection: Connection | null = null;
  try {
    connection = await Connection.connect({ address, connectTimeout: 1000 });
    await registerNamespace(connection);
    await ensureSearchAttributes(connection, NAMESPACE, silentLogger);
    const known = await connection.operatorService.listSearchAttributes({ namespace: NAMESPACE });
    return Object.keys(known.customAttributes ?? {}).length > 0;
  } catch {
    return false;
  } finally {
    await connection?.close();
  }
}

async function registerNamespace({ workflowService }: Connection): Promise<void> {
  const known = await workflowService.describeNamespace({ namespace: NAMESPACE }).catch(() => null);
  if (known !== null) return;
  await workflowService.registerNamespace({
    namespace: NAMESPACE,
    workflowExecutionRetentionPeriod: msToTs(RETENTION),
  });
}
