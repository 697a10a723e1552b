import { listOf, objectOf } from './answers.ts';
import { crmError } from './classify.ts';
import { CrmError } from './errors.ts';

/**
 * How long, in ms, Lockstep trusts that the org serves the configured API version, after the org's list of versions has shown it. During
 * this time, a 404 for a record means that the record is missing, and the list is not read again.
 */
const KEPT_FOR_MS = 10 * 60_000;

/** Matches paths of single records. For such a path, a 404 can mean a missing record or a missing API version. */
const OF_RECORD = /^(?:\/services\/data\/v[\d.]+)?\/sobjects\/[^/]+\/[^/]/;

/** The address that lists the org's API versions (REST API Developer Guide: "Versions"). */
export const VERSIONS_PATH = '/services/data';

/**
 * Makes a function that finds out whether a request failed because the org does not serve the API version. It gets the request's error. If
 * the error is GONE, or is NOT_FOUND and the version is not in the org's list, it returns `systemic` UNSUPPORTED_API_VERSION; otherwise it
 * returns the given error. `list` reads the org's list (the body of `VERSIONS_PATH`). The function throws if `list` fails.
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
