import { availableParallelism } from 'node:os';
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors, TunerHolder } from '@temporalio/worker';
import type { EventLoopLag } from '../platform/event-loop-lag.ts';
import { byLag } from './by-lag.ts';
import { SLOTS } from './slots.ts';
import { createWorkflowTaskSlots } from './workflow-task-slots.ts';

/** Limits how much work a worker does at once, depending on how busy it is. Create one for each process. */
export type WorkerLoad = {
  /** The slots (permits) for the workflow tasks that the worker runs at once. */
  readonly tuner: TunerHolder;
  /** An interceptor that starts activities depending on how busy the worker's event loop is. */
  readonly byLag: (context: Context) => ActivityInterceptors;
};

export function createWorkerLoad(lag: Pick<EventLoopLag, 'ms'>): WorkerLoad {
  const slots = createWorkflowTaskSlots({
    processors: availableParallelism(),
    most: SLOTS.localActivities,
  });
  return {
    tuner: {
      workflowTaskSlotSupplier: slots.supplier,
      activityTaskSlotSupplier: { type: 'fixed-size', numSlots: SLOTS.syncActivities },
      localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: SLOTS.localActivities },
      // Temporal requires a slot supplier for Nexus, although Lockstep registers no Nexus operation.
      nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
    },
    byLag: byLag(lag, slots),
  };
}
