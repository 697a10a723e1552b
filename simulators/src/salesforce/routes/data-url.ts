import { getPath } from 'hono/utils/url';
import { failure, notFound } from '../store/failure.ts';

/** The newest API version of the simulator, and the oldest that Salesforce still serves. */
export const NEWEST_VERSION = 67;
export const OLDEST_VERSION = 31;
/** The oldest API version that Salesforce ever had. */
const FIRST_VERSION = 7;

/** The newest version that an org may be set to have. Versions above `NEWEST_VERSION` get the answers of that one. */
const LAST_VERSION = 99;

/** The API versions that an org serves, as whole numbers. Older ones are retired, newer ones do not exist yet. */
export type ApiVersions = { readonly oldest: number; readonly newest: number };

export const ALL_VERSIONS: ApiVersions = { oldest: OLDEST_VERSION, newest: NEWEST_VERSION };

export function areVersions({ oldest, newest }: ApiVersions): boolean {
  const areNumbers = Number.isInteger(oldest) && Number.isInteger(newest);
  return areNumbers && oldest >= FIRST_VERSION && oldest <= newest && newest <= LAST_VERSION;
}

export type DataUrl = {
  readonly version: number;
  readonly base: string;
  readonly path: string;
  readonly query: URLSearchParams;
};

/**
 * The path for routing a request. Several slashes at its beginning count as one, because clients join a base address that ends in a slash
 * with a path that begins with one, and orgs accept that (`sf` with `--instance-url https://…/`).
 */
export function pathOf(request: Request): string {
  return getPath(request).replace(/^\/{2,}/, '/');
}

/**
 * Takes apart `/services/data/vXX.0/…` or `vXX.0/…`, query included. Throws 410 for versions that are retired (REST guide: "API
 * End-of-Life Policy"; the error code as integrators report it), 404 for other addresses and versions.
 */
export function parseDataUrl(url: string, { oldest, newest }: ApiVersions = ALL_VERSIONS): DataUrl {
  const [pathname = '', search = ''] = url.split(/\?(.*)/s);
  const match = /^\/?(?:services\/data\/)?v(\d+)\.0(\/.*)?$/.exec(pathname);
  const version = Number(match?.[1]);
  if (match === null || version < FIRST_VERSION || version > newest) throw notFound();
  if (version < oldest) throw failure(410, 'GONE', `API version ${version}.0 is retired.`);
  return {
    version,
    base: `/services/data/v${version}.0`,
    path: withoutFormat(match[2] ?? '/'),
    query: readQuery(search),
  };
}

/** Matches a path whose last segment is the value of an external id, and so no format suffix. */
const BY_EXTERNAL_ID = /^\/sobjects(?:\/[^/]+){3}$/i;

/**
 * The path without the `.json` suffix that an address may have (REST guide: "Response Format Using URI"). Other formats are not simulated.
 */
function withoutFormat(path: string): string {
  return BY_EXTERNAL_ID.test(path) ? path : path.replace(/\.json$/i, '');
}

function readQuery(search: string): URLSearchParams {
  if (search.length > 1_000_000) throw failure(414, 'URI_TOO_LONG', 'The address is too long.');
  return new URLSearchParams(search);
}

/** Whether a composite sub-request is a query or a collection call. */
export function isRowLimited(url: string): boolean {
  return /\/(query|queryAll|composite\/sobjects)([/?]|$)/i.test(url);
}

/** Whether a sub-request is itself a composite, batch or tree call. */
export function isDirectory(url: string): boolean {
  return /\/composite(\/(batch|tree)([/?].*)?|\/?)$/i.test(url);
}
