import type { Hono } from 'hono';
import type { AdminRecord, SimulatorBackend } from '../core/admin.ts';
import { type JsonObject, readObject } from '../core/admin-body.ts';
import type { FaultPlan } from '../core/faults.ts';
import { refusal } from '../core/refusal.ts';
import type { RequestLog } from '../core/request-log.ts';
import type { Snapshots } from '../core/snapshots.ts';
import type { Sessions } from './oauth/sessions.ts';
import type { Org } from './org.ts';
import { addRuleRoutes } from './org-rules/admin-routes.ts';
import { OUTBOUND_OPERATION } from './outbound/dispatcher.ts';
import type { OutboundQueue } from './outbound/queue.ts';
import { addAccessRoutes } from './permissions/admin-routes.ts';
import { OTHER_OPERATIONS } from './routes/http.ts';
import { DATA_ROUTES } from './routes/table.ts';
import type { ObjectDef } from './schema/types.ts';
import type { Author } from './store/dml.ts';
import { ApiFailure } from './store/failure.ts';
import { normalizeId } from './store/ids.ts';
import { toApiInstant } from './store/instant.ts';
import type { Row } from './store/row.ts';

export type BackendParts = {
  readonly org: Org;
  readonly log: RequestLog;
  readonly faults: FaultPlan;
  readonly snapshots: Snapshots;
  readonly sessions: Sessions;
  readonly queue: OutboundQueue;
  readonly reset: (seed: number | string | undefined) => void;
  readonly outboundUrl: () => string | null;
  readonly setOutboundUrl: (url: string | null) => void;
};

const VERSION = '67.0';

/** The names that the request log and the fault plan know. */
export const OPERATIONS: readonly string[] = [
  ...new Set([
    ...DATA_ROUTES.map(({ operation }) => operation),
    ...Object.values(OTHER_OPERATIONS),
    OUTBOUND_OPERATION,
  ]),
];

/**
 * What the admin surface works on. Edits are the sales user's: they pass all checks and fire outbound messages. Beside
 * the common calls: `GET|PUT outbound` `{url}`, `POST records/{id}/undelete`, `POST records/{id}/purge` (past the recycle bin), `POST records/{id}/merge`
 * `{loser}` (accounts and contacts), `DELETE sessions` (ends issued sessions).
 */
export function createBackend(parts: BackendParts): SimulatorBackend {
  const { org, log, faults } = parts;
  const { store } = org;
  const author = (at?: string): Author => ({
    userId: org.identity.salesUserId,
    ...(at !== undefined && { at: toApiInstant(new Date(at)) }),
  });
  return {
    name: 'salesforce',
    version: VERSION,
    operations: OPERATIONS,
    clock: org.clock,
    log,
    faults,
    quota: org.quota,
    snapshots: parts.snapshots,
    choosesErrors: true,
    counts: () =>
      Object.fromEntries(
        store.schema.objects.map(({ name }) => [
          name,
          store.rows(name).filter((row) => row['IsDeleted'] !== true).length,
        ]),
      ),
    reset: parts.reset,
    ...recordCalls(org, author),
    addRoutes: (admin) => {
      addRoutes(admin, parts, author);
      addAccessRoutes(admin, org);
      addRuleRoutes(admin, org);
    },
  };
}

type RecordCalls = Pick<
  SimulatorBackend,
  'listRecords' | 'getRecord' | 'createRecord' | 'patchRecord' | 'deleteRecord'
>;

function recordCalls(org: Org, author: (at?: string) => Author): RecordCalls {
  const { store, dml } = org;
  return {
    listRecords: (type) => {
      const objects = type === undefined ? store.schema.objects : [objectNamed(org, type)];
      return objects.flatMap((object) => store.rows(object.name).map((row) => show(org, object, row)));
    },
    getRecord: (id) => {
      const found = find(org, id);
      return found && show(org, found.object, found.row);
    },
    createRecord: (type, fields) =>
      refusing(() => {
        const object = objectNamed(org, type);
        return read(org, dml.create(object, fields, author()));
      }),
    patchRecord: (id, set, at) => {
      const found = find(org, id);
      if (found === undefined) return undefined;
      return refusing(() => {
        dml.update(found.object, id, set, author(at));
        return read(org, id);
      });
    },
    deleteRecord: (id) => {
      const found = find(org, id);
      if (found === undefined) return false;
      refusing(() => dml.remove(found.object, id, author()));
      return true;
    },
  };
}

function addRoutes(admin: Hono, parts: BackendParts, author: () => Author): void {
  const { org, queue } = parts;
  const outbound = () => ({ url: parts.outboundUrl(), ...queue.counts(), pending: queue.all() });
  admin.get('/outbound', (c) => c.json(outbound()));
  admin.put('/outbound', async (c) => {
    const { url } = await readObject(c, ['url']);
    const isUrl = typeof url === 'string' && URL.canParse(url) && /^https?:/.test(url);
    if (url !== null && !isUrl) throw refusal(400, 'The url must be an http address, or null.');
    parts.setOutboundUrl(url as string | null);
    return c.json(outbound());
  });
  admin.post('/records/:id/undelete', (c) => {
    const id = c.req.param('id');
    const found = find(org, id);
    if (found === undefined) throw refusal(404, 'There is no record with this id.');
    refusing(() => org.dml.undelete(found.object, id, author()));
    return c.json(read(org, id));
  });
  admin.post('/records/:id/purge', (c) => {
    const id = c.req.param('id');
    const found = find(org, id);
    if (found === undefined) throw refusal(404, 'There is no record with this id.');
    refusing(() => org.dml.purge(found.object, id, author()));
    return c.body(null, 204);
  });
  admin.post('/records/:id/merge', async (c) => {
    const id = c.req.param('id');
    const found = find(org, id);
    const { loser } = await readObject(c, ['loser']);
    if (found === undefined) throw refusal(404, 'There is no record with this id.');
    if (typeof loser !== 'string') throw refusal(400, 'The loser must be the id of a record.');
    refusing(() => org.dml.merge(found.object, id, loser, author()));
    return c.json(read(org, id));
  });
  admin.delete('/sessions', (c) => {
    parts.sessions.revokeAll();
    return c.body(null, 204);
  });
}

function find(org: Org, id: string): { object: ObjectDef; row: Row } | undefined {
  const object = org.store.schema.objectOfId(id);
  const row = object && org.store.get(object.name, normalizeId(id) ?? '');
  return object && row && { object, row };
}

function read(org: Org, id: string): AdminRecord {
  const found = find(org, id);
  if (found === undefined) throw refusal(404, 'There is no record with this id.');
  return show(org, found.object, found.row);
}

function show({ store }: Org, object: ObjectDef, row: Row): AdminRecord {
  const fields: JsonObject = Object.fromEntries(
    [...object.fields.values()].map((field) => [field.name, store.read(field, row)]),
  );
  return { id: String(row['Id']), type: object.name, fields };
}

function objectNamed(org: Org, type: string): ObjectDef {
  const object = org.store.schema.object(type);
  if (object !== undefined) return object;
  const known = org.store.schema.objects.map(({ name }) => name).join(', ');
  throw refusal(400, `There is no object of this type. Known: ${known}.`);
}

/** Turns a refusal of the org into one of the admin surface. */
function refusing<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    throw refusal(400, error.errors.map(({ errorCode, message }) => `${errorCode}: ${message}`).join('; '));
  }
}
