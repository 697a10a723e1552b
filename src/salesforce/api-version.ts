import { listOf, objectOf } from './answers.ts';
import { crmError } from './classify.ts';
import { CrmError } from './errors.ts';

/**
 * How long, in ms, Lockstep uses a list of the org's API versions. Lockstep reads the list after a 404, and uses it for further 404s about
 * records.
 */
const KEPT_FOR_MS = 10 * 60_000;

/** Matches paths of single records. For such a path, a 404 can mean a missing record or a missing API version. */
const OF_RECORD = /^(?:\/services\/data\/v[\d.]+)?\/sobjects\/[^/]+\/[^/]/;

/** The address that lists the org's API versions (REST API Developer Guide: "Versions"). */
export const VERSIONS_PATH = '/services/data';

/**
 * Makes a function that is called with the error of a failed request. If the request got NOT_FOUND or GONE because the org does not serve
 * the API version, the function returns `systemic` UNSUPPORTED_API_VERSION; otherwise it returns the given error. It throws if `list`,
 * which reads the body of `VERSIONS_PATH`, fails.
 */
export function createVersionCheck(version: string, now: () => number) {
  let servedAtMs = Number.NEGATIVE_INFINITY;
  return async (error: unknown, path: string, list: () => Promise<unknown>): Promise<unknown> => {
    if (!(error instanceof CrmError)) return error;
    if (error.code === 'GONE') return unsupported();
    if (error.code !== 'NOT_FOUND') return error;
    if (OF_RECORD.test(path) && now() - servedAtMs < KEPT_FOR_MS) return error;
    const served = listOf(await list()).map((row) => objectOf(row)['version']);
    if (!served.includes(version)) return unsupported();
    servedAtMs = now();
    return error;
  };
}

function unsupported(): CrmError {
  return crmError('systemic', 'UNSUPPORTED_API_VERSION');
}
