import { DefaultLogger, type LogLevel, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import { type Logger, pickFields } from '../platform/logger.ts';

/** How long a metrics answer may take. */
const METRICS_LIMIT_MS = 2_000;

/**
 * Installs the SDK's runtime: its log lines go to ours, its metrics to a Prometheus endpoint on the loopback. Once a
 * process. Gives the text of that endpoint.
 */
export function installRuntime(log: Logger, metricsPort: number): () => Promise<string> {
  const bindAddress = `127.0.0.1:${metricsPort}`;
  Runtime.install({
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => {
      writeSdkLine(log, level, message, meta ?? {});
    }),
    telemetryOptions: {
      metrics: { prometheus: { bindAddress } },
      // Its native part would write lines of its own make to the console.
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
 * Writes a line of the SDK as one of ours. Its messages are fixed texts; of its fields, those on our list are kept. What it
 * only informs of is for debugging, unless an activity of ours said it. What its native part tells of an error is a text, left out but for
 * the code that it begins with (`TMPRL1100`: the code of a workflow does not fit its history).
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
