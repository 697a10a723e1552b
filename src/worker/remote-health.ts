import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInterceptors } from '@temporalio/worker';
import { fromRemote } from '../../activities/support/to-failure.ts';
import { endsAfter, healthOf, REMOTE_HEALTH } from '../domain/loop/remote-health.ts';
import type { StreamLedger } from '../ledger/streams/stream-ledger.ts';

/**
 * The activities that process one record, by name. A failure of a remote system in any of them counts against the health of the remote
 * systems. True: a success counts as healthy, because a remote system has certainly answered. False: a success does not count, because the
 * activity can succeed without a request to a remote system.
 */
const STEPS: ReadonlyMap<string, boolean> = new Map([
  ...['planSync', 'searchVendor', 'createAtVendor', 'updateAtVendor'].map((name) => [name, true] as const),
  ...['writeCrm', 'createInCrm', 'reportToCrm'].map((name) => [name, true] as const),
  ['readVendor', false],
]);

/**
 * A worker stores a tenant's unchanged health again only after this time, in ms. It stores the health again at all because another worker
 * may have stored another health.
 */
const NOTED_FOR_MS = 60_000;

export type RemoteHealthOptions = {
  readonly ledger: Pick<StreamLedger, 'saveCursor'>;
  /** The present instant, ISO. */
  readonly now: () => string;
  /** Called with the error if the health could not be stored. The worker tries again at the next change. */
  readonly onFailure: (error: unknown) => void;
};

/**
 * Stores in the ledger (Lockstep's PostgreSQL database) whether a tenant's remote systems (Salesforce and the vendor) are healthy. It
 * judges this by whether activities succeed. Create one for each worker.
 */
export function watchRemoteHealth(options: RemoteHealthOptions): RemotesWatch {
  const note = healthNoter(options);
  const ended = (tenant: string, step: string, error: unknown): void => {
    if (error === null && STEPS.get(step) === true) note(tenant, true);
    if (error !== null && isFailure(error)) note(tenant, false);
  };
  return {
    ended,
    around: ({ info: { activityType } }) => {
      if (!STEPS.has(activityType)) return {};
      return {
        inbound: {
          execute: async (input, next) => {
            const tenant = tenantOf(input);
            try {
              const result = await next(input);
              ended(tenant, activityType, null);
              return result;
            } catch (error) {
              ended(tenant, activityType, error);
              throw error;
            }
          },
        },
      };
    },
  };
}

export interface RemotesWatch {
  /**
   * An interceptor that sees whether each activity succeeds. It must come after the interceptor that waits for a free slot, because an
   * activity that gets no slot says nothing about the remote systems.
   */
  around(context: Context): ActivityInterceptors;
  /**
   * Counts the end of a record's step (such as `planSync`) that ran inside a lane's activity, which processes many records. `error`: why
   * the step failed; null if it succeeded.
   */
  ended(tenant: string, step: string, error: unknown): void;
}

function healthNoter({ ledger, now, onFailure }: RemoteHealthOptions): (tenant: string, isHealthy: boolean) => void {
  const ends = new Map<string, readonly boolean[]>();
  const noted = new Map<string, { readonly isHealthy: boolean; readonly atMs: number }>();
  return (tenant, isHealthy) => {
    const after = endsAfter(ends.get(tenant) ?? [], isHealthy);
    ends.set(tenant, after);
    const health = healthOf(after);
    if (health === null) return;
    const at = now();
    const last = noted.get(tenant);
    const isKnown = last?.isHealthy === health.isHealthy && Date.parse(at) - last.atMs < NOTED_FOR_MS;
    if (isKnown) return;
    noted.set(tenant, { ...health, atMs: Date.parse(at) });
    ledger.saveCursor(tenant, REMOTE_HEALTH, health, at).catch((error: unknown) => {
      noted.delete(tenant);
      onFailure(error);
    });
  };
}

/** Whether an error shows that a remote system does not work. A used-up quota does not, because it resets at a known time. */
function isFailure(error: unknown): boolean {
  if (!(error instanceof ApplicationFailure)) return false;
  return error.type === 'SYSTEMIC' || (fromRemote(error) && error.type !== 'THROTTLED');
}

function tenantOf({ args: [first] }: ActivityExecuteInput): string {
  return (first as { readonly tenant: string }).tenant;
}
