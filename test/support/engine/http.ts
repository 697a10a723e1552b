/** A simulator's admin API: actions of the remote system's users and operators. */
/** A change event as the simulated org shows it to its administrator. */
export type StoredEvent = {
  readonly replayId: number;
  readonly entityName: string;
  readonly recordIds: readonly string[];
  readonly changeType: string;
  readonly changeOrigin: string;
  readonly changed: readonly string[];
  readonly values: Raw;
  readonly besides?: Raw;
};

export type Raw = Readonly<Record<string, unknown>>;

export type LoggedRequest = {
  readonly seq: number;
  readonly operation: string;
  readonly path: string;
  readonly query: string;
  readonly time: string;
  readonly status: number | null;
  readonly fault: string | null;
  readonly body: unknown;
};

/** A user of the org who is no administrator. */
export type SalesPerson = { readonly id: string; readonly accessToken: string };

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
    /** `at` sets the edit's stamp, for an edit that began earlier. */
    edit: (id: string, set: Raw, at?: string) => send('PATCH', `/records/${id}`, { set, ...(at && { at }) }),
    remove: (id: string) => send('DELETE', `/records/${id}`),
    /** CRM only: the queued outbound messages. */
    messages: async (): Promise<readonly { readonly id: string; readonly recordId: string }[]> =>
      (await send<{ readonly pending: readonly { id: string; recordId: string }[] }>('GET', '/outbound')).pending,
    /** CRM only: the bell notifications that were sent. */
    bells: async (): Promise<readonly Raw[]> => (await send<{ readonly bells: readonly Raw[] }>('GET', '/bells')).bells,
    undelete: (id: string) => send('POST', `/records/${id}/undelete`, {}),
    merge: (winner: string, loser: string) => send('POST', `/records/${winner}/merge`, { loser }),
    /** CRM only: a sales person converts a lead; `wanted` as of the SOAP call. */
    convert: (leadId: string, wanted: Raw) => send('POST', `/records/${leadId}/convert`, wanted),
    /** CRM only: grants a custom permission to the integration user or revokes it. */
    permit: (permission: string, access: 'edit' | 'none') =>
      send('PUT', '/access', { user: 'user', permission, access }),
    /** CRM only: adds a sales person with the profile Standard User and these permission sets. */
    employ: (lastName: string, permissionSets: readonly string[]): Promise<SalesPerson> =>
      send('POST', '/users', { lastName, permissionSets }),
    /** CRM only: the access to rows of an object that their readers do not own. */
    share: (object: string, model: 'Private' | 'Read' | 'ReadWrite') => send('PUT', '/sharing', { object, model }),
    /** CRM only: sets a user's access to an object, field or record. */
    access: (what: Raw) => send('PUT', '/access', what),
    /** CRM only: reverts all changes by `access` and `permit`. */
    clearAccess: () => send('DELETE', '/access'),
    /** CRM only: an administrator renames a picklist value. */
    renameValue: (field: string, value: string, becomes: string) =>
      send('PUT', '/picklists', { field, value, becomes }),
    /** CRM only: the oldest and the newest version of its REST API. */
    apiVersions: (versions: Raw) => send('PUT', '/api-versions', versions),
    /** CRM only: sets limits that make the org refuse requests. */
    limit: (limits: Raw) => send('PUT', '/limits', limits),
    /** CRM only: whether the org is in read-only mode. */
    isReadOnly: async (): Promise<boolean> => (await send<{ readonly readOnly: boolean }>('GET', '/limits')).readOnly,
    /** CRM only: removes all limits and locks. */
    clearLimits: () => send('DELETE', '/limits'),
    /** CRM only: locks a row and its details, as an approval does. */
    lock: (id: string, locked: boolean) => send('PUT', `/records/${id}/lock`, { locked }),
    /** CRM only: ends all sessions. */
    endSessions: () => send('DELETE', '/sessions'),
    /** Of the CRM's surface only: the topics of the open streams of change events. */
    streams: async (): Promise<readonly { readonly topic: string; readonly pending: number }[]> =>
      (await send<{ readonly streams: readonly { topic: string; pending: number }[] }>('GET', '/change-events'))
        .streams,
    /** Of the CRM's surface only: the change events of the last 72 hours, in their order. */
    changeEvents: async (): Promise<readonly StoredEvent[]> =>
      (await send<{ readonly events: readonly StoredEvent[] }>('GET', '/change-events')).events,
    /** Of the CRM's surface only: so many next change events are gap events. */
    gapEvents: (events: number) => send('POST', '/change-events/gaps', { events }),
    /** Of the CRM's surface only: all replay ids become invalid. */
    restartEvents: () => send('DELETE', '/change-events'),
    fault: (fault: Raw) => send('POST', '/faults', fault),
    /** CRM only: saves these writes in one transaction, which commits at once. */
    transaction: async (writes: readonly Raw[]) => {
      await send('POST', '/transactions', { writes, commitAfterMs: 60_000 });
      await send('POST', '/transactions/commit', {});
    },
    /** Vendor only: sets the request quota. */
    quota: (limit: number, windowSeconds: number) => send('PUT', '/quota', { limit, windowSeconds }),
    clearFaults: () => send('DELETE', '/faults'),
    /** Requests that arrived since an instant; all if none is given. */
    requests: async (since?: string): Promise<readonly LoggedRequest[]> => {
      const path = since === undefined ? '/requests' : `/requests?since=${encodeURIComponent(since)}`;
      return (await send<{ readonly requests: readonly LoggedRequest[] }>('GET', path)).requests;
    },
  };
}
