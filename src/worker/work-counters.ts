import type { ActivityInterceptors } from '@temporalio/worker';
import { Counter, Histogram, Registry } from 'prom-client';
import type { EditAge } from '../domain/evolve/edit-age.ts';
import { type PartnerApi, PartnerApiError } from '../partner-api/index.ts';
import type { CrmRequestInfo } from '../salesforce/options.ts';
import type { RemoteRequest } from '../tracing/worker-tracing.ts';

const SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/**
 * Upper bounds of the histogram buckets, in seconds, for the time until an edit arrives at the other side (CRM or vendor). They range from
 * a second, usual after a webhook, to a day, possible for a waiting record that is retried.
 */
const ARRIVAL_SECONDS = [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 900, 3_600, 14_400, 86_400];

/** How a request ended. `unanswered`: the remote system could not be reached, did not answer in time, or sent no valid response. */
type Outcome = 'ok' | 'refused' | 'throttled' | 'unanswered';

/** A worker's metrics for Prometheus. Labels are tenant names, operation names and codes. */
export interface WorkCounters {
  /** Wraps a tenant's vendor client so that each of its requests is counted in the metrics. */
  vendor(tenant: string, api: PartnerApi): PartnerApi;
  crm(tenant: string, request: CrmRequestInfo): void;
  /**
   * Counts a decision about a record that was made inside a lane's activity, which processes many records. `verdict`: the step that comes
   * next for the record.
   */
  decided(tenant: string, verdict: string): void;
  /** Records how long a user's edit took to arrive at the other side (CRM or vendor). */
  arrived(age: EditAge): void;
  /**
   * An interceptor that counts the decisions about records. It counts each activity whose result names the step that comes next for the
   * record (`next`).
   */
  decisions(): ActivityInterceptors;
  /** The metrics in Prometheus format. */
  text(): Promise<string>;
}

/** Creates a worker's metrics. `onRequest` is called with each finished request to Salesforce or the vendor. */
export function createWorkCounters(onRequest?: (request: RemoteRequest) => void): WorkCounters {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Counter({
    name: 'lockstep_remote_requests_total',
    help: 'Requests to a remote system, by outcome: ok, refused, throttled or unanswered.',
    labelNames: ['tenant', 'remote', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'lockstep_remote_request_seconds',
    help: 'Seconds that requests to remote systems take, by operation, of all tenants.',
    labelNames: ['remote', 'operation'],
    buckets: SECONDS,
    registers,
  });
  const decisions = new Counter({
    name: 'lockstep_decisions_total',
    help: 'Decisions about records, by the next step.',
    labelNames: ['tenant', 'verdict'],
    registers,
  });
  const arrivals = createArrivals(registers);
  const count = (request: RemoteRequest): void => {
    const { tenant, remote, operation, outcome, ms } = request;
    requests.inc({ tenant, remote, outcome });
    seconds.observe({ remote, operation }, ms / 1000);
    onRequest?.(request);
  };
  return {
    vendor: (tenant, api) => counted(api, (answered) => count({ tenant, remote: 'vendor', ...answered })),
    crm: (tenant, { operation, status, ms }) =>
      count({ tenant, remote: 'salesforce', operation, outcome: outcomeOfStatus(status), status, ms }),
    decided: (tenant, verdict) => decisions.inc({ tenant, verdict }),
    arrived: ({ direction, ms }) => arrivals.observe({ direction }, ms / 1000),
    decisions: () => ({
      inbound: {
        execute: async (input, next) => {
          const result = await next(input);
          const tenant = named(input.args[0], 'tenant');
          const verdict = named(result, 'next');
          if (tenant !== null && verdict !== null) decisions.inc({ tenant, verdict });
          return result;
        },
      },
    }),
    text: () => registry.metrics(),
  };
}

function createArrivals(registers: Registry[]): Histogram<'direction'> {
  return new Histogram({
    name: 'lockstep_edit_to_arrival_seconds',
    help: "Seconds from a user's edit to its arrival at the other side, by direction, of all tenants; without bulk work.",
    labelNames: ['direction'],
    buckets: ARRIVAL_SECONDS,
    registers,
  });
}

type NoteRequest = (request: Omit<RemoteRequest, 'tenant' | 'remote'>) => void;

/**
 * Wraps the operations of the vendor's client in order to count their requests. List functions (`all…`) are not wrapped, because they call
 * the wrapped operations for each page.
 */
function counted(api: PartnerApi, note: NoteRequest): PartnerApi {
  const entries = Object.entries(api).map(([operation, run]) => {
    if (operation.startsWith('all')) return [operation, run];
    const ask = async (...args: readonly unknown[]): Promise<unknown> => {
      const begun = performance.now();
      const ended = (outcome: Outcome, status: number | null): void =>
        note({ operation, outcome, status, ms: performance.now() - begun });
      try {
        const answer = await (run as (...args: readonly unknown[]) => Promise<unknown>)(...args);
        ended('ok', statusOf(answer));
        return answer;
      } catch (error) {
        ended(outcomeOfError(error), statusOf(error));
        throw error;
      }
    };
    return [operation, ask];
  });
  return Object.fromEntries(entries);
}

const OUTCOMES: Readonly<Partial<Record<PartnerApiError['kind'], Outcome>>> = {
  throttled: 'throttled',
  ...{ unavailable: 'unanswered', timeout: 'unanswered', network: 'unanswered', aborted: 'unanswered' },
  ...{ server: 'unanswered', protocol: 'unanswered' },
};

/** The HTTP status of a result or an error; null if it has none. */
function statusOf(answered: unknown): number | null {
  const { status } = (answered ?? {}) as { readonly status?: unknown };
  return typeof status === 'number' ? status : null;
}

function outcomeOfError(error: unknown): Outcome {
  return error instanceof PartnerApiError ? (OUTCOMES[error.kind] ?? 'refused') : 'unanswered';
}

function outcomeOfStatus(status: number | null): Outcome {
  if (status === null || status >= 500) return 'unanswered';
  if (status === 429) return 'throttled';
  return status < 300 ? 'ok' : 'refused';
}

function named(value: unknown, key: string): string | null {
  const found = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  return typeof found === 'string' ? found : null;
}
