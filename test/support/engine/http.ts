/** A simulator's admin surface: what people and operators of the remote systems do. */
export type Raw = Readonly<Record<string, unknown>>;

export type LoggedRequest = {
  readonly seq: number;
  readonly operation: string;
  readonly path: string;
  readonly time: string;
  readonly status: number | null;
  readonly fault: string | null;
  readonly body: unknown;
};

export type Admin = ReturnType<typeof adminOf>;

type Simulator = {
  readonly adminUrl: string;
  fetch(request: Request): Promise<Response>;
};

export function adminOf({ adminUrl, fetch }: Simulator) {
  async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(
      new Request(`${adminUrl}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  }
  type Row = { readonly id: string; readonly fields: Raw };
  return {
    reset: () => send('POST', '/reset', {}),
    /** Raw fields of all records of a type, each with its `id`. */
    list: async (type: string): Promise<readonly Raw[]> =>
      (await send<{ readonly records: readonly Row[] }>('GET', `/records?type=${type}`)).records.map(
        ({ id, fields }) => ({ ...fields, id }),
      ),
    create: async (type: string, fields: Raw): Promise<string> =>
      (await send<Row>('POST', '/records', { type, fields })).id,
    /** `at` stamps the edit, as one that began earlier is stamped. */
    edit: (id: string, set: Raw, at?: string) => send('PATCH', `/records/${id}`, { set, ...(at && { at }) }),
    remove: (id: string) => send('DELETE', `/records/${id}`),
    /** Of the CRM's surface only. */
    messages: async (): Promise<readonly { readonly id: string; readonly recordId: string }[]> =>
      (await send<{ readonly pending: readonly { id: string; recordId: string }[] }>('GET', '/outbound')).pending,
    undelete: (id: string) => send('POST', `/records/${id}/undelete`, {}),
    merge: (winner: string, loser: string) => send('POST', `/records/${winner}/merge`, { loser }),
    /** Of the CRM's surface only: its user has a custom permission, or no longer. */
    permit: (permission: string, access: 'edit' | 'none') =>
      send('PUT', '/access', { user: 'user', permission, access }),
    /** Of the CRM's surface only: what a user may do with one object, field or record. */
    access: (what: Raw) => send('PUT', '/access', what),
    /** Of the CRM's surface only: takes back all that `access` and `permit` said. */
    clearAccess: () => send('DELETE', '/access'),
    /** Of the CRM's surface only: an administrator renames a value of a picklist. */
    renameValue: (field: string, value: string, becomes: string) =>
      send('PUT', '/picklists', { field, value, becomes }),
    /** Of the CRM's surface only: the oldest and the newest version of its REST API. */
    apiVersions: (versions: Raw) => send('PUT', '/api-versions', versions),
    /** Of the CRM's surface only: sets what the org refuses for its own state. */
    limit: (limits: Raw) => send('PUT', '/limits', limits),
    /** Of the CRM's surface only. */
    isReadOnly: async (): Promise<boolean> => (await send<{ readonly readOnly: boolean }>('GET', '/limits')).readOnly,
    /** Of the CRM's surface only: takes back all limits and locks. */
    clearLimits: () => send('DELETE', '/limits'),
    /** Of the CRM's surface only: locks a row and its details, as an approval does. */
    lock: (id: string, locked: boolean) => send('PUT', `/records/${id}/lock`, { locked }),
    /** Of the CRM's surface only: ends all sessions. */
    endSessions: () => send('DELETE', '/sessions'),
    /** Of the CRM's surface only: the topics of the open streams of change events. */
    streams: async (): Promise<readonly { readonly topic: string; readonly pending: number }[]> =>
      (await send<{ readonly streams: readonly { topic: string; pending: number }[] }>('GET', '/change-events'))
        .streams,
    /** Of the CRM's surface only: so many next change events are gap events. */
    gapEvents: (events: number) => send('POST', '/change-events/gaps', { events }),
    /** Of the CRM's surface only: all replay ids become invalid. */
    restartEvents: () => send('DELETE', '/change-events'),
    fault: (fault: Raw) => send('POST', '/faults', fault),
    /** Of the vendor's surface only. */
    quota: (limit: number, windowSeconds: number) => send('PUT', '/quota', { limit, windowSeconds }),
    clearFaults: () => send('DELETE', '/faults'),
    /** Those that arrived at an instant or later; all when none is given. */
    requests: async (since?: string): Promise<readonly LoggedRequest[]> => {
      const path = since === undefined ? '/requests' : `/requests?since=${encodeURIComponent(since)}`;
      return (await send<{ readonly requests: readonly LoggedRequest[] }>('GET', path)).requests;
    },
  };
}
