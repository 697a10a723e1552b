import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/platform/logger.ts';
import { SettingsError } from '../../../src/platform/settings.ts';
import { openTracing } from '../../../src/tracing/open-tracing.ts';
import { readTraceSettings } from '../../../src/tracing/trace-settings.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

it.each([
  [{}],
  [{ OTEL_SERVICE_NAME: 'lockstep' }],
  [{ OTEL_TRACES_EXPORTER: 'none', ...ENDPOINT }],
  [{ OTEL_SDK_DISABLED: 'TRUE', ...ENDPOINT }],
])('are off by %j', async (env) => {
  expect(readTraceSettings(env)).toBeNull();
  expect(await openTracing(env, 'worker', silentLogger)).toBeNull();
});

it.each([[ENDPOINT], [{ OTEL_TRACES_EXPORTER: 'otlp' }], [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/v1' }]])(
  'are on by %j',
  (env) => {
    expect(readTraceSettings(env)).toMatchObject({
      serviceName: null,
      sampler: { share: 1, isParentBased: true },
      mostWaiting: 2048,
    });
  },
);

describe('what is said', () => {
  it('is heard', () => {
    const env = {
      ...ENDPOINT,
      OTEL_SERVICE_NAME: 'sync',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
    };
    expect(readTraceSettings(env)).toMatchObject({
      serviceName: 'sync',
      sampler: { share: 0.25, isParentBased: false },
      mostWaiting: 100,
    });
  });

  it.each([
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', 'many'],
  ])('is refused by name where it cannot be heard: %s=%s', (name, value) => {
    const read = () => readTraceSettings({ ...ENDPOINT, [name]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(`${name} must be`);
  });

  it('is refused where a share is none', () => {
    const env = { ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' };
    expect(() => readTraceSettings(env)).toThrow('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
  });
});
