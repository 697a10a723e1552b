import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { expectObject, type JsonObject, readJson, readObject } from './admin-body.ts';
import { guardAgainstBrowsers } from './browser-guard.ts';
import type { Clock } from './clock.ts';
import { type ChosenError, parseFault } from './fault-spec.ts';
import type { FaultPlan } from './faults.ts';
import type { Quota } from './quota.ts';
import { refusal } from './refusal.ts';
import type { RequestLog } from './request-log.ts';
import { streamRequests } from './request-stream.ts';
import { addSnapshotRoutes } from './snapshot-admin.ts';
import type { Snapshots } from './snapshots.ts';

export const ADMIN_PREFIX = '/__admin';

/** A record as the admin surface shows it. */
export type AdminRecord = { readonly id: string; readonly type: string; readonly fields: JsonObject };

type Awaitable<T> = T | Promise<T>;

/** The functions of a simulator that its admin surface needs. A function refuses bad input by throwing `refusal(…)`. */
export interface SimulatorBackend {
  readonly name: string;
  readonly version: string;
  /** The operation names that faults may be planned for. */
  readonly operations: readonly string[];
  readonly clock: Clock;
  readonly log: RequestLog;
  readonly faults: FaultPlan;
  readonly quota: Quota;
  readonly snapshots: Snapshots;
  /** The parts of an error that a fault may choose; none by default. */
  readonly choosesErrors?: readonly (keyof ChosenError)[];
  /** The HTTP status of a fault that sets only `errorCode`; 400 by default. */
  statusOf?(errorCode: string): number;
  /** The number of records of each type, for `health`. */
  counts(): Readonly<Record<string, number>>;
  /** Resets the records to the seed. The admin app resets clock, log, faults and quota. */
  reset(seed?: number | string): Awaitable<void>;
  listRecords(type?: string): Awaitable<readonly AdminRecord[]>;
  getRecord(id: string): Awaitable<AdminRecord | undefined>;
  createRecord(type: string, fields: JsonObject): Awaitable<AdminRecord>;
  /** Edits as a user of that system would; `undefined` when there is no such record. */
  patchRecord(id: string, set: JsonObject, at?: string): Awaitable<AdminRecord | undefined>;
  /** False when there was no such record. */
  deleteRecord(id: string): Awaitable<boolean>;
  /** Adds routes that only this simulator has, such as those for keys. */
  addRoutes?(admin: Hono): void;
}

/**
 * The admin surface of a simulator, to be mounted at `ADMIN_PREFIX` (see `withAdmin`). Its calls need no key, are not logged and cost no
 * quota. Foreign web pages cannot make them. Bad input answers 400, a missing record 404, both as `{error: {message}}`.
 */
export function createAdminApp(backend: SimulatorBackend): Hono {
  const admin = new Hono();
  admin.use(guardAgainstBrowsers);
  admin.get('/health', (c) => c.json(health(backend)));
  admin.post('/reset', async (c) => {
    const { seed } = await readObject(c, ['seed']);
    if (seed !== undefined && typeof seed !== 'string' && typeof seed !== 'number') {
      throw refusal(400, 'The seed must be a text or a number.');
    }
    for (const part of [backend.clock, backend.quota]) part.reset();
    for (const part of [backend.log, backend.faults]) part.clear();
    await backend.reset(seed);
    return c.json(health(backend));
  });
  addRecordRoutes(admin, backend);
  addPlanRoutes(admin, backend);
  addSnapshotRoutes(admin, backend.snapshots);
  backend.addRoutes?.(admin);
  admin.onError((error, c) => {
    if (error instanceof HTTPException) return c.json({ error: { message: error.message } }, error.status);
    return c.json({ error: { message: `The simulator failed: ${error.message}` } }, 500);
  });
  return admin;
}

function health(backend: SimulatorBackend): JsonObject {
  const { name, version, clock } = backend;
  return { status: 'ok', name, version, clock: clock.now().toISOString(), counts: backend.counts() };
}

