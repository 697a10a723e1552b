import type { Logger } from '../platform/logger.ts';
import type { Environment } from '../platform/settings.ts';
import { readTraceSettings } from './trace-settings.ts';
import type { Tracing } from './tracing.ts';

/**
 * Opens tracing as the environment says; null if it is off, and then no OpenTelemetry code is loaded. `component` names the process. Throws
 * `SettingsError`.
 */
export async function openTracing(env: Environment, component: string, log: Logger): Promise<Tracing | null> {
  const settings = readTraceSettings(env);
  if (settings === null) return null;
  const { createTracing, otlpExporter } = await import('./sdk-tracing.ts');
  const { ownBuild } = await import('../platform/build.ts');
  const { version } = await ownBuild();
  log.info('traces are sent to a collector', { component });
  return createTracing({ settings, component, version, exporter: otlpExporter(), log });
}
