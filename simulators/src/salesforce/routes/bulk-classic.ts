import { type Context, Hono } from 'hono';
import { ClassicFailure } from '../bulk/classic-failure.ts';
import {
  type ClassicBatch,
  type ClassicContent,
  type ClassicJob,
  type ClassicOperation,
  resultTable,
} from '../bulk/classic-jobs.ts';
import {
  batchInfo,
  type ClassicText,
  infoText,
  jobInfo,
  listText,
  readJobInfo,
  resultListText,
} from '../bulk/classic-text.ts';
import { addBatch } from '../bulk/classic-work.ts';
import { writeCsv } from '../bulk/csv.ts';
import type { Sessions } from '../oauth/sessions.ts';
import type { Org } from '../org.ts';
import { NEWEST_VERSION, OLDEST_VERSION } from './data-url.ts';
import { matchRoute, type Params, type Route } from './route.ts';

type ClassicRequest = {
  readonly org: Org;
  readonly userId: string;
  readonly apiVersion: number;
  readonly contentType: string;
  readonly text: string;
  readonly params: Params;
};

type ClassicAnswer = { readonly status: 200 | 201; readonly text: ClassicText };

type ClassicRoute = Pick<Route, 'method' | 'pattern' | 'operation'> & {
  readonly handle: (request: ClassicRequest) => ClassicAnswer;
};

const OPERATIONS: readonly ClassicOperation[] = ['insert', 'update', 'upsert', 'delete', 'query', 'queryAll'];
const CSV = { columnDelimiter: 'COMMA', lineEnding: 'LF' } as const;

function openJob({ org, userId, apiVersion, contentType, text }: ClassicRequest): ClassicAnswer {
  const info = readJobInfo(contentType, text);
  const operation = OPERATIONS.find((each) => each === info['operation']);
  if (info['operation'] === 'hardDelete') {
    throw new ClassicFailure(
      'FeatureNotEnabled',
      'hardDelete operation requires special user profile permission, please contact your system administrator',
    );
  }
  if (operation === undefined) throw new ClassicFailure('InvalidJob', 'Operation not supported');
  const object = org.store.schema.object(String(info['object']));
  if (object === undefined) {
    throw new ClassicFailure('InvalidEntity', `Entity '${String(info['object'])}' is not supported by the Bulk API.`);
  }
  const external = info['externalIdFieldName'];
  if (operation === 'upsert' && typeof external !== 'string') {
    throw new ClassicFailure('InvalidJob', 'External ID field is required for upsert');
  }
  const job = org.classicBulk.open({
    operation,
    object: object.name,
    contentType: kindOf(info['contentType']),
    externalIdFieldName: typeof external === 'string' ? external : null,
    createdById: userId,
    apiVersion,
  });
  return { status: 201, text: infoText(job.contentType, 'jobInfo', jobInfo(job)) };
}

function kindOf(contentType: unknown): ClassicContent {
  if (contentType === 'CSV' || contentType === 'JSON') return contentType;
  throw new ClassicFailure('FeatureNotEnabled', `The content type ${String(contentType)} is not covered here`);
}

function changeState({ org, params, contentType, text }: ClassicRequest): ClassicAnswer {
  const job = org.classicBulk.find(params['id'] ?? '');
  const { state } = readJobInfo(contentType, text);
  if (state !== 'Closed' && state !== 'Aborted') {
    throw new ClassicFailure('InvalidJobState', `A client cannot move a job to the state ${String(state)}`);
  }
  if (job.state !== 'Open' && job.state !== state) {
    throw new ClassicFailure('InvalidJobState', `Job is not open: ${job.id}`);
  }
  job.state = state;
  return { status: 200, text: infoText(job.contentType, 'jobInfo', jobInfo(job)) };
}

function found({ org, params }: ClassicRequest): { job: ClassicJob; batch: ClassicBatch } {
  const job = org.classicBulk.find(params['id'] ?? '');
  return { job, batch: org.classicBulk.batch(job, params['batch'] ?? '') };
}

function readResult(request: ClassicRequest): ClassicAnswer {
  const { job, batch } = found(request);
  if (batch.state !== 'Completed') {
    throw new ClassicFailure('InvalidBatch', `Batch not completed: ${batch.id}`);
  }
  if (batch.task === null) {
    return {
      status: 200,
      text: resultListText(job.contentType, batch.result === null ? [] : [batch.result.id]),
    };
  }
  const table = resultTable(batch);
  if (job.contentType === 'CSV') {
    return { status: 200, text: { contentType: 'text/csv', content: writeCsv(table, CSV) } };
  }
  const results = batch.task.results.map(({ id, created, error }) => ({
    success: error === null,
    created,
    id: error === null ? id : null,
    errors: error === null ? [] : [errorOf(error)],
  }));
  return { status: 200, text: { contentType: 'application/json', content: JSON.stringify(results) } };
}

