const ANSWER_LIMIT_MS = 10_000;

/** A demo request was refused; the message names the call and the status, never a body. */
export class DemoRequestError extends Error {
  override readonly name = 'DemoRequestError';
}

export type JsonRequest = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** Sends and reads JSON; undefined if the answer has no body. Throws `DemoRequestError` unless the status is 2xx. */
export async function requestJson<T>(url: string, request: JsonRequest = {}): Promise<T> {
  const { method = 'GET', headers = {}, body } = request;
  const answer = await fetch(url, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  const text = await answer.text();
  if (!answer.ok) throw new DemoRequestError(`${method} ${new URL(url).pathname} answered ${answer.status}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

/** One line of a simulator's request log. */
export type LoggedRequest = {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly fault: string | null;
  readonly body: unknown;
};

export type RequestLog = {
  readonly requests: readonly LoggedRequest[];
  readonly counts: Readonly<Record<string, number>>;
};

export type AdminRecord = {
  readonly id: string;
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
};

/** The admin calls of both simulators. They are not logged and use no quota. */
export function adminOf(base: string) {
  return {
    records: async (type: string): Promise<readonly AdminRecord[]> =>
      (await requestJson<{ records: readonly AdminRecord[] }>(`${base}/records?type=${type}`)).records,
    create: (type: string, fields: object): Promise<AdminRecord> =>
      requestJson(`${base}/records`, { method: 'POST', body: { type, fields } }),
    edit: (id: string, set: object): Promise<AdminRecord> =>
      requestJson(`${base}/records/${encodeURIComponent(id)}`, { method: 'PATCH', body: { set } }),
    /** Only Salesforce has leads to convert. */
    convert: (id: string): Promise<{ readonly opportunityId: string }> =>
      requestJson(`${base}/records/${encodeURIComponent(id)}/convert`, { method: 'POST', body: {} }),
    plan: (fault: object): Promise<unknown> => requestJson(`${base}/faults`, { method: 'POST', body: fault }),
    requests: (): Promise<RequestLog> => requestJson(`${base}/requests`),
    /** Only the vendor simulator has violations. */
    violations: async (): Promise<readonly unknown[]> =>
      (await requestJson<{ violations: readonly unknown[] }>(`${base}/violations`)).violations,
  };
}

export type Admin = ReturnType<typeof adminOf>;
