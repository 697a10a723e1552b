/** A simulator's admin API: events inside the remote system, and the log of its requests. */
export type LoggedRequest = {
  readonly seq: number;
  readonly time: string;
  readonly operation: string;
  /** The version of the operation; null if it has none. */
  readonly label: string | null;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly body: unknown;
};

export function simulatorAdmin(adminUrl: string) {
  const send = sender(adminUrl);
  return {
    records: async <T>(type: string): Promise<readonly T[]> =>
      (await send<{ readonly records: readonly T[] }>('GET', `/records?type=${type}`)).records,
    create: (type: string, fields: Readonly<Record<string, unknown>>) =>
      send<{ readonly id: string }>('POST', '/records', { type, fields }),
    edit: (id: string, set: Readonly<Record<string, unknown>>) => send('PATCH', `/records/${id}`, { set }),
    remove: (id: string) => send('DELETE', `/records/${id}`),
    fault: (fault: Readonly<Record<string, unknown>>) => send('POST', '/faults', fault),
    faults: async (): Promise<readonly { readonly applied: number }[]> =>
      (await send<{ readonly faults: readonly { readonly applied: number }[] }>('GET', '/faults')).faults,
    clearFaults: () => send('DELETE', '/faults'),
    /** Salesforce only: sets the org's limits and approval locks. */
    limit: (limits: Readonly<Record<string, unknown>>) => send('PUT', '/limits', limits),
    lock: (id: string, locked: boolean) => send('PUT', `/records/${id}/lock`, { locked }),
    clearLimits: () => send('DELETE', '/limits'),
    /** The operator's step of the key procedure (order spec 5.3). */
    register: (hashedKey: string, way: { readonly rotation?: 'replace' | 'overlap' } = {}) =>
      send('POST', '/keys', { hashedKey, ...way }),
    keys: async (): Promise<readonly { readonly id: string }[]> =>
      (await send<{ readonly keys: readonly { readonly id: string }[] }>('GET', '/keys')).keys,
    revoke: (id: string) => send('DELETE', `/keys/${id}`),
    /** Salesforce only: whether headers of nodes in composite graphs take effect. */
    takeNodeHeaders: (takesHeaders: boolean) => send('PUT', '/graphs', { takesHeaders }),
    /** How many streams of change events are open, in Salesforce. */
    streams: async (): Promise<number> =>
      (await send<{ readonly streams: readonly unknown[] }>('GET', '/change-events')).streams.length,
    /** Salesforce only: makes so many next change events gap events. */
    gapEvents: (events: number) => send('POST', '/change-events/gaps', { events }),
    /** Salesforce only: makes all replay ids of change events invalid. */
    forgetEvents: () => send('DELETE', '/change-events'),
    endSessions: () => send('DELETE', '/sessions'),
    quota: (limit: number, windowSeconds: number) => send('PUT', '/quota', { limit, windowSeconds }),
    allRequests: async (): Promise<readonly LoggedRequest[]> =>
      (await send<{ readonly requests: readonly LoggedRequest[] }>('GET', '/requests')).requests,
    /** Requests since an instant of the simulator's clock (ISO). The log keeps the newest ten thousand. */
    requestsSince: async (since: string): Promise<readonly LoggedRequest[]> =>
      (await send<{ readonly requests: readonly LoggedRequest[] }>('GET', `/requests?since=${since}`)).requests,
    requests: async (operation: string): Promise<readonly LoggedRequest[]> =>
      (await send<{ readonly requests: readonly LoggedRequest[] }>('GET', `/requests?operation=${operation}`)).requests,
  };
}

function sender(adminUrl: string) {
  return async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${adminUrl}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? null : JSON.parse(text)) as T;
  };
}
