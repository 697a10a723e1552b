import { DefaultLogger, type LogLevel, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { type Logger, pickFields } from '../platform/logger.ts';

/** Time limit for reading the SDK's metrics, in ms. */
const METRICS_LIMIT_MS = 2_000;

/**
 * Installs the Temporal SDK's runtime, once for each process: the SDK's log lines go to Lockstep's logger, its metrics to a Prometheus
 * endpoint on the loopback address. Returns a function that reads the metrics as text.
 */
export function installRuntime(log: Logger, metricsPort: number): () => Promise<string> {
  const bindAddress = `127.0.0.1:${metricsPort}`;
  Runtime.install({
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => {
      writeSdkLine(log, level, message, meta ?? {});
    }),
    telemetryOptions: {
      metrics: { prometheus: { bindAddress } },
      // Without this setting, the SDK's native part would write its own lines to the console.
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }) },
    },
    shutdownSignals: [],
  });
  return async () => {
    const answer = await fetch(`http://${bindAddress}/metrics`, {
      signal: AbortSignal.timeout(METRICS_LIMIT_MS),
    });
    return answer.text();
  };
}

/**
 * Writes a log line of the Temporal SDK with Lockstep's logger. Keeps only the fields that a log line may have (`pickFields`), and reduces
 * an error text from the SDK's native part to its code. Lines of level INFO become debug lines, except those of Lockstep's activities.
 */
export function writeSdkLine(
  log: Logger,
  level: LogLevel,
  message: string,
  meta: Readonly<Record<string, unknown>>,
): void {
  const { error, failure } = meta;
  const [, code] = SDK_CODE.exec(String(failure ?? '')) ?? [];
  const fields = {
    ...pickFields(meta),
    ...(code === undefined ? {} : { code }),
    err: error instanceof Error ? error : undefined,
  };
  if (level === 'ERROR') log.error(message, fields);
  else if (level === 'WARN') log.warn(message, fields);
  else if (level === 'INFO' && meta['sdkComponent'] === 'activity') log.info(message, fields);
  else log.debug(message, fields);
}

const SDK_CODE = /\[(TMPRL\d{4})\]/;
