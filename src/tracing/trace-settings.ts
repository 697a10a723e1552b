import { type Environment, SettingsError } from '../platform/settings.ts';

/** Settings of tracing, from OpenTelemetry's own environment variables. The exporter reads its address and headers itself. */
export type TraceSettings = {
  /** The value of `OTEL_SERVICE_NAME`; null if it is not set, and then the process has its default name, such as `lockstep-worker`. */
  readonly serviceName: string | null;
  readonly sampler: SamplerSettings;
  /** The maximum number of spans in the queue. Further spans are dropped and counted. */
  readonly mostWaiting: number;
  readonly batchSize: number;
  readonly delayMs: number;
  readonly sendingMs: number;
};

export type SamplerSettings = {
  /** The fraction of new traces that is recorded, from 0 to 1. */
  readonly share: number;
  /** Whether a span is recorded if and only if its parent is, even if the parent belongs to another process. */
  readonly isParentBased: boolean;
};

/**
 * Reads the trace settings; null if traces are off. They are on if `OTEL_TRACES_EXPORTER` is `otlp`, or if it is not set and an endpoint is
 * given. `OTEL_SDK_DISABLED=true` turns them off. Throws `SettingsError`.
 */
export function readTraceSettings(env: Environment): TraceSettings | null {
  const exporter = env['OTEL_TRACES_EXPORTER'] ?? '';
  const endpoints = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  const isOff = env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' || exporter === 'none';
  if (isOff || (exporter === '' && !endpoints.some((name) => env[name]))) return null;
  const problems: string[] = [];
  if (exporter !== '' && exporter !== 'otlp') problems.push('OTEL_TRACES_EXPORTER must be otlp or none');
  for (const name of ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'])
    if (env[name] && env[name] !== 'http/protobuf')
      problems.push(`${name} must be http/protobuf: collectors take it at port 4318`);
  for (const name of endpoints)
    if (env[name] && !isWebAddress(env[name]))
      problems.push(`${name} must be an address that begins with http:// or https://`);
  const whole = (name: string, fallback: number): number => wholeNumber(env, name, fallback, problems);
  const settings = {
    serviceName: env['OTEL_SERVICE_NAME'] || null,
    sampler: samplerOf(env, problems),
    mostWaiting: whole('OTEL_BSP_MAX_QUEUE_SIZE', 2048),
    batchSize: whole('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512),
    delayMs: whole('OTEL_BSP_SCHEDULE_DELAY', 5000),
    sendingMs: whole('OTEL_BSP_EXPORT_TIMEOUT', 30_000),
  };
  if (problems.length > 0) throw new SettingsError(problems);
  return settings;
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

function wholeNumber(env: Environment, name: string, fallback: number, problems: string[]): number {
  const value = env[name];
  if (!value) return fallback;
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value);
  problems.push(`${name} must be a number from 1 to 9999999`);
  return fallback;
}

const SAMPLERS: ReadonlySet<string> = new Set([
  ...['always_on', 'always_off', 'traceidratio'],
  ...['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'],
]);

function samplerOf(env: Environment, problems: string[]): SamplerSettings {
  const name = env['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  if (!SAMPLERS.has(name)) problems.push(`OTEL_TRACES_SAMPLER must be one of ${[...SAMPLERS].join(', ')}`);
  const isParentBased = name.startsWith('parentbased_');
  if (name.endsWith('always_off')) return { share: 0, isParentBased };
  if (!name.endsWith('traceidratio')) return { share: 1, isParentBased };
  const given = env['OTEL_TRACES_SAMPLER_ARG'] || '1';
  const share = Number(given);
  if (share >= 0 && share <= 1) return { share, isParentBased };
  problems.push('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  return { share: 1, isParentBased };
}
