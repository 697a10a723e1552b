import { listOf, objectOf } from './answers.ts';
import { crmError } from './classify.ts';
import { CrmError } from './errors.ts';

/** How long, in ms, the org's list of versions is reused to interpret a 404. */
const KEPT_FOR_MS = 10 * 60_000;

/** Matches paths of single records. Salesforce answers 404 both for a missing record and for a missing API version. */
const OF_RECORD = /^(?:\/services\/data\/v[\d.]+)?\/sobjects\/[^/]+\/[^/]/;

/** The address that lists the org's API versions (REST API Developer Guide: "Versions"). */
export const VERSIONS_PATH = '/services/data';

/**
 * Makes a function that distinguishes, after a 404, a missing or retired API version from a missing record. `list` reads the body of
 * `VERSIONS_PATH`. The function takes the error of a request. If the org does not serve the version, it returns `systemic`
 * UNSUPPORTED_API_VERSION, otherwise the error itself. If the list cannot be read, it throws the error of `list`, because nothing then
 * shows that the record is gone.
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