function addRecordRoutes(admin: Hono, backend: SimulatorBackend): void {
  const missing = () => refusal(404, 'There is no record with this id.');
  admin.get('/records', async (c) => c.json({ records: await backend.listRecords(c.req.query('type')) }));
  admin.get('/records/:id', async (c) => {
    const record = await backend.getRecord(c.req.param('id'));
    if (record === undefined) throw missing();
    return c.json(record);
  });
  admin.post('/records', async (c) => {
    const { type, fields = {} } = await readObject(c, ['type', 'fields']);
    if (typeof type !== 'string') throw refusal(400, 'A record needs a type, a text.');
    return c.json(await backend.createRecord(type, expectObject(fields, 'fields')), 201);
  });
  admin.patch('/records/:id', async (c) => {
    const { set, at } = await readObject(c, ['set', 'at']);
    const patched = await backend.patchRecord(c.req.param('id'), expectObject(set, 'set'), optionalInstant(at, 'at'));
    if (patched === undefined) throw missing();
    return c.json(patched);
  });
  admin.delete('/records/:id', async (c) => {
    if (!(await backend.deleteRecord(c.req.param('id')))) throw missing();
    return c.body(null, 204);
  });
}

function addPlanRoutes(admin: Hono, backend: SimulatorBackend): void {
  const { clock, faults, log, operations, quota } = backend;
  admin.get('/requests', (c) => {
    const since = optionalInstant(c.req.query('since'), 'since');
    const operation = c.req.query('operation');
    const filter = { ...(since !== undefined && { since }), ...(operation !== undefined && { operation }) };
    return c.json({ requests: log.list(filter), counts: log.counts() });
  });
  admin.get('/requests/stream', (c) => streamRequests(log, c));
  admin.get('/requests/:seq{[0-9]+}', (c) => {
    const entry = log.get(Number(c.req.param('seq')));
    if (entry === undefined) throw refusal(404, 'There is no such request in the log.');
    return c.json(entry);
  });
  admin.get('/faults', (c) => c.json({ faults: faults.list() }));
  admin.post('/faults', async (c) => {
    const spec = parseFault(await readJson(c), operations, backend);
    return c.json(faults.add(spec), 201);
  });
  admin.delete('/faults', (c) => {
    faults.clear();
    return c.body(null, 204);
  });
  admin.get('/quota', (c) => c.json(quota.rule()));
  admin.put('/quota', async (c) => {
    const { limit, windowSeconds } = await readObject(c, ['limit', 'windowSeconds']);
    quota.set({
      limit: expectWhole(limit, 'limit', 0),
      windowSeconds: expectWhole(windowSeconds, 'windowSeconds', 1),
    });
    return c.json(quota.rule());
  });
  admin.get('/clock', (c) => c.json({ now: clock.now().toISOString() }));
  admin.put('/clock', async (c) => {
    const { now, advanceMs } = await readObject(c, ['now', 'advanceMs']);
    const wanted = optionalInstant(now, 'now');
    if (wanted === undefined && advanceMs === undefined) throw refusal(400, 'Give now, advanceMs or both.');
    const stepMs = advanceMs === undefined ? 0 : expectWhole(advanceMs, 'advanceMs', Number.MIN_SAFE_INTEGER);
    if (wanted !== undefined) clock.set(wanted);
    clock.advance(stepMs);
    return c.json({ now: clock.now().toISOString() });
  });
}

function expectWhole(value: unknown, name: string, min: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value;
  throw refusal(400, `${name} must be a whole number${min >= 0 ? ` from ${min}` : ''}.`);
}

function optionalInstant(value: unknown, name: string): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && !Number.isNaN(Date.parse(value))) return new Date(value).toISOString();
  throw refusal(400, `${name} must be an ISO 8601 date-time.`);
}
