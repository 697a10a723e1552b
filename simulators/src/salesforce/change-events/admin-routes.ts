import type { Hono } from 'hono';
import { readObject } from '../../core/admin-body.ts';
import { refusal } from '../../core/refusal.ts';
import type { Capture } from './capture.ts';

/**
 * `GET change-events` (the selected objects, the open streams, and the events of the last 72 hours), `POST change-events/gaps` `{events}`
 * (makes that many next events gap events), `DELETE change-events` (restarts the stream, as when an org moves).
 */
export function addChangeEventRoutes(admin: Hono, capture: Capture): void {
  const { bus } = capture;
  const report = () => ({
    selected: capture.schemas.map(({ object }) => object.name),
    streams: [...capture.streams].map(({ topic, userId, pending }) => ({
      topic,
      userId,
      pending: pending(),
    })),
    plannedGaps: capture.plannedGaps(),
    events: bus.all().flatMap(({ replayId, event }) => (event === null ? [] : [{ replayId, ...event }])),
  });
  admin.get('/change-events', (c) => c.json(report()));
  admin.post('/change-events/gaps', async (c) => {
    const { events } = await readObject(c, ['events']);
    if (!Number.isSafeInteger(events) || Number(events) < 0) {
      throw refusal(400, 'Say in events how many of the next are gap events.');
    }
    capture.planGaps(Number(events));
    return c.json(report());
  });
  admin.delete('/change-events', (c) => {
    bus.clear();
    return c.body(null, 204);
  });
}