/** `CODE:message:Field --` as the object of a JSON result. */
function errorOf(error: string): object {
  const [, statusCode = '', message = '', fields = ''] = /^([A-Z_]+):(.*):([^:]*?) ?--$/s.exec(error) ?? [];
  return { statusCode, message, fields: fields.split(',').filter(Boolean), extendedErrorDetails: null };
}

function readQueryResult(request: ClassicRequest): ClassicAnswer {
  const { job, batch } = found(request);
  if (batch.result === null || batch.result.id !== request.params['result']) {
    throw new ClassicFailure('InvalidBatch', `Invalid result id: ${request.params['result']}`);
  }
  const contentType = job.contentType === 'CSV' ? 'text/csv' : 'application/json';
  return { status: 200, text: { contentType, content: batch.result.text } };
}

/** The Bulk API of 2009: paths below `/services/async/XX.0`. */
export const BULK_CLASSIC_ROUTES: readonly ClassicRoute[] = [
  { method: 'POST', pattern: '/job', operation: 'bulkClassic.create', handle: openJob },
  {
    method: 'GET',
    pattern: '/job/:id',
    operation: 'bulkClassic.read',
    handle: ({ org, params }) => {
      const job = org.classicBulk.find(params['id'] ?? '');
      return { status: 200, text: infoText(job.contentType, 'jobInfo', jobInfo(job)) };
    },
  },
  { method: 'POST', pattern: '/job/:id', operation: 'bulkClassic.changeState', handle: changeState },
  {
    method: 'POST',
    pattern: '/job/:id/batch',
    operation: 'bulkClassic.addBatch',
    handle: ({ org, params, text }) => {
      const job = org.classicBulk.find(params['id'] ?? '');
      const batch = addBatch(org, job, text);
      return { status: 201, text: infoText(job.contentType, 'batchInfo', batchInfo(batch)) };
    },
  },
  {
    method: 'GET',
    pattern: '/job/:id/batch',
    operation: 'bulkClassic.listBatches',
    handle: ({ org, params }) => {
      const job = org.classicBulk.find(params['id'] ?? '');
      return { status: 200, text: listText(job.contentType, 'batchInfo', job.batches.map(batchInfo)) };
    },
  },
  {
    method: 'GET',
    pattern: '/job/:id/batch/:batch',
    operation: 'bulkClassic.readBatch',
    handle: (request) => {
      const { job, batch } = found(request);
      return { status: 200, text: infoText(job.contentType, 'batchInfo', batchInfo(batch)) };
    },
  },
  {
    method: 'GET',
    pattern: '/job/:id/batch/:batch/result',
    operation: 'bulkClassic.result',
    handle: readResult,
  },
  {
    method: 'GET',
    pattern: '/job/:id/batch/:batch/result/:result',
    operation: 'bulkClassic.queryResult',
    handle: readQueryResult,
  },
];

const PATH = /^\/services\/async\/(\d+)\.0(\/.*)$/;

/** The route of a path of the classic Bulk API; undefined for other paths. */
export function matchClassic(
  method: string,
  pathname: string,
): { route: ClassicRoute; params: Params; apiVersion: number } | undefined {
  const [, version = '', path = ''] = PATH.exec(pathname) ?? [];
  const apiVersion = Number(version);
  if (apiVersion < OLDEST_VERSION || apiVersion > NEWEST_VERSION) return undefined;
  const found = matchRoute(BULK_CLASSIC_ROUTES, method, path);
  return found && { ...found, apiVersion };
}

/** `/services/async`, whose calls have the session in `X-SFDC-Session`. */
export function createBulkClassicApp(org: Org, sessions: Sessions): Hono {
  const app = new Hono();
  app.all('/services/async/*', async (c) => {
    const contentType = c.req.header('content-type') ?? '';
    const wantsJson = /\bjson\b/i.test(contentType) || /\bjson\b/i.test(c.req.header('accept') ?? '');
    try {
      const userId = sessions.userOf(c.req.header('x-sfdc-session') ?? '');
      if (userId === undefined) throw new ClassicFailure('InvalidSessionId', 'Invalid session id');
      if (!org.quota.take().allowed) {
        throw new ClassicFailure('ExceededQuota', 'TotalRequests Limit exceeded.');
      }
      const match = matchClassic(c.req.method, c.req.path);
      if (match === undefined) throw new ClassicFailure('InvalidUrl', 'Destination URL not reset');
      const { route, params, apiVersion } = match;
      const text = await c.req.text();
      const seen = org.access.seenBy(org, userId);
      const answer = route.handle({ org: seen, userId, apiVersion, contentType, text, params });
      return send(c, answer.status, answer.text);
    } catch (error) {
      if (!(error instanceof ClassicFailure)) throw error;
      const info = { exceptionCode: error.code, exceptionMessage: error.message };
      return send(c, 400, infoText(wantsJson ? 'JSON' : 'CSV', 'error', info));
    }
  });
  return app;
}

function send(c: Context, status: 200 | 201 | 400, { contentType, content }: ClassicText): Response {
  return c.text(content, status, { 'content-type': contentType });
}
