import { Client, Connection } from '@temporalio/client';
import { clientTracing } from '../tracing/client-tracing.ts';
import { openTracing } from '../tracing/open-tracing.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { CliContext } from './context.ts';
import { CliError } from './exit.ts';
import { ownTemporal } from './runtime.ts';

/** The tracing (OpenTelemetry) of this process; null if it is off. */
export async function openOwnTracing(context: CliContext, component: string): Promise<Tracing | null> {
  return openTracing(context.env, component, context.log(component));
}

/** Connects a client to Temporal. The caller closes the connection. `tracing` traces the workflows that the client starts. */
export async function connectTemporal(
  context: CliContext,
  tracing: Tracing | null = null,
): Promise<{ client: Client; connection: Connection }> {
  const { address, namespace, options } = ownTemporal(context);
  try {
    const connection = await Connection.connect({ ...options, connectTimeout: '5s' });
    const interceptors = tracing === null ? {} : { interceptors: { workflow: [clientTracing(tracing)] } };
    return { client: new Client({ connection, namespace, ...interceptors }), connection };
  } catch {
    throw new CliError(
      `Temporal does not answer at ${address}: run "npm start", or set TEMPORAL_ADDRESS to a running server.`,
    );
  }
}
