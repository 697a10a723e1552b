import type { Org } from '../org.ts';
import { recordTypeInfos } from '../org-rules/record-types.ts';
import { describeBrief, describeObject } from '../schema/describe.ts';
import type { ObjectDef } from '../schema/types.ts';
import { attributesOf } from '../soql/project.ts';
import { failure } from '../store/failure.ts';
import { apiInstantMs, parseInstant, toApiInstant } from '../store/instant.ts';
import { BIN_DAYS } from '../store/recycle-bin.ts';
import type { Row } from '../store/row.ts';
import { readLimits, readRecordCounts } from './limits.ts';
import { type ApiAnswer, type ApiRequest, objectAt, type Route } from './route.ts';

const DAY_MS = 86_400_000;
/** How far back the replication lists go. Deleted rows are listed as long as the recycle bin keeps them. */
const REPLICATION_DAYS = 30;
const MINUTE_MS = 60_000;

/** The window of `updated` and `deleted`. The platform ignores the seconds of both ends. */
function windowOf(org: Org, request: ApiRequest): { fromMs: number; toMs: number } {
  const [start, end] = ['start', 'end'].map((name) => {
    // A plus that was not encoded arrives as a blank.
    const text = (request.query.get(name) ?? '').replace(' ', '+');
    const instant = parseInstant(text);
    if (instant === null) throw failure(400, 'INVALID_REPLICATION_DATE', `${name} is not a date-time`);
    return Math.floor(apiInstantMs(instant) / MINUTE_MS) * MINUTE_MS;
  });
  const fromMs = start ?? 0;
  const toMs = end ?? 0;
  if (fromMs >= toMs) {
    throw failure(400, 'INVALID_REPLICATION_DATE', 'endDate should be at least one minute greater than startDate');
  }
  if (org.clock.now().getTime() - fromMs > REPLICATION_DAYS * DAY_MS) {
    throw failure(400, 'INVALID_REPLICATION_DATE', 'startDate cannot be more than 30 days ago');
  }
  return { fromMs, toMs };
}

/**
 * The instant up to which the lists are complete: the requested end, the present, or the start of the oldest open transaction (SOAP guide,
 * "GetUpdatedResult"). It is cut to the minute, as captures of real orgs show.
 */
function latestDateCovered(org: Org, toMs: number): string {
  const startsMs = org.transactions.list().map(({ startedAt }) => apiInstantMs(startedAt));
  const coveredMs = Math.min(toMs, org.clock.now().getTime(), ...startsMs);
  return toApiInstant(new Date(Math.floor(coveredMs / MINUTE_MS) * MINUTE_MS));
}

function changedRows(org: Org, request: ApiRequest, object: ObjectDef, deleted: boolean): readonly Row[] {
  const { fromMs, toMs } = windowOf(org, request);
  const [from, to] = [fromMs, toMs].map((ms) => toApiInstant(new Date(ms))) as [string, string];
  const found: Row[] = [];
  for (const row of org.store.sortedFrom(object.name, 'SystemModstamp', from)) {
    if (String(row['SystemModstamp']) >= to) break;
    if ((row['IsDeleted'] === true) === deleted) found.push(row);
  }
  return found;
}

function resources({ base, origin, userId }: ApiRequest, organizationId: string): ApiAnswer {
  const names = [
    'composite',
    'jobs',
    'limits',
    'parameterizedSearch',
    'query',
    'queryAll',
    'recent',
    'search',
    'sobjects',
  ];
  return {
    status: 200,
    body: {
      ...Object.fromEntries(names.map((name) => [name, `${base}/${name}`])),
      identity: `${origin}/id/${organizationId}/${userId}`,
    },
  };
}

/**
 * A describe result, or 304 if it has not changed since `If-Modified-Since` (REST guide: "Describe Global", "sObject Describe"): the
 * metadata is as old as the organization, and hiding a field in the admin surface does not count as a change.
 */
