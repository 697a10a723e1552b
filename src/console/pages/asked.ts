import type { Session } from '../access/sessions.ts';
import type { Caller } from '../api/api.ts';
import { endpointOf } from '../api/endpoints.ts';
import { type Refusal, refusalOf } from '../api/refusal.ts';
import type { Names } from '../live/names.ts';
import type { Snapshots } from '../live/snapshot.ts';
import type { ConsolePorts } from '../ports.ts';
import type { Site } from '../web/site.ts';
import type { Page } from './layout.ts';

export type PagesOptions = {
  readonly site: Site;
  readonly ports: ConsolePorts;
  readonly call: Caller;
  readonly snapshots: Snapshots;
  readonly names: Names;
};

/** A request for a page: the person, the parts of the path, and the query. */
export type Asked = PagesOptions & {
  readonly session: Session;
  readonly tenant: string;
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
};

/** Reads the data of a page, and makes the page. */
export type LoadPage = (asked: Asked) => Promise<Page>;

/** Reads data for a page through an endpoint of the API, because the endpoint checks the person's rights. */
export async function read<T>({ call, session }: Asked, verb: string, input: object, path?: string): Promise<T> {
  return (await call(endpointOf(verb, path), input, session)) as unknown as T;
}

/**
 * Reads data for a page through an endpoint of the API. Returns a refusal as a value, so that the page can show its reason. Throws if the
 * person may not see the data at all.
 */
export async function readOrRefusal<T>(
  asked: Asked,
  verb: string,
  input: object,
): Promise<{ readonly answer: T; readonly refusal: null } | { readonly answer: null; readonly refusal: Refusal }> {
  try {
    return { answer: await read<T>(asked, verb, input), refusal: null };
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === null || refusal.code === 'not-allowed') throw error;
    return { answer: null, refusal };
  }
}

/** The Salesforce ids of these records (of opportunities or leads). Records without one are left out. */
export function crmIdsOf(records: readonly { readonly crmId: string | null }[]): readonly string[] {
  return records.flatMap(({ crmId }) => (crmId === null ? [] : [crmId]));
}
