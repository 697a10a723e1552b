import type { Hono } from 'hono';
import type { SimulatorBackend } from '../core/admin.ts';
import { readObject } from '../core/admin-body.ts';
import type { FaultPlan } from '../core/faults.ts';
import { refusal } from '../core/refusal.ts';
import type { RequestLog } from '../core/request-log.ts';
import type { Snapshots } from '../core/snapshots.ts';
import { find, read, recordCalls, refusing } from './admin-records.ts';
import { addTransactionRoutes } from './admin-transactions.ts';
import { addChangeEventRoutes } from './change-events/admin-routes.ts';
import type { Sessions } from './oauth/sessions.ts';
import type { Org } from './org.ts';
import { addLimitRoutes } from './org-limits/admin-routes.ts';
import { addRuleRoutes } from './org-rules/admin-routes.ts';
import { OUTBOUND_OPERATION } from './outbound/dispatcher.ts';
import type { OutboundQueue } from './outbound/queue.ts';
import { addAccessRoutes } from './permissions/admin-routes.ts';
import { PUB_SUB_OPERATIONS } from './pub-sub/server.ts';
import { publishedError } from './published-errors.ts';
import { areVersions } from './routes/data-url.ts';
import { OTHER_OPERATIONS } from './routes/http.ts';
import { DATA_ROUTES } from './routes/table.ts';
import { convertLead } from './soap/convert-lead.ts';
import type { Author } from './store/dml.ts';
import { toApiInstant } from './store/instant.ts';

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
    ...PUB_SUB_OPERATIONS,
  ]),
];

/**
 * The org's part of the admin surface. Edits are made as the sales user: they pass all checks and send outbound messages. Beside the common
 * calls: `GET|PUT outbound` `{url}`, `POST records/{id}/undelete`, `POST records/{id}/purge` (past the recycle bin), `POST
 * records/{id}/merge` `{loser}` (accounts, contacts and leads), `POST records/{id}/convert` (a lead, with the fields of `LeadConvert`), `DELETE sessions` (ends issued sessions).
 */
export function createBackend(parts: BackendParts): SimulatorBackend {
  const { org, log, faults } = parts;
  const { store } = org;
  const deletedOf = (name: string) => store.binned().filter(({ type }) => type === name).length;
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
    statusOf: (errorCode) => publishedError(errorCode).status,
    choosesErrors: ['errorCode', 'message', 'fields', 'row', 'mostRows', 'body'],
    counts: () =>
      Object.fromEntries(store.schema.objects.map(({ name }) => [name, store.count(name) - deletedOf(name)])),
    reset: parts.reset,
    ...recordCalls(org, author),
    addRoutes: (admin) => {
      addRoutes(admin, parts, author);
      addAccessRoutes(admin, org, parts.sessions);
      addRuleRoutes(admin, org);
      addVersionRoutes(admin, org);
      addLimitRoutes(admin, org);
      addTransactionRoutes(admin, org, author);
      addChangeEventRoutes(admin, org.changeCapture);
      addGraphRoutes(admin, org);
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
  admin.get('/bells', (c) => c.json({ bells: org.bells }));
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
  admin.post('/records/:id/convert', async (c) => {
    const id = c.req.param('id');
    const wanted = await readObject(c, ['accountId', 'opportunityId', 'doNotCreateOpportunity']);
    const status = [...org.store.rows('LeadStatus')].find((row) => row['IsConverted'] === true)?.['ApiName'];
    const call = { ...BY_DEFAULT, convertedStatus: String(status), ...wanted, leadId: id };
    const converted = refusing(() => convertLead(org, author().userId, call));
    return c.json(converted);
  });
  admin.delete('/sessions', (c) => {
    parts.sessions.revokeAll();
    return c.body(null, 204);
  });
}

/** A conversion that leaves everything to Salesforce. */
const BY_DEFAULT = {
  accountId: undefined,
  contactId: undefined,
  opportunityId: undefined,
  opportunityName: undefined,
  ownerId: undefined,
  doNotCreateOpportunity: false,
  overwriteLeadSource: false,
};

/** `GET api-versions`, `PUT api-versions` `{oldest?, newest?}`: a release retires old versions of the REST API or brings a new one. */
function addVersionRoutes(admin: Hono, { apiVersions }: Org): void {
  admin.get('/api-versions', (c) => c.json(apiVersions.served));
  admin.put('/api-versions', async (c) => {
    const served = { ...apiVersions.served, ...(await readObject(c, ['oldest', 'newest'])) };
    if (!areVersions(served)) throw refusal(400, 'Give oldest and newest as whole numbers, such as 31 and 67.');
    apiVersions.served = served;
    return c.json(served);
  });
}

/** `GET graphs`, `PUT graphs` `{takesHeaders}`: sets whether headers of nodes in composite graphs count. */
function addGraphRoutes(admin: Hono, { nodes }: Org): void {
  admin.get('/graphs', (c) => c.json(nodes));
  admin.put('/graphs', async (c) => {
    const { takesHeaders } = await readObject(c, ['takesHeaders']);
    if (typeof takesHeaders !== 'boolean') throw refusal(400, 'Say by true or false whether headers count.');
    nodes.takesHeaders = takesHeaders;
    return c.json(nodes);
  });
}
