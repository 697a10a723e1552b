import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultPlan } from '../../core/faults.ts';
import type { OutboundDef } from '../schema/types.ts';
import type { Store } from '../store/store.ts';
import { isAcknowledged, renderEnvelope } from './envelope.ts';
import type { Notification, OutboundQueue } from './queue.ts';

/** The operation name under which faults disturb deliveries. */
export const OUTBOUND_OPERATION = 'outboundMessage';

/** How often, in real time, a waiting queue is checked, because the simulated clock may be moved. */
const POLL_EVERY_MS = 100;
const ANSWER_TIMEOUT_MS = 10_000;

/** An outbound message, and the id of its action in the org. */
export type OutboundAction = { readonly definition: OutboundDef; readonly actionId: string };

/** The name of an outbound message with its object, as flows name it. */
export function messageName({ object, name }: OutboundDef): string {
  return `${object}.${name}`;
}

export type DispatcherOptions = {
  readonly store: Store;
  readonly queue: OutboundQueue;
  readonly faults: FaultPlan;
  readonly messages: readonly OutboundAction[];
  readonly organizationId: string;
  readonly origin: () => string;
  /** The target address. While it is null, notifications wait. */
  readonly targetUrl: () => string | null;
  /** Called after each change of the queue. */
  readonly changed: () => void;
};

/** Delivers the queue's notifications, one message at a time. */
export interface Dispatcher {
  /** Call after queueing a notification. */
  wake(): void;
  /** Stops; resolves when no delivery is under way. */
  close(): Promise<void>;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  function look(delayMs: number): void {
    if (timer !== undefined || stop.signal.aborted) return;
    timer = setTimeout(() => {
      running = deliverDue(options, stop.signal).finally(() => {
        timer = undefined;
        if (options.queue.all().length > 0) look(POLL_EVERY_MS);
      });
    }, delayMs);
    timer.unref();
  }

  return {
    wake: () => look(0),
    close: async () => {
      stop.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

/** Sends what is due. One delivery has notifications of one message only. */
async function deliverDue(options: DispatcherOptions, stop: AbortSignal): Promise<void> {
  const { queue, changed, messages } = options;
  const url = options.targetUrl();
  const batch = queue.due();
  if (url === null || batch.length === 0) return;
  const [first] = messages;
  const groups = Map.groupBy(batch, ({ message }) =>
    message === undefined ? first : messages.find(({ definition }) => messageName(definition) === message),
  );
  for (const [message, some] of groups) {
    const ids = some.map(({ id }) => id);
    // A message that the package no longer declares is dropped.
    const outcome = message === undefined ? 'lost' : await attempt({ ...options, ...message }, url, some, stop);
    if (stop.aborted) return;
    if (outcome === 'postponed') queue.postpone(ids);
    else queue.acknowledge(ids);
    changed();
  }
}

/**
 * One try, disturbed by the fault plan. `delayMs` waits first. `status` and `hang` fail the try. `cut: before` loses the message for good.
 * `cut: after` and `early` send the message and lose the acknowledgement, so the message is sent again.
 */
async function attempt(
  options: DispatcherOptions & OutboundAction,
  url: string,
  batch: readonly Notification[],
  stop: AbortSignal,
): Promise<'acknowledged' | 'lost' | 'postponed'> {
  const fault = options.faults.take(OUTBOUND_OPERATION);
  if (fault?.delayMs !== undefined) {
    await sleep(fault.delayMs, undefined, { signal: stop, ref: false }).catch(() => undefined);
  }
  if (fault?.status !== undefined || fault?.hang === true) return 'postponed';
  if (fault?.cut === 'before') return 'lost';
  const isTaken = await send(options, url, batch, stop);
  return isTaken && fault?.cut === undefined ? 'acknowledged' : 'postponed';
}

/** Posts one message; true when the receiver acknowledged it. */
async function send(
  options: DispatcherOptions & OutboundAction,
  url: string,
  batch: readonly Notification[],
  stop: AbortSignal,
): Promise<boolean> {
  const { store, definition, organizationId, actionId } = options;
  const items = batch.flatMap(({ id, recordId }) => {
    const row = store.get(definition.object, recordId);
    return row === undefined ? [] : [{ notificationId: id, row }];
  });
  if (items.length === 0) return true;
  const { object, fields } = definition;
  const head = { organizationId, actionId, origin: options.origin(), object, fields };
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' },
      body: renderEnvelope(head, items),
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
    });
    const text = await answer.text();
    return answer.status === 200 && isAcknowledged(text);
  } catch {
    return false;
  }
}