function sinceMade(org: Org, { headers, userId }: ApiRequest, describe: () => unknown): ApiAnswer {
  const [organization] = org.store.rows('Organization');
  const madeMs = apiInstantMs(String(organization?.['CreatedDate']));
  const since = Date.parse(headers['if-modified-since'] ?? '');
  const isAsMade = org.access.grants(userId).exceptions.length === 0 && org.picklists.list().length === 0;
  if (since >= madeMs && isAsMade) return { status: 304 };
  return { status: 200, headers: { 'last-modified': new Date(madeMs).toUTCString() }, body: describe() };
}

const KEPT_RECENT = 200;

/** The user's recently viewed rows, of one object or of all. */
function listRecent(org: Org, { base, userId }: ApiRequest, limit: number, type?: string): readonly object[] {
  const all = org.recent.list(org.store, userId, KEPT_RECENT);
  return all
    .filter((each) => type === undefined || each.type === type)
    .slice(0, limit)
    .flatMap(({ type: name, row }) => {
      const object = org.store.schema.object(name);
      if (object === undefined) return [];
      return [{ attributes: attributesOf(object, row, base), Id: row['Id'], Name: row['Name'] ?? null }];
    });
}

/** Routes about the org: resources, describes, limits, and the replication lists. */
export const ORG_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: '/',
    operation: 'resources',
    handle: (org, request) => resources(request, org.identity.organizationId),
  },
  {
    method: 'GET',
    pattern: '/recent',
    operation: 'recent',
    handle: (org, request) => {
      const limit = Number(request.query.get('limit') ?? KEPT_RECENT);
      return { status: 200, body: listRecent(org, request, limit) };
    },
  },
  { method: 'GET', pattern: '/limits', operation: 'limits', handle: readLimits },
  { method: 'GET', pattern: '/limits/recordCount', operation: 'recordCount', handle: readRecordCounts },
  {
    method: 'GET',
    pattern: '/sobjects',
    operation: 'describeGlobal',
    handle: (org, request) =>
      sinceMade(org, request, () => ({
        encoding: 'UTF-8',
        maxBatchSize: 200,
        sobjects: org.store.schema.objects.map((object) => describeBrief(object, request.base)),
      })),
  },
  {
    method: 'GET',
    pattern: '/sobjects/:type',
    operation: 'sobject.info',
    handle: (org, request, params) => {
      const object = objectAt(org, params['type']);
      const objectDescribe = describeBrief(object, request.base);
      const recentItems = listRecent(org, request, KEPT_RECENT, object.name);
      return { status: 200, body: { objectDescribe, recentItems } };
    },
  },
  {
    method: 'GET',
    pattern: '/sobjects/:type/describe',
    operation: 'describe',
    handle: (org, request, params) => {
      const { base, userId } = request;
      const object = objectAt(org, params['type']);
      const mayChoose = (name: string) => org.access.mayChoose(userId, name);
      const recordTypes = recordTypeInfos(object, [...org.store.rows('RecordType')], mayChoose, base);
      return sinceMade(org, request, () => describeObject(org.store.schema, object, base, recordTypes));
    },
  },
  {
    method: 'GET',
    pattern: '/sobjects/:type/updated',
    operation: 'updated',
    handle: (org, request, params) => ({
      status: 200,
      body: {
        ids: changedRows(org, request, objectAt(org, params['type']), false).map((row) => row['Id']),
        latestDateCovered: latestDateCovered(org, windowOf(org, request).toMs),
      },
    }),
  },
  {
    method: 'GET',
    pattern: '/sobjects/:type/deleted',
    operation: 'deleted',
    handle: (org, request, params) => ({
      status: 200,
      body: {
        deletedRecords: changedRows(org, request, objectAt(org, params['type']), true).map((row) => ({
          deletedDate: row['SystemModstamp'],
          id: row['Id'],
        })),
        earliestDateAvailable: toApiInstant(new Date(org.clock.now().getTime() - BIN_DAYS * DAY_MS)),
        latestDateCovered: latestDateCovered(org, windowOf(org, request).toMs),
      },
    }),
  },
];
