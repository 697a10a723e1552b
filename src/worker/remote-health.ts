import type { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInterceptors } from '@temporalio/worker';
import { fromRemote } from '../../activities/support/to-failure.ts';
import { endsAfter, healthOf, REMOTE_HEALTH } from '../domain/loop/remote-health.ts';
import type { StreamLedger } from '../ledger/streams/stream-ledger.ts';

/** Steps on a record that ask a remote something, and whether they have asked where they did not fail. */
const STEPS: ReadonlyMap<string, boolean> = new Map([
  ...['planSync', 'searchVendor', 'createAtVendor', 'updateAtVendor'].map((name) => [name, true] as const),
  ...['writeCrm', 'createInCrm', 'reportToCrm'].map((name) => [name, true] as const),
  ['readVendor', false],
]);

/** What was told is told again after so long, while there are steps: another worker may have told otherwise, and ended. */
const NOTED_FOR_MS = 60_000;

export type RemoteHealthOptions = {
  readonly ledger: Pick<StreamLedger, 'saveCursor'>;
  /** The present instant, ISO. */
  readonly now: () => string;
  /** The ledger was not told: it is told with the next change. */
  readonly onFailure: (error: unknown) => void;
};

/**
 * Hears how steps on records end, and tells the ledger when a tenant's remotes begin to fail and when they are good
 * again, so that all processes know which tenants' work comes to nothing. One for each worker.
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
  /** Goes around each activity that has its slot. */
  around(context: Context): ActivityInterceptors;
  /** A step on a record has ended that was no activity of its own; `error`: null where it did not fail. */
  ended(tenant: string, step: string, error: unknown): void;
}

function healthNoter({
  ledger,
  now,
  onFailure,
}: RemoteHealthOptions): (tenant: string, isHealthy: boolean) => void {
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

/** A quota that is used up says by itself when it is over, and nothing of the remote. */
function isFailure(error: unknown): boolean {
  if (!(error instanceof ApplicationFailure)) return false;
  return error.type === 'SYSTEMIC' || (fromRemote(error) && error.type !== 'THROTTLED');
}

function tenantOf({ args: [first] }: ActivityExecuteInput): string {
  return (first as { readonly tenant: string }).tenant;
}
