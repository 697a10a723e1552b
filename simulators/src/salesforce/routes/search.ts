import type { Org } from '../org.ts';
import { queryEnv } from '../soql/query-env.ts';
import { parseSosl, type SearchScope, type Sosl } from '../sosl/parse.ts';
import { runSosl } from '../sosl/run.ts';
import { failure } from '../store/failure.ts';
import { type ApiAnswer, type ApiRequest, objectBody, type Route } from './route.ts';

const SCOPES: readonly SearchScope[] = ['ALL', 'NAME', 'EMAIL', 'PHONE', 'SIDEBAR'];

function search(org: Org, { base, userId }: ApiRequest, sosl: Sosl): ApiAnswer {
  const env = queryEnv(org, userId, { base });
  return { status: 200, body: { searchRecords: runSosl(env, sosl) } };
}

/** A search by parameters instead of SOSL. REST guide, "Parameterized Search". */
function parameterized(org: Org, request: ApiRequest, given: Readonly<Record<string, unknown>>): ApiAnswer {
  const { q, fields, sobjects, overallLimit } = given;
  if (typeof q !== 'string' || q === '') throw failure(400, 'INVALID_SEARCH', 'The parameter q is required.');
  const scope = SCOPES.find((each) => each === String(given['in'] ?? 'ALL').toUpperCase()) ?? 'ALL';
  const objects = Array.isArray(sobjects) ? (sobjects as readonly Record<string, unknown>[]) : [];
  return search(org, request, {
    find: q,
    scope,
    limit: Number(overallLimit ?? given['limit'] ?? 2000),
    returning: objects.map(({ name, fields: own, where, orderBy, limit }) => ({
      object: String(name),
      fields: [own ?? fields ?? 'Id'].flat().join(','),
      rest: [where && `WHERE ${where}`, orderBy && `ORDER BY ${orderBy}`, limit && `LIMIT ${limit}`]
        .filter(Boolean)
        .join(' '),
    })),
  });
}

/** A query such as `sobject=Account&sobject=Contact&Account.fields=Id,Name` in the form of a POST's body. */
function readParameters(query: URLSearchParams): Readonly<Record<string, unknown>> {
  const sobjects = query
    .getAll('sobject')
    .flatMap((each) => each.split(','))
    .map((name) => ({
      name,
      fields: query.get(`${name}.fields`) ?? undefined,
      limit: query.get(`${name}.limit`),
    }));
  return { ...Object.fromEntries(query), sobjects };
}

/** Routes of SOSL and of parameterized search. */
export const SEARCH_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: '/search',
    operation: 'search',
    handle: (org, request) => search(org, request, parseSosl(request.query.get('q') ?? '')),
  },
  {
    method: 'GET',
    pattern: '/parameterizedSearch',
    operation: 'parameterizedSearch',
    handle: (org, request) => parameterized(org, request, readParameters(request.query)),
  },
  {
    method: 'POST',
    pattern: '/parameterizedSearch',
    operation: 'parameterizedSearch',
    handle: (org, request) => parameterized(org, request, objectBody(request.body)),
  },
];
