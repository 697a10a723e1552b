import type { Org } from '../org.ts';
import type { ObjectDef } from '../schema/types.ts';
import { type ApiFailure, failure, notFound } from '../store/failure.ts';
import type { Input } from '../store/input.ts';

/** A call of the data API, from HTTP or from inside a composite call. */
export type ApiRequest = {
  readonly method: string;
  /** Path below the version, beginning with `/`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed JSON body, or a `TextBody` if the route accepts text; undefined without a body. */
  readonly body: unknown;
  /** Version as a number, 67 for v67.0. */
  readonly version: number;
  /** `/services/data/vXX.0`. */
  readonly base: string;
  readonly origin: string;
  readonly userId: string;
  /** The row that a planned fault makes fail in a collection of `rows` rows. */
  readonly rowFault?: (rows: number) => PlannedRow | undefined;
};

/** An unparsed body, for routes that accept other types than JSON. */
export type TextBody = { readonly contentType: string; readonly text: string };

/** A row of a collection, counted from 0, that a planned fault makes fail; null: all rows. */
export type PlannedRow = { readonly row: number | null; readonly failure: ApiFailure };

export type ApiAnswer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON; absent for an answer without a body. */
  readonly body?: unknown;
  /** The answer's body if it is not JSON. */
  readonly text?: { readonly contentType: string; readonly content: string };
};

export type Params = Readonly<Record<string, string>>;

/** Answers a sub-request of a composite call with the data API's table of routes. */
export type Dispatch = (request: ApiRequest) => ApiAnswer;

export type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the version; `:name` stands for one segment. */
  readonly pattern: string;
  /** Name in the request log, for counters and faults. */
  readonly operation: string;
  /** Whether the handler gets the body as a `TextBody`. */
  readonly takesText?: boolean;
  readonly handle: (org: Org, request: ApiRequest, params: Params, dispatch: Dispatch) => ApiAnswer;
};

/** The parts of a route that matching needs: a method and a pattern. */
type Matched = Pick<Route, 'method' | 'pattern'>;

export type RouteMatch<R extends Matched = Route> = { readonly route: R; readonly params: Params };

/** The route for a method and path; undefined if there is none. Segments are decoded one by one. */
export function matchRoute<R extends Matched>(
  routes: readonly R[],
  method: string,
  path: string,
): RouteMatch<R> | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  for (const route of routes) {
    const params = route.method === wanted ? matchPattern(route.pattern, path) : undefined;
    if (params !== undefined) return { route, params };
  }
  return undefined;
}

export function allowedMethods(routes: readonly Route[], path: string): readonly string[] {
  return routes.filter((route) => matchPattern(route.pattern, path) !== undefined).map((route) => route.method);
}

function matchPattern(pattern: string, path: string): Params | undefined {
  const wanted = pattern.split('/').filter(Boolean);
  const given = path.split('/').filter(Boolean);
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const segment = given[i] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decode(segment);
    else if (part.toLowerCase() !== segment.toLowerCase()) return undefined;
  }
  return params;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The object that a path names. Throws 404 NOT_FOUND. */
export function objectAt(org: Org, name: string | undefined): ObjectDef {
  const object = org.store.schema.object(name ?? '');
  if (object === undefined) throw notFound();
  return object;
}

/** The body as a JSON object. Throws JSON_PARSER_ERROR. */
export function objectBody(body: unknown): Input {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Input;
  throw failure(400, 'JSON_PARSER_ERROR', 'The HTTP entity body is required, but this request has no entity body.');
}

/** A property of a body that must be a list. Throws JSON_PARSER_ERROR. */
export function listIn(body: Input, name: string): readonly unknown[] {
  const value = body[name];
  if (Array.isArray(value)) return value;
  throw failure(400, 'JSON_PARSER_ERROR', `The request body must have the list "${name}".`);
}
